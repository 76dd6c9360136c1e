/* SPDX-License-Identifier: GPL-2.0 */
/* The other object of test_optional. */
#ifndef _SELFTESTS_OPTIONAL_H
#define _SELFTESTS_OPTIONAL_H

void optional_other(unsigned int n);

#endif /* _SELFTESTS_OPTIONAL_H */
