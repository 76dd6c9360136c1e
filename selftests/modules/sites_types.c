// SPDX-License-Identifier: GPL-2.0
/*
 * test_sites: a marker for each kind of conversion.  Its text is in
 * test.d/format/types.tc.
 */
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/uuid.h>

#include "sites.h"

static const u8 mac[6] = { 0x02, 0x10, 0x32, 0x54, 0x76, 0x98 };
static const u8 ip4[4] = { 192, 0, 2, 1 };
static const u8 ip6[16] = { 0x20, 0x01, 0x0d, 0xb8, [15] = 0x2a };
static const guid_t guid = GUID_INIT(0x00112233, 0x4455, 0x6677, 0x88, 0x99,
				     0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff);
static const u8 bytes[64] = { 0xde, 0xad, 0xbe, 0xef, 0x00, 0xff };
static char long_string[2000];

enum color { RED, GREEN, BLUE };

static void fire_numbers(void)
{
	trace_mark(types_min, "hhd %hhd hd %hd d %d ld %ld lld %lld zd %zd",
		   (signed char)S8_MIN, (short)S16_MIN, INT_MIN, LONG_MIN,
		   LLONG_MIN, (ssize_t)-1);
	trace_mark(types_max, "hhu %hhu hu %hu u %u lu %lu llu %llu zu %zu",
		   (unsigned char)U8_MAX, (unsigned short)U16_MAX, UINT_MAX,
		   ULONG_MAX, ULLONG_MAX, (size_t)U32_MAX);
	trace_mark(types_base, "x %x X %#X o %o c %c t %td", 0xbeef, 0xbeef,
		   0755, '!', (ptrdiff_t)-5);
	trace_mark(types_other, "bool %d enum %d u8 %u s8 %d", true, BLUE,
		   mac[5], (s8)-7);
	trace_mark(types_width, "a [%5d] b [%-5d] c [%05d] d [%+d] e [%6s] f [%-6s]",
		   42, 42, 42, 42, "hop", "hop");
	trace_mark(types_percent, "load %d%% of %d%%", 50, 100);
	trace_mark(types_noname, "%d, %s; %d", 1, "two", 3);
	trace_mark(types_names, "one=%d two: %d three %d", 1, 2, 3);
}

static void fire_pointers(void)
{
	void *pointer = (void *)0xffff888012345678;

	trace_mark(types_pointer, "p %p pK %pK", pointer, pointer);
	trace_mark(types_null_pointer, "p %p", NULL);
	trace_mark(types_symbol, "ps %ps pS %pS", &sites_types, &sites_types);
	trace_mark(types_network, "M %pM m %pm I4 %pI4 i4 %pi4 I6 %pI6 I6c %pI6c",
		   mac, mac, ip4, ip4, ip6, ip6);
	trace_mark(types_uuid, "U %pUl", &guid);
	trace_mark(types_hex, "four %4ph n %*ph none %*ph colon %6phC dash %3phD bare %2phN",
		   bytes, 5, bytes, 0, bytes, bytes, bytes, bytes);
	trace_mark(types_hex_64, "n %*ph", 64, bytes);
	trace_mark(types_fault, "s %s ip %pI4 n %*ph after %d", (char *)8UL,
		   (u8 *)16UL, 4, (u8 *)24UL, 7);
}

static void fire_strings(void)
{
	unsigned int i;

	for (i = 0; i < sizeof(long_string) - 1; i++)
		long_string[i] = 'a' + i % 26;

	trace_mark(types_string, "s %s cut %.3s n %.*s empty %s end %d",
		   "hello", "hello", 2, "hello", "", 1);
	trace_mark(types_null_string, "s %s", (char *)NULL);
	trace_mark(types_control, "s %s", "tab\tnewline\nbell\ahigh\xc3\xa4");
	trace_mark(types_long_string, "s %s end %d", long_string, 1);
}

void sites_types(void)
{
	fire_numbers();
	fire_pointers();
	fire_strings();
}
