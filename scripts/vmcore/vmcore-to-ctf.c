// SPDX-License-Identifier: GPL-2.0
/*
 * markers-vmcore-to-ctf: write the trace in a memory dump of a dead kernel as a CTF trace.
 *
 * The dump is an ELF file whose segments are pieces of the memory. What is in them is the work of
 * recover.c, which finds the last boot's trace in the same way.
 */
#include <elf.h>
#include <err.h>
#include <fcntl.h>
#include <getopt.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <markers/after/recover.h>

/**
 * struct dump - a memory dump
 * @path:	its name
 * @data:	the file
 * @size:	its bytes
 * @piece:	the memory in it, by address
 * @nr:		pieces
 * @is_cut:	the file ends before they do
 */
struct dump {
	const char *path;
	const u8 *data;
	size_t size;
	struct marker_memory *piece;
	u32 nr;
	bool is_cut;
};

static void open_dump(struct dump *dump)
{
	int fd = open(dump->path, O_RDONLY);
	struct stat stat;

	if (fd < 0 || fstat(fd, &stat))
		err(1, "%s", dump->path);
	if (S_ISDIR(stat.st_mode)) {
		errno = EISDIR;
		err(1, "%s", dump->path);
	}
	dump->size = stat.st_size;
	if (!dump->size)
		errx(1, "%s is empty", dump->path);
	dump->data = mmap(NULL, dump->size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (dump->data == MAP_FAILED)
		err(1, "%s", dump->path);
	close(fd);
}

/* A part of the file's headers. */
static void read_head(const struct dump *dump, u64 at, void *to, size_t size)
{
	if (at > dump->size || dump->size - at < size)
		errx(1, "%s is cut off: it ends before its headers end", dump->path);
	memcpy(to, dump->data + at, size);
}

static void add_piece(struct dump *dump, const Elf64_Phdr *head)
{
	const u64 left = head->p_offset < dump->size ? dump->size - head->p_offset : 0;
	const u64 size = min_t(u64, left, head->p_filesz);

	if (head->p_type != PT_LOAD || !head->p_filesz)
		return;
	dump->is_cut |= left < head->p_filesz;
	if (!size || head->p_paddr > U64_MAX - PAGE_SIZE - size)
		return;
	dump->piece[dump->nr++] = (struct marker_memory) {
		.phys = head->p_paddr,
		.data = dump->data + head->p_offset,
		.size = size,
	};
}

static int compare_pieces(const void *a, const void *b)
{
	const struct marker_memory *one = a, *other = b;

	return one->phys < other->phys ? -1 : one->phys > other->phys;
}

static void find_pieces(struct dump *dump)
{
	static const u8 ident[] = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB };
	Elf64_Shdr section;
	Elf64_Phdr head;
	Elf64_Ehdr elf;
	u32 nr, i;

	if (dump->size < sizeof(ident) || memcmp(dump->data, ident, sizeof(ident)))
		errx(1, "%s: not an ELF file of a 64-bit little-endian machine (makedumpfile: use -E)",
		     dump->path);
	read_head(dump, 0, &elf, sizeof(elf));
	nr = elf.e_phnum;
	if (nr == PN_XNUM) {	/* more than that: the first section has the number */
		read_head(dump, elf.e_shoff, &section, sizeof(section));
		nr = section.sh_info;
	}
	if (nr > dump->size / sizeof(head))
		nr = dump->size / sizeof(head) + 1;
	dump->piece = calloc(nr + 1, sizeof(*dump->piece));
	if (!dump->piece)
		err(1, NULL);
	for (i = 0; i < nr; i++) {
		read_head(dump, elf.e_phoff + (u64)i * elf.e_phentsize, &head, sizeof(head));
		add_piece(dump, &head);
	}
	qsort(dump->piece, dump->nr, sizeof(*dump->piece), compare_pieces);
}

static void write_file(const char *dir, const char *name, const void *data, size_t size)
{
	char path[PATH_MAX];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	file = fopen(path, "w");
	if (!file || fwrite(data, 1, size, file) != size || fclose(file))
		err(1, "%s", path);
}

static void write_trace(const char *dir, const struct marker_recovered *trace)
{
	const struct marker_recovered_packet *first, *last;
	char name[32];
	u32 i;

	if (mkdir(dir, 0777))
		err(1, "%s", dir);
	write_file(dir, "metadata", trace->metadata, strlen(trace->metadata));
	for (i = 0; i < trace->nr_cpus; i++) {
		first = &trace->packet[trace->cpu[i].from];
		last = &trace->packet[trace->cpu[i].to - 1];
		snprintf(name, sizeof(name), "stream_%u", trace->cpu[i].cpu);
		write_file(dir, name, trace->data + first->at, last->at + last->size - first->at);
	}
}

static u32 count_torn(const struct marker_recovered *trace)
{
	u32 i, nr = 0;

	for (i = 0; i < trace->nr_packets; i++)
		nr += trace->packet[i].is_cut;
	return nr;
}

static void say(u32 number, const char *what)
{
	if (number)
		printf("; %u %s", number, what);
}

static void refuse(const struct dump *dump, int error, const char *why)
{
	if (error == -ENOMEM)
		errx(1, "%s", strerror(ENOMEM));
	if (error == -ENODATA && dump->is_cut)
		errx(1, "no notes in the dump, which is cut off");
	if (error == -ENODATA)
		errx(1, "no events in the dump: was markers.ko loaded with kdump=1?");
	errx(1, "no trace in the dump: %s", why);
}

static void print_usage(FILE *to)
{
	fprintf(to, "Usage: %s [-h] VMCORE DIRECTORY\n"
		"\n"
		"Write the trace in a memory dump of a dead kernel as a CTF trace. The kernel must\n"
		"have loaded markers.ko with kdump=1. No debug information is needed.\n"
		"\n"
		"VMCORE is an ELF file: a copy of /proc/vmcore, what makedumpfile -E writes, or what\n"
		"qemu's dump-guest-memory writes; it may leave out free pages, user memory and the\n"
		"page cache. DIRECTORY gets the trace; it is made.\n"
		"\n"
		"options:\n"
		"  -h, --help  show this help\n", program_invocation_short_name);
}

static int end_stdout(void)
{
	if (fflush(stdout) || ferror(stdout))
		err(1, "stdout");
	return 0;
}

int main(int argc, char **argv)
{
	static const struct option options[] = { { "help", no_argument, NULL, 'h' }, { } };
	struct marker_recovered *trace = NULL;
	struct dump dump = { };
	const char *why = "";
	int option, error;

	while ((option = getopt_long(argc, argv, "h", options, NULL)) != -1) {
		print_usage(option == 'h' ? stdout : stderr);
		return option == 'h' ? end_stdout() : 2;
	}
	if (argc - optind != 2) {
		print_usage(stderr);
		return 2;
	}
	dump.path = argv[optind];
	open_dump(&dump);
	find_pieces(&dump);
	error = dump.nr ? marker_recover(dump.piece, dump.nr, &trace, &why) : -ENODATA;
	if (error)
		refuse(&dump, error, why);
	write_trace(argv[optind + 1], trace);
	printf("%u packets of %u CPUs", trace->nr_packets, trace->nr_cpus);
	say(trace->nr_bad, "cannot be read");
	say(count_torn(trace), "are damaged at the end");
	if (dump.is_cut)
		printf("; the dump is cut off");
	say(trace->nr_missing, "CPUs without the memory of their rings: not their newest events");
	putchar('\n');
	marker_recovered_free(trace);
	free(dump.piece);
	return end_stdout();
}
