/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One text that several threads write: its parts have numbers from 0 on, and each is of one thread.
 * A thread alone writes without a detour.
 */
#ifndef _MARKERS_TURNS_H
#define _MARKERS_TURNS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct turns;

/**
 * turns_begin() - begin a text
 * @out: gets it
 * @nr: number of threads
 *
 * Return: the text, for turns_end().
 */
struct turns *turns_begin(FILE *out, unsigned int nr);

/**
 * turns_enter() - begin to write, in a thread
 * @turns: the text
 * @thread: number of the thread
 *
 * Return: the file to which it writes its parts, for this thread alone.
 */
FILE *turns_enter(struct turns *turns, unsigned int thread);

/**
 * turns_next() - add what a thread has written to its file to the text
 * @turns: the text
 * @thread: number of the thread
 * @part: the number of that part
 *
 * Waits until the parts before it are there: threads must add all that they have begun.
 *
 * Return: false if the output fails; nobody waits any more then.
 */
bool turns_next(struct turns *turns, unsigned int thread, uint64_t part);

/**
 * turns_end() - free all, when all threads have ended
 * @turns: from turns_begin(), or NULL
 *
 * Return: 0; or errno with which the output failed, in one of several threads.
 */
int turns_end(struct turns *turns);

#endif /* _MARKERS_TURNS_H */
