/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Takes the place of markers/base.h, and of other kernel headers, in the command: what the files
 * of the module need that it shares with the command. The build force-includes it.
 */
#ifndef _MARKERS_KERNEL_H
#define _MARKERS_KERNEL_H

#include "../../check-formats/base.h"

/**
 * reader_print_extension() - print what a %p extension of the kernel's printf stands for
 * @buf: where to
 * @size: bytes there
 * @spec: the conversion
 * @ptr: the object, or for "%pe" a number
 *
 * Return: as snprintf().
 */
int reader_print_extension(char *buf, size_t size, const char *spec, const void *ptr);

#define marker_print_extension	reader_print_extension

/*
 * Takes the place of markers/compat/nofault.h: what a filter reads lies in memory of the reader.
 * A word may reach beyond it, but not beyond its page.
 */
#define _MARKERS_COMPAT_NOFAULT_H

#define marker_nofault_may_read(from)	((void)(from), true)

struct reader_word {
	u64 word;
} __attribute__((packed, may_alias));

__attribute__((no_sanitize("address")))
static inline bool marker_nofault_read_word(u64 *to, const void *from)
{
	*to = ((const struct reader_word *)from)->word;
	return true;
}

static inline bool marker_nofault_read_byte(u8 *to, const void *from)
{
	*to = *(const u8 *)from;
	return true;
}

#endif /* _MARKERS_KERNEL_H */
