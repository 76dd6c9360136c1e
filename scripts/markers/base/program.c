// SPDX-License-Identifier: GPL-2.0
/*
 * Finds the command and parses its options. manual.c prints help and manuals.
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <markers/version.h>

#include "file.h"
#include "manual.h"
#include "message.h"
#include "program.h"

#define MAX_OPTIONS	32
#define HELP		'h'

static void fill_options(const struct command *command, char *letters,
			 struct option *options)
{
	const struct option_def *def;
	int n = 0;

	/* "+": with COMMAND, the words after the first non-option belong to that command */
	if (command->args && strstr(command->args, "COMMAND"))
		*letters++ = '+';
	*letters++ = ':';
	for (def = command->options; def && def->name && n < MAX_OPTIONS - 2; def++) {
		options[n].name = def->name;
		options[n].has_arg = def->arg ? required_argument : no_argument;
		options[n++].val = def->letter;
		if (def->letter > 255)
			continue;
		*letters++ = def->letter;
		if (def->arg)
			*letters++ = ':';
	}
	options[n].name = "help";
	options[n].val = HELP;
	*letters++ = HELP;
	*letters = '\0';
}

static int end_stdout(int status)
{
	errno = 0;
	if (!fflush(stdout) && !ferror(stdout))
		return status;
	if (!errno)
		errno = EIO;	/* an earlier write failed */
	say_errno("stdout");
	if (status == STATUS_LOST || status == STATUS_FIRED)
		return STATUS_FAILED;
	return status ?: STATUS_FAILED;
}

static bool is_letter_of(const struct option *option, int letter)
{
	for (; option->name; option++)
		if (option->val == letter)
			return true;
	return false;
}

static bool is_begin_of(const struct option *option, const char *name)
{
	for (; option->name; option++)
		if (!strncmp(option->name, name, strcspn(name, "=")))
			return true;
	return false;
}

/* What getopt_long() does not accept: @letter is what it returned. */
static int option_error(const struct arguments *args, const struct option *options, int letter)
{
	const char *word = args->argv[optind - 1];
	char name[] = { '-', optopt, '\0' };

	/* optind may be that of the next word: the one before it is another option then */
	if (word[0] != '-' || word[1] != '-' || (optopt && !is_letter_of(options, optopt)))
		word = name;
	if (letter == ':')
		return usage_error(args->command->name, "%s needs a value", word);
	if (optopt && word != name)
		return usage_error(args->command->name, "%.*s takes no value",
				   (int)strcspn(word, "="), word);
	if (word != name && is_begin_of(options, word + 2))
		return usage_error(args->command->name, "%s may be several options", word);
	return usage_error(args->command->name, "unknown option %s", word);
}

static int check_words(const struct arguments *args)
{
	const char *wanted = args->command->args;
	int most = !wanted ? 0 : !strcmp(wanted, "DIR") ? 1 : INT_MAX;

	if (args->argc > most)
		return usage_error(args->command->name, "unexpected argument \"%s\"",
				   args->argv[most]);
	return most != 1 || args->argc ? STATUS_OK :
	       usage_error(args->command->name, "which recording?");
}

/* Keep the value of an option that the command does not see. Return: whether it is one. */
static bool store(const struct command *command, int letter)
{
	const struct option_def *def;

	for (def = command->options; def && def->name; def++) {
		if (def->letter != letter || !def->stored)
			continue;
		*def->stored = optarg;
		return true;
	}
	return false;
}

int option_next(struct arguments *args, const char **value)
{
	struct option options[MAX_OPTIONS] = {};
	char letters[2 * MAX_OPTIONS + 4];
	int letter, status;

	fill_options(args->command, letters, options);
	opterr = 0;
	do {
		letter = getopt_long(args->argc, args->argv, letters, options, NULL);
	} while (store(args->command, letter));
	*value = optarg;
	if (letter == '?' || letter == ':')
		exit(option_error(args, options, letter));
	if (letter == HELP) {
		manual_help(args->command, stdout);
		exit(end_stdout(STATUS_OK));
	}
	if (letter >= 0)
		return letter;
	args->argc -= optind;
	args->argv += optind;
	status = check_words(args);
	if (status)
		exit(status);
	return 0;
}

static const struct command *find(const struct command *const commands[],
				  const char *name)
{
	for (; *commands; commands++)
		if (!strcmp((*commands)->name, name))
			return *commands;
	return NULL;
}

static int print_about(const struct command *const commands[], const char *word,
		       const char *name)
{
	const struct command *command = name ? find(commands, name) : NULL;

	if (!strcmp(word, "--man") && command) {
		manual_man(command, stdout);
	} else if (!strcmp(word, "--man") && !name) {
		manual_man_begin(stdout);
		manual_man_commands(commands, stdout);
		manual_man_end(stdout);
	} else if (!strcmp(word, "--commands")) {
		manual_names(commands, stdout);
	} else if (!strcmp(word, "--completion")) {
		manual_completion_begin(stdout);
		manual_cases(commands, stdout);
		manual_completion_end(stdout);
	} else if (!strcmp(word, "--version")) {
		printf("markers %d.%d\n", MARKERS_VERSION_MAJOR, MARKERS_VERSION_MINOR);
	} else if (!strcmp(word, "--help") || !strcmp(word, "-h") || !strcmp(word, "help")) {
		if (command) {
			manual_help(command, stdout);
		} else {
			manual_head(stdout);
			manual_list(commands, stdout);
			manual_foot(stdout);
		}
	} else {
		return STATUS_USAGE;
	}
	return end_stdout(STATUS_OK);
}

/* Say what is wrong with the first words. */
static int say_unknown(int argc, char **argv)
{
	static const char *const takes_command[] = { "help", "--help", "-h", "--man" };
	static const char *const takes_nothing[] = { "--version", "--commands", "--completion" };
	const char *name = argv[1];
	size_t i;

	for (i = 0; i < sizeof(takes_nothing) / sizeof(*takes_nothing); i++)
		if (argc > 2 && !strcmp(argv[1], takes_nothing[i]))
			return usage_error(NULL, "%s takes no value: \"%s\"", argv[1], argv[2]);

	for (i = 0; i < sizeof(takes_command) / sizeof(*takes_command); i++)
		if (argc > 2 && !strcmp(argv[1], takes_command[i]))
			name = argv[2];
	if (name == argv[1] && *name == '-')
		return usage_error(NULL, "unknown option %s", name);
	return usage_error(NULL, "no command \"%s\"", name);
}

/*
 * If stdin, stdout or stderr is closed, no file may get its number: we would print into that
 * file. Opened the wrong way round, its use fails, as that of a closed one.
 */
static void occupy_standard_fds(void)
{
	int fd;

	for (fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 &&
		    open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0)
			return;		/* without /dev */
}

int program_run(const struct command *const commands[], int argc, char **argv)
{
	struct arguments args;
	int status;

	occupy_standard_fds();
	file_allow_many();
	if (argc < 2) {
		print_about(commands, "--help", NULL);
		return STATUS_USAGE;
	}
	args.command = find(commands, argv[1]);
	if (args.command) {
		args.argc = argc - 1;
		args.argv = argv + 1;
		return end_stdout(args.command->run(&args));
	}
	if (argv[1][0] == '-' || !strcmp(argv[1], "help")) {
		const char *name = argc > 2 ? argv[2] : NULL;

		if (!name || find(commands, name)) {
			status = print_about(commands, argv[1], name);
			if (status != STATUS_USAGE)
				return status;
		}
	}
	return say_unknown(argc, argv);
}
