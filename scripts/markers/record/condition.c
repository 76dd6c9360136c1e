// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "../base/message.h"
#include "condition.h"

bool condition_parse(struct condition *condition, const char *text)
{
	condition->fd = -1;
	condition->text = NULL;
	if (!strcmp(text, "fail")) {
		condition->kind = CONDITION_FAIL;
	} else if (!strcmp(text, "signal")) {
		condition->kind = CONDITION_SIGNAL;
	} else if (!strncmp(text, "kmsg:", 5) && text[5]) {
		condition->kind = CONDITION_KMSG;
		condition->text = text + 5;
	} else {
		return false;
	}
	return true;
}

int condition_open(struct condition *condition)
{
	if (condition->kind != CONDITION_KMSG)
		return STATUS_OK;
	condition->fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (condition->fd < 0 || lseek(condition->fd, 0, SEEK_END) < 0)
		return say_errno("/dev/kmsg");
	return STATUS_OK;
}

bool condition_read(struct condition *condition)
{
	bool found = false;
	char line[8192];
	ssize_t n;

	/* Each read() returns one line of the log. EPIPE: the kernel overwrote some lines. */
	for (;;) {
		n = read(condition->fd, line, sizeof(line) - 1);
		if (n < 0 && (errno == EPIPE || errno == EINTR))
			continue;
		if (n <= 0)
			return found;
		line[n] = '\0';
		if (strstr(line, condition->text))
			found = true;
	}
}
