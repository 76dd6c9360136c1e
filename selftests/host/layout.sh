#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# A change of struct marker must not pass unnoticed: the compiler asks for another
# MARKER_LAYOUT, and the checksum of what clients import is another one. Prints TAP.
#
# usage: selftests/host/layout.sh [BUILD-DIRECTORY]   (default build/out/6.1)

set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
out=${1:-$top/build/out/6.1}
kernel=$top/build/kernels/$(basename "$out")
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

echo 1..2
if [ ! -e "$out/Module.symvers" ] || [ ! -e "$kernel/headers" ] || [ -e "$kernel/chroot" ]; then
	echo "ok 1 - layout # SKIP no build for this kernel on this host in $out"
	echo "ok 2 - layout # SKIP the same"
	exit
fi

# build_one: the file with the exports, by itself
build_one()
{
	rm -f "$work/arch/x86/int3.o" "$work/arch/x86/.int3.o.cmd"
	# shellcheck disable=SC2046 # flags, or none
	make -C "$kernel/headers" M="$work" $(cat "$kernel/makeflags") arch/x86/int3.o >"$work/log" 2>&1
}

checksum()
{
	sed -n 's/^#SYMVER marker_thunk //p' "$work/arch/x86/.int3.o.cmd"
}

for file in Kbuild scripts/client.mk markers arch; do
	mkdir -p "$work/$(dirname "$file")"
	cp -r "$top/$file" "$work/$(dirname "$file")"
done
types=$work/markers/marker_types.h

build_one || sed 's/^/# /' "$work/log"
before=$(checksum)
sed -i 's/^\(struct marker {\)$/\1\n\tu64 more;/' "$types"
if ! build_one && grep -q 'static assertion failed.*MARKER_LAYOUT' "$work/log"; then
	echo "ok 1 - layout: a changed struct marker does not compile with the same MARKER_LAYOUT"
else
	echo "not ok 1 - layout: a changed struct marker does not compile with the same MARKER_LAYOUT"
	tail -n 20 "$work/log" | sed 's/^/# /'
fi

sed -i '/^static_assert(/,/;$/d' "$types"
build_one || sed 's/^/# /' "$work/log"
after=$(checksum)
if [ -z "$before" ]; then
	echo "ok 2 - layout # SKIP this kernel has no checksums in .cmd files"
elif [ -n "$after" ] && [ "$before" != "$after" ]; then
	echo "ok 2 - layout: another struct marker, another checksum of marker_thunk"
else
	echo "not ok 2 - layout: another struct marker, another checksum of marker_thunk"
	echo "# before: $before, after: $after"
fi
