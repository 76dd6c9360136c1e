/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Memory by words: unaligned loads and stores, and the search for a NUL.  Pure.
 *
 * Strings are measured and copied by words.  A word is only read if it ends in
 * the page of its first byte, or if the string is known to go on to its last
 * byte: the next page may be missing, or worse, a device.
 */
#ifndef _MARKERS_WORDS_H
#define _MARKERS_WORDS_H

#include <markers/base.h>

#define LOW_BITS	0x0101010101010101ull	/* of each byte */
#define HIGH_BITS	0x8080808080808080ull

#define SMALLEST_PAGE	4096u

#define IS_LITTLE_ENDIAN	(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)

/*
 * Unaligned access.  A memcpy() of constant size would be the same load or
 * store, but with FORTIFY_SOURCE newer kernels check each of them at run time.
 */
struct unaligned64 { u64 value; } __packed __attribute__((may_alias));
struct unaligned32 { u32 value; } __packed __attribute__((may_alias));
struct unaligned16 { u16 value; } __packed __attribute__((may_alias));

static __always_inline u64 get64(const void *from)
{
	return ((const struct unaligned64 *)from)->value;
}

static __always_inline void put64(void *to, u64 value)
{
	((struct unaligned64 *)to)->value = value;
}

static __always_inline void put32(void *to, u32 value)
{
	((struct unaligned32 *)to)->value = value;
}

static __always_inline void put16(void *to, u16 value)
{
	((struct unaligned16 *)to)->value = value;
}

/*
 * The high bit of each zero byte in this word: zero if there is none.  The
 * lowest bit is always right; those above it may be due to a borrow.
 */
static __always_inline u64 find_zeroes(u64 word)
{
	return (word - LOW_BITS) & ~word & HIGH_BITS;
}

/* Less work than find_zeroes(), but bytes above 0x80 may look like zero. */
static __always_inline bool maybe_zero(u64 word)
{
	return (word - LOW_BITS) & HIGH_BITS;
}

/* The index of the first zero byte; little endian. */
static __always_inline u32 first_zero(u64 zeroes)
{
	return __builtin_ctzll(zeroes) / 8;
}

/* Do @bytes from here on lie in one page? */
static __always_inline bool in_one_page(const char *from, u32 bytes)
{
	return ((uintptr_t)from & (SMALLEST_PAGE - 1)) <= SMALLEST_PAGE - bytes;
}

#endif /* _MARKERS_WORDS_H */
