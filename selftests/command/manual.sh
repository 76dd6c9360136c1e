#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Help, man page and completion of each command have the same options.

# shellcheck source=selftests/command/kit
. "$(dirname "$0")/kit"

# the long options of a text
options()
{
	grep -oE -- '--[a-z][a-z-]*' | sort -u
}

markers --completion >completion
for command in $(markers --commands); do
	# only in the lines of options: the text may mention others
	markers "$command" --help | grep -E '^ +(-., |  +)--' | options >help
	markers --man "$command" | sed 's/\\-/-/g' | grep -A 1 '^\.TP' | options >page
	sed -n "/^\t$command)\$/,/;;/p" completion | options >complete
	[ -s help ] && diff help page >error && diff help complete >error
	result $? "$command: $(tr '\n' ' ' <help)"
done
# the Makefile takes them from the sources, as the programs may be gone by then
make -n -C "$here/../.." uninstall RELEASE=1 DESTDIR="$work/root" 2>error | grep -o 'man1/markers-[a-z_]*\.1' |
	sort >pages
markers --commands | sed 's,.*,man1/markers-&.1,' | sort >wanted
[ -s wanted ] && comm -13 pages wanted >error && [ ! -s error ]
result $? "make uninstall removes the page of each command"
if command -v bash >/dev/null; then
	# complete WORD...: the completions of the last word in bash
	cat >complete.bash <<-'END_OF_BASH'
		. ./completion
		COMP_WORDS=(markers "$@")
		COMP_CWORD=$#
		_markers
		echo "${COMPREPLY[@]}"
	END_OF_BASH
	is "$(bash complete.bash sna)" snapshot "bash completes a command"
	is "$(bash complete.bash record --ro)" --rotate "an option"
	is "$(bash complete.bash record -C mo)" mono "a clock"
	mkdir traces
	is "$(bash complete.bash snapshot tra)" traces "a directory"
else
	skip "no bash" "bash completes"
fi
finish
