#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Compiles markers.ko, the samples and a set of clients with the kernel's compiler and
# with clang, for the same headers: is there no warning, does wrong code get the right
# error, what does a disabled marker leave in the hot path, and are all sites found after
# link time optimisation? Prints TAP.
#
# This links no module: "make clang" boots the modules of clang.
#
# usage: selftests/host/compilers.sh [BUILD-DIRECTORY]   (default build/out/6.1)
#
# CLANG=14 is the version of clang.

set -u
# shellcheck source=selftests/host/results
. "$(dirname "$0")/results"
TOP=$top
# shellcheck source=scripts/lib.sh
. "$top/scripts/lib.sh"
# shellcheck source=selftests/host/code
. "$top/selftests/host/code"
version=${CLANG:-14}
clients=$top/selftests/host/compile

example=$out/samples/.marker-example.o.cmd
need_built samples/.marker-example.o.cmd
need_headers
need "clang-$version:clang-$version" "ld.lld-$version:lld-$version" objdump:binutils \
	nm:binutils

# The options that kbuild gives to the kernel's compiler, in one line, without the files, and
# without that of W=1, by which the kernel's memcpy() warns of what is no mistake.
gcc_line=$(sed -n '1s/^[^=]*:= //p' "$example" |
	sed 's/^ *//; s/ -Wp,[^ ]*//; s/ -DKBUILD_EXTRA_WARN1//; s/ -o .*//; s/ -c$//; s/ -c / /')
case ${gcc_line%% *} in
*clang*)
	skip_all "clang made this kernel, and so all of the build" ;;
esac
# For clang, remove options that it does not know: mitigations and gcc's tuning. The warnings
# are those of the kernel for clang; the one about specifiers comes from per-CPU variables in
# __seg_gs, which a kernel of 6.12 has for gcc.
# shellcheck disable=SC2086 # a list
clang_line=$(printf '%s\n' $gcc_line | sed '1d; /^-W[^n]/d; /^-falign/d; /^-mindirect/d
	/^-mfunction-return/d; /^-mharden/d; /^-fno-allow-store/d; /^-fconserve/d
	/^-mrecord/d; /^-ftrivial/d; /^-mskip/d; /^-fmin-function/d; /^-g$/d
	s/^-mpreferred-stack.*/-mstack-alignment=8/' | tr '\n' ' ')
clang_line="clang-$version -Wall -Wno-gnu -Wno-unknown-warning-option -Wno-duplicate-decl-specifier $clang_line"

# flags_of SOURCE: the flags that its Kbuild file adds
flags_of()
{
	case $1 in
	*/debug_both.c)		echo "-DMARKERS_DEBUG=2 -I$top/markers/debug" ;;
	*/debug_kernel.c)	;;
	*/modules/debug/*)	echo "-DMARKERS_DEBUG=1 -I$top/markers/debug" ;;
	*/modules/optional/*|*/samples/optional/*)
		echo "-DMARKERS_OPTIONAL" ;;
	*/samples/template/*)
		echo "-DMARKERS_DEBUG=1 -I$top/markers/debug -I$top/samples/template/include" ;;
	*/test_beside.c)	echo "-I$top/selftests/modules" ;;
	esac
}

# compile COMPILER SOURCE OBJECT [FLAG...]
compile()
{
	case $1 in
	gcc)	line=$gcc_line ;;
	*)	line=$clang_line ;;
	esac
	source=$2 object=$3
	shift 3
	# the line is quoted for a shell; directories in the flags come before those of the line
	(cd "$kernel/headers" && eval "${line%% *} $* ${line#* } -c '$source' -o '$object'")
}

# compile_all COMPILER DIRECTORY FLAGS SOURCE...: two at a time; the messages are in
# DIRECTORY/log
compile_all()
{
	compiler=$1 into=$2 flags=$3
	shift 3
	mkdir -p "$into"
	half=0
	for half in 0 1; do
		number=0
		for source; do
			number=$((number + 1))
			[ $((number % 2)) -eq $half ] || continue
			name=$(echo "${source#"$top/"}" | tr / _)
			# shellcheck disable=SC2086 # a list
			compile "$compiler" "$source" "$into/${name%.c}.o" $flags \
				"$(flags_of "$source")" ||
				echo "error: $source" >&2
		done 2>"$into/log.$half" &
	done
	wait
	cat "$into/log.0" "$into/log.1" >"$into/log"
}

# quiet FILE: the compiler printed nothing into FILE
quiet() { ! grep . "$1"; }

# refused COMPILER N WORDS: -DREFUSED_N does not compile, and the message has WORDS
refused()
{
	! LC_ALL=C compile "$1" "$clients/refused.c" "$work/refused.o" "-DREFUSED_$2" 2>"$work/errors" ||
		{ echo "it compiled"; return 1; }
	cat "$work/errors"
	grep -E "error.*($3)" "$work/errors" &&
		[ "$(grep -c 'error:' "$work/errors")" -eq 1 ]
}

# loads FILE: the number of instructions that read memory, not those that only name an address
loads() { grep -v -e lea -e nop "$1" | grep -c '(%r'; }

# hot COMPILER N: how mark_N() differs from plain()
hot()
{
	object=$work/$1/selftests_host_compile_hot.o
	for function in plain "mark_$2"; do
		disassemble "$object" "$function" | hot_path >"$work/$function.hot"
		loop <"$work/$function.hot" >"$work/$function.loop"
	done
	mark=$work/mark_$2
	cat "$mark.hot"
	[ -s "$mark.loop" ] && [ "$(nops "$mark.loop")" -eq 1 ] || return 1
	# clang keeps a second pointer in step where the cold block reads far from the first
	more=1
	[ "$1" = gcc ] || more=3
	[ "$(lines "$mark.loop")" -le $(($(lines "$work/plain.loop") + more)) ] || return 1
	! grep -E 'push|pop|%[re]sp|\(%[re]bp' "$mark.loop" || return 1
	# for clang an asm without outputs may write to memory
	[ "$1" = clang ] || [ "$(loads "$mark.loop")" -eq "$(loads "$work/plain.loop")" ] || return 1
	# around the loop: nothing, or registers; see Documentation/text-patching.rst
	[ "$2" -gt 3 ] || ! grep -E 'push|pop|%[re]sp|%[re]bp' "$mark.hot" || return 1
	! grep -E '%[re]sp|%gs' "$mark.hot"
}

# straight: gcc's code of all_fields()
straight()
{
	disassemble "$work/gcc/selftests_host_compile_fields.o" all_fields | hot_path >"$work/fields.hot"
	cat "$work/fields.hot"
	[ "$(nops "$work/fields.hot")" -eq 1 ] && ! grep -E 'push|pop|%[re]sp|%gs' "$work/fields.hot"
}

# unoptimized COMPILER: one file of a module may have -O0
unoptimized()
{
	(
		gcc_line="$gcc_line -O0"
		clang_line="$clang_line -O0"
		compile "$1" "$clients/fields.c" "$work/unoptimized.o"
	)
}

# mistakes: gcc prints the messages that Documentation/porting.rst quotes, client.sh looks for the
# others, and what that page advises does compile
mistakes()
{
	: >"$work/mistakes"
	debug="-DMARKERS_DEBUG=1 -I$top/markers/debug"
	for file in refused mistakes; do
		sed -n 's/^#ifdef \([A-Z]*_[0-9]\).*/\1/p' "$clients/$file.c" >"$work/flags"
		while read -r flag; do
			LC_ALL=C compile gcc "$clients/$file.c" "$work/mistakes.o" "$debug -D$flag" \
				</dev/null 2>>"$work/mistakes"
		done <"$work/flags"
	done
	# shellcheck disable=SC2016 # quotes of reStructuredText
	sed -n '/^Mistakes and messages$/,/^When you load/s/^``\(.*\)``$/\1/p' \
		"$top/Documentation/porting.rst" >"$work/quoted"
	[ -s "$work/quoted" ] || return 1
	while IFS= read -r message; do
		grep -qF -- "$message" "$work/mistakes" "$top/selftests/host/client.sh" ||
			{ echo "nothing says: $message"; return 1; }
	done <"$work/quoted"
	compile gcc "$clients/mistakes.c" "$work/mistakes.o" "$debug -DGOOD" 2>"$work/errors"
	quiet "$work/errors"
}

# sites KIND OBJECT: between the labels are the entries of all markers in the sources
sites()
{
	quiet "$work/$1/log" || { cat "$work/$1/log"; return 1; }
	nm "$2" >"$work/symbols" || return 1
	cat "$work/symbols"
	range=$(awk '
		/ __marker_sites_begin$/ { if (!n++ || $1 < low) low = $1 }
		/ __marker_sites_end$/	 { if ($1 > high) high = $1 }
		END { print n + 0, low, high }' "$work/symbols")
	# shellcheck disable=SC2086 # three words
	set -- "$1" "$2" $range
	size=$(objdump -h -j __marker_sites "$2" | awk '$2 == "__marker_sites" { print $3 }')
	markers=$(grep -ch 'trace_mark' "$clients/hot.c" "$clients/fields.c" "$clients/other.c" |
		awk '{ n += $1 } END { print n }')
	echo "labels: $3, from $4 to $5, section: $size bytes, $markers markers"
	[ $((0x$4)) -eq 0 ] && [ $((0x$5)) -eq $((0x$size)) ] &&
		[ $((0x$size)) -eq $((8 * markers)) ] || return 1
	# one object in full LTO
	[ "$1" = thin ] || [ "$3" -eq 1 ]
}

# formats KIND: client.mk's check finds the errors, and nothing else
formats()
{
	case $1 in
	thin|full)
		compile clang "$clients/bad.c" "$work/bad-lto.o" "-flto=$1" &&
			$link "$work/bad-lto.o" "$work/$1/selftests_host_compile_hot.o" \
				-o "$work/bad.o" ;;
	*)	compile "$1" "$clients/bad.c" "$work/bad.o" ;;
	esac || return 1
	"$out/.check-formats.tmp" "$work/bad.o" 2>"$work/formats"
	[ $? -eq 1 ] && cat "$work/formats" &&
		[ "$(wc -l <"$work/formats")" -eq 3 ] &&
		grep "error: marker bad_width refused, format, column 7: '\*' can" "$work/formats"
}

small="$clients/hot.c $clients/fields.c $clients/other.c"
link="ld.lld-$version -r -m elf_x86_64"

echo 1..45
for compiler in gcc clang; do
	# shellcheck disable=SC2086 # a list
	compile_all $compiler "$work/$compiler" "" $small
	result "$compiler: clients, bit-fields of all sorts" quiet "$work/$compiler/log"
	for n in 0 1 3 8 9 16; do
		result "$compiler: a disabled marker with $n arguments" hot "$compiler" "$n"
	done
	n=1
	while words=$(sed -n "s,.*REFUSED_$n	/\* \(.*\) \*/,\1,p" "$clients/refused.c"); [ "$words" ]; do
		result "$compiler: \"$words\" ($n)" refused "$compiler" "$n" "$words"
		n=$((n + 1))
	done
	result "$compiler: a format that cannot be recorded is found" formats "$compiler"
	result "$compiler: without optimization" unoptimized "$compiler"
done
result "gcc: a disabled marker with 16 arguments of many types" straight
result "gcc: the messages that Documentation/porting.rst explains" mistakes
for kind in thin full; do
	# shellcheck disable=SC2086 # a list
	compile_all clang "$work/$kind" -flto=$kind $small
	$link "$work/$kind"/*.o -o "$work/$kind.o" 2>>"$work/$kind/log"
	result "clang: $kind LTO finds all sites" sites $kind "$work/$kind.o"
	result "clang: a format that cannot be recorded is found after $kind LTO" formats $kind
done
# kbuild has just compiled these files with gcc. Of the samples and the test modules that this
# kernel takes, only clang's warnings matter.
engine=$(cd "$top" && find markers arch/x86 -name '*.c' | sed "s,^,$top/,")
others=$(cd "$top" && find samples selftests/modules -name '*.c' | while IFS= read -r source; do
	[ ! -e "$out/${source%.c}.o" ] || echo "$top/$source"
done)
# shellcheck disable=SC2086 # a list
compile_all clang "$work/all" "-flto=full -DMODULE" $engine
result "clang: markers.ko" quiet "$work/all/log"
# shellcheck disable=SC2086 # a list
compile_all clang "$work/others" "-fsyntax-only -DMODULE" $others
result "clang: samples and test modules" quiet "$work/others/log"
$link "$work/all"/markers_*.o "$work/all"/arch_*.o -o "$work/markers.o" 2>"$work/all/log"
result "clang: markers.ko with full LTO" quiet "$work/all/log"
