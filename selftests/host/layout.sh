#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Does a change of struct marker show? The compiler must demand another MARKER_LAYOUT,
# and the symbol that clients import must get another checksum. Prints TAP.
#
# usage: selftests/host/layout.sh [BUILD-DIRECTORY]   (default build/out/6.1)

set -u
# shellcheck source=selftests/host/results
. "$(dirname "$0")/results"
need_built Module.symvers
need_headers
echo 1..2

# build_one: the file with the exports, by itself
build_one()
{
	rm -f "$work/arch/x86/int3.o" "$work/arch/x86/.int3.o.cmd"
	# shellcheck disable=SC2046 # flags, or none
	make -C "$kernel/headers" M="$work" $(cat "$kernel/makeflags") arch/x86/int3.o >"$log" 2>&1
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

build_one || sed 's/^/# /' "$log"
before=$(checksum)
sed -i 's/^\(struct marker {\)$/\1\n\tu64 more;/' "$types"
! build_one && grep -q 'static assertion failed.*MARKER_LAYOUT' "$log"
result "a changed struct marker does not compile with the same MARKER_LAYOUT" test $? = 0

sed -i '/^static_assert(/,/;$/d' "$types"
build_one || sed 's/^/# /' "$log"
after=$(checksum)
what="another struct marker, another checksum of marker_thunk"
if [ -z "$before" ]; then
	skip "$what" "this kernel has no checksums in .cmd files"
else
	echo "before: $before, after: $after" >>"$log"
	result "$what" test -n "$after" -a "$before" != "$after"
fi
