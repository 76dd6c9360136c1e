/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * How an event looks as text: what the kernel's files and the command's reports have in
 * common, as ftrace has it. The rest differs: the kernel walks the bytes of a record, and
 * fills a buffer; a report has the values from a reader of CTF, and fills a file.
 */
#ifndef _MARKERS_UAPI_TEXT_H
#define _MARKERS_UAPI_TEXT_H

#include <markers/uapi/ctf.h>

/* Columns. */
#define TEXT_PROCNAME_WIDTH	16
#define TEXT_TID_WIDTH		7
#define TEXT_FLAGS_WIDTH	4

/**
 * text_escape_letter() - the letter that stands for a byte after a backslash
 * @byte: the byte
 *
 * Return: the letter, or 0: "\xHH" stands for it.
 */
static inline char text_escape_letter(unsigned char byte)
{
	switch (byte) {
	case '\n':
		return 'n';
	case '\t':
		return 't';
	case '\r':
		return 'r';
	case '\\':
		return '\\';
	}
	return 0;
}

/* Interrupts off, softirqs off, both. */
static inline char text_irqs_letter(unsigned int flags)
{
	if (flags & CTF_FLAG_IRQS_OFF)
		return flags & CTF_FLAG_BH_OFF ? 'D' : 'd';
	return flags & CTF_FLAG_BH_OFF ? 'b' : '.';
}

/* By the task's flag, by the CPU's, and lazily. */
static inline char text_resched_letter(unsigned int flags)
{
	return ".npNlbLB"[(flags & CTF_FLAG_RESCHED ? 1 : 0) +
			  (flags & CTF_FLAG_PREEMPT_RESCHED ? 2 : 0) +
			  (flags & CTF_FLAG_LAZY_RESCHED ? 4 : 0)];
}

static inline char text_interrupt_letter(unsigned int flags)
{
	if (flags & CTF_FLAG_NMI)
		return flags & CTF_FLAG_HARDIRQ ? 'Z' : 'z';
	if (flags & CTF_FLAG_HARDIRQ)
		return flags & CTF_FLAG_SOFTIRQ ? 'H' : 'h';
	return flags & CTF_FLAG_SOFTIRQ ? 's' : '.';
}

/**
 * text_flags() - the context "flags" as letters
 * @letters: is filled in, without a NUL
 * @flags: CTF_FLAG_*
 */
static inline void text_flags(char letters[TEXT_FLAGS_WIDTH], unsigned int flags)
{
	unsigned int depth = flags & CTF_FLAG_DEPTH;

	letters[0] = text_irqs_letter(flags);
	letters[1] = text_resched_letter(flags);
	letters[2] = text_interrupt_letter(flags);
	letters[3] = ".123456789abcdef"[depth < 15 ? depth : 15];
}

#endif /* _MARKERS_UAPI_TEXT_H */
