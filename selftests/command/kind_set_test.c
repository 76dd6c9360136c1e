// SPDX-License-Identifier: GPL-2.0
/*
 * Patterns that remember which kinds they match.
 */
#include <stdio.h>

#include "kind_set.h"
#include "tap.h"

#define NR	1000

int main(void)
{
	static char names[NR][16];
	struct kind_set match = {}, all = {}, rest = {};
	unsigned int i, round, wrong = 0, wrong_rest = 0;

	kind_set_add(&match, "a:x1*");
	kind_set_add(&match, "x22");
	kind_set_add(&match, "!x1?6");
	kind_set_add(&rest, "!a:*");
	for (i = 0; i < NR; i++)
		snprintf(names[i], sizeof(names[i]), "%c:x%u", 'a' + i % 2, i);
	/* later kinds first; in the second round, it must remember the same answers */
	for (round = 0; round < 2; round++)
		for (i = NR; i--;) {
			struct kind kind = { .name = names[i], .number = i };
			bool wanted = i == 22 || (i % 2 == 0 && names[i][3] == '1');

			if (i / 100 == 1 && i % 10 == 6)
				wanted = false;

			wrong += kind_set_has(&match, &kind) != wanted;
			wrong += !kind_set_has(&all, &kind);
			wrong_rest += kind_set_has(&rest, &kind) != i % 2;
		}
	is_int(wrong, 0, "kinds that match");
	is_int(wrong_rest, 0, "all but some");
	kind_set_free(&rest);
	kind_set_free(&match);
	kind_set_free(&all);
	return tap_done();
}
