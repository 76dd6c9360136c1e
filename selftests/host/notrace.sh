#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Is all of markers.ko that a hit or a trap runs hidden from the function tracer, and compiled to be
# quick? Else the function tracer, in a hit, leads to itself. Follow the calls in the object, from
# where hits and traps come in and where they go through pointers, and find no function with a call
# of __fentry__, and none of an object that Kbuild has in markers-small. Prints TAP.
#
# usage: selftests/host/notrace.sh [BUILD-DIRECTORY]   (default build/out/6.1)

set -u
# shellcheck source=selftests/host/results
. "$(dirname "$0")/results"
ko=$out/markers.ko

# entries, the ops of the ring, what stands for probes
roots='^(marker_thunk.*|marker_dispatch(_(all|any|filtered|inside|probed|recorded|slow))?'
roots=$roots'|int3_notify|(open|close|deliver)_packet|probe_of_(many|nobody)|marker_published_hit)$'

need_built markers.ko
command -v objdump >/dev/null || skip_all "no objdump"

# reachable OBJECT ROOTS: "traced" or "notrace", a function that ROOTS reach, and its caller
reachable()
{
	objdump -dr --no-show-raw-insn "$1" | awk -v roots="$2" '
		# two files may have a function of one name: a place is a section and an address
		function place(section, hex) {
			sub(/^0+/, "", hex)
			return section "+0x" hex
		}
		/^Disassembly of section / { section = $4; sub(/:$/, "", section); next }
		/^[0-9a-f]+ <.*>:$/ {
			here = place(section, $1)
			gsub(/[<>:]/, "", $2)
			name[here] = $2
			at[$2] = here
			next
		}
		/R_X86_64_(PLT32|PC32)/ {
			if (!is_jump)
				next
			# the target is here, not in the instruction
			sub(/ [^ ]*$/, "", calls[here])
			sub(/-0x4$/, "", $3)
			traced[here] = traced[here] || $3 == "__fentry__"
			calls[here] = calls[here] " " $3
			next
		}
		/^ +[0-9a-f]+:/ {
			is_jump = match($0, /(call|j[a-z]+) +[0-9a-f]+ /)
			if (is_jump) {
				split(substr($0, RSTART, RLENGTH), word, " ")
				calls[here] = calls[here] " " place(section, word[2])
			}
		}
		function follow(start, from,  word, n, i, to) {
			if (seen[start]++)
				return
			print traced[start] ? "traced" : "notrace", name[start], from
			n = split(calls[start], word, " ")
			for (i = 1; i <= n; i++) {
				to = word[i] in at ? at[word[i]] : word[i]
				if (to in name)
					follow(to, name[start])
			}
		}
		END {
			for (here in name)
				if (name[here] ~ roots)
					follow(here, "a hit")
		}'
}

# functions small|quick: those of the objects that are compiled for size, or of the others
functions()
{
	for cmd in "$out"/markers/.*.o.cmd "$out"/markers/*/.*.o.cmd; do
		object=${cmd%/*}/$(basename "${cmd#"${cmd%/*}"/.}" .cmd)
		case $1$(grep -c -m 1 -- ' -Os ' "$cmd") in
		small1|quick0)	nm --defined-only "$object" ;;
		esac
	done | sed -n 's/.* [tT] //p' | sort -u
}

echo 1..6
reachable "$ko" "$roots" >"$work/reached"
reaches() { grep -q "^notrace $1 " "$work/reached"; }
result "the way of a hit to the ring is followed ($(wc -l <"$work/reached") functions)" \
	reaches reserve_record
result "and to the actions of triggers" reaches marker_actions_run
# the check would find one
reachable "$ko" '^marker_registry_lock$' >"$work/command"
result "the function that scripts/bench traces is traced" grep -q '^traced' "$work/command"
none_traced() { ! grep '^traced' "$work/reached"; }
result "what hits run is not" none_traced
functions quick >"$work/quick"
functions small | comm -23 - "$work/quick" >"$work/small"
cut -d' ' -f2 "$work/reached" | sort -u >"$work/names"
none_small() { ! comm -12 "$work/names" "$work/small" | grep .; }
if nm "$out/markers/main.o" >/dev/null 2>&1; then
	result "commands are compiled for size" grep -qx marker_trigger_parse "$work/small"
	result "and what hits run is not" none_small
else
	skip "commands are compiled for size" "nm cannot read these objects"
	skip "and what hits run is not" "nm cannot read these objects"
fi
