/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tables of commands and options. Parsing, --help, the man pages and the completion of bash
 * all come from these tables. There is no other description.
 */
#ifndef _MARKERS_PROGRAM_H
#define _MARKERS_PROGRAM_H

/**
 * struct option_def - an option of a command; a table ends with an empty one
 * @letter: 'o' for "-o", what option_next() returns; from 256 on: there is no letter
 * @name: "output" for "--output"
 * @arg: the placeholder of its value in the help, or NULL if it takes no value
 * @text: one sentence for the help
 * @values: the values it can have, separated by blanks; NULL: too many
 * @stored: where option_next() leaves the value; then it does not return the option; or NULL
 *
 * @arg also says how to complete the value: DIR is a directory, PATTERN a marker.
 */
struct option_def {
	int letter;
	const char *name;
	const char *arg;
	const char *text;
	const char *values;
	const char **stored;
};

struct arguments;

/**
 * struct command - a subcommand
 * @name: the word after "markers"
 * @args: what follows the options, for the help; NULL: nothing may follow; "DIR": exactly one
 * @summary: one line for the list of commands
 * @text: some paragraphs for --help and the man page
 * @examples: for the man page: what to do, and after it a line that begins with a tab for each
 *	command line
 * @see: other commands, separated by blanks
 * @options: its options, without --help
 * @run: runs the command and returns the exit status
 * @completes: the kind of its arguments: "marker", "trace" (a directory), "command" (a program
 *	with its arguments), or NULL
 */
struct command {
	const char *name;
	const char *args;
	const char *summary;
	const char *text;
	const char *examples;
	const char *see;
	const struct option_def *options;
	int (*run)(struct arguments *args);
	const char *completes;
};

/**
 * struct arguments - the command line of a command
 * @command: the command
 * @argc: number of words in @argv
 * @argv: the words; once option_next() has returned 0, those after the options
 */
struct arguments {
	const struct command *command;
	int argc;
	char **argv;
};

/**
 * option_next() - take the next option from the command line
 * @args: the command line
 * @value: set to the option's value, or NULL
 *
 * Ends the program for --help, after printing the help, for an unknown option, and, where
 * @args of the command says how many words follow the options, for another number.
 *
 * Return: the letter of the option; 0 if there are no more of them.
 */
int option_next(struct arguments *args, const char **value);

/**
 * program_run() - main() of a program that has commands
 * @commands: the table, terminated by NULL
 * @argc: from main()
 * @argv: from main()
 *
 * Return: the exit status.
 */
int program_run(const struct command *const commands[], int argc, char **argv);

#endif /* _MARKERS_PROGRAM_H */
