#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# A client outside of the tree: its Kbuild includes scripts/client.mk, and no
# more. Prints TAP.
#
# usage: selftests/host/client.sh [BUILD-DIRECTORY]   (default build/out/6.1)

set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
out=${1:-$top/build/out/6.1}
kernel=$top/build/kernels/$(basename "$out")
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

echo 1..2
if [ ! -e "$out/Module.symvers" ] || [ ! -e "$kernel/headers" ] || [ -e "$kernel/chroot" ]; then
	echo "ok 1 - client # SKIP no build for this kernel on this host in $out"
	echo "ok 2 - client # SKIP the same"
	exit
fi

cp "$out"/samples/marker-example.[ch] "$work"
cat >"$work/Kbuild" <<END
include $out/scripts/client.mk
obj-m := marker-example.o
END
# shellcheck disable=SC2046 # flags, or none
make -C "$kernel/headers" M="$work" $(cat "$kernel/makeflags") modules >"$work/log" 2>&1
status=$?
# that another compiler built the kernel is no fault of ours
warnings=$(grep -v 'the compiler differs' "$work/log" | grep -ci 'warning')
if [ $status -eq 0 ] && [ "$warnings" -eq 0 ]; then
	echo "ok 1 - client: builds outside of the tree"
else
	echo "not ok 1 - client: builds outside of the tree"
	tail -n 20 "$work/log" | sed 's/^/# /'
fi
if strings "$work/marker-example.ko" 2>/dev/null | grep -qx 'depends=markers'; then
	echo "ok 2 - client: depends on markers.ko"
else
	echo "not ok 2 - client: depends on markers.ko"
fi
