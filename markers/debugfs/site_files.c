// SPDX-License-Identifier: GPL-2.0
/*
 * The files about the code of markers: how it is armed, where it is, and whether its
 * bytes are right.  Process context.
 */
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <markers/control/switch.h>
#include <markers/log.h>
#include <markers/model/rules.h>
#include "command.h"
#include "command_file.h"
#include "site_files.h"

static const char *const mode_name[NR_MARKER_MODES] = {
	[MARKER_MODE_DEFAULT] = "default",
	[MARKER_MODE_JUMP] = "jump",
	[MARKER_MODE_BREAKPOINT] = "breakpoint",
};

static const char *const state_name[NR_MARKER_SITE_STATES] = {
	[MARKER_SITE_NOP] = "nop",
	[MARKER_SITE_BREAKPOINT] = "int3",
	[MARKER_SITE_JUMP] = "jump",
	[MARKER_SITE_BRANCH] = "branch",
	[MARKER_SITE_GUARD] = "guard",
	[MARKER_SITE_QUARANTINED] = "quarantined",
	[MARKER_SITE_GONE] = "gone",
};

/*
 * mode: how all sites are armed whose event has no mode of its own.
 */

static bool is_offered(enum marker_mode mode)
{
	return mode != MARKER_MODE_BREAKPOINT || marker_arch_has_breakpoint;
}

/* The mode that @text names, -EINVAL, or -EOPNOTSUPP where there is no such mode. */
static int find_mode(const char *text, enum marker_mode first)
{
	int mode;

	for (mode = first; mode < NR_MARKER_MODES; mode++) {
		if (sysfs_streq(text, mode_name[mode]))
			return is_offered(mode) ? mode : -EOPNOTSUPP;
	}
	return -EINVAL;
}

static const char no_breakpoint[] =
	"this architecture has no breakpoints for modules: use jump, or _trace_mark() in a source";

static void show_modes(struct seq_file *seq, enum marker_mode first,
		       enum marker_mode chosen)
{
	int mode;

	for (mode = first; mode < NR_MARKER_MODES; mode++) {
		if (is_offered(mode))
			seq_printf(seq, mode == chosen ? "%s[%s]" : "%s%s",
				   mode == first ? "" : " ", mode_name[mode]);
	}
}

static int default_mode_show(struct seq_file *seq, void *unused)
{
	show_modes(seq, MARKER_MODE_JUMP, marker_switch_default_mode());
	seq_putc(seq, '\n');
	return 0;
}

static int default_mode_command(const struct file *file, char *text)
{
	int mode = find_mode(text, MARKER_MODE_JUMP);

	if (mode >= 0)
		return marker_switch_set_default_mode(mode);
	marker_command_refuse(file, text, mode == -EOPNOTSUPP ? no_breakpoint : "no such mode");
	return mode;
}
DEFINE_MARKER_COMMAND_ATTRIBUTE(default_mode, marker_command_line);

/*
 * sites of a module: for each marker, a line about all of its sites, then one for each.
 * The position of a site is twice its index in the module's table, and 1; the line about
 * all has the position before the first one.  The registry mutex is held while a buffer is
 * filled.
 */

/* Is it the first site of its marker? */
static bool is_first(const struct marker_module *module, const struct marker_site *site)
{
	return site == module->site || site[-1].marker->event != site->marker->event;
}

static void *sites_find(const struct seq_file *seq, loff_t *pos)
{
	const struct marker_module *module = seq->private;
	struct marker_site *site;

	if (*pos / 2 >= module->nr_sites)
		return NULL;
	site = &module->site[*pos / 2];
	if (*pos % 2 == 0 && !is_first(module, site))
		++*pos;
	return site;
}

static void *sites_start(struct seq_file *seq, loff_t *pos)
{
	marker_registry_lock();
	return sites_find(seq, pos);
}

static void *sites_next(struct seq_file *seq, void *v, loff_t *pos)
{
	++*pos;
	return sites_find(seq, pos);
}

static void sites_stop(struct seq_file *seq, void *v)
{
	marker_registry_unlock();
}

/* True if code is written for one of the sites at least. */
static bool is_patched(const struct marker_event *event)
{
	const struct marker_site *site, *end;

	for_each_event_site(event, site, end) {
		if (site->marker->kind == MARKER_KIND_PATCH)
			return true;
	}
	return false;
}

/* The modes, the one that is chosen, and how many sites are in each state. */
static void show_summary(struct seq_file *seq, const struct marker_event *event)
{
	unsigned int count[NR_MARKER_SITE_STATES] = { };
	const struct marker_site *site, *end;
	unsigned int i;

	seq_printf(seq, "%s mode: ", event->name);
	if (is_patched(event))
		show_modes(seq, MARKER_MODE_DEFAULT, event->mode);
	else
		seq_puts(seq, "[default]");
	for_each_event_site(event, site, end)
		count[site->state]++;
	seq_puts(seq, " sites:");
	for (i = 0; i < NR_MARKER_SITE_STATES; i++) {
		if (count[i])
			seq_printf(seq, " %u %s", count[i], state_name[i]);
	}
	seq_putc(seq, '\n');
}

static void show_bytes(struct seq_file *seq, const char *what, const u8 *bytes)
{
	seq_printf(seq, " %s %*ph", what, marker_arch_site_size, bytes);
}

static int sites_show(struct seq_file *seq, void *v)
{
	const struct marker_site *site = v;
	const struct marker_event *event = site->marker->event;
	u8 expected[MARKER_SITE_MAX_SIZE];

	if (seq->index % 2 == 0) {
		show_summary(seq, event);
		return 0;
	}
	seq_printf(seq, "%s %td %s", event->name, site - marker_event_site(event, 0),
		   state_name[site->state]);
	/* a page fault in the right place is how one finds the address */
	if (site->addr && site->state != MARKER_SITE_GONE)
		seq_printf(seq, " 0x%lx %pS", site->addr, (void *)site->addr);
	seq_printf(seq, " %s:%u", site->marker->file, site->marker->line);
	if (site->init)
		seq_puts(seq, " init");
	if (site->alone)
		seq_puts(seq, " alone");
	if (site->foreign_tail)
		show_bytes(seq, "foreign tail", site->found);
	if (site->state == MARKER_SITE_QUARANTINED) {
		marker_arch_expect(site, MARKER_SITE_NOP, expected);
		show_bytes(seq, "found", site->found);
		show_bytes(seq, "wanted", expected);
	}
	seq_putc(seq, '\n');
	return 0;
}

static const struct seq_operations sites_sops = {
	.start = sites_start,
	.next = sites_next,
	.stop = sites_stop,
	.show = sites_show,
};

static int sites_open(struct inode *inode, struct file *file)
{
	return marker_file_open_seq(inode, file, &sites_sops);
}

static int set_mode(struct marker_event *event, enum marker_mode mode)
{
	bool patched;

	marker_registry_lock();
	patched = is_patched(event);
	marker_registry_unlock();
	if (patched || mode == MARKER_MODE_DEFAULT)
		return marker_switch_set_mode(event, mode);
	marker_log("marker %s: mode %s: it has no site whose code is written",
		   event->title, mode_name[mode]);
	return -EINVAL;
}

/* "MARKER MODE", "MARKER INDEX 0" or "MARKER INDEX 1". */
static int sites_command(const struct file *file, char *text)
{
	const struct seq_file *seq = file->private_data;
	struct marker_event *event;
	unsigned int index, on;
	const char *rest;
	int mode, len;
	char end;

	text = marker_rules_trim(text);
	event = marker_command_marker(file, seq->private, text, &rest);
	if (!event)
		return -ENOENT;
	mode = find_mode(rest, MARKER_MODE_DEFAULT);
	if (mode >= 0)
		return set_mode(event, mode);
	if (mode == -EOPNOTSUPP) {
		marker_command_refuse(file, text, no_breakpoint);
		return mode;
	}
	/* without widths, numbers wrap; and a newline, or nothing, would be a blank, too */
	if (sscanf(rest, "%9u%n %1u %c", &index, &len, &on, &end) == 2 && on <= 1 &&
	    (rest[len] == ' ' || rest[len] == '\t') && !strchr(rest, '\n'))
		return marker_switch_set_site(event, index, on);
	marker_command_refuse(file, text,
			      "after the marker, not default, jump, breakpoint, INDEX 0 or INDEX 1");
	return -EINVAL;
}

const struct marker_methods marker_module_sites_file = {
	.fops = &marker_command_fops,
	.open = sites_open,
	.read = seq_read,
	.llseek = seq_lseek,
	.release = seq_release,
	.whole = marker_command_line,
	.run = sites_command,
};

/*
 * text: every site whose bytes are not those of its state, and their number.  Writes
 * nothing to the sites.
 */

static bool has_code(const struct marker_site *site)
{
	return site->state == MARKER_SITE_NOP ||
	       site->state == MARKER_SITE_BREAKPOINT ||
	       site->state == MARKER_SITE_JUMP ||
	       site->state == MARKER_SITE_QUARANTINED;
}

/* A quarantined site is wrong by definition, until its enable is written. */
static bool check_site(struct seq_file *seq, const struct marker_site *site)
{
	u8 expected[MARKER_SITE_MAX_SIZE];

	marker_arch_expect(site, site->state, expected);
	if (site->state != MARKER_SITE_QUARANTINED &&
	    !memcmp((void *)site->addr, expected, marker_arch_site_size))
		return true;
	seq_printf(seq, "%s %s 0x%lx %pS", site->marker->event->title,
		   state_name[site->state], site->addr, (void *)site->addr);
	show_bytes(seq, "found", (void *)site->addr);
	show_bytes(seq, "wanted", expected);
	seq_putc(seq, '\n');
	return false;
}

static int text_show(struct seq_file *seq, void *unused)
{
	const struct marker_module *module;
	const struct marker_site *site;
	unsigned int nr = 0, wrong = 0;

	marker_registry_lock();
	for_each_marker_module(module) {
		for_each_module_site(module, site) {
			if (!has_code(site))
				continue;
			nr++;
			wrong += !check_site(seq, site);
			cond_resched();
		}
	}
	marker_registry_unlock();
	seq_printf(seq, "sites: %u wrong: %u\n", nr, wrong);
	return 0;
}
DEFINE_MARKER_SHOW_ATTRIBUTE(text);

const struct marker_file marker_code_files[] = {
	{ "mode", 0640, &default_mode_file },
	{ "text", 0440, &text_file },
	{ }
};
