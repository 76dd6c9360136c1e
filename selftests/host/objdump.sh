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
# shellcheck source=selftests/host/code
. "$top/selftests/host/code"
out=${1:-$top/build/out/6.1}
ko=$out/samples/marker-example.ko
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

echo 1..8
if [ ! -e "$ko" ] || ! command -v objdump >/dev/null; then
	for n in 1 2 3 4 5 6 7 8; do
		echo "ok $n - objdump # SKIP no $ko or no objdump"
	done
	exit
fi

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

for name in plain mark; do
	[ $name = plain ] && function=leaf_sum_plain || function=leaf_sum
	disassemble "$ko" "$function" >"$work/$name.all"
	hot_path <"$work/$name.all" >"$work/$name.hot"
	loop <"$work/$name.hot" >"$work/$name.loop"
done

check "both functions and their loops are there" \
	test -s "$work/plain.loop" -a -s "$work/mark.loop"
check "one NOP, in the loop" \
	test "$(nops "$work/mark.hot")" -eq $(($(nops "$work/plain.hot") + 1)) \
		-a "$(nops "$work/mark.loop")" -eq $(($(nops "$work/plain.loop") + 1))
# not as many, where clang unrolls the plain one
check "the loop has one instruction more, the NOP ($(lines "$work/plain.loop") and $(lines "$work/mark.loop"))" \
	test "$(lines "$work/mark.loop")" -le $(($(lines "$work/plain.loop") + 1))
check "the function has no other instruction more ($(lines "$work/plain.hot") and $(lines "$work/mark.hot"))" \
	test "$(lines "$work/mark.hot")" -le $(($(lines "$work/plain.hot") + 1))
no_stack() { ! grep -E 'push|pop|%[re]sp|%[re]bp' "$work/mark.hot"; }
check "nothing is pushed, popped or spilled" no_stack
check "the cold block is there and preserves registers by itself" \
	grep -q 'call .*@marker_thunk' "$work/mark.all"
no_warning() { [ -e "$out/build.log" ] && ! grep -iE 'objtool:|warning: objtool' "$out/build.log"; }
check "no warning of objtool in the build's log" no_warning
what="objtool knows that no pointer leads to the thunks"
if ! grep -q CONFIG_CC_HAS_IBT "$top/build/kernels/$(basename "$out")/config"; then
	count=$((count + 1))
	echo "ok $count - objdump: $what # SKIP this kernel has no branch tracking"
else
	annotations() { objdump -r "$out/arch/x86/thunk.o" |
		awk '/^RELOC/ { on = /discard\.(noendbr|annotate_insn)/ } on && /R_X86_64/' | wc -l; }
	check "$what" test "$(annotations)" -ge 2
fi
