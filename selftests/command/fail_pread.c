// SPDX-License-Identifier: GPL-2.0
/*
 * To be preloaded: pread() of a packet at offset FAIL_PREAD fails, but not the first FAIL_AFTER times.
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

#define LEAST	4096	/* bytes: more than those of a header */

ssize_t pread64(int fd, void *to, size_t size, off64_t at)
{
	static ssize_t (*next)(int fd, void *to, size_t size, off64_t at);
	static int calls;
	const char *fail = getenv("FAIL_PREAD"), *after = getenv("FAIL_AFTER");

	if (!next)
		next = (ssize_t (*)(int, void *, size_t, off64_t))dlsym(RTLD_NEXT, "pread64");
	if (fail && size >= LEAST && at == atoll(fail) &&
	    __atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED) >= (after ? atoi(after) : 0)) {
		errno = EIO;
		return -1;
	}
	return next(fd, to, size, at);
}
