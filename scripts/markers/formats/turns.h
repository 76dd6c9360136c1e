/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One text that several threads write: its parts have numbers from 0 on, and thread N of M writes the
 * parts N, N + M, and so on. A thread alone writes without a detour.
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
 * @part: the number of that part
 *
 * Waits until the parts before it are there, or their thread has left.
 *
 * Return: false if the output fails; nobody waits any more then.
 */
bool turns_next(struct turns *turns, uint64_t part);

/**
 * turns_leave() - a thread writes no more
 * @turns: the text
 * @thread: number of the thread
 */
void turns_leave(struct turns *turns, unsigned int thread);

/**
 * turns_end() - free all, when all threads have left
 * @turns: from turns_begin(), or NULL
 *
 * Return: 0; or errno with which the output failed, in one of several threads.
 */
int turns_end(struct turns *turns);

#endif /* _MARKERS_TURNS_H */
