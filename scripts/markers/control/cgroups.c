// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <ftw.h>
#include <linux/magic.h>
#include <mntent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>

#include "../base/message.h"
#include "cgroups.h"

#define MAX_GROUPS	24	/* a filter of the kernel has 32 tests, and others need some */

/* What nftw() has found: the numbers of groups, the one on top first. */
static unsigned long long numbers[MAX_GROUPS];
static unsigned int nr_groups;

static int add_group(const char *path, const struct stat *stat, int type, struct FTW *at)
{
	(void)path;
	(void)at;
	/* a group that goes meanwhile */
	if (type != FTW_D)
		return 0;
	if (nr_groups < MAX_GROUPS)
		numbers[nr_groups] = stat->st_ino;
	nr_groups++;
	return 0;
}

static bool is_group(const char *path)
{
	struct statfs found;

	return !statfs(path, &found) && found.f_type == CGROUP2_SUPER_MAGIC;
}

/* Where the hierarchy is mounted, or NULL. */
static char *find_mount(void)
{
	FILE *mounts = setmntent("/proc/self/mounts", "r");
	struct mntent *mount;
	char *dir = NULL;

	if (!mounts)
		return NULL;
	while (!dir && (mount = getmntent(mounts)))
		if (!strcmp(mount->mnt_type, "cgroup2"))
			dir = need_memory(strdup(mount->mnt_dir));
	endmntent(mounts);
	return dir;
}

/* The directory of a group. Return: NULL, with @why: there is none. */
static char *find_group(const char *path, char **why)
{
	char *mount, *below;

	if (is_group(path))
		return need_memory(strdup(path));
	mount = find_mount();
	below = mount ? format_text("%s/%s", mount, path + strspn(path, "/")) : NULL;
	if (below && is_group(below)) {
		free(mount);
		return below;
	}
	if (mount)
		*why = format_text("there is no such group, neither here nor in %s", mount);
	else
		*why = format_text("the unified hierarchy is not mounted: mount -t cgroup2 none /sys/fs/cgroup");
	free(mount);
	free(below);
	return NULL;
}

static char *print_filter(const char *others)
{
	char *text = NULL;
	unsigned int i;
	size_t size;
	FILE *out;

	out = need_memory(open_memstream(&text, &size));
	if (others)
		fprintf(out, "%s || ", others);
	for (i = 0; i < nr_groups; i++)
		fprintf(out, "%s$ctx.cgroup_id == %llu", i ? " || " : "", numbers[i]);
	fclose(out);
	return text;
}

char *cgroups_filter(const char *path, const char *others, char **filter)
{
	char *why = NULL, *dir = find_group(path, &why);
	int err;

	if (!dir)
		return why;
	nr_groups = 0;
	err = nftw(dir, add_group, 16, FTW_PHYS | FTW_MOUNT) ? errno : 0;
	free(dir);
	if (err || !nr_groups)
		return format_text("%s", strerror(err ?: ENOENT));
	if (nr_groups > MAX_GROUPS)
		return format_text("it has %u groups below it, and a filter has room for %u: name some of those",
				   nr_groups - 1, MAX_GROUPS - 1);
	if (nr_groups > 1)
		say("--cgroup %s: with the %u groups below it; those that come later are not taken",
		    path, nr_groups - 1);
	*filter = print_filter(others);
	return NULL;
}
