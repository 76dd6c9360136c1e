// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/message.h"
#include "groups.h"
#include "keys.h"

#define NR_SLOTS	(2 * MAX_GROUPS)	/* a power of two */

/**
 * struct entry - a group and its key
 * @group: the group
 * @hash: of the key
 * @nr: words of the key
 * @key: the key
 */
struct entry {
	struct group group;
	uint64_t hash;
	size_t nr;
	uint64_t *key;
};

/**
 * struct groups - a hash table
 * @keys: the fields
 * @nr: number of @entry
 * @entry: the groups
 * @slot: 1 + the number of a group; 0: none
 */
struct groups {
	struct keys keys;
	unsigned int nr;
	struct entry *entry[MAX_GROUPS];
	unsigned char slot[NR_SLOTS];
};

struct groups *groups_create(const char *by)
{
	struct groups *groups = need_memory(calloc(1, sizeof(*groups)));
	struct keys same;

	if (strchr(by, ':') || !keys_parse(by, &groups->keys, &same)) {
		free(groups);
		return NULL;
	}
	keys_free(&same);
	return groups;
}

void groups_destroy(struct groups *groups)
{
	while (groups->nr--) {
		free(groups->entry[groups->nr]->group.name);
		free(groups->entry[groups->nr]->key);
		free(groups->entry[groups->nr]);
	}
	keys_free(&groups->keys);
	free(groups);
}

static char *name_of(const struct groups *groups, const struct event *event)
{
	char *name = NULL;
	size_t size;
	FILE *out = need_memory(open_memstream(&name, &size));

	keys_put(out, &groups->keys, event, false);
	fclose(out);
	return need_memory(name);
}

/* Return: the number of the new group. */
static unsigned int add(struct groups *groups, const struct key *key, char *name)
{
	struct entry *entry = need_memory(calloc(1, sizeof(*entry)));

	entry->group.name = name;
	entry->hash = key->hash;
	entry->nr = key->nr;
	if (key->nr)
		entry->key = memcpy(need_memory(malloc(key->nr * sizeof(*key->word))), key->word,
				    key->nr * sizeof(*key->word));
	groups->entry[groups->nr] = entry;
	return groups->nr++;
}

static bool is_of(const struct entry *entry, const struct key *key)
{
	return entry->hash == key->hash && entry->nr == key->nr &&
	       key_is_same(entry->key, key->word, key->nr);
}

unsigned int groups_find(struct groups *groups, const struct event *event)
{
	struct key key = {};
	bool has_key = keys_read(&groups->keys, event, &key);
	unsigned char *slot;
	size_t i;

	if (!has_key)
		key = (struct key){};
	for (i = key.hash;; i++) {
		slot = &groups->slot[i % NR_SLOTS];
		if (!*slot)
			break;
		if (is_of(groups->entry[*slot - 1], &key))
			return *slot - 1;
	}
	if (groups->nr == MAX_GROUPS)
		return MAX_GROUPS - 1;
	if (groups->nr == MAX_GROUPS - 1)
		return add(groups, &key, need_memory(strdup("others")));
	*slot = 1 + add(groups, &key, has_key ? name_of(groups, event) : need_memory(strdup("-")));
	return *slot - 1;
}

struct group *groups_get(struct groups *groups, unsigned int i)
{
	return i < groups->nr ? &groups->entry[i]->group : NULL;
}
