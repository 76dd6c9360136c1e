// SPDX-License-Identifier: GPL-2.0
/*
 * markers doctor: find out why markers do not work, and what to do about it.
 *
 * Each check prints a line "ok", "note" or "problem". An arrow points to the next step.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "../base/file.h"
#include "../base/message.h"
#include "../base/signature.h"
#include "../control/control.h"
#include "../control/published.h"
#include "../control/settings.h"
#include "commands.h"

static int problems;

__attribute__((format(printf, 2, 3)))
static void line(const char *word, const char *fmt, ...)
{
	va_list args;

	printf("%-8s ", word);
	va_start(args, fmt);
	vprintf(fmt, args);
	va_end(args);
	putchar('\n');
	problems += !strcmp(word, "problem");
}

static void step(const char *text)
{
	printf("         -> %s\n", text);
}

/* Read the first line of a file. Return: the line, to be freed, or NULL. */
static char *read_line(const char *path)
{
	char *text = file_read(AT_FDCWD, path, NULL);

	if (text)
		text[strcspn(text, "\n")] = '\0';
	return text;
}

static bool is_yes(const char *path)
{
	char *text = read_line(path);
	bool yes = text && (*text == 'Y' || *text == '1');

	free(text);
	return yes;
}

/* Return: the file of the module @name, to be freed, or NULL. */
static char *find_module(const char *release, const char *name)
{
	static const char *const dirs[] = { "updates/dkms", "updates", "extra" };
	static const char *const ends[] = { "", ".xz", ".zst", ".gz" };	/* CONFIG_MODULE_COMPRESS_... */
	const unsigned int nr = sizeof(ends) / sizeof(*ends);
	unsigned int i;
	char *path;

	for (i = 0; i < sizeof(dirs) / sizeof(*dirs) * nr; i++) {
		path = format_text("/lib/modules/%s/%s/%s.ko%s", release, dirs[i / nr], name, ends[i % nr]);
		if (!access(path, R_OK))
			return path;
		free(path);
	}
	return NULL;
}

static bool is_compressed(const char *path)
{
	const char *end = strrchr(path, '.');

	return end && (!strcmp(end, ".xz") || !strcmp(end, ".zst") || !strcmp(end, ".gz"));
}

static void say_compressed(const char *path)
{
	line("note", "%s is compressed: doctor sees neither for which kernel it was built, nor who signed it", path);
	step("modinfo FILE prints both, as vermagic and signer");
}

/* Wrong parameters keep markers.ko and its clients from loading. */
static void show_boot(void)
{
	static const char path[] = BOOT_DIR "/" BOOT_FILE;
	char *text = file_read(AT_FDCWD, path, NULL);

	if (text && *text) {
		line("note", "%s has:\n%s", path, text);
		step("if the kernel's log says that markers.ko refuses it: markers boot --off");
	}
	free(text);
}

/* Would the kernel take the module file @path? Lockdown wants a signature, too. */
static void check_signature(const char *path, bool loaded, bool locked)
{
	char *signer;

	if (!locked && !is_yes("/sys/module/module/parameters/sig_enforce"))
		return;
	if (is_compressed(path)) {
		if (!loaded)
			say_compressed(path);
		return;
	}
	if (!signature_signer(path, &signer)) {
		line("problem", "%s: %s", path, strerror(errno));
	} else if (!signer) {
		line("problem", "%s is not signed, and the kernel takes signed modules only", path);
		step("sign it with a key that mokutil --import has enrolled: sign-file sha256 KEY CERTIFICATE FILE");
	} else if (loaded) {
		line("ok", "%s is signed", path);
	} else if (signature_find_key(signer) == SIGNATURE_KEY_THERE) {
		line("ok", "%s is signed by \"%s\", and the kernel has a key of that name", path, signer);
	} else {
		line(signature_find_key(signer) == SIGNATURE_KEY_MISSING ? "problem" : "note",
		     "%s is signed by \"%s\"; the kernel takes it only if it has that key", path, signer);
		step("the key of DKMS: mokutil --test-key /var/lib/dkms/mok.pub; if it is not enrolled:");
		step("mokutil --import /var/lib/dkms/mok.pub, and reboot");
		step("another key: mokutil --import CERTIFICATE, and reboot; or sign it with a key that is enrolled");
	}
	free(signer);
}

/* A module that somebody asks about: its file, or its name where it is installed. */
static void check_file(const char *module, const char *release, bool locked)
{
	static const char magic[] = "vermagic=";
	char *path = strchr(module, '/') || strstr(module, ".ko") ? need_memory(strdup(module)) :
		find_module(release, module);
	size_t size = 0;
	char *bytes = path ? file_read(AT_FDCWD, path, &size) : NULL, *built;

	if (!bytes) {
		line("problem", "there is no module file %s for kernel %s", path ? path : module, release);
		step("give the path of the file NAME.ko");
		free(path);
		return;
	}
	if (is_compressed(path)) {
		say_compressed(path);
		goto out;
	}
	built = memmem(bytes, size, magic, strlen(magic));
	if (built) {
		built += strlen(magic);
		built[strcspn(built, " ")] = '\0';
	}
	if (!built) {
		line("problem", "%s is not the file of a module", path);
	} else if (strcmp(built, release)) {
		line("problem", "%s was built for kernel %s, and this is %s", path, built, release);
		step("build it with KDIR=/lib/modules/$(uname -r)/build");
	} else {
		line("ok", "%s was built for this kernel", path);
	}
	check_signature(path, false, locked);
out:
	free(bytes);
	free(path);
}

static bool has_headers(const char *release)
{
	char *path = format_text("/lib/modules/%s/build", release);
	bool has = !access(path, F_OK);

	free(path);
	return has;
}

/* The package markers-dkms: "markers-VERSION" in /usr/src. Return: its name, to be freed; or NULL. */
static char *find_source(void)
{
	struct dirent *entry;
	char *found = NULL;
	DIR *list = opendir("/usr/src");

	while (list && !found && (entry = readdir(list))) {
		char *path = format_text("/usr/src/%s/dkms.conf", entry->d_name);

		if (!strncmp(entry->d_name, "markers-", strlen("markers-")) && !access(path, F_OK))
			found = need_memory(strdup(entry->d_name));
		free(path);
	}
	if (list)
		closedir(list);
	return found;
}

/* There is no module file for this kernel: who makes one? */
static void say_how_to_build(const char *release)
{
	char *source = find_source(), *version = source ? strchr(source, '-') + 1 : NULL, *next;

	if (!source) {
		step("insmod markers.ko, or install it below /lib/modules and run depmod");
		return;
	}
	line("problem", "DKMS has the source of markers %s, but has not built it for kernel %s", version,
	     release);
	if (has_headers(release)) {
		next = format_text("dkms install markers/%s; if that fails: /var/lib/dkms/markers/%s/build/make.log",
				   version, version);
		step(next);
		free(next);
	} else {
		step("it needs the headers, and builds when they come: apt-get install linux-headers-$(uname -r)");
	}
	free(source);
}

static bool check_module(const char *release, bool locked)
{
	bool loaded = !access("/sys/module/markers", F_OK);
	char *path = find_module(release, "markers");

	if (loaded)
		line("ok", "markers.ko is loaded");
	else
		line("problem", "markers.ko is not loaded");
	if (!loaded && path)
		step("modprobe markers");
	else if (!loaded)
		say_how_to_build(release);
	if (!loaded)
		show_boot();
	if (path)
		check_signature(path, loaded, locked);
	free(path);
	return loaded;
}

enum lockdown {
	NOT_LOCKED,	/* or unknown */
	LOCKED_INTEGRITY,
	LOCKED_CONFIDENTIALITY,
};

/* A kernel without the directory has no lockdown. The file lsm is there if securityfs is mounted. */
static enum lockdown check_lockdown(void)
{
	char *text = read_line("/sys/kernel/security/lockdown");
	enum lockdown lockdown = NOT_LOCKED;

	if (text && strstr(text, "[confidentiality]")) {
		lockdown = LOCKED_CONFIDENTIALITY;
		line("problem", "lockdown for confidentiality: no file of markers, perf, trace-cmd or bpftrace can be used");
		step("boot without lockdown=confidentiality");
	} else if (text && !strstr(text, "[none]")) {
		lockdown = LOCKED_INTEGRITY;
		line("note", "the kernel is locked down: %s: it takes no module without a signature", text);
	} else if (text || !access("/sys/kernel/security/lsm", F_OK) ||
		   access("/sys/kernel/security", F_OK)) {
		line("ok", "the kernel is not locked down");
	} else {
		line("note", "unknown whether the kernel is locked down: securityfs is not mounted");
		step("mount -t securityfs none /sys/kernel/security");
	}
	free(text);
	return lockdown;
}

static bool check_directory(bool loaded)
{
	const char *path = control_find();

	if (!path) {
		line("problem", "debugfs is not mounted");
		step("mount -t debugfs none /sys/kernel/debug");
		return false;
	}
	if (!access(path, R_OK | X_OK)) {
		line("ok", "%s can be read", path);
		return true;
	}
	if (errno == EACCES) {
		line("problem", "%s: permission denied", path);
		step("become root");
	} else if (loaded) {
		line("problem", "%s: %s", path, strerror(errno));
		step("dmesg | grep markers");
	}
	return false;
}

static void check_settings(void)
{
	char *value;

	if (control_open())
		return;
	if (faccessat(control_fd(), "set_marker", W_OK, 0)) {
		line("problem", "%s/set_marker cannot be written", control_path());
		step("become root");
	}
	value = setting_read("tracing_on");
	if (value && !strcmp(value, "0")) {
		line("note", "tracing_on is 0: nothing is recorded");
		step("markers reset, or echo 1 to it");
	}
	free(value);
	value = setting_read("trace_clock");
	if (value)
		line("ok", "the trace clock is %s", value);
	free(value);
}

/* The last line of the file "text" is "sites: NUMBER wrong: NUMBER". */
static void check_text(void)
{
	char *text = file_read(control_fd(), "text", NULL);
	const char *last = text ? strstr(text, "sites: ") : NULL;
	unsigned long sites, wrong;

	if (last && sscanf(last, "sites: %lu wrong: %lu", &sites, &wrong) == 2) {
		if (wrong) {
			line("problem", "%lu of %lu sites are not what they should be",
			     wrong, sites);
			step("the file text has them; something else patches there (kprobes?)");
		} else {
			line("ok", "%lu sites are what they should be", sites);
		}
	}
	free(text);
}

static void check_log(void)
{
	char *text = file_read(control_fd(), "error_log", NULL);

	if (text && *text) {
		line("note", "error_log has messages:\n%s", text);
		step("markers reset clears it");
	}
	free(text);
}

/* Patterns that wait for a module, and markers that could not be published. Return: are there rules? */
static bool check_rules(const struct published_list *published)
{
	char *text = control_read("publish"), *rest = text;
	const struct published *at;
	bool any = false, pending;
	const char *rule;

	while (rest && (rule = publish_next_rule(&rest, &pending))) {
		any = true;
		if (!pending)
			continue;
		line("note", "%s is to be published, but no loaded module has such a marker", rule);
		step("load the module, or look at the spelling: markers list");
	}
	for (at = published->line; at < published->line + published->nr; at++) {
		if (!at->reason)
			continue;
		line("problem", "%s is not published: %s", at->marker, at->reason);
		if (strstr(at->reason, "file of that name"))
			step("rename the marker");
		else if (strstr(at->reason, "of that name"))
			step("rename the marker, or unload the module that has the event");
		else if (strstr(at->reason, "is in use"))
			step("end what uses the event; this one follows then");
		else if (strstr(at->reason, "next module"))
			step("load any module that is not loaded yet, such as crc7: modprobe crc7");
		else
			step("error_log and dmesg may say more");
	}
	free(text);
	return any;
}

/* Where tools look for tracefs; debugfs has it, too, since it mounts it when somebody looks. */
static char *find_tracefs(void)
{
	char *where = control_mount("tracefs"), *debugfs;

	if (where)
		return where;
	debugfs = control_mount("debugfs");
	if (debugfs) {
		where = format_text("%s/tracing", debugfs);
		if (faccessat(AT_FDCWD, where, F_OK, 0)) {
			free(where);
			where = NULL;
		}
	}
	free(debugfs);
	return where;
}

/* Do tools find each published event where they look for it? */
static void check_tracefs(const struct published_list *published)
{
	const struct published *at;
	char *tracefs = find_tracefs(), *path, *id;
	size_t good = 0;

	if (!tracefs) {
		line("problem", "tracefs is not mounted: perf and others see no event");
		step("mount -t tracefs nodev /sys/kernel/tracing");
		return;
	}
	for (at = published->line; at < published->line + published->nr; at++) {
		if (at->reason || !at->event)
			continue;
		path = format_text("%s/events/%s/id", tracefs, at->event);
		id = read_line(path);
		if (!id && errno == EACCES) {
			line("note", "%s: permission denied, so perf and others see no event", tracefs);
			step("become root");
			good = 0;
			free(path);
			break;
		}
		if (!id) {
			line("problem", "%s: %s, although %s is published", path, strerror(errno),
			     at->marker);
			step("markers unpublish it, and publish it again");
		} else if (at->id && strtoul(id, NULL, 10) != at->id) {
			line("problem", "%s is not that of %s: another event has its name", path, at->marker);
			step("markers unpublish it, and look who has the name");
		} else {
			good++;
		}
		free(id);
		free(path);
	}
	if (good)
		line("ok", "%zu markers are published in %s/events", good, tracefs);
	free(tracefs);
}

/* Who may use perf? The fields of an event are for root, unless it is below 0. */
static void check_paranoid(void)
{
	char *value = read_line("/proc/sys/kernel/perf_event_paranoid");

	if (value && geteuid() && atoi(value) > -1) {
		line("note", "perf_event_paranoid is %s: perf shows fields of events to root only", value);
		step("run perf as root, or sysctl kernel.perf_event_paranoid=-1");
	}
	free(value);
}

/* Why do perf, trace-cmd and bpftrace not see a marker? */
static void check_published(void)
{
	struct published_list published;

	/* of an instance? */
	if (!control_has("error_log"))
		return;
	if (!control_has("publish")) {
		line("note", "this markers.ko cannot publish markers for perf, trace-cmd and bpftrace");
		step("it needs a kernel with CONFIG_EVENT_TRACING");
		return;
	}
	published_read(&published);
	if (!check_rules(&published) && !published.nr) {
		line("ok", "no marker is published for perf, trace-cmd and bpftrace (markers publish PATTERN)");
		return;
	}
	check_tracefs(&published);
	check_paranoid();
	published_free(&published);
}

static void check_clock(void)
{
	char *source = read_line("/sys/devices/system/clocksource/clocksource0/current_clocksource");

	if (source && strcmp(source, "tsc") && strcmp(source, "arch_sys_counter")) {
		line("note", "the kernel's clock source is %s, which is slow to read", source);
		step("if the kernel's log says that the TSC is unstable, take -C mono");
	} else if (source) {
		line("ok", "the kernel's clock source is %s", source);
	}
	free(source);
}

static void check_headers(const char *release)
{
	char *path = format_text("/lib/modules/%s/build", release);

	if (!has_headers(release)) {
		line("note", "no headers of kernel %s, so no modules can be built here", release);
		step("apt-get install linux-headers-$(uname -r)");
	} else {
		line("ok", "headers of kernel %s are in %s", release, path);
	}
	free(path);
}

static int run(struct arguments *args)
{
	struct utsname name;
	const char *value;
	enum lockdown lockdown;
	bool loaded, locked;
	int i;

	option_next(args, &value);
	if (uname(&name))
		return say_errno("uname");
	line(geteuid() ? "note" : "ok", geteuid() ? "not root" : "root");
	lockdown = check_lockdown();
	locked = lockdown != NOT_LOCKED;
	loaded = check_module(name.release, locked);
	if (check_directory(loaded) && lockdown != LOCKED_CONFIDENTIALITY) {
		check_settings();
		check_text();
		check_log();
		check_published();
	}
	check_clock();
	check_headers(name.release);
	for (i = 0; i < args->argc; i++)
		check_file(args->argv[i], name.release, locked);
	return problems ? STATUS_FAILED : STATUS_OK;
}

const struct command command_doctor = {
	.name = "doctor",
	.args = "[MODULE]...",
	.summary = "Look for what keeps markers from working",
	.text = "Looks at the module, its signature, lockdown, debugfs, permissions, the patched\n"
		"code, published markers, the clock and the headers of the kernel, and says what to do\n"
		"next. With MODULE, a file or the name of an installed one: also whether the kernel would\n"
		"take that module.\n"
		"Exit status 1 if there is a problem.",
	.examples = "\tmarkers doctor\n"
		"Why does my module not load?\n"
		"\tmarkers doctor ./mydriver.ko\n",
	.see = "boot publish status",
	.options = NULL,
	.run = run,
};
