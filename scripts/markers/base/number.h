/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Numbers, sizes and times as people write them: "7", "64K", "3.5757".
 */
#ifndef _MARKERS_NUMBER_H
#define _MARKERS_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * number_take() - parse the digits at the beginning of a text
 * @text: advanced to what follows them
 * @number: set to the number
 *
 * Return: whether there is a digit, and 64 bits have room for the number.
 */
bool number_take(const char **text, uint64_t *number);

/**
 * number_parse() - parse a number
 * @text: digits, and nothing else
 * @least: the least number that is accepted
 * @most: the greatest
 * @number: set to the number
 *
 * Return: whether @text is such a number.
 */
bool number_parse(const char *text, uint64_t least, uint64_t most, uint64_t *number);

/**
 * number_parse_time() - parse a time
 * @text: seconds, with up to nine digits after the point
 * @time: set to the time in nanoseconds
 *
 * Return: whether @text is a time.
 */
bool number_parse_time(const char *text, uint64_t *time);

/**
 * size_parse() - parse a size
 * @text: a number, then perhaps K, M or G in either case
 * @unit: the unit of a number without a letter, in bytes
 * @size: set to the size in bytes
 *
 * Return: whether @text is a size.
 */
bool size_parse(const char *text, uint64_t unit, uint64_t *size);

/**
 * duration_parse() - parse a duration
 * @text: a number of up to nine digits after the point, and ns, us, ms, s, min, h or d behind it
 * @ns: set to the duration in nanoseconds
 *
 * Return: whether @text is one of more than 0 ns.
 */
bool duration_parse(const char *text, uint64_t *ns);

/**
 * size_text() - format a size for people
 * @size: the size in bytes
 * @text: gets the text
 * @room: bytes of @text
 *
 * Return: @text, such as "1.5 MiB".
 */
const char *size_text(uint64_t size, char *text, size_t room);

#endif /* _MARKERS_NUMBER_H */
