/* SPDX-License-Identifier: GPL-2.0 */
/*
 * User space stand-in for markers/compat/nofault.h: same guard, force-included
 * after base.h.
 *
 * A test can declare a range of addresses bad; reads of it then "fault".  The first
 * page stands for user space, which the kernel must not try to read.
 * MARKER_TEST_FAULTS=0 leaves the checks out, for measurements.
 */
#ifndef _MARKERS_COMPAT_NOFAULT_H
#define _MARKERS_COMPAT_NOFAULT_H

#ifndef MARKER_TEST_FAULTS
#define MARKER_TEST_FAULTS	1
#endif

/* Bad from @marker_bad_start up to @marker_bad_end; weak: one per program. */
__attribute__((weak)) const char *marker_bad_start;
__attribute__((weak)) const char *marker_bad_end;

/* Called after each load, if not NULL: does what another CPU would store then. */
__attribute__((weak)) void (*marker_after_load)(const void *from);

static __always_inline void marker_test_loaded(const void *from)
{
	if (MARKER_TEST_FAULTS && marker_after_load)
		marker_after_load(from);
}

static __always_inline bool marker_test_fault(const char *from, size_t size)
{
	if (!MARKER_TEST_FAULTS)
		return false;
	return from < marker_bad_end && from + size > marker_bad_start;
}

static __always_inline bool marker_nofault_may_read(const void *from)
{
	return (uintptr_t)from >= 4096 && (uintptr_t)from < 0xffffffffff600000ul;
}

/*
 * A word may reach beyond the object that holds a string, though not beyond its
 * page, so the address sanitizer must not check it.
 */
struct marker_unaligned_word {
	u64 word;
} __attribute__((packed, may_alias));

#if defined(__SANITIZE_ADDRESS__) || defined(__clang__)
__attribute__((__noinline__, no_sanitize("address")))
static __maybe_unused u64 marker_load_word(const void *from)
{
	return ((const struct marker_unaligned_word *)from)->word;
}
#else
static __always_inline u64 marker_load_word(const void *from)
{
	u64 word;

	memcpy(&word, from, sizeof(word));
	return word;
}
#endif

static __always_inline bool marker_nofault_read_word(u64 *to, const void *from)
{
	if (marker_test_fault(from, sizeof(*to)))
		return false;
	*to = marker_load_word(from);
	marker_test_loaded(from);
	return true;
}

static __always_inline bool marker_nofault_read_byte(u8 *to, const void *from)
{
	if (marker_test_fault(from, sizeof(*to)))
		return false;
	*to = *(const u8 *)from;
	marker_test_loaded(from);
	return true;
}

#endif /* _MARKERS_COMPAT_NOFAULT_H */
