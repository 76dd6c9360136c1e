/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The signature of a module file: is there one, and whose is it?
 */
#ifndef _MARKERS_SIGNATURE_H
#define _MARKERS_SIGNATURE_H

#include <stdbool.h>

/**
 * signature_signer() - read who has signed a module file
 * @path: the file
 * @signer: set to the name of the certificate (CN), to be freed; "" if it cannot be told; NULL
 *	without a signature
 *
 * Return: whether the file could be read; otherwise errno is set, and @signer is NULL.
 */
bool signature_signer(const char *path, char **signer);

enum signature_key {
	SIGNATURE_KEY_HIDDEN,	/* /proc/keys shows this user no key of the kernel */
	SIGNATURE_KEY_MISSING,
	SIGNATURE_KEY_THERE,
};

/**
 * signature_find_key() - look for the key of a signer among those of the kernel
 * @signer: the name of a certificate
 *
 * Return: SIGNATURE_KEY_THERE if it has a key of this name, which may also be in a keyring that
 * it does not ask about modules.
 */
enum signature_key signature_find_key(const char *signer);

#endif /* _MARKERS_SIGNATURE_H */
