/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _MARKERS_JSON_H
#define _MARKERS_JSON_H

#include <stddef.h>
#include <stdio.h>

/**
 * json_string() - write a string with its quotation marks
 * @out: where to
 * @text: any bytes; what is no UTF-8 becomes U+FFFD, one for each byte
 * @size: of @text
 */
void json_string(FILE *out, const char *text, size_t size);

#endif /* _MARKERS_JSON_H */
