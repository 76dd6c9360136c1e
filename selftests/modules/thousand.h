/* SPDX-License-Identifier: GPL-2.0 */
/* THOUSAND(m): m(000) m(001) ... m(999), for modules with many markers. */
#ifndef _THOUSAND_H
#define _THOUSAND_H

#define TEN(m, n)	m(n ## 0) m(n ## 1) m(n ## 2) m(n ## 3) m(n ## 4) \
			m(n ## 5) m(n ## 6) m(n ## 7) m(n ## 8) m(n ## 9)
#define HUNDRED(m, n)	TEN(m, n ## 0) TEN(m, n ## 1) TEN(m, n ## 2)	\
			TEN(m, n ## 3) TEN(m, n ## 4) TEN(m, n ## 5)	\
			TEN(m, n ## 6) TEN(m, n ## 7) TEN(m, n ## 8)	\
			TEN(m, n ## 9)
#define THOUSAND(m)	HUNDRED(m, 0) HUNDRED(m, 1) HUNDRED(m, 2)	\
			HUNDRED(m, 3) HUNDRED(m, 4) HUNDRED(m, 5)	\
			HUNDRED(m, 6) HUNDRED(m, 7) HUNDRED(m, 8)	\
			HUNDRED(m, 9)

#endif /* _THOUSAND_H */
