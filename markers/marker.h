/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Markers: static instrumentation points with named, typed fields.
 *
 * This comment is all that you need to put markers into a module.
 *
 * A marker
 * --------
 *	#include <markers/marker.h>
 *
 *	trace_mark(ramdisk_request, "sector %llu bytes %u write %d",
 *		   sector, len, dir);
 *
 * is an event "ramdisk_request" with three fields.  You declare and register
 * nothing: markers.ko finds the markers of a module when the module is loaded.
 * Until an operator enables it, a marker costs one 5-byte NOP, and its arguments
 * are not evaluated.
 *
 * Building
 * --------
 * In the Kbuild file of the directory that make gets as M=, once for all directories
 * below it:
 *
 *	include <path of markers>/scripts/client.mk
 *
 * It gives the compiler the include path and modpost the symbols, and fails the
 * build if markers.ko would refuse a format.  The module depends on markers.ko,
 * and on the layout that both were built with.  If that has changed, the kernel
 * ("disagrees about version of symbol marker_thunk") or markers.ko ("built for marker
 * layout ...") refuses to load the module: build it again, with the headers and the
 * Module.symvers of the loaded markers.ko.
 *
 * With "MARKERS_OPTIONAL := y" before the include, the module is loaded without markers.ko, too;
 * its markers are NOPs until that comes: Documentation/shipping.rst.
 *
 * The name
 * --------
 * An identifier of at most 127 characters, without quotes.  The operator sees it as
 * "module:name".  A name belongs to its module: other modules may use it with other
 * formats.  The same marker may be inlined into many places, and a module may use a name in
 * several trace_mark(), as long as the format string is the same.  Otherwise the first
 * format is used, and the trace_mark() with other ones are refused, with a message.
 *
 * The format string
 * -----------------
 * As for printk, checked by the compiler.  It must be a constant.  Each
 * conversion is a field, and the nearest word before it is its name: "name %d",
 * "name=%d", "name [0x%02x]".  A field before the first word is called prefix, and the
 * fields of a text without words arg0, arg1 ...  A name that is used already gets a
 * number: the fields of "size %dx%d" are size and size_2.  A string that the text begins
 * with, up to a colon, as in "dev %s: %d of %d", keeps its word for itself.  A marker has 0 to 16
 * arguments, as many as its conversions take; the format of one without arguments is MARK_NOARGS.
 *
 *	%d %i %u %x %X %o	with hh h l ll L z t j: integers of that size
 *	%c			a character
 *	%p %px %pK		a pointer, as a number
 *	%pS %ps %pB		the same, printed as a symbol
 *	%s %.20s %.*s		a string, copied when the marker is hit; at most
 *				1023 bytes; a bad pointer records "(efault)"
 *	%pM %pm %pI4 %pi4 %pI6 %pi6 %pI6c %pU
 *				the bytes behind the pointer
 *	%4ph %*ph %*pE		bytes, at most 64
 *	%pe			an error pointer
 *	%pa %pad %pR %ptR %ptT %pNF %p4cc
 *				the number, range or time behind the pointer
 *	%pd %pD %pg %pOF	the name of a dentry, file, block device, node
 *	%pIS %*pbl		a socket address, a bitmap
 *	%pV			a format string and its arguments, printed at the hit:
 *				their pointers must be good, as for printk()
 *
 * Documentation/ctf.rst has all of them.  Floating point, %n and the other %p
 * extensions cannot be recorded.  If a format has one, or takes fewer or more arguments
 * than there are, the build fails, with a message that has line and column; and markers.ko
 * refuses such a marker when its module is loaded.
 *
 * The arguments
 * -------------
 * Integers of up to 64 bits and pointers to memory of the kernel: %s of a __user pointer
 * records "(efault)", so copy the string first.  Arguments are evaluated once, from left to
 * right, and only if the marker is enabled: side effects do not belong there.  One with a
 * comma outside of parentheses, a compound literal such as (struct point){ 1, 2 }.x, needs
 * parentheses around it, as for every macro.
 * A disabled marker of more than eight makes the compiler save registers as a call
 * would: Documentation/text-patching.rst lists the costs.
 * The compiler assumes that a marker changes nothing that the function around it can
 * see.
 *
 * Where a marker may stand
 * ------------------------
 * Anywhere in a module, as a statement: process context, interrupts, NMI, with any lock held,
 * in __init and __exit functions.  Not in code that runs while RCU is not
 * watching (the idle loop), and not in the probes of markers: that does no
 * harm, but is counted and skipped.  For code that must not be patched there are
 * _trace_mark(), which has a load, a test and a branch in place of the NOP, and
 * trace_mark_guard(), which has a load, and must not stand in code that runs in a
 * page fault.
 *
 * Probes
 * ------
 * Enabled markers are recorded.  They can also call a function of a module, see
 * marker_probe_register().
 *
 * Code for Linux 2.6.24 to 2.6.31
 * -------------------------------
 * compiles with this header in place of <linux/marker.h>, if its names are
 * identifiers and its formats can be recorded.  What does not exist, and why:
 *
 *	trace_mark_tp()		callbacks of tracepoints have another prototype
 *				now; samples/kernel-events.c shows the way
 *	DEFINE_MARKER(), GET_MARKER()
 *				were for trace_mark_tp(); trace_mark() needs neither
 *	marker_iter_start() and the like
 *				were never in mainline: read available_markers
 *	marker_arm(), marker_disarm()
 *				went in 2.6.25: a registered probe is armed
 */
#ifndef _MARKERS_MARKER_H
#define _MARKERS_MARKER_H

#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/stringify.h>
#include <linux/types.h>

#include <markers/args.h>
#include <markers/compat/stdarg.h>
#include <markers/marker_types.h>

/*
 * The asm of a site uses this to add the site's entry, a struct marker_site_entry, to
 * the section.  @code is the offset from here to the site's instruction; operand 0 is
 * the marker.
 *
 * The first site of an object puts a local label before the object's entries and one
 * after them: subsections 0 and 2 surround subsection 1.  sites.c finds the labels in
 * the module's symbol table: the entries of a module are between its lowest begin and
 * its highest end.  The labels come with a site, not with this header, because link
 * time optimisation moves sites to other objects and joins objects.  An absolute
 * symbol next to them gives the MARKER_LAYOUT that the object was compiled with.
 */
#ifdef MARKERS_OPTIONAL
/*
 * Of an optional client, the markers of which work without markers.ko: the entries follow a
 * struct marker_client, and the cold blocks call a bridge, which <markers/arch/site.h> has.
 * model/bridges.c finds both by the symbol of the bridge.
 */
#define __MARKER_ENTRY(code)						\
	".pushsection __marker_optional, 0, \"aw\"\n\t"			\
	".ifndef __marker_client\n\t"					\
	".balign 8\n"							\
	"__marker_client:\n\t"						\
	".long " __stringify(MARKER_LAYOUT + __MARKER_SCHEME) "\n\t"	\
	".long __marker_client_end - __marker_client\n\t"		\
	".8byte " __MARKER_BRIDGE_OFF "\n\t"				\
	".subsection 2\n"						\
	"__marker_client_end:\n\t"					\
	__MARKER_BRIDGE							\
	".endif\n\t"							\
	".subsection 1\n\t"						\
	".long " code ", %c0 - .\n\t"					\
	".popsection\n\t"
#else
#define __MARKER_ENTRY(code)						\
	".pushsection __marker_sites, 0, \"aw\"\n\t"			\
	".ifndef __marker_sites_begin\n\t"				\
	".balign 4\n"							\
	"__marker_sites_begin:\n\t"					\
	".subsection 2\n"						\
	"__marker_sites_end:\n\t"					\
	".set __marker_layout, " __stringify(MARKER_LAYOUT) "\n\t"	\
	".endif\n\t"							\
	".subsection 1\n\t"						\
	".long " code ", %c0 - .\n\t"					\
	".popsection\n\t"
#endif

/* A kprobe in a bridge would fire in every marker. */
#ifdef CONFIG_KPROBES
#define __MARKER_BRIDGE_NO_KPROBE(name)					\
	".pushsection _kprobe_blacklist, \"aw\"\n\t"			\
	".balign 8\n\t"							\
	".8byte " name "\n\t"						\
	".popsection\n\t"
#else
#define __MARKER_BRIDGE_NO_KPROBE(name)	""
#endif

#include <markers/arch/site.h>

/* The format string of a marker without arguments. */
#define MARK_NOARGS	" "

/* Never called: for the compiler to compare the arguments with the format. */
static inline __printf(1, 2) void __marker_check_format(const char *fmt, ...)
{
}

/* Operators type names, in patterns and in paths. */
#define __marker_check_name(mark_name)					\
	BUILD_BUG_ON_MSG(sizeof(mark_name) > MARKER_MAX_NAME,		\
			 "the name of a marker has at most 127 characters"); \
	BUILD_BUG_ON_MSG(__builtin_strspn(mark_name, __MARKER_NAME_CHARS) != \
			 sizeof(mark_name) - 1 || (mark_name)[0] <= '9',	\
			 "the name of a marker is an identifier, without quotes")

static __always_inline bool __marker_is_null(const char *fmt)
{
	return __builtin_constant_p(!fmt) && !fmt;
}

#define __marker_check_text(fmt)					\
	BUILD_BUG_ON_MSG(__marker_is_null(fmt),				\
			 "a marker needs a format string, if only MARK_NOARGS")

#define __marker_check_count(n)						\
	BUILD_BUG_ON_MSG((n) > 16, "a marker has at most 16 arguments")

/* A site without code to patch: a load, a test and a branch. */
#define __marker_branch(m, fire)					\
do {									\
	asm_inline volatile(__MARKER_ENTRY("0") : : "i" (m));		\
	if (unlikely(READ_ONCE((m)->state)))				\
		goto fire;						\
} while (0)

/*
 * Keep the cold block out of the way.  Only gcc has cold labels; clang assumes that
 * the jump of an asm goto is unlikely.
 */
#ifdef __clang__
#define __marker_cold_label
#else
#define __marker_cold_label	__cold
#endif

#ifdef __CHECKER__
/* sparse does not know asm goto out of a statement expression's label */
#define __marker_place(site, mark_kind, is_by_line, n, mark_name, fmt, args...)	\
	__marker_check_format(fmt, ##args)
#else
#define __marker_place(site, mark_kind, is_by_line, n, mark_name, fmt, args...)	\
do {									\
	__label__ __marker_hit;						\
	static struct marker __section("__markers") __used __aligned(8)	\
	__marker = {							\
		.kind = mark_kind,					\
		.nr_args = n,						\
		.by_line = is_by_line,					\
		.line = __LINE__,					\
		.name = mark_name,					\
		.format = fmt,						\
		.file = __FILE__,					\
	};								\
									\
	__marker_check_count(n);					\
	__marker_check_text(fmt);					\
	if (0)								\
		__marker_check_format(fmt, ##args);			\
	site(&__marker, __marker_hit);					\
	if (0) {							\
__marker_hit:	__marker_cold_label;					\
		__marker_fire(n, &__marker, ##args);			\
	}								\
} while (0)
#endif

#define __trace_mark(site, kind, n, mark_name, fmt, args...)			\
do {									\
	__marker_check_name(mark_name);					\
	__marker_place(site, kind, 0, n, mark_name, fmt, ##args);	\
} while (0)

/* n is expanded before it is pasted */
#define __trace_mark_n(site, kind, n, mark_name, fmt, args...)		\
	__trace_mark(site, kind, n, mark_name, fmt, ##args)

/**
 * trace_mark() - a marker
 * @name:	its name, an identifier
 * @fmt:	its format string, a constant; see the top of this file
 * @args:	0 to 16 values
 *
 * Context: Any, NMI too, where RCU is watching.
 */
#define trace_mark(name, fmt, args...)					\
	__trace_mark_n(__marker_site, __MARKER_KIND_SITE,		\
		       __MARKER_COUNT(args), #name, fmt, ##args)

/**
 * _trace_mark() - a marker whose code is never patched
 * @name:	its name, an identifier
 * @fmt:	its format string, a constant
 * @args:	0 to 16 values
 *
 * A load, a test and a branch where trace_mark() is a NOP.
 *
 * Context: Any, NMI too, where RCU is watching.
 */
#define _trace_mark(name, fmt, args...)					\
	__trace_mark_n(__marker_branch, MARKER_KIND_BRANCH,		\
		       __MARKER_COUNT(args), #name, fmt, ##args)

/**
 * trace_mark_guard() - a marker that is switched by a page
 * @name:	its name, an identifier
 * @fmt:	its format string, a constant
 * @args:	0 to 16 values
 *
 * Reads a byte where trace_mark() is a NOP.  Enabled, the page is not there, and
 * the hit is a page fault.  No code is ever written.  There is one page: while
 * any such marker is enabled, the disabled ones fault as well, for nothing.
 *
 * Context: Any, NMI too, where RCU is watching; not in code that runs in a page
 * fault.
 */
#define trace_mark_guard(name, fmt, args...)				\
	__trace_mark_n(__marker_read, __MARKER_KIND_READ,		\
		       __MARKER_COUNT(args), #name, fmt, ##args)

/**
 * typedef marker_probe_func - a function to be called by markers
 * @probe_private:	what it was registered with
 * @call_private:	always NULL; kept for the prototype's sake
 * @fmt:	the marker's format string
 * @args:	the arguments, as vprintk() takes them
 *
 * Context: that of the marker, with preemption disabled: must not sleep.  In an
 * NMI, if the marker is.
 */
typedef void marker_probe_func(void *probe_private, void *call_private,
			       const char *fmt, va_list *args);

/* What markers.ko has to be there for: an optional client cannot call it. */
#ifdef MARKERS_OPTIONAL
#define __marker_imported						\
	__compiletime_error("probes need markers.ko: build without MARKERS_OPTIONAL")
#else
#define __marker_imported
#endif

/**
 * struct marker_result - what became of a registration
 * @matched:	sites of the name in the modules loaded now; not those in init text,
 *		once that is freed
 * @armed:	of these, how many will call the probe
 * @refused:	of these, how many will not: their format is another one, or
 *		their code could not be patched.  error_log tells which and why.
 */
struct marker_result {
	unsigned int matched;
	unsigned int armed;
	unsigned int refused;
};

/**
 * marker_probe_register_result() - have a function called by all markers of a name
 * @name:	the markers' name, without a module; need not exist yet: a module
 *		that comes later has its markers connected before its init runs
 * @fmt:	the format string that the probe expects: markers that have another
 *		one are not connected.  NULL: any
 * @probe:	the function
 * @probe_private: given to it; (@probe, @probe_private) is its identity
 * @result:	filled in on success, if not NULL
 *
 * Context: Process context; may sleep.
 * Return: 0; -EBUSY if this pair is registered under @name; -ENOSPC if 24 other pairs are;
 * -EINVAL for an empty name or no function; -ENOMEM.
 */
int marker_probe_register_result(const char *name, const char *fmt,
				 marker_probe_func *probe, void *probe_private,
				 struct marker_result *result) __marker_imported;

/**
 * marker_probe_register() - have a function called, as in Linux 2.6.31
 * @name:	the markers' name, without a module
 * @fmt:	the format string that the probe expects, or NULL for any
 * @probe:	the function
 * @probe_private: given to it; (@probe, @probe_private) is its identity
 *
 * marker_probe_register_result() without the result.
 *
 * Context: Process context; may sleep.
 * Return: 0; -EBUSY if this pair is registered under @name; -ENOSPC if 24 other pairs are;
 * -EINVAL for an empty name or no function; -ENOMEM.
 */
static inline int marker_probe_register(const char *name, const char *fmt,
					marker_probe_func *probe,
					void *probe_private)
{
	return marker_probe_register_result(name, fmt, probe, probe_private,
					    NULL);
}

/**
 * marker_probe_unregister() - undo marker_probe_register()
 * @name:	as registered
 * @probe:	as registered
 * @probe_private: as registered
 *
 * The probe may still run when this returns: call marker_synchronize_unregister()
 * before what it uses is freed, its module's text too.
 *
 * Context: Process context; may sleep.
 * Return: 0, or -ENOENT if there is no such registration: nothing was changed.
 */
int marker_probe_unregister(const char *name, marker_probe_func *probe,
			    void *probe_private) __marker_imported;

/**
 * marker_probe_unregister_private_data() - unregister a pair without its name
 * @probe:	as registered
 * @probe_private: as registered
 *
 * If the pair is registered under several names, one of them is taken.
 *
 * Context: Process context; may sleep.
 * Return: 0, or -ENOENT if there is no such registration: nothing was changed.
 */
int marker_probe_unregister_private_data(marker_probe_func *probe,
					 void *probe_private) __marker_imported;

/**
 * marker_get_private_data() - what a probe was registered with
 * @name:	the markers' name
 * @probe:	the function
 * @num:	which of its registrations under @name, from 0, oldest first
 *
 * Only the module that registered it knows whether the data is still there.
 *
 * Context: Process context; may sleep.
 * Return: its @probe_private, or ERR_PTR(-ENOENT).
 */
void *marker_get_private_data(const char *name, marker_probe_func *probe, int num)
	__marker_imported;

/**
 * marker_synchronize_unregister() - wait until unregistered probes have returned
 *
 * Context: Process context; sleeps.
 */
void marker_synchronize_unregister(void)
	__marker_imported;

#endif /* _MARKERS_MARKER_H */
