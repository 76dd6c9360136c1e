#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Does a disabled marker disturb the code around it? Compare leaf_sum(), with a
# marker in its loop, and leaf_sum_plain() of samples/marker-example.ko: the
# instructions that run while the marker is disabled. The cold block is not
# among them: only the exception table leads there. Prints TAP.
#
# usage: selftests/host/objdump.sh [BUILD-DIRECTORY]   (default build/out/6.1)

set -u
# shellcheck source=selftests/host/results
. "$(dirname "$0")/results"
# shellcheck source=selftests/host/code
. "$top/selftests/host/code"
ko=$out/samples/marker-example.ko

need_built samples/marker-example.ko
command -v objdump >/dev/null || skip_all "no objdump"
echo 1..9

for code in plain mark; do
	[ $code = plain ] && function=leaf_sum_plain || function=leaf_sum
	disassemble "$ko" "$function" >"$work/$code.all"
	hot_path <"$work/$code.all" >"$work/$code.hot"
	loop <"$work/$code.hot" >"$work/$code.loop"
	sed "s/^/$code: /" "$work/$code.hot" >>"$log"
done

result "both functions and their loops are there" \
	test -s "$work/plain.loop" -a -s "$work/mark.loop"
result "one NOP, in the loop" \
	test "$(nops "$work/mark.hot")" -eq $(($(nops "$work/plain.hot") + 1)) \
		-a "$(nops "$work/mark.loop")" -eq $(($(nops "$work/plain.loop") + 1))
# the number differs where clang unrolls the plain function
result "the loop has one instruction more, the NOP ($(lines "$work/plain.loop") and $(lines "$work/mark.loop"))" \
	test "$(lines "$work/mark.loop")" -le $(($(lines "$work/plain.loop") + 1))
result "the function has no other instruction more ($(lines "$work/plain.hot") and $(lines "$work/mark.hot"))" \
	test "$(lines "$work/mark.hot")" -le $(($(lines "$work/plain.hot") + 1))
no_stack() { ! grep -E 'push|pop|%[re]sp|%[re]bp' "$work/mark.hot"; }
result "nothing is pushed, popped or spilled" no_stack
result "the cold block is there and preserves registers by itself" \
	grep -q 'call .*@marker_thunk' "$work/mark.all"
# the pushes move it
no_rsp()
{
	find "$out/samples" "$out/selftests" -name '*.ko' >"$work/modules"
	[ -s "$work/modules" ] || return 1
	while read -r module; do
		! objdump -d --no-show-raw-insn "$module" | grep -E 'push.*%rsp' ||
			{ echo "in $module"; return 1; }
	done <"$work/modules"
}
result "no module pushes the stack pointer as an argument" no_rsp
no_warning() { [ -e "$out/build.log" ] && ! grep -iE 'objtool:|warning: objtool' "$out/build.log"; }
result "no warning of objtool in the build's log" no_warning
what="objtool knows that no pointer leads to the thunks"
if ! grep -q CONFIG_CC_HAS_IBT "$top/build/kernels/$(basename "$out")/config"; then
	skip "$what" "this kernel has no branch tracking"
else
	annotations() { objdump -r "$out/arch/x86/thunk.o" |
		awk '/^RELOC/ { on = /discard\.(noendbr|annotate_insn)/ } on && /R_X86_64/' | wc -l; }
	result "$what" test "$(annotations)" -ge 2
fi
