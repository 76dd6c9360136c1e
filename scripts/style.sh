#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Check how the code reads: shellcheck, sparse and W=1, checkpatch, kernel-doc, contracts,
# layers, spelling, the documentation and what it says of the code. Prints TAP, one line for each tool. A missing tool
# is a SKIP, never a pass.
#
# usage: scripts/style.sh [shellcheck|build|checkpatch|kernel-doc|contracts|layers|spelling|docs|pages]...

set -u
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"
cd "$TOP" || exit 1

label=6.1
work=${LOGS:-$BUILD/check}/style
rm -rf "$work"
mkdir -p "$work"

count=0 failed=0
ok()
{
	count=$((count + 1))
	echo "ok $count - style: $1"
}

skip()
{
	count=$((count + 1))
	echo "ok $count - style: $1 # SKIP $2"
}

not_ok()
{
	count=$((count + 1))
	failed=$((failed + 1))
	[ ! -s "$2" ] || sed 's/^/# /' "$2"
	echo "not ok $count - style: $1"
}

# judge WHAT FILE: the check passed if the file is empty
judge()
{
	if [ -s "$2" ]; then
		not_ok "$1" "$2"
	else
		ok "$1"
	fi
}

# Print the files of the project, without those that git ignores.
sources()
{
	if git rev-parse --git-dir >/dev/null 2>&1; then
		git ls-files -co --exclude-standard -- "$@"
	else
		find . -path ./build -prune -o -type f -print | sed 's,^\./,,' | grep -E "$(
			for glob; do echo "$glob" | sed 's/[.]/\\./g; s/\*/.*/g; s/$/$/'; done | paste -sd'|')"
	fi | while IFS= read -r file; do
		[ ! -f "$file" ] || printf '%s\n' "$file"
	done
}

# have CMD:PKG...: install the missing commands
have()
{
	(need "$@") >/dev/null
}

# A function of a test with the name of one in functions: others there would call it instead.
hidden_functions()
{
	sed -n 's/^\([a-z_]*\)()$/\1/p' selftests/test.d/functions | sort >"$work/functions"
	grep '\.tc$' "$work/scripts" | while IFS= read -r file; do
		sed -n 's/^\([a-z_]*\)()$/\1/p' "$file" | sort | comm -12 - "$work/functions" |
			sed "s|.*|$file: &() hides the one of selftests/test.d/functions|"
	done
}

check_shellcheck()
{
	have shellcheck:shellcheck || { skip shellcheck "cannot be installed"; return; }
	sources | while IFS= read -r file; do
		case $file in
		*.sh|*.tc|selftests/test.d/functions) echo "$file" ;;
		*.*) ;;
		*) head -c 40 "$file" | grep -qE '^#!/bin/(busybox )?(ba|da|)sh' && echo "$file" ;;
		esac
	done >"$work/scripts"
	[ -s "$work/scripts" ] || { not_ok shellcheck /dev/null; return; }
	# The tests run under dash or busybox, and busybox has what dash has.
	# They run under "set -e" (SC2164). A file may have the name "times"
	# (SC2238), a loop may only count (SC2034), a function's argument may be
	# optional (SC2119, SC2120), cat may feed a pipe (SC2002), and text in
	# single quotes may be for another shell (SC2016).
	tests='\.tc$|test\.d/functions$'
	grep -vE "$tests" "$work/scripts" | xargs -r shellcheck -x >"$work/shellcheck.log" 2>&1
	grep -E "$tests" "$work/scripts" |
		xargs -r shellcheck -s dash -e SC2002,SC2016,SC2034,SC2119,SC2120,SC2164,SC2238 >>"$work/shellcheck.log" 2>&1
	hidden_functions >>"$work/shellcheck.log"
	judge "shellcheck ($(wc -l <"$work/scripts") scripts)" "$work/shellcheck.log"
}

# It is the build on which the tests run: scripts/build has W=1 for this kernel.
check_build()
{
	what="sparse and W=1"
	have sparse:sparse || { skip "$what" "sparse cannot be installed"; return; }
	if ! WERROR=1 scripts/build $label C=2 >"$work/build.log" 2>&1; then
		grep -E 'warning|error|objtool:' "$work/build.log" | sort -u >"$work/build.complaints"
		[ -s "$work/build.complaints" ] || tail -n 30 "$work/build.log" >"$work/build.complaints"
		not_ok "$what" "$work/build.complaints"
		return
	fi
	# The "CHECK" lines of make prove that sparse ran.
	if ! grep -qE '^ +CHECK ' "$work/build.log"; then
		not_ok "$what: nothing was checked" /dev/null
		return
	fi
	ok "$what"
}

# Only the kernel's sources have checkpatch: take it from the source package.
get_checkpatch()
{
	linux=$BUILD/linux-source
	[ ! -s "$linux/scripts/checkpatch.pl" ] || return 0
	have apt-get:apt dpkg-deb:dpkg xz:xz-utils || return 1
	say "taking checkpatch out of linux-source-6.1 (once)"
	rm -rf "$linux.new"
	mkdir -p "$linux.new"
	(
		cd "$linux.new" || exit 1
		apt-get -qq -o APT::Sandbox::User=root download linux-source-6.1 || exit 1
		dpkg-deb --fsys-tarfile linux-source-6.1_*.deb |
			tar -xO ./usr/src/linux-source-6.1.tar.xz |
			tar -xJ --strip-components=1 --wildcards '*/scripts/checkpatch.pl' \
				'*/scripts/spelling.txt' '*/scripts/const_structs.checkpatch'
		rm -f ./*.deb
	) >"$work/fetch.log" 2>&1
	[ -s "$linux.new/scripts/checkpatch.pl" ] || return 1
	rm -rf "$linux"
	mv "$linux.new" "$linux"
}

# We ignore these complaints of checkpatch:
#   LINUX_VERSION_CODE      out of tree: markers/compat needs it
#   MACRO_ARG_PRECEDENCE, MACRO_ARG_REUSE, COMPLEX_MACRO, TRAILING_SEMICOLON,
#   MACRO_WITH_FLOW_CONTROL, MULTISTATEMENT_MACRO_USE_DO_WHILE,
#   SINGLE_STATEMENT_DO_WHILE_MACRO
#                           the site macros paste names and declare variables
#   AVOID_EXTERNS           we declare assembler symbols where we use them
#   EMBEDDED_FILENAME       the manual in marker.h names marker.h
#   CONSTANT_COMPARISON     tests of LINUX_VERSION_CODE, again
#   BIT_MACRO               sizes and limits are not bits of a mask
#   PREFER_PR_LEVEL, PREFER_DEV_LEVEL
#                           markers/debug/ defines the macros that these prefer
#   VSPRINTF_SPECIFIER_PX   a test compares the text of %px with the kernel's
#   LONG_LINE_STRING        we never break a format string, so that grep finds it
ignore=LINUX_VERSION_CODE,MACRO_ARG_PRECEDENCE,MACRO_ARG_REUSE,COMPLEX_MACRO
ignore=$ignore,TRAILING_SEMICOLON,MACRO_WITH_FLOW_CONTROL
ignore=$ignore,MULTISTATEMENT_MACRO_USE_DO_WHILE,SINGLE_STATEMENT_DO_WHILE_MACRO
ignore=$ignore,AVOID_EXTERNS,EMBEDDED_FILENAME,LONG_LINE_STRING,BIT_MACRO
ignore=$ignore,CONSTANT_COMPARISON,PREFER_PR_LEVEL,PREFER_DEV_LEVEL,VSPRINTF_SPECIFIER_PX
# checkpatch knows "asm volatile", but not "asm_inline volatile".
ignore=$ignore,VOLATILE
# C code exports functions that are written in assembly.
ignore=$ignore,EXPORT_SYMBOL
# Files that user space compiles (too) have other types, attributes and functions, expected
# output as literal strings, and a shim that defines the kernel's names.
ignore_user=$ignore,PREFER_KERNEL_TYPES,PREFER_DEFINED_ATTRIBUTE_MACRO
ignore_user=$ignore_user,CAMELCASE,CONST_STRUCT,STRCPY,STRLCPY,SSCANF_TO_KSTRTO
ignore_user=$ignore_user,NEW_TYPEDEFS,SPLIT_STRING,QUOTED_WHITESPACE_BEFORE_NEWLINE
ignore_user=$ignore_user,PRINTF_L,DATA_RACE,MEMORY_BARRIER,NR_CPUS
ignore_user=$ignore_user,STRING_FRAGMENTS,FUNCTION_ARGUMENTS,MISSING_SPACE

# run_checkpatch IGNORE [OPTION] <list of files
# checkpatch mistakes the operands of an asm and of __has_include() for C's operators, the
# "*" of a pointer type in a macro's argument for a product, the strings of an asm at file
# level for badly indented code, and a call through READ_ONCE(pointer) for needless
# parentheses. It does not know NOKPROBE_SYMBOL(). Where it finds a repository it runs git for
# each file.
run_checkpatch()
{
	# shellcheck disable=SC2086 # no option or one
	GIT_DIR=none xargs -r perl "$BUILD/linux-source/scripts/checkpatch.pl" --no-tree ${2:-} --terse \
		--show-types --no-summary --ignore "$1" -f 2>&1 | grep -v '^fatal: ' |
		while IFS=: read -r file line complaint; do
			case $complaint in
			*:SPACING:*)
				sed -n "${line}p" "$file" | grep -qE '__has_include|%[a-z]?[[0-9]| \*[,)]' &&
					continue
				;;
			*:UNNECESSARY_PARENTHESES:*"around function pointer"*)
				sed -n "${line}p" "$file" | grep -q 'READ_ONCE(' && continue
				;;
			*:LINE_SPACING:*|*:EXPORT_SYMBOL:*)
				sed -n "$((line - 1)),${line}p" "$file" | grep -q '^NOKPROBE_SYMBOL(' &&
					continue
				;;
			*:LEADING_SPACE:*)
				sed -n "${line}p" "$file" | grep -qE '^ +"' && continue
				;;
			esac
			echo "$file:$line:$complaint"
		done
}

check_checkpatch()
{
	have perl:perl || { skip checkpatch "no perl"; return; }
	get_checkpatch || { skip checkpatch "linux-source-6.1 cannot be fetched"; return; }
	# A TRACE_EVENT() header has its own layout, and some code is wrong on purpose.
	sources '*.c' '*.h' '*.S' | grep -v '/compile/\(refused\|mistakes\)\.c$' |
		xargs -r grep -L 'TRACE_HEADER_MULTI_READ' >"$work/c-files"
	user='^(selftests/(unit|command|formats|tools)|scripts/(markers|check-formats|vmcore)|markers/uapi)/|^markers/base\.h'
	{
		grep -vE "$user" "$work/c-files" | run_checkpatch "$ignore" --strict
		grep -E "$user" "$work/c-files" | run_checkpatch "$ignore_user"
	} >"$work/checkpatch.log"
	rm -f .checkpatch-camelcase.*
	judge "checkpatch ($(wc -l <"$work/c-files") files)" "$work/checkpatch.log"
}

check_kernel_doc()
{
	have perl:perl || { skip kernel-doc "no perl"; return; }
	dir=$(scripts/kernel $label) || { skip kernel-doc "no headers of $label"; return; }
	sources 'markers/*.c' 'markers/*.h' 'arch/*.c' 'arch/*.h' >"$work/doc-files"
	# shellcheck disable=SC2046 # no blanks in our names
	perl "$dir/headers/scripts/kernel-doc" -none $(cat "$work/doc-files") >"$work/kernel-doc.log" 2>&1 ||
		echo "error: kernel-doc ended with status $?" >>"$work/kernel-doc.log"
	grep -iE 'warning:|error:|^Error' "$work/kernel-doc.log" >"$work/kernel-doc.bad"
	judge "kernel-doc ($(wc -l <"$work/doc-files") files)" "$work/kernel-doc.bad"
}

# Run a script that reads the tree. If something breaks its rule, it prints what, and exits
# with 1.
check_script()
{
	have python3:python3 || { skip "$1" "no python3"; return; }
	if python3 "scripts/check-$1.py" >"$work/$1.log" 2>&1; then
		ok "$1"
	else
		not_ok "$1" "$work/$1.log"
	fi
}

# codespell reports these words, but they are correct.
words=hel,iput,thi

check_spelling()
{
	have codespell:codespell || { skip spelling "no codespell"; return; }
	sources '*' | grep -vE '^COPYING$|\.(svg|png)$' >"$work/spelled"
	# shellcheck disable=SC2046 # no blanks in our names
	codespell ${words:+-L "$words"} $(cat "$work/spelled") >"$work/spelling.log" 2>&1
	judge "spelling ($(wc -l <"$work/spelled") files)" "$work/spelling.log"
}

# Here, roles and directives that only Sphinx knows count as plain text.
parse_rst='
import sys
from docutils import core, nodes
from docutils.parsers.rst import Directive, directives, roles

def role(name, rawtext, text, lineno, inliner, options={}, content=[]):
    return [nodes.literal(rawtext, text)], []

class Ignore(Directive):
    has_content = True
    optional_arguments = 100
    option_spec = None
    def run(self):
        return []

for name in ("doc", "ref", "c:func", "c:type", "c:macro"):
    roles.register_local_role(name, role)
for name in ("toctree", "kernel-doc", "code-block"):
    directives.register_directive(name, Ignore)
for path in sys.argv[1:]:
    core.publish_doctree(open(path).read(), path,
                         settings_overrides={"report_level": 2, "halt_level": 5})
'

check_docs()
{
	sources '*.rst' >"$work/rst"
	[ -s "$work/rst" ] || { skip documentation "no .rst files"; return; }
	have python3:python3 /usr/lib/python3/dist-packages/docutils:python3-docutils ||
		{ skip documentation "no docutils"; return; }
	xargs python3 -c "$parse_rst" <"$work/rst" >"$work/docs.log" 2>&1
	sources 'selftests/*/*' | cut -d/ -f2 | sort -u | while IFS= read -r dir; do
		grep -qE "^$dir/( |$)" selftests/README || echo "selftests/README does not list $dir/"
	done >>"$work/docs.log"
	judge "documentation ($(wc -l <"$work/rst") files)" "$work/docs.log"
}

# What the pages say of the code. The check must see each statement of a page that is wrong.
check_pages()
{
	check_script pages
	# The script itself must not have these words.
	sed 's/@/no/' >"$work/stale.rst" <<-'END_OF_PAGE'
		The file ``markers/hit/@such.c`` records.
		The function ``marker_@such()`` records.
		The word of struct marker_@such_state is read.
		It is in @such.h.
		:doc:`@such` has more.
		See "No such title" in :doc:`usage`.
		An event takes 99 instructions.
	END_OF_PAGE
	python3 scripts/check-pages.py . "$work/stale.rst" 2>&1 | sed -n 's/.*stale\.rst:\([0-9]*\):.*/\1/p' |
		sort -un | paste -sd' ' >"$work/stale.seen"
	if [ "$(cat "$work/stale.seen")" = "1 2 3 4 5 6 7" ]; then
		ok "pages: a stale statement is seen"
	else
		not_ok "pages: a stale statement is seen" "$work/stale.seen"
	fi
	# A run that measures one row, without a peer, changes nothing else; one on arm64 changes its
	# columns of the same row.
	rm -rf "$work/tree"
	mkdir -p "$work/tree/scripts" "$work/tree/Documentation"
	cp scripts/figures "$work/tree/scripts/"
	cp Documentation/figures.rst "$work/tree/Documentation/"
	title='Recorded (clock: the time stamp counter)'
	for row in "$title:9.87" "arm64: $title:8.76"; do
		printf 'x\t%s\tint + u64 + "hello-world"\t%s\t-\t\t140\t%s\n' "${row%:*}" "${row##*:}" yes
	done >"$work/tree/part.tsv"
	"$work/tree/scripts/figures" "$work/tree/part.tsv" 2>&1 |
		cat - "$work/tree/Documentation/figures.rst" | diff Documentation/figures.rst - >"$work/figures.diff"
	if grep -qE '^> .int \+ u64 \+ "hello-world" +9\.9 +[0-9.]+ [a-z_]+ +140 yes$' "$work/figures.diff" &&
		grep -qE '^> .int \+ u64 \+ "hello-world" +9\.9 +[0-9.]+ [a-z_]+ +8\.8 +[0-9.]+ [a-z_]+$' "$work/figures.diff" &&
		[ "$(wc -l <"$work/figures.diff")" -eq 8 ]; then
		ok "figures: a run in part replaces its rows"
	else
		not_ok "figures: a run in part replaces its rows" "$work/figures.diff"
	fi
}

[ $# -gt 0 ] || set -- shellcheck build checkpatch kernel-doc contracts layers spelling docs pages
for what; do
	case $what in
	shellcheck)	check_shellcheck ;;
	build)		check_build ;;
	checkpatch)	check_checkpatch ;;
	kernel-doc)	check_kernel_doc ;;
	contracts|layers) check_script "$what" ;;
	spelling)	check_spelling ;;
	docs)		check_docs ;;
	pages)		check_pages ;;
	*)		die "no check \"$what\"; the top of scripts/style.sh lists them" ;;
	esac
done
echo "1..$count"
[ "$failed" -eq 0 ]
