// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/netlink.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../base/file.h"
#include "../base/message.h"
#include "clock.h"
#include "kallsyms.h"

#define KERNEL_GROUP	1	/* of NETLINK_KOBJECT_UEVENT: what the kernel says */
#define NAME_SIZE	64

/**
 * struct kallsyms_module - a module that is loaded
 * @name: its name
 * @from: it was not loaded before
 * @is_written: the file has its symbols, or will get them
 * @is_live: its init function has returned, so its symbols can be read
 */
struct kallsyms_module {
	char name[NAME_SIZE];
	uint64_t from;
	bool is_written;
	bool is_live;
};

/* What the messages that were read together say. */
struct changes {
	unsigned int nr;
	struct {
		char name[NAME_SIZE];
		bool came;
	} *change;
	bool has_come;
	bool has_gone;
};

static struct kallsyms_module *find(const struct kallsyms *kallsyms, const char *name)
{
	unsigned int i;

	for (i = 0; i < kallsyms->nr; i++)
		if (!strcmp(kallsyms->module[i].name, name))
			return &kallsyms->module[i];
	return NULL;
}

static void add(struct kallsyms *kallsyms, const char *name, uint64_t from)
{
	struct kallsyms_module *module;

	kallsyms->module = need_memory(realloc(kallsyms->module, (kallsyms->nr + 1) *
					       sizeof(*kallsyms->module)));
	module = &kallsyms->module[kallsyms->nr++];
	*module = (struct kallsyms_module){ .from = from };
	snprintf(module->name, sizeof(module->name), "%s", name);
}

/* Of "ADDRESS TYPE NAME\t[MODULE]". Return: whether it has a module. */
static bool module_of(const char *line, char name[NAME_SIZE])
{
	const char *begin = strchr(line, '[');

	if (!begin)
		return false;
	snprintf(name, NAME_SIZE, "%.*s", (int)strcspn(begin + 1, "]"), begin + 1);
	return true;
}

/* A function with an address. They are all 0 for a user who may not see them. */
static bool is_shown(const char *line)
{
	const char *type = strchr(line, ' ');

	return type && tolower((unsigned char)type[1]) == 't' && strtoull(line, NULL, 16);
}

/* Copy lines of /proc/kallsyms. @kallsyms: only those that are live and not yet written; or NULL */
static int copy_lines(FILE *out, const struct kallsyms *kallsyms, bool has_kernel)
{
	char line[1024], name[NAME_SIZE];
	FILE *in = fopen("/proc/kallsyms", "re");
	struct kallsyms_module *module;

	if (!in)
		return -1;
	while (fgets(line, sizeof(line), in)) {
		if (!is_shown(line))
			continue;
		if (module_of(line, name)) {
			module = kallsyms ? find(kallsyms, name) : NULL;
			if (kallsyms && (!module || !module->is_live || module->is_written))
				continue;
		} else if (!has_kernel) {
			continue;
		}
		if (fputs(line, out) < 0)
			break;
	}
	fclose(in);
	return ferror(out) ? -1 : 0;
}

static FILE *open_file(int info)
{
	int fd = openat(info, "symbols", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	return fd < 0 ? NULL : fdopen(fd, "w");
}

static int write_file(int info, const struct kallsyms *kallsyms)
{
	FILE *out = open_file(info);
	int err = !out || copy_lines(out, kallsyms, true);

	if (out && fclose(out))
		err = -1;
	if (err)
		unlinkat(info, "symbols", 0);
	return err ? -1 : 0;
}

int kallsyms_copy(int info)
{
	return write_file(info, NULL);
}

/* Ask which modules are live. With @from, add those that we do not know. */
static void read_modules(struct kallsyms *kallsyms, const uint64_t *from)
{
	char line[1024], name[NAME_SIZE], state[16];
	FILE *in = fopen("/proc/modules", "re");
	struct kallsyms_module *module;

	while (in && fgets(line, sizeof(line), in)) {
		if (sscanf(line, "%63s %*s %*s %*s %15s", name, state) != 2)
			continue;
		module = find(kallsyms, name);
		if (!module && from) {
			add(kallsyms, name, *from);
			module = &kallsyms->module[kallsyms->nr - 1];
		}
		if (module)
			module->is_live = !strcmp(state, "Live");
	}
	if (in)
		fclose(in);
}

static int open_messages(void)
{
	struct sockaddr_nl address = { .nl_family = AF_NETLINK, .nl_groups = KERNEL_GROUP };
	int fd = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK,
			NETLINK_KOBJECT_UEVENT);
	int room = 1 << 20;

	if (fd < 0)
		return -1;
	setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &room, sizeof(room));
	if (!bind(fd, (struct sockaddr *)&address, sizeof(address)))
		return fd;
	close(fd);
	return -1;
}

/* "add@/module/NAME" or "remove@/module/NAME" */
static void take_message(struct changes *changes, const char *text)
{
	static const char add_at[] = "add@/module/", remove_at[] = "remove@/module/";
	bool came = !strncmp(text, add_at, strlen(add_at));
	const char *name = strrchr(text, '/');

	if ((!came && strncmp(text, remove_at, strlen(remove_at))) ||
	    name != text + (came ? strlen(add_at) : strlen(remove_at)) - 1)
		return;
	changes->change = need_memory(realloc(changes->change, (changes->nr + 1) *
					      sizeof(*changes->change)));
	snprintf(changes->change[changes->nr].name, NAME_SIZE, "%s", name + 1);
	changes->change[changes->nr++].came = came;
	changes->has_come |= came;
	changes->has_gone |= !came;
}

/* Read all messages. Return: a time when there were no more; @missed: some were lost. */
static uint64_t take_messages(const struct kallsyms *kallsyms, struct changes *changes,
			      bool *missed)
{
	char text[4096];
	uint64_t now;
	ssize_t size;

	*missed = false;
	do {
		now = clock_read(kallsyms->clock);
		size = recv(kallsyms->fd, text, sizeof(text) - 1, MSG_DONTWAIT);
		if (size < 0 && errno == ENOBUFS)
			*missed = true;
		if (size >= 0) {
			text[size] = '\0';
			take_message(changes, text);
		}
	} while (size >= 0 || errno == ENOBUFS || errno == EINTR);
	return now;
}

static void put_gone(FILE *out, const struct kallsyms_module *module, uint64_t to)
{
	if (module->is_written)
		fprintf(out, "# gone %llu %s\n", (unsigned long long)to, module->name);
}

static void forget(struct kallsyms *kallsyms, struct kallsyms_module *module)
{
	*module = kallsyms->module[--kallsyms->nr];
}

/* After lost messages each module may be another one. */
static void forget_all(struct kallsyms *kallsyms, FILE *out, uint64_t now)
{
	while (kallsyms->nr) {
		put_gone(out, &kallsyms->module[0], kallsyms->seen);
		forget(kallsyms, &kallsyms->module[0]);
	}
	read_modules(kallsyms, &now);
}

/*
 * What came and went since the last time. If modules went and others came, we do not know in
 * which order: the time between belongs to none of them.
 */
static void apply(struct kallsyms *kallsyms, FILE *out)
{
	struct kallsyms_module *module;
	struct changes changes = {};
	bool is_mixed, missed;
	uint64_t now = take_messages(kallsyms, &changes, &missed);
	unsigned int i;

	is_mixed = changes.has_come && changes.has_gone;
	for (i = 0; i < changes.nr; i++) {
		module = find(kallsyms, changes.change[i].name);
		if (module) {
			put_gone(out, module, is_mixed ? kallsyms->seen : now);
			forget(kallsyms, module);
		}
		if (changes.change[i].came)
			add(kallsyms, changes.change[i].name, is_mixed ? now : kallsyms->seen);
	}
	if (missed)
		forget_all(kallsyms, out, now);
	kallsyms->seen = now;
	free(changes.change);
}

/* Is there a module whose symbols are not written? @live: and can be read */
static bool has_new(const struct kallsyms *kallsyms, bool live)
{
	unsigned int i;

	for (i = 0; i < kallsyms->nr; i++)
		if (!kallsyms->module[i].is_written && (kallsyms->module[i].is_live || !live))
			return true;
	return false;
}

/* Write the lines of a module. */
static void put_lines(FILE *out, const char *text, const char *of)
{
	char name[NAME_SIZE];
	int size;

	for (; *text; text += size) {
		size = strcspn(text, "\n") + 1;
		if (module_of(text, name) && !strcmp(name, of))
			fprintf(out, "%.*s", size, text);
	}
}

/* Write the symbols of new modules that are still there after these were read. */
static void put_new(struct kallsyms *kallsyms, FILE *out)
{
	FILE *memory;
	char *text = NULL;
	size_t size;
	unsigned int i, nr = kallsyms->nr;
	char (*names)[NAME_SIZE] = need_memory(calloc(nr + 1, NAME_SIZE));
	struct kallsyms_module *module;

	memory = need_memory(open_memstream(&text, &size));
	copy_lines(memory, kallsyms, false);
	fclose(memory);
	for (i = 0; i < nr; i++)
		if (kallsyms->module[i].is_live && !kallsyms->module[i].is_written)
			strcpy(names[i], kallsyms->module[i].name);
	apply(kallsyms, out);
	for (i = 0; i < nr; i++) {
		module = *names[i] ? find(kallsyms, names[i]) : NULL;
		/* one that came meanwhile is not live yet, as far as we know */
		if (!module || !module->is_live || module->is_written)
			continue;
		fprintf(out, "# came %llu %s\n", (unsigned long long)module->from, module->name);
		put_lines(out, text, module->name);
		module->is_written = true;
	}
	free(names);
	free(text);
}

/* Append all of a text to the file, or nothing. */
static int append(int info, const char *text)
{
	struct stat before = {};
	int fd, err;

	if (fstatat(info, "symbols", &before, 0) && errno != ENOENT)
		return -1;
	if (!file_write(info, "symbols", O_CREAT | O_APPEND, text))
		return 0;
	err = errno;
	fd = openat(info, "symbols", O_WRONLY | O_CLOEXEC);
	if (fd >= 0) {
		if (ftruncate(fd, before.st_size))
			say_errno("info/symbols ends in a part of a line");
		close(fd);
	}
	errno = err;
	return -1;
}

/* Write what is left of the last time, and more. If that fails, it is left for the next time. */
static void write_more(struct kallsyms *kallsyms, const char *more)
{
	char *text = format_text("%s%s", kallsyms->left ?: "", more);

	free(kallsyms->left);
	kallsyms->left = NULL;
	if (*text && append(kallsyms->info, text)) {
		if (!kallsyms->said)
			say_errno("info/symbols cannot be written, and this is tried again");
		kallsyms->said = true;
		kallsyms->left = text;
		return;
	}
	free(text);
}

static bool update_file(struct kallsyms *kallsyms)
{
	struct pollfd messages = { .fd = kallsyms->fd, .events = POLLIN };
	char *text = NULL;
	uint64_t now;
	size_t size;
	bool has;
	FILE *out;

	if (kallsyms->fd < 0 || kallsyms->info < 0)
		return false;
	now = clock_read(kallsyms->clock);
	if (!poll(&messages, 1, 0) && !has_new(kallsyms, false) && !kallsyms->left) {
		kallsyms->seen = now;
		return false;
	}
	out = need_memory(open_memstream(&text, &size));
	apply(kallsyms, out);
	read_modules(kallsyms, NULL);
	has = has_new(kallsyms, true);
	if (has)
		put_new(kallsyms, out);
	fclose(out);
	write_more(kallsyms, need_memory(text));
	free(text);
	return has;
}

bool kallsyms_update(struct kallsyms *kallsyms)
{
	bool has;

	pthread_mutex_lock(&kallsyms->mutex);
	has = update_file(kallsyms);
	pthread_mutex_unlock(&kallsyms->mutex);
	return has;
}

int kallsyms_give(struct kallsyms *kallsyms, int to)
{
	if (kallsyms->info < 0)
		return 0;
	kallsyms_update(kallsyms);
	return file_copy(kallsyms->info, "symbols", to, "symbols");
}

void kallsyms_begin(struct kallsyms *kallsyms, int dir, const char *clock)
{
	const uint64_t always = 0;
	unsigned int i;

	*kallsyms = (struct kallsyms){ .fd = open_messages() };
	pthread_mutex_init(&kallsyms->mutex, NULL);
	kallsyms->info = openat(dir, "info", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	kallsyms->clock = need_memory(strdup(clock));
	kallsyms->seen = clock_read(clock);
	if (kallsyms->fd >= 0)
		read_modules(kallsyms, &always);
	if (kallsyms->info >= 0 && !write_file(kallsyms->info, kallsyms)) {
		for (i = 0; i < kallsyms->nr; i++)
			kallsyms->module[i].is_written = kallsyms->module[i].is_live;
		return;
	}
	say_errno("info/symbols are left out");
	if (kallsyms->info >= 0)
		close(kallsyms->info);
	kallsyms->info = -1;
	kallsyms_end(kallsyms);
}

void kallsyms_end(struct kallsyms *kallsyms)
{
	if (kallsyms->fd >= 0) {
		update_file(kallsyms);
		close(kallsyms->fd);
	}
	if (kallsyms->left)
		say("info/symbols lacks modules that came or went: some functions have a wrong name");
	free(kallsyms->left);
	kallsyms->left = NULL;
	kallsyms->fd = -1;
	if (kallsyms->clock && kallsyms->info >= 0)
		close(kallsyms->info);
	kallsyms->info = -1;
	free(kallsyms->clock);
	kallsyms->clock = NULL;
	free(kallsyms->module);
	kallsyms->module = NULL;
	kallsyms->nr = 0;
}
