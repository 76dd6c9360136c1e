#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# A client that is built for arm64 on another machine: the formats are checked here, and the
# code is what we promise. And the command "markers" is installed for it. Prints TAP.
#
# usage: selftests/host/arm64.sh BUILD-DIRECTORY

set -u
# shellcheck source=selftests/host/results
. "$(dirname "$0")/results"
TOP=$top
# shellcheck source=scripts/lib.sh
. "$top/scripts/lib.sh"
need_built Module.symvers
need_headers
echo 1..9

read -r flags <"$kernel/makeflags"
objdump=$(echo "$flags" | sed -n 's/.*CROSS_COMPILE=\([^ ]*\).*/\1/p')objdump
dir=$work/client
mkdir "$dir"
cd "$dir" || exit

# build: compile client.c as those who ship drivers do
build()
{
	# shellcheck disable=SC2086 # a list
	make -C "$kernel/headers" M="$dir" $flags KCFLAGS=-fno-align-loops modules >"$log" 2>&1
}

# leaf NAME STATEMENT: a leaf function
leaf()
{
	printf 'u64 %s(u64 *v, u64 n);\nu64 %s(u64 *v, u64 n)\n{\n\tu64 sum = 0;\n\n\twhile (n--) {\n\t\tsum += *v++;\n\t\t%s\n\t}\n\treturn sum;\n}\n' \
		"$1" "$1" "$2"
}

{
	echo '#include <linux/module.h>'
	echo '#include <markers/marker.h>'
	leaf plain ''
	leaf marked 'trace_mark(leaf, "n %llu sum %llu", n, sum);'
	leaf sixteen 'trace_mark(many, "%llu %llu %llu %llu %llu %llu %llu %llu %llu %llu %llu %llu %llu %llu %llu %llu", n, sum, n + 1, n + 2, n + 3, n + 4, n + 5, n + 6, n + 7, n + 8, n + 9, n + 10, n + 11, n + 12, n + 13, n + 14);'
	leaf guarded 'trace_mark_guard(guard, "n %llu", n);'
	echo 'MODULE_LICENSE("GPL");'
} >client.c
printf 'include %s/scripts/client.mk\nobj-m := client.o\n' "$top" >Kbuild

# hot NAME: the instructions of a function in front of its cold blocks, which are behind its first
# return. Two NOPs at the entry are the kernel's own.
hot()
{
	"$objdump" -d --no-show-raw-insn client.o | awk -v name="<$1>:" '
		/^[0-9a-f]+ </ { on = $2 == name }
		on && /^ / { $1 = ""; print }
		/[ \t]ret$/ { on = 0 }'
}

nops() { hot "$1" | grep -c '\<nop$'; }
stays_a_leaf() { ! hot "$1" | grep -E '\<(bl|stp|str)\>' && [ -n "$(hot "$1")" ]; }
is_one_nop() { stays_a_leaf "$1" && [ $(($(nops "$1") - $(nops plain))) -eq 1 ]; }
is_one_load() { stays_a_leaf "$1" && [ "$(hot "$1" | grep -c 'ldrb.*wzr')" -eq 1 ]; }
has_site() { "$objdump" -t client.o | grep -q 'UND.* marker_thunk'; }
refused() { ! build && grep -q "client.c:$1: error: marker bad refused, .* column 8: %n cannot be recorded" "$log"; }

result "a client is built for another machine" build
result "it calls the thunk" has_site
result "a disabled marker is one NOP in a leaf" is_one_nop marked
result "with sixteen arguments, too" is_one_nop sixteen
result "one with the guard page is one load" is_one_load guarded

echo 'void bad(void); void bad(void) { trace_mark(bad, "a %d b %n", 5, (int *)&bad); }' >>client.c
result "a bad format fails on the machine that builds" refused "$(wc -l <client.c)"

# BTI: a veneer of the module loader may lead to it
has_landing_pad()
{
	sed -i '$d' client.c
	sed -i '1i MARKERS_OPTIONAL := y' Kbuild
	build && "$objdump" -d client.o | grep -A 1 '<__marker_bridge>:$' | grep -q '\<bti[[:space:]]*c$'
}

result "the bridge of an optional client begins with bti c" has_landing_pad

# The command, whose man pages need a program that runs here.
cross=${objdump%objdump}
root=$work/root
man=$root/usr/share/man/man1
builds_command() { make_alone "$top" tools ARCH=arm64 CROSS_COMPILE="$cross" >"$log" 2>&1; }
is_foreign() { "$objdump" -f "$1" | grep -q 'architecture: aarch64'; }

# installs_command: the programs are of the other machine, and each command has its page
installs_command()
{
	make -s -C "$top" install-tools ARCH=arm64 CROSS_COMPILE="$cross" DESTDIR="$root" prefix=/usr >"$log" 2>&1 &&
	is_foreign "$root/usr/bin/markers" && is_foreign "$root/usr/bin/markers-vmcore-to-ctf" &&
	[ -s "$root/usr/share/bash-completion/completions/markers" ] &&
	grep -q '^\.TH' "$man/markers.1" &&
	grep -q '^\.TH' "$man/markers-record.1" &&
	[ "$(find "$man" -name 'markers-*.1' -size +0 | wc -l)" -eq \
		"$(cat "$top"/scripts/markers/*/*.c | grep -c '^const struct command command_.* = {$')" ]
}

result "the command is built for another machine" builds_command
result "and installed, with man pages and completion" installs_command
