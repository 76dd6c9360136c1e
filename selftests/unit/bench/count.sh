#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Instructions per event of both passes of serialize.c, with the calls and the
# loop around them, about 12: what 1000 more events cost, by callgrind.
#
# usage: count.sh PROGRAM

set -eu

instructions()	# case, iterations
{
	valgrind --tool=callgrind --callgrind-out-file=/dev/null \
		"$program" "$1" "$2" 2>&1 |
		sed -n 's/.*Collected *: *//p'
}

program=$1
"$program" | while read -r name; do
	few=$(instructions "$name" 1000)
	many=$(instructions "$name" 2000)
	printf '%-16s %4d\n' "$name" $(((many - few) / 1000))
done
