#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Does a disabled marker disturb the code around it? Compare leaf_sum(), with a
# marker in its loop, and leaf_sum_plain() of samples/marker-example.ko: the
# instructions that run while the marker is disabled. The cold block is not
# among them, only the exception table leads there. Prints TAP.
#
# usage: selftests/host/objdump.sh [BUILD-DIRECTORY]   (default build/out/6.1)

set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
out=${1:-$top/build/out/6.1}
ko=$out/samples/marker-example.ko
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

echo 1..7
if [ ! -e "$ko" ] || ! command -v objdump >/dev/null; then
	for n in 1 2 3 4 5 6 7; do
		echo "ok $n - objdump # SKIP no $ko or no objdump"
	done
	exit
fi

# disassemble FUNCTION: "ADDRESS INSTRUCTION" per line; a relocation, which
# tells where a call or jump really goes, at the end of its line
disassemble()
{
	objdump -dr --no-show-raw-insn "$ko" | awk -v want="$1" '
		/^[0-9a-f]+ <.*>:$/ {
			name = $2
			gsub(/[<>:]/, "", name)
			sub(/\.(constprop|isra|part|cold).*/, "", name)
			on = name == want
			next
		}
		!on { next }
		/R_X86_64/ { line = line " @" $3; next }
		/^ +[0-9a-f]+:/ {
			if (line != "")
				print line
			line = $0
			sub(/^ +/, "", line)
			sub(/:[ \t]+/, " ", line)
			sub(/[ \t]+#.*/, "", line)
		}
		END { if (line != "") print line }'
}

# hot_path: of these, the ones that are reached from the first one. A jump with
# a relocation leaves the function (the return thunk).
hot_path()
{
	awk '
		{ addr[NR] = $1; at[$1] = NR; text[NR] = substr($0, length($1) + 2) }
		function follow(i, to) {
			while (i && i <= NR && !seen[i]) {
				seen[i] = 1
				split(text[i], word, " ")
				if (word[1] ~ /^(ret|ud2|int3)/)
					return
				if (word[1] ~ /^j/ && text[i] !~ /@/) {
					to = at[word[2]]
					follow(to)
					split(text[i], word, " ")
				}
				if (word[1] == "jmp")
					return
				i++
			}
		}
		END { follow(1); for (i = 1; i <= NR; i++) if (seen[i]) print addr[i], text[i] }'
}

# loop: the instructions from the target of the jump backwards to that jump
loop()
{
	awk '
		{ line[NR] = $0; at[$1] = NR }
		$2 ~ /^j/ && !/@/ && ($3 in at) && at[$3] < NR && !end { begin = at[$3]; end = NR }
		END { for (i = begin; end && i <= end; i++) print line[i] }'
}

count=0
# check WHAT COMMAND...
check()
{
	what=$1
	shift
	count=$((count + 1))
	if "$@"; then
		echo "ok $count - objdump: $what"
	else
		echo "not ok $count - objdump: $what"
		sed 's/^/# plain: /' "$work/plain.hot"
		sed 's/^/# mark:  /' "$work/mark.hot"
	fi
}

number() { wc -l <"$1"; }
nops() { grep -c 'nopl *0x0(%rax,%rax,1)' "$1"; }

for name in plain mark; do
	[ $name = plain ] && function=leaf_sum_plain || function=leaf_sum
	disassemble "$function" >"$work/$name.all"
	hot_path <"$work/$name.all" >"$work/$name.hot"
	loop <"$work/$name.hot" >"$work/$name.loop"
done

check "both functions and their loops are there" \
	test -s "$work/plain.loop" -a -s "$work/mark.loop"
check "one NOP, in the loop" \
	test "$(nops "$work/mark.hot")" -eq $(($(nops "$work/plain.hot") + 1)) \
		-a "$(nops "$work/mark.loop")" -eq $(($(nops "$work/plain.loop") + 1))
check "the loop has one instruction more, the NOP ($(number "$work/plain.loop") and $(number "$work/mark.loop"))" \
	test "$(number "$work/mark.loop")" -eq $(($(number "$work/plain.loop") + 1))
check "the function has no other instruction more ($(number "$work/plain.hot") and $(number "$work/mark.hot"))" \
	test "$(number "$work/mark.hot")" -le $(($(number "$work/plain.hot") + 1))
no_stack() { ! grep -E 'push|pop|%[re]sp|%[re]bp' "$work/mark.hot"; }
check "nothing is pushed, popped or spilled" no_stack
check "the cold block is there and preserves registers by itself" \
	grep -q 'call .*@marker_thunk' "$work/mark.all"
no_warning() { [ -e "$out/build.log" ] && ! grep -iE 'objtool:|warning: objtool' "$out/build.log"; }
check "no warning of objtool in the build's log" no_warning
