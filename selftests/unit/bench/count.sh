#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Instructions per event in both passes of serialize.c, by callgrind: all from
# call to return, without the caller's.
#
# usage: count.sh PROGRAM

set -eu

program=$1
events=1000
out=$(mktemp)
trap 'rm -f "$out"' EXIT

"$program" | while read -r name; do
	valgrind --tool=callgrind --callgrind-out-file="$out" \
		"$program" "$name" "$events" 2>/dev/null
	callgrind_annotate --threshold=100 "$out" |
	awk -v name="$name" -v events="$events" '
		/:marker_serialize|:measure_|:put_|:copy_|:count_chars/ {
			gsub(",", "", $1); sum += $1
		}
		END { printf "%-16s %4d\n", name, sum / events }'
done
