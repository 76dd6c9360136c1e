/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sizes as people write them: "512", "64K", "2M", "1G".
 */
#ifndef _MARKERS_SIZE_H
#define _MARKERS_SIZE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
 * size_text() - format a size for people
 * @size: the size in bytes
 * @text: gets the text
 * @room: bytes of @text
 *
 * Return: @text, such as "1.5 MiB".
 */
const char *size_text(uint64_t size, char *text, size_t room);

#endif /* _MARKERS_SIZE_H */
