#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Do calls go down, from room to room, and in no circle? And does scripts/check-layers.py find
# those that do not? Prints TAP.
#
# usage: selftests/host/layers.sh [BUILD-DIRECTORY]   (default build/out/6.1)

set -u
# shellcheck source=selftests/host/results
. "$(dirname "$0")/results"

need_built markers/main.o
command -v python3 >/dev/null || skip_all "no python3"
nm "$out/markers/main.o" 2>/dev/null | grep -q ' U ' || skip_all "nm cannot read these objects"
echo 1..4

calls()
{
	python3 "$top/scripts/check-layers.py" --calls "$1"
}
result "calls go down, and in no circle" calls "$out"

# object PATH CODE
object()
{
	mkdir -p "$work/tree/$(dirname "$1")"
	echo "$2" | ${CC:-cc} -fno-builtin -xc -c -o "$work/tree/$1.o" -
}
object markers/ring/low 'void high(void); void low(void) { high(); }'
object markers/hit/high 'void low(void); void one(void); void high(void) { low(); one(); }'
object markers/hit/one 'void two(void); void one(void) { two(); }'
object markers/hit/two 'void one(void); void (*up)(void); void two(void) { one(); up(); }'
calls "$work/tree" >"$log"
finds()
{
	grep -qx "$1" "$log"
}
result "a call upwards is found" \
	finds 'markers/ring/low uses high() of markers/hit/high: .* is above it'
result "a circle is found" \
	finds 'a circle of calls: markers/hit/one -> markers/hit/two -> markers/hit/one'
result "calls downwards and through pointers are right" test "$(grep -c '^markers\|^a circle' "$log")" = 2
