// SPDX-License-Identifier: GPL-2.0
/*
 * TSDL text from field tables, for the code that serves the metadata file: in
 * process context usually, but nothing here sleeps.
 *
 * The packet and event headers below are those of uapi/ctf.h, word for word;
 * the contexts are in the table of context.c, the fields are what serialize.c
 * writes.  Change them together.  Everything is
 * byte aligned but the two parts of a compact event header.
 *
 * A field's name gets an underscore in front, which readers take off again: so
 * no name can be a keyword of TSDL.
 *
 * Source: Common Trace Format v1.8.3, section 7 and appendix C.
 */
#include "metadata.h"

#define LENGTH_NAME_SIZE	(MARKER_MAX_FIELD_NAME + 32)

static void put_text(const struct marker_metadata_out *out, const char *text)
{
	out->emit(out->ctx, text, strlen(text));
}

static void put_number(const struct marker_metadata_out *out, u64 number)
{
	char text[24];

	snprintf(text, sizeof(text), "%llu", (unsigned long long)number);
	put_text(out, text);
}

/* The inside of a TSDL string: three octal digits cannot run into the next. */
static void put_escaped_letter(const struct marker_metadata_out *out, u8 c)
{
	char escaped[8];

	if (c == '"' || c == '\\')
		snprintf(escaped, sizeof(escaped), "\\%c", c);
	else if (c < ' ' || c == 0x7f)
		snprintf(escaped, sizeof(escaped), "\\%03o", c);
	else
		snprintf(escaped, sizeof(escaped), "%c", c);
	put_text(out, escaped);
}

static void put_escaped(const struct marker_metadata_out *out, const char *text)
{
	for (; *text; text++)
		put_escaped_letter(out, *text);
}

/* name = "text"; */
static void put_string(const struct marker_metadata_out *out, const char *name,
		       const char *text)
{
	put_text(out, "\t");
	put_text(out, name);
	put_text(out, " = \"");
	put_escaped(out, text);
	put_text(out, "\";\n");
}

/* name = number; */
static void put_assignment(const struct marker_metadata_out *out,
			   const char *name, u64 number)
{
	put_text(out, "\t");
	put_text(out, name);
	put_text(out, " = ");
	put_number(out, number);
	put_text(out, ";\n");
}

static void put_uuid(const struct marker_metadata_out *out, const u8 *uuid)
{
	char hex[4];
	int i;

	put_text(out, "\tuuid = \"");
	for (i = 0; i < CTF_UUID_SIZE; i++) {
		if (i == 4 || i == 6 || i == 8 || i == 10)
			put_text(out, "-");
		snprintf(hex, sizeof(hex), "%02x", uuid[i]);
		put_text(out, hex);
	}
	put_text(out, "\";\n");
}

/* An integer type; @attributes stand for what is not the default. */
static void put_typealias(const struct marker_metadata_out *out,
			  const char *name, unsigned int bits,
			  unsigned int align, const char *attributes)
{
	put_text(out, "typealias integer { size = ");
	put_number(out, bits);
	put_text(out, "; align = ");
	put_number(out, align);
	put_text(out, "; ");
	put_text(out, attributes);
	put_text(out, " } := ");
	put_text(out, name);
	put_text(out, ";\n");
}

static void put_typealiases(const struct marker_metadata_out *out)
{
	static const struct {
		const char *prefix;
		const char *attributes;
	} kinds[] = {
		{ "int",  "signed = true;" },
		{ "uint", "signed = false;" },
		{ "hex",  "signed = false; base = hex;" },
		{ "oct",  "signed = false; base = oct;" },
	};
	unsigned int i, bits;
	char name[16];

	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		for (bits = 8; bits <= 64; bits *= 2) {
			snprintf(name, sizeof(name), "%s%u_t",
				 kinds[i].prefix, bits);
			put_typealias(out, name, bits, 8, kinds[i].attributes);
		}
	}
	put_typealias(out, "int24_t", 8 * CTF_TASK_SIZE, 8, "signed = true;");
	put_typealias(out, "char_t", 8, 8, "signed = false; encoding = UTF8;");
	put_typealias(out, "uint5_t", 5, 1, "signed = false;");
	/* A struct is aligned as its members: with uint16_t it would not begin at bit 5. */
	put_typealias(out, "medium_id_t", 16, 1, "signed = false;");
}

/*
 * The names of errors, as this kernel's printf has them: one that was built
 * without CONFIG_SYMBOLIC_ERRNAME has none, and prints numbers.
 */
static void put_error_type(const struct marker_metadata_out *out)
{
	bool any = false;
	char name[24];
	long error;

	for (error = 1; error <= MARKER_LAST_ERROR; error++) {
		marker_print_extension(name, sizeof(name), "%pe", (void *)-error);
		if (name[0] != '-' || name[1] != 'E')
			continue;
		put_text(out, any ? ",\n\t\"" : "enum error_t : int64_t {\n\t\"");
		put_text(out, name);
		put_text(out, "\" = -");
		put_number(out, error);
		any = true;
	}
	put_text(out, any ? "\n};\n" : "enum error_t : int64_t { \"0\" = 0 };\n");
}

static void put_trace(const struct marker_metadata_out *out, const u8 *uuid)
{
	put_text(out, "\ntrace {\n"
		 "\tmajor = 1;\n"
		 "\tminor = 8;\n");
	put_uuid(out, uuid);
	put_text(out, "\tbyte_order = le;\n"
		 "\tpacket.header := struct {\n"
		 "\t\tuint32_t magic;\n"
		 "\t\tuint8_t uuid[16];\n"
		 "\t\tuint32_t stream_id;\n"
		 "\t};\n"
		 "};\n");
}

static void put_env(const struct marker_metadata_out *out,
		    const struct marker_metadata_env *env)
{
	put_text(out, "\nenv {\n");
	put_string(out, "hostname", env->hostname);
	put_string(out, "domain", "kernel");
	put_string(out, "sysname", "Linux");
	put_string(out, "kernel_release", env->kernel_release);
	put_string(out, "kernel_version", env->kernel_version);
	put_string(out, "tracer_name", "markers");
	put_assignment(out, "tracer_major", env->tracer_major);
	put_assignment(out, "tracer_minor", env->tracer_minor);
	put_text(out, "};\n");
}

static void put_clock(const struct marker_metadata_out *out,
		      const struct marker_metadata_env *env)
{
	u64 seconds = env->clock_offset_s;

	put_text(out, "\nclock {\n\tname = ");
	put_text(out, env->clock_name);
	put_text(out, ";\n");
	put_string(out, "description", env->clock_description);
	put_assignment(out, "freq", env->clock_freq);
	put_text(out, "\toffset_s = ");
	if (env->clock_offset_s < 0) {
		put_text(out, "-");
		seconds = -seconds;
	}
	put_number(out, seconds);
	put_text(out, ";\n");
	put_assignment(out, "offset", env->clock_offset);
	put_text(out, "};\n\n");
}

/* The times: integers that are values of the clock. */
static void put_clock_types(const struct marker_metadata_out *out,
			    const char *clock)
{
	static const struct {
		const char *name;
		unsigned int bits;
		unsigned int align;
	} types[] = {
		{ "compact_time_t", CTF_TIME_BITS, 1 },
		{ "time_t", 64, 8 },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(types); i++) {
		put_text(out, "typealias integer { size = ");
		put_number(out, types[i].bits);
		put_text(out, "; align = ");
		put_number(out, types[i].align);
		put_text(out, "; signed = false; map = clock.");
		put_text(out, clock);
		put_text(out, ".value; } := ");
		put_text(out, types[i].name);
		put_text(out, ";\n");
	}
}

/* As context.c says that they are recorded. */
static void put_contexts(const struct marker_metadata_out *out, u32 set)
{
	const char *before, *name, *after;
	u32 i;

	if (!set)
		return;
	put_text(out, "\tevent.context := struct {\n");
	for (i = 0; i < MARKER_NR_CONTEXTS; i++) {
		if (!marker_context_has(set, i))
			continue;
		name = marker_context_type(i, &before, &after);
		put_text(out, "\t\t");
		put_text(out, before);
		put_text(out, " _");
		put_text(out, name);
		put_text(out, after);
		put_text(out, ";\n");
	}
	put_text(out, "\t};\n");
}

static void put_stream(const struct marker_metadata_out *out, const u8 *uuid,
		       u32 contexts)
{
	put_text(out, "\nstream {\n");
	put_assignment(out, "id", ctf_stream_id(uuid));
	put_text(out, "\tpacket.context := struct {\n"
		 "\t\ttime_t timestamp_begin;\n"
		 "\t\ttime_t timestamp_end;\n"
		 "\t\tuint64_t content_size;\n"
		 "\t\tuint64_t packet_size;\n"
		 "\t\tuint64_t packet_seq_num;\n"
		 "\t\tuint64_t events_discarded;\n"
		 "\t\tuint32_t cpu_id;\n"
		 "\t\tuint32_t nr_events;\n"
		 "\t};\n"
		 "\tevent.header := struct {\n"
		 "\t\tenum : uint5_t { compact = 0 ... 29, medium = 30, extended = 31 } id;\n"
		 "\t\tvariant <id> {\n"
		 "\t\t\tstruct {\n"
		 "\t\t\t\tcompact_time_t timestamp;\n"
		 "\t\t\t} compact;\n"
		 "\t\t\tstruct {\n"
		 "\t\t\t\tcompact_time_t timestamp;\n"
		 "\t\t\t\tmedium_id_t id;\n"
		 "\t\t\t} medium;\n"
		 "\t\t\tstruct {\n"
		 "\t\t\t\tuint32_t id;\n"
		 "\t\t\t\ttime_t timestamp;\n"
		 "\t\t\t} extended;\n"
		 "\t\t} v;\n"
		 "\t} align(8);\n");
	put_contexts(out, contexts);
	put_text(out, "};\n");
}

void marker_metadata_header(const struct marker_metadata_out *out,
			    const struct marker_metadata_env *env)
{
	/* A reader knows a metadata file by these first bytes. */
	put_text(out, "/* CTF 1.8 */\n\n");
	put_typealiases(out);
	put_error_type(out);
	put_trace(out, env->uuid);
	put_env(out, env);
	put_clock(out, env);
	put_clock_types(out, env->clock_name);
	put_stream(out, env->uuid, env->contexts);
}

static bool is_taken(const struct marker_format *format, const char *name)
{
	unsigned int i;

	for (i = 0; i < format->nr_fields; i++)
		if (marker_format_names_clash(format->field[i].name, name))
			return true;
	return false;
}

/*
 * A sequence needs a field for its length.  "x" has "_x_length", or with a
 * number after it if that would clash with a field's name.
 */
static void name_length(char *name, const struct marker_format *format,
			const struct marker_field *field)
{
	unsigned int number = 2;

	snprintf(name, LENGTH_NAME_SIZE, "_%s_length", field->name);
	while (is_taken(format, name))
		snprintf(name, LENGTH_NAME_SIZE, "_%s_length_%u", field->name,
			 number++);
}

static void put_integer(const struct marker_metadata_out *out,
			const struct marker_field *field)
{
	if (field->object == MARKER_OBJECT_ERROR) {
		put_text(out, "enum error_t _");
	} else if (field->is_char) {
		put_text(out, "char_t _");
	} else {
		put_text(out, field->is_signed ? "int" :
			 field->base == 16 ? "hex" :
			 field->base == 8 ? "oct" : "uint");
		put_number(out, field->size * 8);
		put_text(out, "_t _");
	}
	put_text(out, field->name);
	/* Readers show a text of one character, but a character as a number. */
	if (field->is_char)
		put_text(out, "[1]");
}

/* Bytes as they lie at the pointer, and what they are. */
static void put_bytes(const struct marker_metadata_out *out,
		      const struct marker_field *field)
{
	switch (field->object) {
	case MARKER_OBJECT_NUMBER:
		put_text(out, field->size == 4 ? "hex32_t _" : "hex64_t _");
		put_text(out, field->name);
		break;
	case MARKER_OBJECT_SECONDS:
		put_text(out, "int64_t _");
		put_text(out, field->name);
		break;
	case MARKER_OBJECT_RESOURCE:
		put_text(out, "struct { hex64_t start; hex64_t end; hex64_t name;"
			 " hex64_t flags; } _");
		put_text(out, field->name);
		break;
	case MARKER_OBJECT_TIME:
		put_text(out, "struct { int32_t sec; int32_t min; int32_t hour;"
			 " int32_t mday; int32_t mon; int32_t year; int32_t wday;"
			 " int32_t yday; int32_t isdst; } _");
		put_text(out, field->name);
		break;
	default:
		put_text(out, "hex8_t _");
		put_text(out, field->name);
		put_text(out, "[");
		put_number(out, field->size);
		put_text(out, "]");
		break;
	}
}

static void put_sequence(const struct marker_metadata_out *out,
			 const struct marker_format *format,
			 const struct marker_field *field)
{
	char length[LENGTH_NAME_SIZE];

	name_length(length, format, field);
	put_text(out, "uint16_t _");
	put_text(out, length);
	put_text(out, ";\n\t\thex8_t _");
	put_text(out, field->name);
	put_text(out, "[_");
	put_text(out, length);
	put_text(out, "]");
}

static void put_field(const struct marker_metadata_out *out,
		      const struct marker_format *format,
		      const struct marker_field *field)
{
	put_text(out, "\t\t");
	switch (field->type) {
	case MARKER_FIELD_STRING:
		put_text(out, "string _");
		put_text(out, field->name);
		break;
	case MARKER_FIELD_BYTES:
		put_bytes(out, field);
		break;
	case MARKER_FIELD_SEQUENCE:
		put_sequence(out, format, field);
		break;
	default:
		put_integer(out, field);
		break;
	}
	put_text(out, ";\n");
}

/*
 * The format, in a comment. A "/" after a "*" would end it, and some readers count braces: these
 * are in octal, too.
 */
static void put_format(const struct marker_metadata_out *out, const char *text)
{
	char escaped[8], before = 0;

	put_text(out, MARKER_METADATA_FORMAT);
	for (; *text; before = *text++) {
		if (*text == '{' || *text == '}' || (*text == '/' && before == '*')) {
			snprintf(escaped, sizeof(escaped), "\\%03o", *text);
			put_text(out, escaped);
		} else {
			put_escaped_letter(out, *text);
		}
	}
	put_text(out, "\" */\n");
}

void marker_metadata_event(const struct marker_metadata_out *out,
			   const u8 *uuid, u32 id, const char *name,
			   const struct marker_format *format)
{
	unsigned int i;

	put_text(out, "\nevent {\n");
	put_string(out, "name", name);
	put_assignment(out, "id", id);
	put_assignment(out, "stream_id", ctf_stream_id(uuid));
	put_format(out, format->text);
	put_text(out, "\tfields := struct {\n");
	for (i = 0; i < format->nr_fields; i++)
		put_field(out, format, &format->field[i]);
	put_text(out, "\t};\n"
		 "};\n");
}
