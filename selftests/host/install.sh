#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# "make install", "make uninstall" and "make clean" of a tree that was built.
# Prints TAP.
#
# usage: selftests/host/install.sh [BUILD-DIRECTORY]   (default build/out/6.1)

set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
# shellcheck source=scripts/lib.sh
. "$top/scripts/lib.sh"
out=${1:-$top/build/out/6.1}
kernel=$top/build/kernels/$(basename "$out")
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

number=0
# check STATUS WHAT LOG
check()
{
	number=$((number + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $number - install: $2"
	else
		echo "not ok $number - install: $2"
		tail -n 20 "$3" | sed 's/^/# /'
	fi
}

echo 1..4
if [ ! -e "$out/markers.ko" ] || [ ! -e "$kernel/headers" ]; then
	for what in install "what it says before make" uninstall clean; do
		echo "ok $((number = number + 1)) - install: $what # SKIP no build in $out"
	done
	exit
fi

need depmod:kmod
cp -a "$out" "$work/tree"
tree_make()
{
	make -C "$work/tree" KDIR="$kernel/headers" INSTALL_MOD_PATH="$work/root" "$@" >"$work/log" 2>&1
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
check $? "installs markers.ko, which depmod knows, and no other module" "$work/log"

tree_make uninstall && [ -z "$(modules)" ] &&
	! grep -q markers "$work/root/lib/modules/$(cat "$kernel/release")/modules.dep"
check $? "uninstall takes it away" "$work/log"

# What scripts/build keeps there is not make's.
tree_make clean
(cd "$work/tree" && find . -type f | sed 's,^\./,,' | sort |
	grep -vE '^(\.sources|\.lock|\.status|\.warned|build\.log)$') >"$work/left"
sort "$work/tree/.sources" | diff - "$work/left" >"$work/diff"
check $? "clean leaves the sources and nothing else" "$work/diff"

! tree_make install && grep -q 'run make first' "$work/log"
check $? "without a build, install says what to do" "$work/log"
