// SPDX-License-Identifier: GPL-2.0
/*
 * The patch protocol: it changes instructions while other CPUs execute them.  The
 * patcher calls it in process context, with cpus_read_lock() and the registry mutex
 * held.  Builds in user space too, where selftests/unit/patch_test.c has it change its
 * own text.
 *
 * For all sites of a batch together, whatever its size:
 *
 *	0  compare the bytes with those that we left there; quarantine the site if they
 *	   are not ours; use a breakpoint if only the first byte is ours
 *	1  tell the trap side what to do, write int3 over the first byte; sync
 *	2  write the other four bytes; sync
 *	3  write the first byte, unless int3 is what stays; sync
 *
 * A sync is one round of IPIs after which every CPU has executed a serialising
 * instruction.  After the one of step 1 no CPU executes the old instruction any
 * more, so its tail may change; after the one of step 2 no CPU can have the old
 * tail in its pipeline after the new first byte; after the one of step 3 no CPU
 * still handles a trap of ours.  A step that has nothing to write has no sync.
 *
 *	patch					int3 trap
 *	site->trap = SKIP or FIRE
 *	smp_wmb()	INT3(patch:A)
 *	text[0] = int3				fetch text[0] == int3
 *						read site->trap	INT3(trap:A)
 *	...
 *	text[0] = final
 *	sync		INT3(patch:B)		trap returns before the IPI
 *	site->trap = NONE
 *
 * The bytes are those of one instruction before and after: no thread can have
 * been preempted between them.
 */
#include "../../markers/base.h"
#include "../../markers/arch.h"
#include "insn.h"
#include "text.h"

const unsigned int marker_arch_site_size = SITE_SIZE;
const bool marker_arch_has_breakpoint = true;

void marker_arch_expect(const struct marker_site *site, u8 state, u8 *bytes)
{
	switch (state) {
	case MARKER_SITE_JUMP:
		insn_jump(bytes, site->addr, site->target);
		break;
	case MARKER_SITE_BREAKPOINT:
		insn_breakpoint(bytes);
		break;
	default:
		insn_nop(bytes);
	}
}

/* @bytes are not what we @want: is our first byte there, before the rest of another tool's NOP? */
static bool has_foreign_tail(u8 state, const u8 *bytes, const u8 *want)
{
	return state != MARKER_SITE_JUMP && bytes[0] == want[0] && insn_tail_is_nop(bytes);
}

bool marker_arch_fits(const struct marker_site *site, u8 state, const u8 *bytes)
{
	u8 want[SITE_SIZE];

	marker_arch_expect(site, state, want);
	return !memcmp(bytes, want, SITE_SIZE) || has_foreign_tail(state, bytes, want);
}

static u8 first_byte(u8 state)
{
	switch (state) {
	case MARKER_SITE_JUMP:
		return JMP32_OPCODE;
	case MARKER_SITE_BREAKPOINT:
		return INT3_OPCODE;
	default:
		return NOP_OPCODE;
	}
}

/* Step 0: are the bytes those that we left there?  Return 1 if not: the site is in quarantine. */
static unsigned int check_site(struct marker_site *site)
{
	u8 want[SITE_SIZE];

	marker_arch_expect(site, site->state, want);
	memcpy(site->found, (void *)site->addr, SITE_SIZE);
	site->foreign_tail = false;
	if (!memcmp(site->found, want, SITE_SIZE))
		return 0;
	if (!has_foreign_tail(site->state, site->found, want)) {
		site->state = MARKER_SITE_QUARANTINED;
		return 1;
	}
	/* we may change its first byte only */
	site->foreign_tail = true;
	if (site->goal == MARKER_SITE_JUMP)
		site->goal = MARKER_SITE_BREAKPOINT;
	return 0;
}

static bool is_quarantined(const struct marker_site *site)
{
	return site->state == MARKER_SITE_QUARANTINED;
}

/*
 * Other code has overwritten a breakpoint of ours.  After a sync no CPU executes ours any
 * more, and a breakpoint that traps there from now on is not ours.
 */
static void disown_breakpoints(struct marker_site **sites, unsigned int nr)
{
	bool synced = false;
	unsigned int i;

	for (i = 0; i < nr; i++) {
		if (!is_quarantined(sites[i]) || sites[i]->trap == MARKER_TRAP_NONE ||
		    sites[i]->found[0] == INT3_OPCODE)
			continue;
		if (!synced)
			text_sync();
		synced = true;
		WRITE_ONCE(sites[i]->trap, MARKER_TRAP_FOREIGN);
	}
}

/* Step 1.  Returns the number of breakpoints written. */
static unsigned int write_int3(struct text_alias *alias,
			       struct marker_site **sites, unsigned int nr)
{
	static const u8 int3 = INT3_OPCODE;
	unsigned int written = 0;
	unsigned int cursor = 0;
	struct marker_site *site;
	unsigned int i;

	for (i = 0; i < nr; i++) {
		site = sites[i];
		if (is_quarantined(site))
			continue;
		WRITE_ONCE(site->trap, site->goal == MARKER_SITE_NOP ?
			   MARKER_TRAP_SKIP : MARKER_TRAP_FIRE);
		if (site->state == MARKER_SITE_BREAKPOINT)
			continue;
		/* INT3(patch:A): the trap reads what we wrote above. */
		smp_wmb();
		text_write(alias, &cursor, site->addr, &int3, INT3_SIZE);
		written++;
	}
	return written;
}

/* Step 2.  Only a jump has another tail than a NOP and a breakpoint. */
static unsigned int write_tails(struct text_alias *alias,
				struct marker_site **sites, unsigned int nr)
{
	unsigned int written = 0;
	unsigned int cursor = 0;
	struct marker_site *site;
	u8 bytes[SITE_SIZE];
	unsigned int i;

	for (i = 0; i < nr; i++) {
		site = sites[i];
		if (is_quarantined(site) || (site->goal != MARKER_SITE_JUMP &&
					     site->state != MARKER_SITE_JUMP))
			continue;
		marker_arch_expect(site, site->goal, bytes);
		text_write(alias, &cursor, site->addr + INT3_SIZE,
			   bytes + INT3_SIZE, SITE_SIZE - INT3_SIZE);
		written++;
	}
	return written;
}

/* Step 3. */
static unsigned int write_first_bytes(struct text_alias *alias,
				      struct marker_site **sites,
				      unsigned int nr)
{
	unsigned int written = 0;
	unsigned int cursor = 0;
	struct marker_site *site;
	unsigned int i;
	u8 byte;

	for (i = 0; i < nr; i++) {
		site = sites[i];
		if (is_quarantined(site) || site->goal == MARKER_SITE_BREAKPOINT)
			continue;
		byte = first_byte(site->goal);
		text_write(alias, &cursor, site->addr, &byte, INT3_SIZE);
		written++;
	}
	return written;
}

/*
 * For emulators.  QEMU before 8.1 may translate code while another CPU writes it,
 * miss the write, and always execute the old instruction: a breakpoint that no sync
 * ends, or a site that is armed and never hit.  A translation after the last sync is
 * right, so it is enough to write the same bytes once more, which discards the old
 * translation.  A real CPU does not notice.
 */
static void write_again(struct text_alias *alias, struct marker_site **sites,
			unsigned int nr)
{
	unsigned int cursor = 0;
	unsigned int i;
	u8 byte;

	for (i = 0; i < nr; i++) {
		if (is_quarantined(sites[i]))
			continue;
		byte = first_byte(sites[i]->goal);
		text_write(alias, &cursor, sites[i]->addr, &byte, INT3_SIZE);
	}
	/* no compiler moves these writes past finish_sites() */
	barrier();
}

static void finish_sites(struct marker_site **sites, unsigned int nr)
{
	struct marker_site *site;
	unsigned int i;

	for (i = 0; i < nr; i++) {
		site = sites[i];
		if (is_quarantined(site))
			continue;
		/* before the trap is none: trap_site_late() */
		WRITE_ONCE(site->state, site->goal);
		/* INT3(patch:B): after the last sync, pairs with INT3(trap:A). */
		if (site->state != MARKER_SITE_BREAKPOINT)
			WRITE_ONCE(site->trap, MARKER_TRAP_NONE);
	}
}

int marker_arch_patch(struct marker_site **sites, unsigned int nr)
{
	unsigned int i, quarantined = 0;
	struct text_alias alias;
	int err;

	err = text_alias_create(&alias, sites, nr);
	if (err)
		return err;

	for (i = 0; i < nr; i++)
		quarantined += check_site(sites[i]);
	if (quarantined)
		disown_breakpoints(sites, nr);
	if (write_int3(&alias, sites, nr))
		text_sync();
	if (write_tails(&alias, sites, nr))
		text_sync();
	if (write_first_bytes(&alias, sites, nr))
		text_sync();
	write_again(&alias, sites, nr);
	finish_sites(sites, nr);

	text_alias_destroy(&alias);
	return 0;
}
