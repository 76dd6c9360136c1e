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
 * size_parse() - read a size
 * @text: a number and perhaps K, M or G, in either case
 * @unit: what a number without a letter counts in, in bytes
 * @size: is set, in bytes
 *
 * Return: whether it is one.
 */
bool size_parse(const char *text, uint64_t unit, uint64_t *size);

/**
 * size_text() - a size for a reader
 * @size: in bytes
 * @text: room for it
 * @room: bytes of @text
 *
 * Return: @text, as "1.5 MiB".
 */
const char *size_text(uint64_t size, char *text, size_t room);

#endif /* _MARKERS_SIZE_H */
