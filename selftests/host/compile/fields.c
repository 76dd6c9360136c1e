// SPDX-License-Identifier: GPL-2.0
/* Arguments without an address or with a type of their own: all must compile. */
#include <linux/types.h>

#include <markers/marker.h>

struct fields {
	u32 cloned : 1, kind : 3;
	s32 depth : 5;
	u64 wide : 40;
	bool flag;
	u8 byte;
	char name[8];
	const char *text;
};

void fields(const struct fields *f, void (*function)(void));
void fields(const struct fields *f, void (*function)(void))
{
	trace_mark(fields_1, "cloned %d", f->cloned);
	trace_mark(fields_4, "depth %d flag %d name %s at %pS", f->depth, f->flag,
		   f->name, function);
	trace_mark(fields_8, "%d %d %d %d %s %s %d %p", f->cloned, f->kind, f->depth,
		   f->flag, f->name, f->text, f->byte, f);
	trace_mark(fields_9, "%d %d %d %d %s %s %d %p %d", f->cloned, f->kind,
		   f->depth, f->flag, f->name, f->text, f->byte, f, f->kind);
	_trace_mark(fields_branch, "cloned %d", f->cloned);
	trace_mark_guard(fields_guard, "depth %d", f->depth);
}

/* Nothing comes after the marker, so a disabled one leaves a NOP. */
void all_fields(const struct fields *f);
void all_fields(const struct fields *f)
{
	trace_mark(fields_16, "%d %d %d %d %s %s %d %p %d %d %d %d %s %s %d %p",
		   f->cloned, f->kind, f->depth, f->flag, f->name, f->text, f->byte,
		   f, f->cloned, f->kind, f->depth, f->flag, f->name, f->text,
		   f->byte, f);
}
