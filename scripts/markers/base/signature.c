// SPDX-License-Identifier: GPL-2.0
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "message.h"
#include "signature.h"

#define MAGIC		"~Module signature appended~\n"

/* What precedes MAGIC. Before it is the signature itself, of PKCS#7. */
struct trailer {
	uint8_t unused[8];
	uint8_t length[4];	/* of the signature; big endian */
};

/* The object identifier 2.5.4.3, commonName. A string follows: its kind, its length, its bytes. */
static const uint8_t common_name[] = { 6, 3, 0x55, 4, 3 };

/*
 * The last name: the certificate of the signer is not in the signature of a module, only the
 * name of who issued it, which is the same for a key that signed itself.
 */
static char *last_name(const uint8_t *bytes, size_t size)
{
	const uint8_t *at, *end = bytes + size, *text = NULL;
	size_t length = 0;

	while ((at = memmem(bytes, end - bytes, common_name, sizeof(common_name)))) {
		bytes = at + sizeof(common_name);
		if (end - bytes < 2 || bytes[1] > end - bytes - 2)
			break;
		length = bytes[1];
		text = bytes + 2;
	}
	return need_memory(strndup(text ? (const char *)text : "", length));
}

bool signature_signer(const char *path, char **signer)
{
	struct trailer trailer;
	size_t size, length;
	char *bytes = file_read(AT_FDCWD, path, &size);

	*signer = NULL;
	if (!bytes)
		return false;
	if (size < strlen(MAGIC) || memcmp(bytes + size - strlen(MAGIC), MAGIC, strlen(MAGIC)))
		goto out;
	size -= strlen(MAGIC);
	length = 0;
	if (size >= sizeof(trailer)) {
		size -= sizeof(trailer);
		memcpy(&trailer, bytes + size, sizeof(trailer));
		length = (size_t)trailer.length[0] << 24 | trailer.length[1] << 16 |
			 trailer.length[2] << 8 | trailer.length[3];
	}
	if (length > size)
		length = 0;
	*signer = last_name((uint8_t *)bytes + size - length, length);
out:
	free(bytes);
	return true;
}

/* A line ends with "NAME: ID: X509.rsa ...". */
enum signature_key signature_find_key(const char *signer)
{
	char *keys = file_read(AT_FDCWD, "/proc/keys", NULL), *name = format_text(" %s: ", signer);
	enum signature_key found = SIGNATURE_KEY_HIDDEN;
	char *line, *rest = keys;

	while (found != SIGNATURE_KEY_THERE && (line = strsep(&rest, "\n"))) {
		if (strstr(line, ": X509."))
			found = strstr(line, name) ? SIGNATURE_KEY_THERE : SIGNATURE_KEY_MISSING;
	}
	free(name);
	free(keys);
	return found;
}
