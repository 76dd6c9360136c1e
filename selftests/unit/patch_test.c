// SPDX-License-Identifier: GPL-2.0
/*
 * The patch protocol on a real CPU: arch/x86/patch.c, unchanged, rewrites code of
 * this process while threads execute it.  This shows what emulation cannot show:
 * prefetch, decoded instructions, the pipelines of several cores.
 *
 *	kernel				here
 *	vmap() alias of the text	second mapping of a memfd with the text
 *	int3, die notifier		SIGTRAP
 *	on_each_cpu(sync_core)		membarrier(PRIVATE_EXPEDITED_SYNC_CORE)
 *
 * One difference: a signal is not delivered with interrupts off, so a trap may
 * still be on its way when the protocol has ended and forgotten the site.  Its
 * breakpoint is gone then, and the instruction is executed again.
 *
 * Each site computes something around the marker, so that a torn instruction
 * shows even if it does not crash.  PATCH_TEST_SECONDS says how long it takes.
 */
#include "../../markers/base.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>
#include <linux/membarrier.h>

#include "tap.h"

#ifndef __x86_64__
int main(void)
{
	skip("the protocol is that of x86", "patching of running code");
	return tap_done();
}
#else

#include "../../arch/x86/text.h"
#include "../../arch/x86/trap.h"

#define NR_SITES	64
#define NR_THREADS	2

/* What a site is now, for the threads: an even number is stable. */
enum { OFF = 0, ON = 2, CHANGING = 1 };

struct entry {
	s32 code;
	s32 target;
};

/* The linker defines these; main() maps the pages of section "patched" anew. */
extern const struct entry __start_entries[], __stop_entries[];
extern u8 __start_patched[], __stop_patched[];

#define PATCHED noinline __attribute__((section("patched"),		\
			no_sanitize("address", "undefined", "thread")))

/* Some sites stand across the border of cache lines, one of pages. */
#define SITE(n)								\
static PATCHED long site_##n(long x, long y, int *fired)		\
{									\
	long z = x * 3 + y;						\
									\
	__asm__ goto(".skip " #n " * 61 %% 63 + 1, 0x90\n"			\
		     "1:\t.byte 0x0f, 0x1f, 0x44, 0x00, 0x00\n\t"	\
		     ".pushsection entries, \"a\"\n\t"			\
		     ".long 1b - ., %l[fire] - .\n\t"			\
		     ".popsection" : : : : fire);			\
	return z ^ y;							\
fire:									\
	*fired = 1;							\
	return z ^ y;							\
}

#define SITES_8(n)	SITE(n##0) SITE(n##1) SITE(n##2) SITE(n##3)	\
			SITE(n##4) SITE(n##5) SITE(n##6) SITE(n##7)
#define NAMES_8(n)	site_##n##0, site_##n##1, site_##n##2, site_##n##3, \
			site_##n##4, site_##n##5, site_##n##6, site_##n##7,

SITES_8(1) SITES_8(2) SITES_8(3) SITES_8(4)
SITES_8(5) SITES_8(6) SITES_8(7) SITES_8(8)

/* One across a page: fill up to two bytes before the end of this one. */
__asm__(".pushsection patched, \"ax\"\n\t"
	".balign 4096, 0x90\n\t.skip 4096 - 2 - 16, 0x90\n"
	"site_page:\n\t"
	"lea (%rdi,%rdi,2), %rax\n\t"		/* 4 bytes */
	"add %rsi, %rax\n\t"			/* 3 bytes */
	".skip 9, 0x90\n"
	"1:\t.byte 0x0f, 0x1f, 0x44, 0x00, 0x00\n"
	"2:\txor %rsi, %rax\n\tret\n"
	"3:\tmovl $1, (%rdx)\n\tjmp 2b\n\t"
	".popsection\n\t"
	".pushsection entries, \"a\"\n\t.long 1b - ., 3b - .\n\t.popsection");
long site_page(long x, long y, int *fired);

typedef long site_func(long x, long y, int *fired);

static site_func *const func[NR_SITES + 1] = {
	NAMES_8(1) NAMES_8(2) NAMES_8(3) NAMES_8(4)
	NAMES_8(5) NAMES_8(6) NAMES_8(7) NAMES_8(8) site_page
};

static struct marker_site site[NR_SITES + 1];	/* by address */
static int state[NR_SITES + 1];			/* by address, as @site */
static site_func *func_of[NR_SITES + 1];	/* by address, as @site */
static struct text_alias whole_text;

static unsigned long traps, retries, syncs;
static bool stop;

/* Stands for arch/text.c and arch/x86/text.c of the kernel. */

/* The alias has all pages of the text, so a batch needs no pages of its own. */
int text_alias_create(struct text_alias *alias, struct marker_site **sites,
		      unsigned int nr)
{
	(void)sites;
	(void)nr;
	*alias = whole_text;
	return 0;
}

void text_alias_destroy(struct text_alias *alias)
{
	(void)alias;
}

void text_sync(void)
{
	syncs++;
	if (syscall(SYS_membarrier,
		    MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE, 0, 0))
		abort();
}

struct marker_site *marker_arch_find_site(unsigned long addr)
{
	unsigned int lo = 0, hi = NR_SITES + 1, mid;

	while (lo < hi) {
		mid = (lo + hi) / 2;
		if (site[mid].addr == addr)
			return &site[mid];
		if (site[mid].addr < addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return NULL;
}

static void on_trap(int sig, siginfo_t *info, void *context)
{
	greg_t *regs = ((ucontext_t *)context)->uc_mcontext.gregs;
	unsigned long ip = regs[REG_RIP] - INT3_SIZE;
	struct marker_site *hit = marker_arch_find_site(ip);

	(void)sig;
	(void)info;
	if (!hit)
		abort();
	__atomic_add_fetch(&traps, 1, __ATOMIC_RELAXED);
	if (!trap_site(hit, &ip))
		__atomic_add_fetch(&retries, 1, __ATOMIC_RELAXED);
	regs[REG_RIP] = ip;
}

/* Replace the patched pages by a shared mapping of the same bytes. */
static bool map_text(void)
{
	size_t size = ALIGN(__stop_patched - __start_patched, PAGE_SIZE);
	int fd = memfd_create("text", 0);

	if (fd < 0 || ftruncate(fd, size))
		return false;
	whole_text.page = calloc(size / PAGE_SIZE, sizeof(*whole_text.page));
	whole_text.map = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (!whole_text.page || whole_text.map == MAP_FAILED)
		return false;
	for (; whole_text.nr < size / PAGE_SIZE; whole_text.nr++)
		whole_text.page[whole_text.nr] = (unsigned long)__start_patched + whole_text.nr * PAGE_SIZE;
	memcpy(whole_text.map, __start_patched, size);
	return mmap(__start_patched, size, PROT_READ | PROT_EXEC,
		    MAP_SHARED | MAP_FIXED, fd, 0) == __start_patched;
}

static int compare_sites(const void *a, const void *b)
{
	const struct marker_site *x = a, *y = b;

	return x->addr < y->addr ? -1 : x->addr > y->addr;
}

static void read_sites(void)
{
	const struct entry *entry;
	int nr = 0, i, j;

	for (entry = __start_entries; entry < __stop_entries; entry++, nr++) {
		site[nr].addr = (unsigned long)&entry->code + entry->code;
		site[nr].target = (unsigned long)&entry->target + entry->target;
		site[nr].state = MARKER_SITE_NOP;
	}
	qsort(site, nr, sizeof(*site), compare_sites);
	/* the function of a site is the last one that begins before it */
	for (i = 0; i < nr; i++) {
		for (j = 0; j < nr; j++) {
			if ((unsigned long)func[j] <= site[i].addr &&
			    func[j] > func_of[i])
				func_of[i] = func[j];
		}
	}
	is_int(nr, NR_SITES + 1, "all sites are found");
}

/* Thread: hit sites.  While a site is stable, it must do what its state says. */
struct worker {
	pthread_t thread;
	unsigned long hits, fired, checked, wrong;
};

static void hit(struct worker *worker, int i, long n)
{
	int before = __atomic_load_n(&state[i], __ATOMIC_ACQUIRE);
	int fired = 0, after;
	long z;

	z = func_of[i](n, i, &fired);
	after = __atomic_load_n(&state[i], __ATOMIC_ACQUIRE);
	worker->hits++;
	worker->fired += fired;
	if (z != ((n * 3 + i) ^ i))
		worker->wrong++;
	/* ON and OFF alternate with CHANGING, and carry a count: no ABA */
	if (before == after && !(before & CHANGING)) {
		worker->checked++;
		if (fired != !!(before & ON))
			worker->wrong++;
	}
}

static void *work(void *arg)
{
	struct worker *worker = arg;
	long n;
	int i;

	for (n = 0; !__atomic_load_n(&stop, __ATOMIC_RELAXED); n++)
		for (i = 0; i <= NR_SITES; i++)
			hit(worker, i, n);
	return NULL;
}

/* One batch: random sites to random states. */
static unsigned long toggle(unsigned int *seed)
{
	static const u8 goals[] = {
		MARKER_SITE_NOP, MARKER_SITE_JUMP, MARKER_SITE_BREAKPOINT,
	};
	struct marker_site *batch[NR_SITES + 1];
	unsigned int nr = 0, i, keep = 1 + rand_r(seed) % 8;
	int index;

	for (i = 0; i <= NR_SITES; i++) {
		site[i].goal = goals[rand_r(seed) % ARRAY_SIZE(goals)];
		if (site[i].goal == site[i].state || rand_r(seed) % keep)
			continue;
		batch[nr++] = &site[i];
		/* from jump to breakpoint the site stays on, and stable */
		if ((site[i].goal == MARKER_SITE_NOP) !=
		    (site[i].state == MARKER_SITE_NOP))
			__atomic_or_fetch(&state[i], CHANGING, __ATOMIC_SEQ_CST);
	}
	if (nr && marker_arch_patch(batch, nr))
		abort();
	for (i = 0; i < nr; i++) {
		index = batch[i] - site;
		if (!(state[index] & CHANGING))
			continue;
		__atomic_store_n(&state[index], ((state[index] + 4) & ~3) |
				 (batch[i]->state == MARKER_SITE_NOP ? OFF : ON),
				 __ATOMIC_SEQ_CST);
	}
	return nr;
}

static void check_sync_count(void)
{
	struct marker_site *all[NR_SITES + 1];
	static const struct {
		u8 goal;
		unsigned int syncs;
		const char *what;
	} step[] = {
		{ MARKER_SITE_JUMP, 3, "NOP to jump: three rounds for all sites" },
		{ MARKER_SITE_BREAKPOINT, 2, "jump to breakpoint: two rounds" },
		{ MARKER_SITE_JUMP, 2, "breakpoint to jump: two rounds" },
		{ MARKER_SITE_NOP, 3, "jump to NOP: three rounds" },
		{ MARKER_SITE_BREAKPOINT, 1, "NOP to breakpoint: one round" },
		{ MARKER_SITE_NOP, 1, "breakpoint to NOP: one round" },
	};
	unsigned int i, j;
	int fired;

	for (j = 0; j < ARRAY_SIZE(step); j++) {
		for (i = 0; i <= NR_SITES; i++) {
			all[i] = &site[i];
			site[i].goal = step[j].goal;
		}
		syncs = 0;
		marker_arch_patch(all, NR_SITES + 1);
		is_int(syncs, step[j].syncs, "%s", step[j].what);
		fired = 0;
		for (i = 0; i <= NR_SITES; i++)
			func_of[i](i, i, &fired);
		is_int(fired, step[j].goal != MARKER_SITE_NOP, "... and it works");
	}
}

static void check_quarantine(void)
{
	struct marker_site *both[] = { &site[0], &site[1] };
	u8 *byte = whole_text.map + (site[0].addr - (unsigned long)__start_patched);
	int fired = 0;

	*byte = INT3_OPCODE;		/* a kprobe, say */
	site[0].goal = site[1].goal = MARKER_SITE_JUMP;
	marker_arch_patch(both, 2);
	is_int(site[0].state, MARKER_SITE_QUARANTINED,
	       "foreign byte: the site is quarantined");
	is_int(site[0].found[0], INT3_OPCODE, "the byte is reported");
	is_int(*byte, INT3_OPCODE, "and left alone");
	func_of[1](0, 0, &fired);
	is_int(fired, 1, "the rest of the batch is armed");

	*byte = 0x0f;
	site[0].state = MARKER_SITE_NOP;
	byte[3] = 0x24;			/* nopl 0(%rsp): another NOP of 5 bytes */
	site[0].goal = MARKER_SITE_JUMP;
	marker_arch_patch(both, 1);
	is_int(site[0].state, MARKER_SITE_BREAKPOINT,
	       "foreign tail of a NOP: falls back to a breakpoint");
	fired = 0;
	func_of[0](0, 0, &fired);
	is_int(fired, 1, "which works");
	site[0].goal = site[1].goal = MARKER_SITE_NOP;
	marker_arch_patch(both, 2);
	is_int(byte[3], 0x24, "the foreign tail was never written");
	byte[3] = 0;
}

/* Is a breakpoint at site 0 ours, and where does it go? */
static unsigned long trap_to(bool *ours)
{
	unsigned long ip = site[0].addr + INT3_SIZE;

	*ours = trap_site(&site[0], &ip);
	return ip;
}

static void check_disowned(void)
{
	static const u8 other[SITE_SIZE] = { 0x90, 0x90, 0x90, 0x90, 0x90 };
	struct marker_site *one[] = { &site[0] };
	u8 *text = whole_text.map + (site[0].addr - (unsigned long)__start_patched);
	bool ours;

	site[0].goal = MARKER_SITE_BREAKPOINT;
	marker_arch_patch(one, 1);
	memcpy(text, other, SITE_SIZE);
	syncs = 0;
	site[0].goal = MARKER_SITE_NOP;
	marker_arch_patch(one, 1);
	is_int(site[0].state, MARKER_SITE_QUARANTINED,
	       "our breakpoint is overwritten: quarantined");
	is_int(syncs, 1, "after a round of IPIs it is not ours any more");
	text[0] = INT3_OPCODE;
	trap_to(&ours);
	is_int(ours, false, "a breakpoint on the other code is not ours");
	insn_breakpoint(text);
	ok(trap_to(&ours) == site[0].target && ours,
	   "ours, put back as it was, is");

	insn_nop(text);
	site[0].state = MARKER_SITE_NOP;
	site[0].trap = MARKER_TRAP_NONE;
}

/* How far after @text does a breakpoint there go on?  -1: it is not ours. */
static long trapped_to(const struct marker_site *at, const u8 *text)
{
	unsigned long ip = (unsigned long)text + INT3_SIZE;

	return trap_handle(at, &ip) ? (long)(ip - (unsigned long)text) : -1;
}

/* A trap that is late finds that its site has gone, or does not find it. */
static void check_gone(void)
{
	u8 text[SITE_SIZE];
	const struct marker_site gone = {
		.addr = (unsigned long)text,
		.state = MARKER_SITE_GONE,
		.trap = MARKER_TRAP_NONE,
	};
	const struct marker_site *const ways[] = { NULL, &gone };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(ways); i++) {
		insn_nop(text);
		is_int(trapped_to(ways[i], text), SITE_SIZE, "%s: a late trap acts as the NOP",
		       ways[i] ? "a site that has gone" : "no site");
		insn_jump(text, 0, 64);
		is_int(trapped_to(ways[i], text), 64, "... or as the jump");
		insn_jump(text, 64, 0);
		is_int(trapped_to(ways[i], text), -64, "... that goes back");
		insn_breakpoint(text);
		is_int(trapped_to(ways[i], text), -1, "a breakpoint that is there is not ours");
		text[0] = NOP_OPCODE;
		text[1] = 0x0b;			/* ud2 */
		is_int(trapped_to(ways[i], text), -1, "nor is what is no NOP");
	}
}

static void check_storm(double seconds)
{
	struct worker worker[NR_THREADS] = { };
	unsigned long batches = 0, patched = 0, hits = 0, fired = 0;
	unsigned long checked = 0, wrong = 0;
	struct timespec start, now;
	unsigned int seed = 1;
	int i;

	for (i = 0; i < NR_THREADS; i++)
		pthread_create(&worker[i].thread, NULL, work, &worker[i]);
	clock_gettime(CLOCK_MONOTONIC, &start);
	do {
		patched += toggle(&seed);
		batches++;
		clock_gettime(CLOCK_MONOTONIC, &now);
	} while (now.tv_sec - start.tv_sec +
		 (now.tv_nsec - start.tv_nsec) / 1e9 < seconds);
	__atomic_store_n(&stop, true, __ATOMIC_RELAXED);
	for (i = 0; i < NR_THREADS; i++) {
		pthread_join(worker[i].thread, NULL);
		hits += worker[i].hits;
		fired += worker[i].fired;
		checked += worker[i].checked;
		wrong += worker[i].wrong;
	}
	printf("# %.0f s: %lu batches, %lu sites patched, %lu hits, %lu fired, %lu traps, %lu of them late\n",
	       seconds, batches, patched, hits, fired, traps, retries);
	ok(batches && fired && fired < hits && traps,
	   "sites were hit in all states");
	ok(checked > hits / 100, "%lu hits had a known state", checked);
	is_int(wrong, 0, "none was wrong");
	for (i = 0; i <= NR_SITES; i++) {
		if (site[i].state == MARKER_SITE_QUARANTINED)
			break;
	}
	is_int(i, NR_SITES + 1, "no site was quarantined");
}

int main(void)
{
	const char *seconds = getenv("PATCH_TEST_SECONDS");
	struct sigaction action = {
		.sa_sigaction = on_trap,
		.sa_flags = SA_SIGINFO | SA_NODEFER,
	};

	if (syscall(SYS_membarrier,
		    MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_SYNC_CORE, 0, 0)) {
		skip("no membarrier(SYNC_CORE) here", "patching of running code");
		return tap_done();
	}
	sigaction(SIGTRAP, &action, NULL);
	if (!ok(map_text(), "the text has a writable alias"))
		return tap_done();
	read_sites();
	check_sync_count();
	check_quarantine();
	check_disowned();
	check_gone();
	check_storm(seconds ? atof(seconds) : 3);
	return tap_done();
}
#endif
