#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# If a sample does not compile, "make" still builds markers.ko, and prints the error.
# Prints TAP.
#
# usage: selftests/host/make.sh [BUILD-DIRECTORY]   (default build/out/6.1)

set -u
# shellcheck source=selftests/host/results
. "$(dirname "$0")/results"
need_headers
echo 1..3

for file in Kbuild Makefile scripts/client.mk scripts/check-formats markers arch; do
	mkdir -p "$work/$(dirname "$file")"
	cp -r "$top/$file" "$work/$(dirname "$file")"
done
mkdir -p "$work/samples" "$work/selftests/modules"
# All of markers.ko takes minutes; how make goes on is the same for a part of it.
echo 'markers-y := markers/part.o' >>"$work/Kbuild"
cat >"$work/markers/part.c" <<END
#include <linux/module.h>
MODULE_DESCRIPTION("part");
MODULE_LICENSE("GPL");
END
echo 'obj-m += broken.o' >"$work/samples/Kbuild"
echo '#error "not for this kernel"' >"$work/samples/broken.c"
: >"$work/selftests/modules/Kbuild"

# shellcheck disable=SC2046 # flags, or none
make -C "$work" -j2 KDIR="$kernel/headers" $(cat "$kernel/makeflags") >"$log" 2>&1

result "markers.ko is there though a sample does not compile" test -s "$work/markers.ko"
result "the compiler's error is shown" grep -q 'error "not for this kernel"' "$log"
result "it says what is complete and what is not" \
	grep -q '^markers.ko is built and complete' "$log"
