// SPDX-License-Identifier: GPL-2.0
/*
 * Help, man pages and completion, from the tables of commands. The texts of commands are
 * plain: an empty line separates paragraphs, and a line that begins with a tab is shown
 * unchanged.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "manual.h"
#include "program.h"

static const struct option_def help_option = { 'h', "help", NULL, "Print this help." };

static int option_text(const struct option_def *def, char *text, size_t size)
{
	char letter[8] = "    ";

	if (def->letter < 256)
		snprintf(letter, sizeof(letter), "-%c, ", def->letter);
	return snprintf(text, size, "%s--%s%s%s", letter, def->name,
			def->arg ? " " : "", def->arg ? def->arg : "");
}

static void print_option(const struct option_def *def, FILE *out)
{
	const char *line = def->text;
	char text[128];
	int n;

	option_text(def, text, sizeof(text));
	for (;; line += n + 1) {
		n = strcspn(line, "\n");
		fprintf(out, "  %-26s %.*s\n", text, n, line);
		if (!line[n])
			break;
		*text = '\0';
	}
}

void manual_help(const struct command *command, FILE *out)
{
	const struct option_def *def;

	fprintf(out, "usage: markers %s [OPTION]...%s%s\n\n%s.\n\n%s\n\nOptions:\n",
		command->name, command->args ? " " : "",
		command->args ? command->args : "", command->summary, command->text);
	for (def = command->options; def && def->name; def++)
		print_option(def, out);
	print_option(&help_option, out);
}

void manual_head(FILE *out)
{
	fprintf(out, "usage: markers COMMAND [OPTION]... [ARGUMENT]...\n\n"
		"Record markers of kernel modules, and look at what was recorded.\n\n"
		"Commands:\n");
}

void manual_list(const struct command *const commands[], FILE *out)
{
	for (; *commands; commands++)
		fprintf(out, "  %-10s %s\n", (*commands)->name, (*commands)->summary);
}

static const char status_text[] =
	"0: done. 1: it failed. 2: the command line is wrong. 3: events were lost or packets are missing,"
	" and --strict was given. 4: a condition of --snapshot-on came, and a snapshot was saved.";

void manual_foot(FILE *out)
{
	fprintf(out, "\n\"markers COMMAND --help\" has the options of a command.\n"
		"Exit status: %s\n", status_text);
}

void manual_names(const struct command *const commands[], FILE *out)
{
	for (; *commands; commands++)
		fprintf(out, "%s\n", (*commands)->name);
}

/* Escape what has a meaning to roff. */
static void roff(const char *text, FILE *out)
{
	bool begin = true;

	for (; *text; text++) {
		if (*text == '\\')
			fputs("\\e", out);
		else if (*text == '-')
			fputs("\\-", out);
		else if (begin && (*text == '.' || *text == '\''))
			fprintf(out, "\\&%c", *text);
		else
			fputc(*text, out);
		begin = *text == '\n';
	}
}

/* Write paragraphs. Lines that begin with a tab form an example. */
static void roff_paragraphs(const char *text, FILE *out)
{
	bool example = false;
	char line[1024];
	size_t n;

	for (; *text; text += n + (text[n] == '\n')) {
		n = strcspn(text, "\n");
		if ((*text == '\t') != example) {
			fputs(example ? ".EE\n.PP\n" : ".PP\n.EX\n", out);
			example = !example;
		}
		if (!n) {
			fputs(".PP\n", out);
			continue;
		}
		snprintf(line, sizeof(line), "%.*s\n", (int)n, text);
		roff(line, out);
	}
	if (example)
		fputs(".EE\n", out);
}

static void roff_options(const struct command *command, FILE *out)
{
	const struct option_def *def;
	char text[128];

	for (def = command->options; def && def->name; def++) {
		option_text(def, text, sizeof(text));
		fputs(".TP\n.B ", out);
		roff(text + strspn(text, " "), out);
		fputs("\n", out);
		roff(def->text, out);
		fputs("\n", out);
	}
}

static void roff_title(const char *name, FILE *out)
{
	fputs(".TH ", out);
	roff(name, out);
	fputs(" 1 \"\" \"markers 0.1\" \"markers\"\n.SH NAME\n", out);
	roff(name, out);
}

/**
 * struct place - a file or a variable that the man pages explain
 * @name: its name
 * @text: what it is
 */
struct place {
	const char *name;
	const char *text;
};

static const struct place variables[] = {
	{ "MARKERS_DIR", "The directory to use in place of /sys/kernel/debug/markers: where"
	  " debugfs is mounted elsewhere." },
	{ }
};

static const struct place files[] = {
	{ "/sys/kernel/debug/markers", "The files of markers.ko. Its file README is short help for them." },
	{ "/sys/module/markers/parameters", "The settings of the recording at the top as parameters, for the time of boot." },
	{ "/etc/modprobe.d/markers.conf", "What markers boot writes." },
	{ "DIR/metadata, DIR/stream_N", "A recording: the description of its events, and those of CPU N." },
	{ "DIR/000001, DIR/000002.open", "Its parts, with record --rotate: each is a recording. The one"
	  " that is being written has .open after its number." },
	{ "DIR/info", "Facts about it: the machine, its clocks, modules and symbols." },
	{ "/usr/share/doc/markers-doc", "The pages of the package markers-doc." },
	{ }
};

static void roff_places(const char *title, const struct place *place, FILE *out)
{
	fprintf(out, ".SH %s\n", title);
	for (; place->name; place++) {
		fputs(".TP\n.I ", out);
		roff(place->name, out);
		fputs("\n", out);
		roff(place->text, out);
		fputs("\n", out);
	}
}

/* What all pages have. */
static void roff_end(FILE *out)
{
	fputs(".SH EXIT STATUS\n", out);
	roff(status_text, out);
	fputs("\n", out);
	roff_places("ENVIRONMENT", variables, out);
	roff_places("FILES", files, out);
}

/* Refer to the pages of other commands, whose names are separated by blanks. */
static void roff_see(const char *names, FILE *out)
{
	size_t n;

	fputs(".SH SEE ALSO\n", out);
	for (; names && *names; names += n + strspn(names + n, " ")) {
		n = strcspn(names, " ");
		fprintf(out, ".BR markers\\-%.*s (1),\n", (int)n, names);
	}
}

void manual_man(const struct command *command, FILE *out)
{
	char name[64];

	snprintf(name, sizeof(name), "markers-%s", command->name);
	roff_title(name, out);
	fputs(" \\- ", out);
	roff(command->summary, out);
	fprintf(out, "\n.SH SYNOPSIS\n.B markers %s\n[OPTION]...", command->name);
	if (command->args) {
		fputs(" ", out);
		roff(command->args, out);
	}
	fputs("\n.SH DESCRIPTION\n", out);
	roff_paragraphs(command->text, out);
	fputs(".SH OPTIONS\n", out);
	roff_options(command, out);
	fputs(".TP\n.B \\-h, \\-\\-help\n", out);
	roff(help_option.text, out);
	fputs("\n", out);
	roff_end(out);
	fputs(".SH EXAMPLES\n", out);
	roff_paragraphs(command->examples, out);
	roff_see(command->see, out);
	fputs(".BR markers (1),\n.BR babeltrace2 (1)\n", out);
}

void manual_man_begin(FILE *out)
{
	roff_title("markers", out);
	fputs(" \\- record markers of kernel modules, and look at what was recorded\n"
	      ".SH SYNOPSIS\n.B markers\nCOMMAND [OPTION]... [ARGUMENT]...\n"
	      ".SH COMMANDS\n", out);
}

void manual_man_commands(const struct command *const commands[], FILE *out)
{
	for (; *commands; commands++) {
		fprintf(out, ".TP\n.BR markers\\-%s (1)\n", (*commands)->name);
		roff((*commands)->summary, out);
		fputs("\n", out);
	}
}

static const char examples[] =
	"Record what a command does to a driver, and look at it:\n"
	"\tmarkers record -e 'mydriver:*' -o trace -- dd if=/dev/mydriver of=/dev/null count=8\n"
	"\tmarkers report trace\n"
	"\tmarkers export trace --format perfetto -o trace.perfetto\n"
	"If that does not work:\n"
	"\tmarkers doctor\n";

void manual_man_end(FILE *out)
{
	roff_end(out);
	fputs(".SH EXAMPLES\n", out);
	roff_paragraphs(examples, out);
	fputs(".SH SEE ALSO\n.BR markers\\-COMMAND (1),\n.BR babeltrace2 (1),\n.BR trace\\-cmd (1)\n",
	      out);
}

/*
 * Bash splits words at ":" and "=", too. Put them together again, in @words. What precedes
 * the last of these in the current word, @ahead, must not be in COMPREPLY.
 */
void manual_completion_begin(FILE *out)
{
	fputs("# Completion of bash for markers; made by \"markers --completion\".\n"
	      "_markers()\n{\n"
	      "\tlocal words=() raw word ahead prev last at join='' main='' kind='' options='' takes='' not=''\n"
	      "\tfor raw in \"${COMP_WORDS[@]:0:COMP_CWORD+1}\"; do\n"
	      "\t\tif [ ${#words[@]} -gt 0 ] && [[ $join || $raw =~ ^[:=]+$ ]]; then\n"
	      "\t\t\twords[-1]+=$raw\n"
	      "\t\telse\n"
	      "\t\t\twords+=(\"$raw\")\n"
	      "\t\tfi\n"
	      "\t\tjoin=\n"
	      "\t\t[[ $raw =~ ^[:=]+$ ]] && join=1 raw=\n"
	      "\tdone\n"
	      "\tlast=$((${#words[@]} - 1))\n"
	      "\tword=${words[last]#[\\'\\\"]} raw=${raw#[\\'\\\"]} prev=${words[last-1]}\n"
	      "\tahead=${word%\"$raw\"}\n"
	      "\tCOMPREPLY=()\n"
	      "\tif [ \"$last\" -eq 1 ] || [ \"${words[1]}\" = help ]; then\n"
	      "\t\tmapfile -t COMPREPLY < <(compgen -W \"$(markers --commands) help\" -- \"$word\")\n"
	      "\t\treturn\n\tfi\n"
	      "\tcase $word in --*=*) prev=${word%%=*} word=${word#*=} ahead=${ahead#*=} ;; esac\n"
	      "\tcase ${words[1]} in\n", out);
}

/* What completes the value of an option. */
static const char *value_kind(const struct option_def *def)
{
	if (def->values)
		return def->values;
	if (!strcmp(def->arg, "PATTERN"))
		return "marker";
	return !strcmp(def->arg, "DIR") ? "trace" : "file";
}

static void option_words(const struct option_def *def, const char *between, FILE *out)
{
	if (def->letter < 256)
		fprintf(out, "-%c%s", def->letter, between);
	fprintf(out, "--%s", def->name);
}

void manual_cases(const struct command *const commands[], FILE *out)
{
	const struct option_def *def;

	for (; *commands; commands++) {
		fprintf(out, "\t%s)\n\t\tmain=%s kind=$main\n\t\toptions='", (*commands)->name,
			(*commands)->completes ? (*commands)->completes : "file");
		for (def = (*commands)->options; def && def->name; def++)
			fprintf(out, "--%s ", def->name);
		fputs("--help'\n\t\ttakes='", out);
		for (def = (*commands)->options; def && def->name; def++)
			if (def->arg) {
				fputs(" ", out);
				option_words(def, " ", out);
			}
		fputs(" '\n\t\tcase $prev in\n", out);
		for (def = (*commands)->options; def && def->name; def++)
			if (def->arg) {
				fputs("\t\t", out);
				option_words(def, "|", out);
				fprintf(out, ")\tkind='%s' ;;\n", value_kind(def));
			}
		fputs("\t\tesac ;;\n", out);
	}
}

void manual_completion_end(FILE *out)
{
	fputs("\tesac\n"
	      "\tif [ \"$main\" = command ]; then\n"
	      "\t\tfor ((at = 2; at < last; at++)); do\n"
	      "\t\t\tcase ${words[at]} in\n"
	      "\t\t\t--)\t((at++)); break ;;\n"
	      "\t\t\t-*)\t[[ $takes == *\" ${words[at]} \"* ]] && ((at++)) ;;\n"
	      "\t\t\t*)\tbreak ;;\n"
	      "\t\t\tesac\n"
	      "\t\tdone\n"
	      "\t\t[ \"$at\" -lt \"$last\" ] && return\n"
	      "\tfi\n"
	      "\tcase $word in -*) kind=option ;; esac\n"
	      "\tcase $kind in\n"
	      "\tfile)\treturn ;;\n"
	      "\toption)\tmapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$word\") ;;\n"
	      "\tmarker)\tcase $word in !*) not='!' ;; esac\n"
	      "\t\tmapfile -t COMPREPLY < <(compgen -P \"$not\" -W \"$(markers list 2>/dev/null)\" -- \"${word#!}\") ;;\n"
	      "\ttrace)\tmapfile -t COMPREPLY < <(compgen -d -- \"$word\"; compgen -f -X '!*.tar.zst' -- \"$word\") ;;\n"
	      "\tcommand)\tmapfile -t COMPREPLY < <(compgen -c -- \"$word\") ;;\n"
	      "\t*)\tmapfile -t COMPREPLY < <(compgen -W \"$kind\" -- \"$word\") ;;\n"
	      "\tesac\n"
	      "\tCOMPREPLY=(\"${COMPREPLY[@]#\"$ahead\"}\")\n"
	      "}\n"
	      "complete -o default -F _markers markers\n", out);
}
