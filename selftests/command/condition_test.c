// SPDX-License-Identifier: GPL-2.0
/*
 * Which records of /dev/kmsg have the text of "record --snapshot-on kmsg:TEXT".
 */
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "condition.h"
#include "tap.h"

static bool finds(const char *text, const char *record)
{
	struct condition condition;
	bool found = false;
	int ends[2];

	if (!condition_parse(&condition, text))
		return false;
	if (!socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0, ends) &&
	    write(ends[1], record, strlen(record)) > 0) {
		condition.fd = ends[0];
		found = condition_read(&condition);
		close(ends[0]);
		close(ends[1]);
	}
	free(condition.word);
	return found;
}

int main(void)
{
	ok(finds("kmsg:I/O error", "6,1,2,-;sda: I/O error\n"), "a text");
	ok(!finds("kmsg:I/O error", "6,1,2,-;sda: ready\n"), "another one");
	ok(!finds("kmsg:6,", "6,1,2,-;sda: ready\n"), "the numbers in front are not in the log");
	ok(finds("kmsg:6;7", "6,1,2,-;5;6;7\n"), "a semicolon");
	ok(finds("kmsg:C:\\dir", "6,1,2,-;C:\\x5cdir\n"), "a backslash");
	ok(finds("kmsg:für", "6,1,2,-;f\\xc3\\xbcr\n"), "a letter that is not ASCII");
	ok(finds("kmsg:a\tb", "6,1,2,-;a\\x09b\n"), "a tab");
	return tap_done();
}
