// SPDX-License-Identifier: GPL-2.0
/*
 * What the kernel's printf prints for the extensions of %p that markers/format/pointer.c knows.
 * Their bytes were recorded, so the reader has to know how they look: as lib/vsprintf.c has it.
 *
 * Names of errors are those of the metadata, and names of functions those of info/symbols. The
 * names of the bits of %pG are the kernel's own: these are numbers.
 */
#include <sys/socket.h>
#include <time.h>

#include "../base/kernel.h"

#include <markers/format/out.h>

#include "../events/symbols.h"
#include "description.h"
#include "origin.h"

__thread struct origin reader_origin;

/**
 * struct spec - a conversion
 * @letters: what follows the "p"
 * @width: its width, or 0
 * @precision: its precision, or -1
 * @left: the text stands to the left
 */
struct spec {
	const char *letters;
	int width;
	int precision;
	bool left;
};

static int take_digits(const char **at)
{
	int number = 0;

	for (; **at >= '0' && **at <= '9'; ++*at)
		number = 10 * number + **at - '0';
	return number;
}

static struct spec parse_spec(const char *text)
{
	struct spec spec = { .precision = -1 };

	for (text++; *text && strchr("-+ #0", *text); text++)
		spec.left |= *text == '-';
	spec.width = take_digits(&text);
	if (*text == '.') {
		text++;
		spec.precision = take_digits(&text);
	}
	spec.letters = text + 1;
	return spec;
}

static void put_text(struct marker_out *out, const char *text)
{
	marker_out_bytes(out, text, strlen(text));
}

/* At least @least digits. */
static void put_hex(struct marker_out *out, u64 value, int least, bool capital)
{
	while (--least > 0 && !(value >> 4 * least))
		marker_out_char(out, '0');
	marker_out_hex(out, value, capital);
}

static u64 load(const u8 *from, size_t size)
{
	u64 value = 0;

	memcpy(&value, from, size);
	return value;
}

static unsigned int load_be16(const u8 *from)
{
	return from[0] << 8 | from[1];
}

/*
 * Names
 */

/* A return address may be that of the function that follows the one that called. */
static void put_symbol(struct marker_out *out, const char *letters, u64 address)
{
	const bool is_return = *letters == 'B';
	struct symbol_name name;

	if (!symbols_find(&name, address - is_return, reader_origin.time)) {
		put_text(out, "0x");
		marker_out_hex(out, address, false);
		return;
	}
	put_text(out, name.name);
	if (*letters != 's') {
		put_text(out, "+0x");
		marker_out_hex(out, name.offset + is_return, false);
	}
	if (*name.module) {
		put_text(out, " [");
		put_text(out, name.module);
		marker_out_char(out, ']');
	}
}

/* A C library may not have them. */
static const char *error_name(s64 error)
{
#if defined(__GLIBC_PREREQ) && __GLIBC_PREREQ(2, 32)
	if (error < 0 && error >= -MAX_ERROR)
		return strerrorname_np(-error);
#endif
	return NULL;
}

static void put_error(struct marker_out *out, s64 error)
{
	const struct description *description = reader_origin.description;
	const char *name = NULL;

	if (description && error < 0 && error >= -MAX_ERROR)
		name = description->error[-error];
	if (name) {
		put_text(out, name);
		return;
	}
	name = description ? NULL : error_name(error);
	if (name) {
		marker_out_char(out, '-');
		put_text(out, name);
		return;
	}
	if (error < 0)
		marker_out_char(out, '-');
	marker_out_decimal(out, error < 0 ? -(u64)error : (u64)error, 1);
}

/*
 * Addresses
 */
static void put_mac(struct marker_out *out, const char *letters, const u8 *mac)
{
	unsigned int i;

	for (i = 0; i < 6; i++) {
		if (i && *letters == 'M')
			marker_out_char(out, letters[1] == 'F' ? '-' : ':');
		put_hex(out, mac[letters[1] == 'R' ? 5 - i : i], 2, false);
	}
}

/* "h" is the order of this machine, which is that of the trace. */
static void put_ip4(struct marker_out *out, const u8 *ip, char order, unsigned int least)
{
	const bool reversed = order == 'l' || order == 'h';
	unsigned int i;

	for (i = 0; i < 4; i++) {
		if (i)
			marker_out_char(out, '.');
		marker_out_decimal(out, ip[reversed ? 3 - i : i], least);
	}
}

static void put_ip6(struct marker_out *out, const u8 *ip, bool colons)
{
	unsigned int i;

	for (i = 0; i < 16; i += 2) {
		if (i && colons)
			marker_out_char(out, ':');
		put_hex(out, load_be16(ip + i), 4, false);
	}
}

/* Are the last four bytes an IPv4 address: mapped, or of ISATAP? */
static bool has_ip4(const u8 *ip)
{
	static const u8 mapped[12] = { [10] = 0xff, 0xff }, isatap[3] = { 0x00, 0x5e, 0xfe };

	return !memcmp(ip, mapped, sizeof(mapped)) ||
	       ((ip[8] & ~2) == 0 && !memcmp(ip + 9, isatap, sizeof(isatap)));
}

/* Find the longest row of zeroes, the first one of several. Return: its words, 0 if it is one. */
static unsigned int find_zeroes(const u8 *ip, unsigned int words, unsigned int *at)
{
	unsigned int i, n, longest = 1;

	for (i = 0; i < words; i++) {
		for (n = 0; i + n < words && !load_be16(ip + 2 * (i + n)); n++)
			;
		if (n > longest) {
			longest = n;
			*at = i;
		}
	}
	return longest > 1 ? longest : 0;
}

static void put_compressed(struct marker_out *out, const u8 *ip)
{
	const unsigned int words = has_ip4(ip) ? 6 : 8;
	unsigned int i, at = words, zeroes = find_zeroes(ip, words, &at);
	bool colon = false;

	for (i = 0; i < words; i++) {
		if (zeroes && i == at) {
			put_text(out, "::");
			i += zeroes - 1;
			colon = false;
			continue;
		}
		if (colon)
			marker_out_char(out, ':');
		marker_out_hex(out, load_be16(ip + 2 * i), false);
		colon = true;
	}
	if (words == 8)
		return;
	if (colon)
		marker_out_char(out, ':');
	put_ip4(out, ip + 12, 'b', 1);
}

/* The port, the flow and the scope of a struct sockaddr_in6. */
static void put_ip6_rest(struct marker_out *out, const char *options, const u8 *address)
{
	if (strchr(options, 'p')) {
		marker_out_char(out, ':');
		marker_out_decimal(out, load_be16(address + 2), 1);
	}
	if (strchr(options, 'f')) {
		marker_out_char(out, '/');
		marker_out_decimal(out, (load_be16(address + 4) & 0xfff) << 16 | load_be16(address + 6), 1);
	}
	if (strchr(options, 's')) {
		marker_out_char(out, '%');
		marker_out_decimal(out, load(address + 24, 4), 1);
	}
}

/* A struct sockaddr, of which as much was recorded as its family has. */
static void put_socket(struct marker_out *out, const char *options, const u8 *address)
{
	const bool bracket = strpbrk(options, "pfs");
	const char *order = strpbrk(options, "hnbl");

	switch (load(address, 2)) {
	case AF_INET:
		put_ip4(out, address + 4, order ? *order : 'b', 1);
		if (strchr(options, 'p')) {
			marker_out_char(out, ':');
			marker_out_decimal(out, load_be16(address + 2), 1);
		}
		break;
	case AF_INET6:
		if (bracket)
			marker_out_char(out, '[');
		if (strchr(options, 'c'))
			put_compressed(out, address + 8);
		else
			put_ip6(out, address + 8, true);
		if (bracket)
			marker_out_char(out, ']');
		put_ip6_rest(out, options, address);
		break;
	default:
		put_text(out, "(einval)");
	}
}

static void put_ip(struct marker_out *out, const char *letters, const u8 *ip)
{
	if (letters[1] == 'S')
		put_socket(out, letters + 2, ip);
	else if (letters[1] == '4')
		put_ip4(out, ip, letters[2], *letters == 'i' ? 3 : 1);
	else if (letters[2] == 'c')
		put_compressed(out, ip);
	else
		put_ip6(out, ip, *letters == 'I');
}

/*
 * Bytes
 */
static void put_uuid(struct marker_out *out, char kind, const u8 *uuid)
{
	static const u8 guid[16] = { 3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15 };
	const bool is_guid = kind == 'l' || kind == 'L', capital = kind == 'B' || kind == 'L';
	unsigned int i;

	for (i = 0; i < 16; i++) {
		if (i == 4 || i == 6 || i == 8 || i == 10)
			marker_out_char(out, '-');
		put_hex(out, uuid[is_guid ? guid[i] : i], 2, capital);
	}
}

static bool has_bit(const u8 *bits, int bit)
{
	return bits[bit / 8] >> bit % 8 & 1;
}

static void put_ranges(struct marker_out *out, const u8 *bits, int nr)
{
	const char *before = "";
	int first, last;

	for (first = 0; first < nr; first++) {
		if (!has_bit(bits, first))
			continue;
		for (last = first; last + 1 < nr && has_bit(bits, last + 1); last++)
			;
		put_text(out, before);
		marker_out_decimal(out, first, 1);
		if (last > first) {
			marker_out_char(out, '-');
			marker_out_decimal(out, last, 1);
		}
		before = ",";
		first = last;
	}
}

/* In words of 32 bits, the highest ones first, which may be fewer. */
static void put_mask(struct marker_out *out, const u8 *bits, int nr)
{
	int at, end, i;
	u32 word;

	for (end = nr; end > 0; end = at) {
		at = (end - 1) / 32 * 32;
		for (word = 0, i = at; i < end; i++)
			word |= (u32)has_bit(bits, i) << (i - at);
		if (end < nr)
			marker_out_char(out, ',');
		put_hex(out, word, DIV_ROUND_UP(end - at, 4), false);
	}
}

/* For the kernel, the upper half of Latin-1 can be printed. */
static void put_escaped(struct marker_out *out, const u8 *bytes, int nr)
{
	static const char plain[] = "\n\r\t\v\f\a\e", letters[] = "nrtvfae";
	const char *found;

	for (; nr > 0; nr--, bytes++) {
		if ((*bytes >= ' ' && *bytes < 0x7f) || *bytes >= 0xa0) {
			marker_out_char(out, *bytes);
			continue;
		}
		marker_out_char(out, '\\');
		found = *bytes ? strchr(plain, *bytes) : NULL;
		if (found) {
			marker_out_char(out, letters[found - plain]);
		} else if (!*bytes) {
			marker_out_char(out, '0');
		} else {
			marker_out_char(out, '0' + (*bytes >> 6));
			marker_out_char(out, '0' + (*bytes >> 3 & 7));
			marker_out_char(out, '0' + (*bytes & 7));
		}
	}
}

static void put_four_letters(struct marker_out *out, u32 code)
{
	const u32 letters = code & ~(1u << 31);
	unsigned int i;
	u8 c;

	for (i = 0; i < 4; i++) {
		c = letters >> 8 * i;
		marker_out_char(out, c >= ' ' && c < 0x7f ? c : '.');
	}
	put_text(out, code >> 31 ? " big-endian (0x" : " little-endian (0x");
	put_hex(out, code, 8, false);
	marker_out_char(out, ')');
}

static void put_date(struct marker_out *out, const int *tm, bool raw)
{
	marker_out_decimal(out, tm[5] + (raw ? 0 : 1900), 4);
	marker_out_char(out, '-');
	marker_out_decimal(out, tm[4] + (raw ? 0 : 1), 2);
	marker_out_char(out, '-');
	marker_out_decimal(out, tm[3], 2);
}

static void put_clock(struct marker_out *out, const int *tm)
{
	marker_out_decimal(out, tm[2], 2);
	marker_out_char(out, ':');
	marker_out_decimal(out, tm[1], 2);
	marker_out_char(out, ':');
	marker_out_decimal(out, tm[0], 2);
}

/* As the kernel does it, which knows all years and puts them into an int, too. */
static void find_time(s64 seconds, int *time)
{
	const s64 cycle = 146097 * 86400ll;	/* 400 years, after which the calendar is the same */
	s64 cycles = seconds / cycle;
	time_t rest = seconds % cycle;
	struct tm tm;

	if (rest < 0) {
		rest += cycle;
		cycles--;
	}
	gmtime_r(&rest, &tm);
	time[0] = tm.tm_sec;
	time[1] = tm.tm_min;
	time[2] = tm.tm_hour;
	time[3] = tm.tm_mday;
	time[4] = tm.tm_mon;
	time[5] = tm.tm_year + 400 * cycles;
}

/* A struct rtc_time, or seconds since 1970. An option is one only in the order "d" or "t", "r", "s". */
static void put_time(struct marker_out *out, const char *letters, const u8 *from)
{
	const char *option = letters + 2;
	const bool only_date = *option == 'd', only_time = *option == 't';
	bool raw = false, blank = false;
	int time[9];

	for (option += only_date || only_time; *option == 'r' || *option == 's'; option++) {
		raw |= *option == 'r';
		blank |= *option == 's';
	}
	if (letters[1] == 'R')
		memcpy(time, from, sizeof(time));
	else
		find_time(load(from, 8), time);
	if (!only_time)
		put_date(out, time, raw);
	if (!only_time && !only_date)
		marker_out_char(out, blank ? ' ' : 'T');
	if (!only_date)
		put_clock(out, time);
}

/*
 * Resources
 */
enum {
	RESOURCE_IO = 0x100, RESOURCE_MEM = 0x200, RESOURCE_IRQ = 0x400, RESOURCE_DMA = 0x800,
	RESOURCE_BUS = 0x1000, RESOURCE_PREFETCH = 0x2000, RESOURCE_64 = 0x100000,
	RESOURCE_WINDOW = 0x200000, RESOURCE_DISABLED = 0x10000000, RESOURCE_UNSET = 0x20000000,
};

/**
 * struct resource_type - how the numbers of a resource look
 * @flag: its type
 * @name: as it is shown
 * @digits: hexadecimal digits at least; 0: decimal
 * @prefix: before hexadecimal numbers
 */
struct resource_type {
	u64 flag;
	const char *name;
	int digits;
	const char *prefix;
};

static void put_number(struct marker_out *out, const struct resource_type *type, u64 number)
{
	if (!type->digits) {
		marker_out_decimal(out, number, 1);
		return;
	}
	put_text(out, type->prefix);
	put_hex(out, number, type->digits, false);
}

static void put_resource(struct marker_out *out, bool decode, const u8 *from)
{
	static const struct resource_type types[] = {
		{ RESOURCE_IO, "[io  ", 4, "0x" }, { RESOURCE_MEM, "[mem ", 8, "0x" },
		{ RESOURCE_IRQ, "[irq " }, { RESOURCE_DMA, "[dma " },
		{ RESOURCE_BUS, "[bus ", 2, "" }, { 0, "[??? ", 8, "0x" },
	};
	const u64 start = load(from, 8), end = load(from + 8, 8), flags = load(from + 24, 8);
	const struct resource_type *type = types;

	while (type->flag && !(flags & type->flag))
		type++;
	put_text(out, type->name);
	decode &= type->flag != 0;
	if (decode && flags & RESOURCE_UNSET) {
		put_text(out, "size ");
		put_number(out, type, end - start + 1);
	} else {
		put_number(out, type, start);
		if (start != end) {
			marker_out_char(out, '-');
			put_number(out, type, end);
		}
	}
	if (decode) {
		put_text(out, flags & RESOURCE_64 ? " 64bit" : "");
		put_text(out, flags & RESOURCE_PREFETCH ? " pref" : "");
		put_text(out, flags & RESOURCE_WINDOW ? " window" : "");
		put_text(out, flags & RESOURCE_DISABLED ? " disabled" : "");
	} else {
		put_text(out, " flags 0x");
		marker_out_hex(out, flags, false);
	}
	marker_out_char(out, ']');
}

/* Return: whether the text is brought to the width of the conversion. */
static bool put_extension(struct marker_out *out, const struct spec *spec, const void *ptr)
{
	const char *letters = spec->letters;

	switch (*letters) {
	case 'S':
	case 's':
	case 'B':
		put_symbol(out, letters, (uintptr_t)ptr);
		return true;
	case 'e':
		put_error(out, (intptr_t)ptr);
		return true;
	case 'M':
	case 'm':
		put_mac(out, letters, ptr);
		return true;
	case 'I':
	case 'i':
		put_ip(out, letters, ptr);
		return true;
	case 'U':
		put_uuid(out, letters[1], ptr);
		return true;
	case '4':
		put_four_letters(out, load(ptr, 4));
		return true;
	case 'R':
	case 'r':
		put_resource(out, *letters == 'R', ptr);
		return true;
	case 'b':
		if (letters[1] == 'l')
			put_ranges(out, ptr, spec->width);
		else
			put_mask(out, ptr, spec->width);
		return false;
	case 'E':
		put_escaped(out, ptr, spec->width ?: 1);
		return false;
	case 't':
		put_time(out, letters, ptr);
		return false;
	case 'G':
		put_text(out, "0x");
		marker_out_hex(out, load(ptr, letters[1] == 'g' ? 4 : 8), false);
		return true;
	default:
		put_text(out, "0x");
		put_hex(out, load(ptr, 8), 16, false);
		return false;
	}
}

static void align(struct marker_out *out, char *begin, const struct spec *spec)
{
	const char *end = out->at;
	size_t size = end - begin;
	int blanks;

	if (spec->precision >= 0 && size > (size_t)spec->precision) {
		size = spec->precision;
		out->at = begin + size;
	}
	blanks = min_t(long, spec->width - (long)size, out->last - out->at);
	if (blanks <= 0)
		return;
	if (spec->left) {
		marker_out_blanks(out, blanks);
		return;
	}
	memmove(begin + blanks, begin, size);
	memset(begin, ' ', blanks);
	out->at += blanks;
}

int reader_print_extension(char *buf, size_t size, const char *text, const void *ptr)
{
	const struct spec spec = parse_spec(text);
	struct marker_out out = { buf, buf + size - 1 };

	if (!size)
		return 0;
	if (put_extension(&out, &spec, ptr))
		align(&out, buf, &spec);
	*out.at = '\0';
	return out.at - buf;
}
