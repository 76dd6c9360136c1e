// SPDX-License-Identifier: GPL-2.0
/*
 * check-formats FILE...: will markers.ko accept all markers of these modules?
 *
 * client.mk compiles it, with the parser of markers.ko, for the machine that builds. Then it
 * runs it on the objects that modpost gets. A finished .ko works, too.
 *
 * Prints each marker that markers.ko would refuse when the module is loaded, as a compiler does:
 * with file and line, and with the column in the format. Exits with 1 if there is one, and with
 * 2 if it cannot read a file. For a debug statement (markers/debug.h) it prints only a note,
 * because nobody wrote it as a marker.
 */
#include <elf.h>
#include <stdarg.h>
#include <stdlib.h>

#include <markers/format/format.h>

/* The layout of struct marker (marker_types.h) in the object. */
#define MARKER_SIZE	40
#define MARKER_WORD	4	/* of the bit-fields */
#define MARKER_NAME	16
#define MARKER_FORMAT	24
#define MARKER_FILE	32

struct marker_word {
	u32 kind : 2;
	u32 nr_args : 5;
	u32 by_line : 1;
	u32 line : 24;
};

struct object {
	const char *path;
	char *data;
	size_t size;
	const Elf64_Ehdr *header;
	const Elf64_Shdr *section;
	const Elf64_Sym *symbol;
	size_t nr_symbols;
};

struct marker {
	const char *name;
	const char *format;
	const char *file;
	struct marker_word word;
	bool has_format;	/* if without @format, it is in another module */
	bool good;		/* the parser accepts its format */
};

static bool refused_any;

static void __attribute__((format(printf, 2, 3), noreturn))
die(const struct object *object, const char *fmt, ...)
{
	va_list args;

	fprintf(stderr, "%s: error: ", object->path);
	va_start(args, fmt);
	vfprintf(stderr, fmt, args);
	va_end(args);
	fputc('\n', stderr);
	exit(2);
}

static void read_file(struct object *object)
{
	FILE *file = fopen(object->path, "rb");
	long size;

	if (!file || fseek(file, 0, SEEK_END))
		die(object, "cannot be read: %s", strerror(errno));
	size = ftell(file);
	rewind(file);
	object->size = size;
	object->data = size < 0 ? NULL : malloc(size + 1);
	if (!object->data || fread(object->data, 1, size, file) != object->size)
		die(object, "cannot be read: %s", strerror(errno));
	object->data[size] = '\0';
	fclose(file);
}

/* Get @size bytes at @offset of the file. */
static const void *at(const struct object *object, size_t offset, size_t size)
{
	if (offset > object->size || size > object->size - offset)
		die(object, "the object is damaged");
	return object->data + offset;
}

/* Get a table of structs. They have to be aligned. */
static const void *table(const struct object *object, size_t offset, size_t size)
{
	if (offset % sizeof(u64))
		die(object, "the object is damaged");
	return at(object, offset, size);
}

static const void *contents(const struct object *object, const Elf64_Shdr *section)
{
	return at(object, section->sh_offset, section->sh_size);
}

static const Elf64_Shdr *section_of(const struct object *object, size_t index)
{
	if (index >= object->header->e_shnum)
		die(object, "the object is damaged");
	return object->section + index;
}

/* Get a string in a section. Return: NULL if the section ends before the string. */
static const char *string_at(const struct object *object, const Elf64_Shdr *section,
			     size_t offset)
{
	const char *text;

	if (section->sh_type == SHT_NOBITS || offset >= section->sh_size)
		return NULL;
	text = (const char *)contents(object, section) + offset;
	return memchr(text, '\0', section->sh_size - offset) ? text : NULL;
}

static bool is_readable(const Elf64_Ehdr *header)
{
	const u8 native = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB :
								     ELFDATA2MSB;

	return header->e_ident[EI_CLASS] == ELFCLASS64 &&
	       header->e_ident[EI_DATA] == native && header->e_type == ET_REL;
}

/* A file that we cannot check gets only a warning: markers.ko checks it at load time. */
static bool open_object(struct object *object)
{
	const Elf64_Shdr *section;

	if (object->size < sizeof(Elf64_Ehdr) || memcmp(object->data, ELFMAG, SELFMAG)) {
		fprintf(stderr, "%s: warning: no ELF object: formats of markers are not checked\n",
			object->path);
		return false;
	}
	object->header = (const void *)object->data;
	if (!is_readable(object->header)) {
		fprintf(stderr, "%s: warning: not an object of 64 bits and this byte order: formats of markers are not checked\n",
			object->path);
		return false;
	}
	object->section = table(object, object->header->e_shoff,
				object->header->e_shnum * sizeof(Elf64_Shdr));
	for (section = object->section;
	     section < object->section + object->header->e_shnum; section++) {
		if (section->sh_type != SHT_SYMTAB)
			continue;
		object->symbol = table(object, section->sh_offset, section->sh_size);
		object->nr_symbols = section->sh_size / sizeof(Elf64_Sym);
		return true;
	}
	return false;
}

static bool has_name(const struct object *object, const Elf64_Shdr *section,
		     const char *name)
{
	const char *found = string_at(object,
				      section_of(object, object->header->e_shstrndx),
				      section->sh_name);

	return found && !strcmp(found, name);
}

/* Find the string to which a marker's pointer is relocated; NULL if it is not in this object. */
static const char *target(const struct object *object, const Elf64_Rela *rela)
{
	const Elf64_Sym *symbol;

	if (ELF64_R_SYM(rela->r_info) >= object->nr_symbols)
		die(object, "the object is damaged");
	symbol = object->symbol + ELF64_R_SYM(rela->r_info);
	if (symbol->st_shndx == SHN_UNDEF || symbol->st_shndx >= SHN_LORESERVE)
		return NULL;
	return string_at(object, section_of(object, symbol->st_shndx),
			 symbol->st_value + rela->r_addend);
}

static void show_place(const struct object *object, const struct marker *marker)
{
	fprintf(stderr, "%s:%u", marker->file ?: object->path, marker->word.line);
}

/* Begin a message about a marker. */
static void refuse(const struct object *object, const struct marker *marker)
{
	show_place(object, marker);
	if (marker->word.by_line) {
		fprintf(stderr, ": note: the debug statement of %s() is not recorded, ",
			marker->name);
	} else {
		refused_any = true;
		fprintf(stderr, ": error: marker %s refused, ", marker->name);
	}
}

/* Print a format on one line, as the source has it. */
static void show_format(const char *format)
{
	static const char plain[] = "\a\b\t\n\v\f\r\"\\", letters[] = "abtnvfr\"\\";
	const char *found;

	fputc('"', stderr);
	for (; *format; format++) {
		found = strchr(plain, *format);
		if (found)
			fprintf(stderr, "\\%c", letters[found - plain]);
		else if (*format >= 0 && *format < ' ')
			fprintf(stderr, "\\%03o", *format);
		else
			fputc(*format, stderr);
	}
	fputc('"', stderr);
}

/* Print a text with a caret below a column. Control characters would shift the caret. */
static void show_column(const char *text, unsigned int column)
{
	fputs("  ", stderr);
	for (; *text; text++)
		fputc(*text >= 0 && *text < ' ' ? ' ' : *text, stderr);
	fprintf(stderr, "\n  %*s\n", column + 1, "^");
}

static bool check_format(const struct object *object, const struct marker *marker)
{
	struct marker_format_error error;
	struct marker_format format;

	if (!marker_format_parse(&format, marker->format, &error) &&
	    !marker_format_check_args(&format, marker->word.nr_args, &error))
		return true;
	refuse(object, marker);
	fprintf(stderr, "format, column %u: %s\n", error.column, error.why);
	show_column(marker->format ?: "", error.column);
	return false;
}

/* All markers of a name have the same format in a module: that of the first good one. */
static void check_twins(const struct object *object, const struct marker *marker,
			size_t i)
{
	size_t first;

	for (first = 0; first < i; first++)
		if (marker[first].good && !marker[first].word.by_line &&
		    !strcmp(marker[first].name, marker[i].name))
			break;
	if (first == i || !strcmp(marker[first].format, marker[i].format))
		return;
	refuse(object, &marker[i]);
	fputs("format ", stderr);
	show_format(marker[i].format);
	fputs(", but ", stderr);
	show_place(object, &marker[first]);
	fputs(" has it with ", stderr);
	show_format(marker[first].format);
	fputc('\n', stderr);
}

static void check_markers(const struct object *object, size_t index,
			  const Elf64_Shdr *relocations)
{
	const u8 *data = contents(object, section_of(object, index));
	size_t nr = section_of(object, index)->sh_size / MARKER_SIZE;
	size_t nr_relas = relocations->sh_size / sizeof(Elf64_Rela);
	const Elf64_Rela *rela = table(object, relocations->sh_offset,
				       relocations->sh_size);
	struct marker *marker = calloc(nr, sizeof(*marker));
	size_t i;

	if (nr && !marker)
		die(object, "no memory for %zu markers", nr);
	for (; nr_relas; nr_relas--, rela++) {
		i = rela->r_offset / MARKER_SIZE;
		if (i >= nr)
			die(object, "the object is damaged");
		if (rela->r_offset % MARKER_SIZE == MARKER_NAME)
			marker[i].name = target(object, rela);
		else if (rela->r_offset % MARKER_SIZE == MARKER_FORMAT) {
			marker[i].format = target(object, rela);
			marker[i].has_format = true;
		} else if (rela->r_offset % MARKER_SIZE == MARKER_FILE)
			marker[i].file = target(object, rela);
	}
	for (i = 0; i < nr; i++) {
		memcpy(&marker[i].word, data + i * MARKER_SIZE + MARKER_WORD,
		       sizeof(marker[i].word));
		if (!marker[i].name || (marker[i].has_format && !marker[i].format))
			continue;	/* its strings are in another module */
		marker[i].good = check_format(object, &marker[i]);
		if (marker[i].good && !marker[i].word.by_line)
			check_twins(object, marker, i);
	}
	free(marker);
}

static void check_object(const char *path)
{
	struct object object = { .path = path };
	const Elf64_Shdr *section;
	size_t i;

	read_file(&object);
	if (open_object(&object)) {
		for (i = 0; i < object.header->e_shnum; i++) {
			section = object.section + i;
			if (section->sh_type == SHT_RELA &&
			    has_name(&object, section_of(&object, section->sh_info),
				     "__markers"))
				check_markers(&object, section->sh_info, section);
		}
	}
	free(object.data);
}

int main(int argc, char **argv)
{
	int i;

	for (i = 1; i < argc; i++)
		check_object(argv[i]);
	return refused_any;
}
