// SPDX-License-Identifier: GPL-2.0
/*
 * The notes in the memory of a dead kernel: pages that begin with a magic text, and whose
 * checksum is right.  Process context.
 */
#include <markers/base.h>
#include <markers/format/context.h>
#include <markers/format/text.h>
#include "recover_internal.h"

#define TEXT_SIZE	(PAGE_SIZE - sizeof(struct marker_note_page))
#define MAX_TRIES	8		/* with older notes, if newer ones are not complete */

/**
 * struct note - a page of the notes
 * @head:	a copy of what it begins with: the region may change after all
 * @at:		its place; the text is there
 */
struct note {
	struct marker_note_page head;
	u64 at;
};

static u32 text_crc(const struct marker_note_page *head, const u8 *text)
{
	u32 crc = crc32_le(~0, (const u8 *)&head->phys,
			   sizeof(*head) - offsetof(struct marker_note_page, phys));

	return ~crc32_le(crc, text, head->size);
}

static bool copy_text(const struct recovery *r, const struct note *note, void *to)
{
	return recover_copy(r, note->at + sizeof(note->head), to, note->head.size) ==
	       note->head.size;
}

/* Is there one at @at? */
static bool note_at(const struct recovery *r, u64 at, struct note *note)
{
	const struct marker_note_page *head = &note->head;

	cond_resched();
	note->at = at;
	return recover_copy(r, at, &note->head, sizeof(note->head)) == sizeof(note->head) &&
	       !memcmp(head->magic, MARKER_NOTE_MAGIC, sizeof(head->magic)) &&
	       head->size <= TEXT_SIZE && head->phys == at &&
	       head->number < head->total && head->total <= r->size / PAGE_SIZE &&
	       copy_text(r, note, r->page) && head->crc == text_crc(head, r->page);
}

/* By their base, the latest first; then by generation; then by number. */
static int compare_notes(const void *a, const void *b)
{
	const struct marker_note_page *one = &((const struct note *)a)->head;
	const struct marker_note_page *other = &((const struct note *)b)->head;
	int diff;

	if (one->base != other->base)
		return one->base > other->base ? -1 : 1;
	diff = memcmp(one->uuid, other->uuid, sizeof(one->uuid));
	if (diff)
		return diff;
	if (one->generation != other->generation)
		return one->generation < other->generation ? -1 : 1;
	if (one->number != other->number)
		return one->number < other->number ? -1 : 1;
	return 0;
}

/* Return: all pages of notes, in that order, and an empty one; NULL: no memory. */
static struct note *find_pages(const struct recovery *r, size_t *nr)
{
	struct note note, *pages;
	size_t room = 0;
	u64 at;
	u32 i;

	for_each_page(r, i, at)
		room += note_at(r, at, &note);
	pages = kvzalloc(array_size(room + 1, sizeof(*pages)), GFP_QUIET);
	if (!pages)
		return NULL;
	*nr = 0;
	for_each_page(r, i, at) {
		if (*nr < room && note_at(r, at, &note))
			pages[(*nr)++] = note;
	}
	sort(pages, *nr, sizeof(*pages), compare_notes, NULL);
	return pages;
}

static bool is_of_base(const struct note *page, const struct marker_note_page *base)
{
	return page->head.base == base->generation &&
	       !memcmp(page->head.uuid, base->uuid, sizeof(base->uuid));
}

/* How many pages do the notes have that begin at @pages?  0: some of them are missing. */
static u32 count_pages(const struct note *pages, size_t nr)
{
	const struct marker_note_page *head = &pages->head;
	u32 i;

	for (i = 0; i < nr && i < head->total; i++) {
		if (pages[i].head.generation != head->generation ||
		    pages[i].head.total != head->total || pages[i].head.number != i ||
		    memcmp(pages[i].head.uuid, head->uuid, sizeof(head->uuid)))
			return 0;
	}
	return i == head->total ? i : 0;
}

/* Return: the text; NULL: it has changed meanwhile; ERR_PTR(-ENOMEM). */
static char *join_text(const struct recovery *r, const struct note *pages, u32 nr)
{
	char *text = kvmalloc(nr * TEXT_SIZE + 1, GFP_QUIET);
	const struct marker_note_page *head;
	size_t at = 0;
	u32 i;

	if (!text)
		return ERR_PTR(-ENOMEM);
	for (i = 0; i < nr; i++) {
		head = &pages[i].head;
		if (!copy_text(r, &pages[i], text + at) ||
		    head->crc != text_crc(head, (u8 *)text + at)) {
			kvfree(text);
			return NULL;
		}
		at += head->size;
	}
	text[at] = '\0';
	return text;
}

/*
 * The lines before the metadata
 */

/* The next line, without its newline; NULL: there is none before the empty line. */
static char *next_line(char **at)
{
	char *line = *at, *end = strchr(line, '\n');

	if (!end || end == line)
		return NULL;
	*end = '\0';
	*at = end + 1;
	return line;
}

/* Go past a word and a blank.  Return: false: it is another word. */
static bool skip_word(char **at, const char *word)
{
	const size_t len = strlen(word);

	if (strncmp(*at, word, len) || (*at)[len] != ' ')
		return false;
	*at += len + 1;
	return true;
}

/* Go past a number and the blank after it. */
static bool get_note_number(char **at, u64 *number)
{
	struct marker_text in = { .text = *at };
	u64 n;

	if (!marker_take_number(&in, 10, U64_MAX, &n))
		return false;
	*at += in.at;
	if (**at && **at != ' ')
		return false;
	*at += **at == ' ';
	*number = n;
	return true;
}

/* A number from @least to @most. */
static bool get_u32(char **at, u32 least, u32 most, u32 *number)
{
	u64 n;

	if (!get_note_number(at, &n) || n < least || n > most)
		return false;
	*number = n;
	return true;
}

static bool get_power(char *at, u32 least, u32 most, u32 *number)
{
	return get_u32(&at, least, most, number) && is_power_of_2(*number);
}

static bool get_contexts(char *at, u32 *tag)
{
	u32 set;

	if (!get_u32(&at, 0, MARKER_CONTEXT_ALL, &set))
		return false;
	*tag = marker_context_tag(set);
	return true;
}

static bool get_clock(char *at, struct marker_clock *clock)
{
	char *end = strchr(at, ' ');
	bool is_negative;
	u64 offset_s;

	if (!end)
		return false;
	*end = '\0';
	clock->name = at;
	at = end + 1;
	if (!get_note_number(&at, &clock->frequency))
		return false;
	is_negative = *at == '-';
	at += is_negative;
	if (!get_note_number(&at, &offset_s) || !get_note_number(&at, &clock->offset))
		return false;
	clock->offset_s = is_negative ? -offset_s : offset_s;
	return clock->frequency && clock->frequency < 1ull << 34;
}

/* What the addresses of a CPU's line point to.  Return: false: it is not there. */
static bool read_words(const struct recovery *r, u64 offset, u64 last, u64 lost, u64 overwritten,
		       struct words *words)
{
	u64 word;
	int i;

	for (i = 0; i < MARKER_NOTE_NR_LOST; i++) {
		if (!read_word(r, lost + i * sizeof(word), &word))
			return false;
		words->lost += word;
	}
	if (!read_word(r, offset, &word) || !read_word(r, last, &words->last) ||
	    !read_word(r, overwritten, &words->overwritten))
		return false;
	words->seq = word / r->subbuf_size - r->nr_subbufs;
	words->used = word % r->subbuf_size;
	return true;
}

static bool get_words(struct recovery *r, char *at, struct words *words)
{
	u64 offset, last, lost, overwritten;

	if (!get_u32(&at, 0, MAX_CPUS - 1, &words->cpu) || !get_note_number(&at, &offset) ||
	    !get_note_number(&at, &last) || !get_note_number(&at, &words->commit) ||
	    !get_u32(&at, 0, U32_MAX, &words->stride) || !get_note_number(&at, &lost) ||
	    !get_note_number(&at, &overwritten))
		return false;
	if (!read_words(r, offset, last, lost, overwritten, words)) {
		*words = (struct words) { .cpu = words->cpu, .seq = U64_MAX };
		r->trace->nr_missing++;
	}
	return true;
}

static bool read_layout(struct recovery *r, char *line)
{
	struct marker_recovered *trace = r->trace;

	if (skip_word(&line, "subbuf_size"))
		return get_power(line, PAGE_SIZE, MARKER_NOTE_MAX_SUBBUF, &r->subbuf_size);
	if (skip_word(&line, "nr_subbufs"))
		return get_power(line, 2, MARKER_NOTE_MAX_SUBBUFS, &r->nr_subbufs);
	if (skip_word(&line, "contexts"))
		return get_contexts(line, &trace->contexts);
	if (skip_word(&line, "clock"))
		return get_clock(line, &trace->clock);
	/* it needs the numbers above */
	if (skip_word(&line, "cpu"))
		return r->subbuf_size && r->nr_subbufs &&
		       get_words(r, line, &r->words[r->nr_words++]);
	return false;
}

/* How many lines begin with @word, or with one like it? */
static size_t count_lines(const char *text, const char *word)
{
	size_t nr = 0;

	while (*text && *text != '\n') {
		nr += !strncmp(text, word, strlen(word));
		text = strchr(text, '\n');
		if (!text)
			break;
		text++;
	}
	return nr;
}

/* The first line, which it ends with a NUL, is "from @first"?  Return: what follows. */
static char *skip_from(char *text, u64 first)
{
	char *end = strchr(text, '\n');
	u64 number;

	if (!end)
		return NULL;
	*end = '\0';
	return skip_word(&text, "from") && get_note_number(&text, &number) && !*text &&
	       number == first ? end + 1 : NULL;
}

/*
 * Join notes and what continues them: their metadata.  Return: a text; NULL: it does not continue
 * them; ERR_PTR(-ENOMEM).
 */
static char *add_text(const char *text, char *more)
{
	const char *empty_line = skip_from(more, recover_count_events(text));
	const size_t len = strlen(text);
	char *whole;

	if (!empty_line || *empty_line != '\n')
		return NULL;
	whole = kvmalloc(len + strlen(empty_line), GFP_QUIET);
	if (!whole)
		return ERR_PTR(-ENOMEM);
	memcpy(whole, text, len);
	strcpy(whole + len, empty_line + 1);
	return whole;
}

/* Add what continues the notes of @base, as far as it is complete; @pages follow theirs. */
static int add_notes(struct recovery *r, const struct marker_note_page *base,
		     const struct note *pages, size_t nr)
{
	char *more, *whole;
	u32 i, nr_pages;

	for (i = 0; nr && i <= MARKER_NOTES_MAX_ADDED && is_of_base(pages, base);
	     i++, pages += nr_pages, nr -= nr_pages) {
		nr_pages = count_pages(pages, nr);
		if (!nr_pages)
			break;
		more = join_text(r, pages, nr_pages);
		if (IS_ERR_OR_NULL(more))
			return PTR_ERR_OR_ZERO(more);
		whole = add_text(r->trace->text, more);
		kvfree(more);
		if (IS_ERR_OR_NULL(whole))
			return PTR_ERR_OR_ZERO(whole);
		kvfree(r->trace->text);
		r->trace->text = whole;
	}
	return 0;
}

/* Read the notes that begin at @pages, if they are complete. */
static int read_notes(struct recovery *r, const struct note *pages, size_t nr)
{
	const u32 nr_pages = count_pages(pages, nr);
	char *text;

	if (!nr_pages)
		return 0;
	text = join_text(r, pages, nr_pages);
	if (IS_ERR_OR_NULL(text))
		return PTR_ERR_OR_ZERO(text);
	memcpy(r->uuid, pages->head.uuid, sizeof(r->uuid));
	r->trace->text = text;
	return add_notes(r, &pages->head, pages + nr_pages, nr - nr_pages);
}

/* Are there crash notes that cannot be read: damaged, or of another version? */
static bool has_other_notes(const struct recovery *r)
{
	char magic[MARKER_NOTE_MAGIC_SAME];
	u64 at;
	u32 i;

	for_each_page(r, i, at) {
		if (recover_copy(r, at, magic, sizeof(magic)) == sizeof(magic) &&
		    !memcmp(magic, MARKER_NOTE_MAGIC, sizeof(magic)))
			return true;
	}
	return false;
}

static int find_notes(struct recovery *r, const char **why)
{
	struct note *pages;
	int tries = 0, err = 0;
	size_t nr, i;

	pages = find_pages(r, &nr);
	if (!pages)
		return -ENOMEM;
	for (i = 0; i < nr && tries < MAX_TRIES && !err && !r->trace->text; i++) {
		/* the first of notes that begin a trace */
		if (pages[i].head.generation != pages[i].head.base || pages[i].head.number)
			continue;
		tries++;
		err = read_notes(r, pages + i, nr - i);
	}
	kvfree(pages);
	if (err || r->trace->text)
		return err;
	if (has_other_notes(r)) {
		*why = "its notes are damaged, or of another version";
		return -EINVAL;
	}
	*why = "there is none";
	return -ENODATA;
}

static int read_lines(struct recovery *r)
{
	struct marker_recovered *trace = r->trace;
	char *at = trace->text, *line;
	const size_t nr_cpus = count_lines(at, "cpu ");

	if (nr_cpus > MAX_CPUS)
		return -EINVAL;
	r->words = kvzalloc(array_size(nr_cpus + 1, sizeof(*r->words)), GFP_QUIET);
	if (!r->words)
		return -ENOMEM;
	while ((line = next_line(&at))) {
		if (!read_layout(r, line))
			return -EINVAL;
	}
	if (*at != '\n' || !r->subbuf_size || !r->nr_subbufs || !trace->clock.name)
		return -EINVAL;
	trace->metadata = at + 1;
	return 0;
}

static int read_text(struct recovery *r, const char **why)
{
	*why = "its notes cannot be understood";
	return read_lines(r) ?: marker_recover_events(r);
}

int marker_recover_notes(struct recovery *r, const char **why)
{
	int err;

	r->page = kmalloc(PAGE_SIZE, GFP_QUIET);
	if (!r->page)
		return -ENOMEM;
	err = find_notes(r, why) ?: read_text(r, why);
	kfree(r->page);
	return err;
}
