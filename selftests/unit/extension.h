/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The extensions of %p that the kernel's printf has, for user space: force-included,
 * so that print.c does not call snprintf() for them.
 *
 * Prints the object that the pointer points to as hexadecimal digits, and a symbol as
 * "symbol" and its address.  Two errors have a name.  A test can set the hook instead.
 */
#ifndef _UNIT_EXTENSION_H
#define _UNIT_EXTENSION_H

typedef int marker_extension_fn(char *buf, size_t size, const char *spec,
				const void *ptr);

/* Weak: one per program. */
marker_extension_fn *marker_extension_hook __attribute__((weak));

static int marker_unit_extension(char *buf, size_t size, const char *spec,
				 const void *ptr) __maybe_unused;
static int marker_unit_extension(char *buf, size_t size, const char *spec,
				 const void *ptr)
{
	size_t i, len = strchr(spec, 'U') || strchr(spec, '6') ? 16 :
			strchr(spec, '4') ? 4 : 6;
	char hex[33];

	if (marker_extension_hook)
		return marker_extension_hook(buf, size, spec, ptr);
	if (strchr(spec, 'e'))
		return snprintf(buf, size, ptr == (void *)-2l ? "-ENOENT" :
				ptr == (void *)-5l ? "-EIO" : "%ld", (long)ptr);
	if (strpbrk(spec, "SsB"))
		return snprintf(buf, size, "symbol+0x%llx",
				(unsigned long long)(uintptr_t)ptr);
	for (i = 0; i < len; i++)
		sprintf(hex + 2 * i, "%02x", ((const u8 *)ptr)[i]);
	return snprintf(buf, size, "%s", hex);
}

#define marker_print_extension	marker_unit_extension

#endif /* _UNIT_EXTENSION_H */
