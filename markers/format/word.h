/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Words of bytes that lie anywhere: loads, stores, and where a string ends in one.
 *
 * Pure.  Context of all: any, NMI too.
 */
#ifndef _MARKERS_WORD_H
#define _MARKERS_WORD_H

#include <linux/types.h>

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

/**
 * get64() - load 8 bytes from anywhere
 * @from:	where
 *
 * Return: the value.
 */
static __always_inline u64 get64(const void *from)
{
	return ((const struct unaligned64 *)from)->value;
}

/**
 * get32() - load 4 bytes from anywhere
 * @from:	where
 *
 * Return: the value.
 */
static __always_inline u32 get32(const void *from)
{
	return ((const struct unaligned32 *)from)->value;
}

/**
 * get16() - load 2 bytes from anywhere
 * @from:	where
 *
 * Return: the value.
 */
static __always_inline u16 get16(const void *from)
{
	return ((const struct unaligned16 *)from)->value;
}

/**
 * put64() - store 8 bytes anywhere
 * @to:		where
 * @value:	what
 */
static __always_inline void put64(void *to, u64 value)
{
	((struct unaligned64 *)to)->value = value;
}

/**
 * put32() - store 4 bytes anywhere
 * @to:		where
 * @value:	what
 */
static __always_inline void put32(void *to, u32 value)
{
	((struct unaligned32 *)to)->value = value;
}

/**
 * put16() - store 2 bytes anywhere
 * @to:		where
 * @value:	what
 */
static __always_inline void put16(void *to, u16 value)
{
	((struct unaligned16 *)to)->value = value;
}

/**
 * find_zeroes() - the zero bytes of a word
 * @word:	the word
 *
 * Return: the high bit of each zero byte; zero if there is none.  The lowest bit is
 * always right; those above it may be due to a borrow.
 */
static __always_inline u64 find_zeroes(u64 word)
{
	return (word - LOW_BITS) & ~word & HIGH_BITS;
}

/**
 * first_zero() - the index of the first zero byte
 * @zeroes:	of a little-endian word, from find_zeroes(), and not zero
 *
 * Return: from 0 to 7.
 */
static __always_inline u64 first_zero(u64 zeroes)
{
	u32 bits = __builtin_ctzll(zeroes);

	/* Forget @zeroes, and that this is signed. */
	__asm__("" : "+r" (bits));
	return (u64)(bits / 8);
}

/**
 * in_one_page() - do bytes lie in one page?
 * @from:	the first one
 * @bytes:	how many
 *
 * Return: true if they do.
 */
static __always_inline bool in_one_page(const char *from, u32 bytes)
{
	return ((uintptr_t)from & (SMALLEST_PAGE - 1)) <= SMALLEST_PAGE - bytes;
}

#endif /* _MARKERS_WORD_H */
