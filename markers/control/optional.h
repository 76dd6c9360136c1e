/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Optional clients: they may be there before markers.ko, and after it.
 */
#ifndef _MARKERS_OPTIONAL_H
#define _MARKERS_OPTIONAL_H

struct marker_module;
struct module;

/**
 * marker_optional_find() - look at the modules that are loaded
 * @look:	called for each; the struct module stays until it returns, but the module may be
 *		going
 *
 * One that is COMING may be missed.
 *
 * Context: Process context; sleeps.
 * Return: 0; -ENOMEM: @look was not called.
 */
int marker_optional_find(void (*look)(struct module *mod));

/**
 * marker_optional_keep() - markers.ko must stay as long as this client does
 * @keep:	the client is connected, or it goes
 *
 * Does nothing where marker_optional_wait() can wait for hits.
 *
 * Context: Any.
 */
void marker_optional_keep(bool keep);

/**
 * marker_optional_silence() - turn all markers of a client off, whoever wants them
 * @module:	the client, which does not go meanwhile
 *
 * Waits until there is memory for that.  Hits may still be on their way.
 *
 * Context: Process context; sleeps.  Registry mutex held; gives it up while it waits.
 */
void marker_optional_silence(struct marker_module *module);

/**
 * marker_optional_wait() - wait for hits of clients that were silenced
 *
 * Context: Process context; sleeps, until each task has been in user space or has slept.
 */
void marker_optional_wait(void);

#endif /* _MARKERS_OPTIONAL_H */
