// SPDX-License-Identifier: GPL-2.0
/*
 * The parts of a trigger's text, and the place of an error in a text that is no trigger.
 */
#include <markers/format/trigger.h>
#include "tap.h"

/* "ACTION[ -][ after N][ arg TEXT][ count N][ if TEXT] (WHAT)", or "COLUMN: WHY". */
static const char *parse_with(const char *text, bool remove)
{
	struct marker_format_error error = { };
	struct marker_trigger_text parts;
	static char line[3 * MARKER_MAX_WHAT];
	char *at = line;

	if (marker_trigger_parse(&parts, text, remove, &error)) {
		sprintf(line, "%u: %s", error.column, error.why);
		return line;
	}
	at += sprintf(at, "%s%s", marker_trigger_name(parts.kind), parts.remove ? " -" : "");
	if (parts.after)
		at += sprintf(at, " after %u", parts.after);
	if (parts.arg_len)
		at += sprintf(at, " arg %.*s", (int)parts.arg_len, text + parts.arg);
	if (parts.count)
		at += sprintf(at, " count %u", parts.count);
	if (parts.filter_len)
		at += sprintf(at, " if %.*s", (int)parts.filter_len, text + parts.filter);
	sprintf(at, " (%.*s)", (int)parts.what_len, text + parts.name);
	return line;
}

static const char *parse(const char *text)
{
	return parse_with(text, false);
}

static void test_good(void)
{
	static const struct {
		const char *text;
		const char *parts;
	} good[] = {
		{ "traceoff", "traceoff (traceoff)" },
		{ " \ttraceon\n", "traceon (traceon)" },
		{ "traceoff:3", "traceoff count 3 (traceoff)" },
		{ "traceoff:after=100", "traceoff after 100 (traceoff:after=100)" },
		{ "traceoff:after=100:1 if err < 0",
		  "traceoff after 100 count 1 if err < 0 (traceoff:after=100)" },
		{ "snapshot:1000000000", "snapshot count 1000000000 (snapshot)" },
		{ "stacktrace if  a == 1 && b  \n", "stacktrace if a == 1 && b (stacktrace)" },
		{ "stacktrace\tif a", "stacktrace if a (stacktrace)" },
		{ "dump", "dump (dump)" },
		{ "dump:1", "dump count 1 (dump)" },
		{ "dump:last=1000000", "dump after 1000000 (dump:last=1000000)" },
		{ "dump:last=20:1 if err", "dump after 20 count 1 if err (dump:last=20)" },
		{ "!traceoff", "traceoff - (traceoff)" },
		{ "! traceoff:5 if a", "traceoff - count 5 if a (traceoff)" },
		{ "enable_marker:x", "enable_marker arg x (enable_marker:x)" },
		{ "enable_marker:m:x", "enable_marker arg m:x (enable_marker:m:x)" },
		{ "enable_marker:m:*:7 if a",
		  "enable_marker arg m:* count 7 if a (enable_marker:m:*)" },
		{ "disable_marker:x:1", "disable_marker arg x count 1 (disable_marker:x)" },
		{ "enable_marker:x+count", "enable_marker arg x+count (enable_marker:x+count)" },
		{ "enable_marker:7", "enable_marker arg 7 (enable_marker:7)" },
		{ "!disable_marker", "disable_marker - (disable_marker)" },
		{ "hist:keys=a,b.log2:size=64 if a > 5",
		  "hist arg keys=a,b.log2:size=64 if a > 5 (hist:keys=a,b.log2:size=64)" },
		{ "!hist", "hist - (hist)" },
		{ "begin:io:keys=a", "begin arg io:keys=a (begin:io:keys=a)" },
		{ "latency:io if a", "latency arg io if a (latency:io)" },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(good); i++)
		is_str(parse(good[i].text), good[i].parts, "\"%s\"", good[i].text);
	is_str(parse_with("enable_marker", true), "enable_marker - (enable_marker)",
	       "the ! was before");
}

static void test_bad(void)
{
#define COUNTED	"what is to be counted? write :keys=FIELD after it"
#define NONE	"no such action, there are: traceon traceoff snapshot stacktrace enable_marker disable_marker dump hist begin latency"
#define COUNT	"not a count from 1 to 1000000000"
#define AFTER	"not a number of events from 1 to 1000000000"
#define WHICH	"which markers? write :[module:]name after it"
#define REST	"after an action, \"if\" and a filter may follow"
	static const struct {
		const char *text;
		const char *why;
	} bad[] = {
		{ "", "0: " NONE },
		{ " !", "2: " NONE },
		{ "traceof", "0: " NONE },
		{ "traceoffs:1", "0: " NONE },
		{ " Traceoff", "1: " NONE },
		{ ":1", "0: " NONE },
		{ "if a == 1", "0: " NONE },
		{ "traceoff:", "9: " COUNT },
		{ "traceoff:0", "9: " COUNT },
		{ "traceoff:-1", "9: " COUNT },
		{ "traceoff:1x", "9: " COUNT },
		{ "traceoff:1:2", "9: " COUNT },
		{ "traceoff:1000000001", "9: " COUNT },
		{ "traceoff:99999999999999999999999", "9: " COUNT },
		{ "traceoff:after=", "15: " AFTER },
		{ "traceoff:after=0", "15: " AFTER },
		{ "traceoff:after=1k", "15: " AFTER },
		{ "traceoff:after=5:", "17: " COUNT },
		{ "traceoff:last=5", "9: " COUNT },
		{ "dump:last=0", "10: " AFTER },
		{ "dump:last=1000001", "10: more than 1000000 events of each CPU" },
		{ "dump:after=5", "5: " COUNT },
		{ "traceon:after=5", "8: " COUNT },
		{ "enable_marker", "13: " WHICH },
		{ "enable_marker:", "14: " WHICH },
		{ "disable_marker: x", "15: " WHICH },
		{ "snapshot 5", "9: " REST },
		{ "snapshot iff", "9: " REST },
		{ "snapshot if", "9: " REST },
		{ "hist", "4: " COUNTED },
		{ "hist:", "5: " COUNTED },
		{ "begin", "5: which pair? write :NAME:keys=FIELD after it" },
		{ "begin:a\rb:keys=n", "7: a control character in an action" },
		{ "enable_marker:a\x7f", "15: a control character in an action" },
		{ "snapshot if ", "12: no filter after \"if\"" },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(bad); i++)
		is_str(parse(bad[i].text), bad[i].why, "\"%s\"", bad[i].text);
}

static void test_long(void)
{
	char text[MARKER_MAX_WHAT + 10] = "begin:";

	memset(text + 6, 'n', MARKER_MAX_WHAT - 7);
	text[6] = '\xc3';
	ok(isalpha(*parse(text)), "as long as can be");
	text[MARKER_MAX_WHAT - 1] = 'n';
	is_str(parse(text), "2047: an action with its argument has more than 2047 bytes",
	       "too long");
}

/* Whatever follows, the parser reads no byte after the end; the sanitizer checks that. */
static void test_cut(void)
{
	static const char text[] = "!enable_marker:module:name:12 if (a == 1 && b ~ x*)";
	unsigned int len;

	for (len = 0; len <= strlen(text); len++) {
		char *cut = strndup(text, len);

		parse(cut);
		free(cut);
	}
	ok(true, "cut off anywhere");
}

int main(void)
{
	test_good();
	test_bad();
	test_long();
	test_cut();
	return tap_done();
}
