// SPDX-License-Identifier: GPL-2.0
/*
 * Mistakes that Documentation/porting.rst explains, one for each -DMISTAKE_n: gcc prints the
 * message in the comment, and perhaps more.  With -DGOOD, what the page advises.
 * refused.c has the mistakes for which marker.h has a message.
 */
#include <linux/device.h>
#include <linux/printk.h>

#include <markers/marker.h>

struct point {
	int x;
	int y;
};

void mistake(int a, const char *format, struct device *dev);
void mistake(int a, const char *format, struct device *dev)
{
#if defined(MISTAKE_5) || defined(GOOD)
	static const char array[] = "a %d";

#endif
#ifdef MISTAKE_1	/* initializer element is not constant */
	trace_mark(mistake, format, a);
#endif
#ifdef MISTAKE_2	/* expected expression before 'do' */
	a ? trace_mark(mistake, "a %d", a) : 0;
#endif
#ifdef MISTAKE_3	/* expected expression before ')' token */
	trace_mark(mistake, "a %d", a, );
#endif
#ifdef MISTAKE_4	/* expected '}' before ')' token */
	trace_mark(mistake, "x %d", (struct point){ 1, 2 }.x);
#endif
#ifdef MISTAKE_5	/* expected ')' before 'array' */
	dev_dbg(dev, array, a);
#endif
#ifdef GOOD
	pr_debug(array, a);
	trace_mark(good_array, array, a);
	trace_mark(good_literal, "x %d", ((struct point){ 1, 2 }.x));
#endif
}
