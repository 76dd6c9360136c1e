/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names for the addresses of functions, from info/symbols of a recording (record/kallsyms.h). A
 * name is right or there is none.
 */
#ifndef _MARKERS_SYMBOLS_H
#define _MARKERS_SYMBOLS_H

#include <stdint.h>
#include <stdio.h>

#include "event.h"

/**
 * symbols_begin() - read the symbols of a recording
 * @dir: its directory; a part of a recording has those of the directory above it
 * @info: the recording
 *
 * Without info/symbols there are no names; nor, and it says so, if the recordings below @dir have
 * different ones.
 */
void symbols_begin(const char *dir, const struct trace_info *info);

struct symbols;

/**
 * symbols_use() - change to the symbols of another recording
 * @symbols: what this returned after a symbols_begin(), or NULL
 *
 * Return: the symbols used so far, or NULL.
 */
struct symbols *symbols_use(struct symbols *symbols);

/**
 * symbols_free() - free symbols that are not used
 * @symbols: from symbols_use(), or NULL
 */
void symbols_free(struct symbols *symbols);

/**
 * struct symbol_name - the name of an address
 * @name: the function
 * @module: its module; empty: the kernel
 * @offset: bytes from its begin
 */
struct symbol_name {
	const char *name;
	const char *module;
	uint64_t offset;
};

/**
 * symbols_find() - find the name of an address
 * @found: gets it
 * @address: the address
 * @time: when it was recorded, in nanoseconds of the trace clock
 *
 * The address must be in the pages of the functions of the kernel, or of the one module that had
 * them at that time.
 *
 * Return: false if there is no name.
 */
bool symbols_find(struct symbol_name *found, uint64_t address, uint64_t time);

/**
 * symbols_put() - write the name of an address
 * @out: the output file
 * @address: the address
 * @time: when it was recorded, in nanoseconds of the trace clock
 *
 * Writes "function+0x12", or "function+0x12 [module]", as symbols_find() has it.
 *
 * Return: false if there is no name; then it writes nothing.
 */
bool symbols_put(FILE *out, uint64_t address, uint64_t time);

#endif /* _MARKERS_SYMBOLS_H */
