// SPDX-License-Identifier: GPL-2.0
/*
 * No text is ever written here: every site is a load and a branch, which the
 * registry switches through struct marker.state alone.
 */
#include <linux/errno.h>
#include <linux/export.h>

#include "../../markers/arch.h"
#include "../../markers/marker_types.h"
#include <markers/arch/site.h>

/*
 * Here, because its checksum (MODVERSIONS) covers all that is known of struct marker:
 * its layout, and not what its members point to.
 */
EXPORT_SYMBOL_GPL(marker_dispatch);

const char *const marker_arch_fire_symbol = "marker_dispatch";
const unsigned int marker_arch_site_size;
const bool marker_arch_has_breakpoint;

int marker_arch_patch(struct marker_site **sites, unsigned int nr)
{
	return 0;
}

void marker_arch_expect(const struct marker_site *site, u8 state, u8 *bytes)
{
}

bool marker_arch_fits(const struct marker_site *site, u8 state, const u8 *bytes)
{
	return true;
}

/* No site reads one. */
int marker_arch_guard_page(bool armed)
{
	return -EOPNOTSUPP;
}

int __init marker_arch_init(void)
{
	return 0;
}

void marker_arch_exit(void)
{
}
