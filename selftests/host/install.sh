#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# "make install", "make uninstall" and "make clean" of a tree that was built.
# Prints TAP.
#
# usage: selftests/host/install.sh [BUILD-DIRECTORY]   (default build/out/6.1)

set -u
# shellcheck source=selftests/host/results
. "$(dirname "$0")/results"
TOP=$top
# shellcheck source=scripts/lib.sh
. "$top/scripts/lib.sh"

need_built markers.ko
[ -e "$kernel/headers" ] || skip_all "no headers in $kernel"
need depmod:kmod
echo 1..4
cp -a "$out" "$work/tree"
tree_make()
{
	make -C "$work/tree" KDIR="$kernel/headers" INSTALL_MOD_PATH="$work/root" "$@" >"$log" 2>&1
}

# modules below the root
modules()
{
	(cd "$work/root" && find . -name '*.ko*' | sort)
}

tree_make install &&
	[ "$(modules)" = "./lib/modules/$(cat "$kernel/release")/updates/markers.ko" ] &&
	grep -q '^updates/markers.ko:' "$work/root/lib/modules/$(cat "$kernel/release")/modules.dep" &&
	grep -q 'marker_thunk\|marker_probe_register' "$work/root/lib/modules/$(cat "$kernel/release")/modules.symbols"
result "installs markers.ko, which depmod knows, and no other module" test $? = 0

tree_make uninstall && [ -z "$(modules)" ] &&
	! grep -q markers "$work/root/lib/modules/$(cat "$kernel/release")/modules.dep"
result "uninstall removes it" test $? = 0

# make must not touch the files of scripts/build there.
tree_make clean
(cd "$work/tree" && find . -type f | sed 's,^\./,,' | sort |
	grep -vE '^(\.sources|\.lock|\.status|\.warned|build\.log)$') >"$work/left"
sort "$work/tree/.sources" >"$work/sources"
result "clean leaves the sources and nothing else" diff "$work/sources" "$work/left"

! tree_make install && grep -q 'run make first' "$log"
result "without a build, install says what to do" test $? = 0
