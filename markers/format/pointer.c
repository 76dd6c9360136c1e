// SPDX-License-Identifier: GPL-2.0
/*
 * The extensions of %p: which of them can be recorded, and as which type.
 *
 * marker_format_parse_conversion() calls this, so it runs when a module is loaded and when
 * text is read, never at a hit.  A new extension is a line in the table.
 */
#include "format.h"

/*
 * The letters and digits right after %p belong to it, all of them: "%pI4x" is not
 * "%pI4" and an x.  @options may follow @name in any order, each once.
 */
static const struct pointer {
	char name[4];
	u8 type;
	u8 size;
	u8 object;
	u8 depth;
	bool is_symbol;
	const char *options;
} pointers[] = {
	/* The pointer itself. */
	{ "",	 MARKER_FIELD_INT,	sizeof(void *) },
	{ "x",	 MARKER_FIELD_INT,	sizeof(void *) },
	{ "K",	 MARKER_FIELD_INT,	sizeof(void *) },
	{ "S",	 MARKER_FIELD_INT,	sizeof(void *), .is_symbol = true },
	{ "SR",	 MARKER_FIELD_INT,	sizeof(void *), .is_symbol = true },
	{ "s",	 MARKER_FIELD_INT,	sizeof(void *), .is_symbol = true },
	{ "B",	 MARKER_FIELD_INT,	sizeof(void *), .is_symbol = true },
	{ "e",	 MARKER_FIELD_INT,	sizeof(void *), MARKER_OBJECT_ERROR,
	  .is_symbol = true },

	/* The bytes there. */
	{ "I4",	 MARKER_FIELD_BYTES,	4 },
	{ "I4h", MARKER_FIELD_BYTES,	4 },
	{ "I4n", MARKER_FIELD_BYTES,	4 },
	{ "I4b", MARKER_FIELD_BYTES,	4 },
	{ "I4l", MARKER_FIELD_BYTES,	4 },
	{ "i4",	 MARKER_FIELD_BYTES,	4 },
	{ "I6",	 MARKER_FIELD_BYTES,	16 },
	{ "i6",	 MARKER_FIELD_BYTES,	16 },
	{ "I6c", MARKER_FIELD_BYTES,	16 },
	{ "M",	 MARKER_FIELD_BYTES,	6 },
	{ "m",	 MARKER_FIELD_BYTES,	6 },
	{ "MF",	 MARKER_FIELD_BYTES,	6 },
	{ "MR",	 MARKER_FIELD_BYTES,	6 },
	{ "U",	 MARKER_FIELD_BYTES,	16 },
	{ "Ub",	 MARKER_FIELD_BYTES,	16 },
	{ "UB",	 MARKER_FIELD_BYTES,	16 },
	{ "Ul",	 MARKER_FIELD_BYTES,	16 },
	{ "UL",	 MARKER_FIELD_BYTES,	16 },

	/* Bytes with a meaning; object.c checks the sizes. */
	{ "a",	 MARKER_FIELD_BYTES,	8, MARKER_OBJECT_NUMBER },
	{ "ap",	 MARKER_FIELD_BYTES,	8, MARKER_OBJECT_NUMBER },
	{ "ad",	 MARKER_FIELD_BYTES,	8, MARKER_OBJECT_NUMBER },
	{ "NF",	 MARKER_FIELD_BYTES,	8, MARKER_OBJECT_NUMBER },
	{ "Gp",	 MARKER_FIELD_BYTES,	8, MARKER_OBJECT_NUMBER },
	{ "Gv",	 MARKER_FIELD_BYTES,	8, MARKER_OBJECT_NUMBER },
	{ "Gg",	 MARKER_FIELD_BYTES,	4, MARKER_OBJECT_NUMBER },
	{ "4cc", MARKER_FIELD_BYTES,	4, MARKER_OBJECT_NUMBER },
	{ "tT",	 MARKER_FIELD_BYTES,	8, MARKER_OBJECT_SECONDS, .options = "dtrs" },
	{ "tR",	 MARKER_FIELD_BYTES,	MARKER_TIME_SIZE, MARKER_OBJECT_TIME,
	  .options = "dtrs" },
	{ "R",	 MARKER_FIELD_BYTES,	MARKER_RESOURCE_SIZE, MARKER_OBJECT_RESOURCE },
	{ "r",	 MARKER_FIELD_BYTES,	MARKER_RESOURCE_SIZE, MARKER_OBJECT_RESOURCE },

	/* As many bytes as the width says, or of a bitmap, bits. */
	{ "h",	 MARKER_FIELD_SEQUENCE,	0 },
	{ "hC",	 MARKER_FIELD_SEQUENCE,	0 },
	{ "hD",	 MARKER_FIELD_SEQUENCE,	0 },
	{ "hN",	 MARKER_FIELD_SEQUENCE,	0 },
	{ "E",	 MARKER_FIELD_SEQUENCE,	0 },
	{ "b",	 MARKER_FIELD_SEQUENCE,	0, MARKER_OBJECT_BITMAP },
	{ "bl",	 MARKER_FIELD_SEQUENCE,	0, MARKER_OBJECT_BITMAP },
	{ "IS",	 MARKER_FIELD_SEQUENCE,	0, MARKER_OBJECT_SOCKADDR,
	  .options = "pfschnbl" },

	/* Text that is found from there. */
	{ "d",	 MARKER_FIELD_STRING,	0, MARKER_OBJECT_DENTRY, 1 },
	{ "d2",	 MARKER_FIELD_STRING,	0, MARKER_OBJECT_DENTRY, 2 },
	{ "d3",	 MARKER_FIELD_STRING,	0, MARKER_OBJECT_DENTRY, 3 },
	{ "d4",	 MARKER_FIELD_STRING,	0, MARKER_OBJECT_DENTRY, 4 },
	{ "D",	 MARKER_FIELD_STRING,	0, MARKER_OBJECT_FILE, 1 },
	{ "D2",	 MARKER_FIELD_STRING,	0, MARKER_OBJECT_FILE, 2 },
	{ "D3",	 MARKER_FIELD_STRING,	0, MARKER_OBJECT_FILE, 3 },
	{ "D4",	 MARKER_FIELD_STRING,	0, MARKER_OBJECT_FILE, 4 },
	{ "OF",	 MARKER_FIELD_STRING,	0, MARKER_OBJECT_NODE },
	{ "OFf", MARKER_FIELD_STRING,	0, MARKER_OBJECT_NODE },
	{ "OFn", MARKER_FIELD_STRING,	0, MARKER_OBJECT_NODE_NAME },
	{ "OFP", MARKER_FIELD_STRING,	0, MARKER_OBJECT_NODE_UNIT },
	{ "g",	 MARKER_FIELD_STRING,	0, MARKER_OBJECT_DISK },
	{ "V",	 MARKER_FIELD_STRING,	0, MARKER_OBJECT_NESTED },
};

/* Are these letters options of the extension, each of them once? */
static bool are_options(const struct pointer *p, const char *letters, unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++)
		if (!p->options || !strchr(p->options, letters[i]) ||
		    memchr(letters, letters[i], i))
			return false;
	return true;
}

static bool is_extension(const struct pointer *p, const char *letters, unsigned int nr)
{
	unsigned int len = strlen(p->name);

	return nr >= len && !memcmp(p->name, letters, len) &&
	       are_options(p, letters + len, nr - len);
}

/* Extensions that only a function of the kernel can resolve, and why we do not call it. */
static const char *why_not(const char *letters)
{
	if (letters[0] == 'f' && letters[1] == 'w')
		return "the name of a fwnode is known to its provider only";
	if (letters[0] == 'C')
		return "the name of a clock cannot be read at the hit";
	return "this %p extension cannot be recorded";
}

const char *marker_format_parse_pointer(struct marker_conversion *conv, const char *text,
					unsigned int at)
{
	const struct pointer *p;
	unsigned int len = 0;

	while (marker_is_alnum(text[at + len]))
		len++;
	for (p = pointers; p < pointers + ARRAY_SIZE(pointers); p++) {
		if (!is_extension(p, text + at, len))
			continue;
		conv->type = p->type;
		conv->size = p->size;
		conv->is_symbol = p->is_symbol;
		conv->object = p->object;
		conv->depth = p->depth;
		conv->extension = at;
		conv->end = at + len;
		return NULL;
	}
	return why_not(text + at);
}
