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
# only text, and the further lines of an option stand below its first one
for command in $(markers --commands); do
	markers "$command" --help >help
	markers --man "$command" >page
	! LC_ALL=C grep -n '[^[:print:][:space:]]' help page >error
	result $? "$command: no control character"
	! sed '1,/^Options:/d' help | grep -v '^  [- ]' >error
	result $? "$command: all lines of options are indented"
done
! LC_ALL=C grep -n '[^[:print:][:space:]]' completion >error
result $? "completion: no control character"
# each page has these sections; those that it refers to are there
markers --commands | sed 's/.*/.BR markers\\-& (1),/' >known
for command in '' $(markers --commands); do
	# shellcheck disable=SC2086 # perhaps none
	markers --man $command >page
	is "$(sed -n 's/^\.SH //p' page | grep -E '^(EXIT|ENV|FILES|EXAMPLES|SEE)' | tr '\n' ,)" \
		"EXIT STATUS,ENVIRONMENT,FILES,EXAMPLES,SEE ALSO," "${command:-markers}: the sections"
	grep -q MARKERS_DIR page && sed -n '/^\.SH EXAMPLES/,/^\.SH SEE/p' page | grep -q '^[[:space:]]markers' &&
		! sed -n '/^\.SH SEE/,$p' page | grep '^\.BR markers.-[a-z]' | grep -vxFf known
	result $? "${command:-markers}: examples, and other pages"
done
# the examples are command lines that are understood
for command in $(markers --commands); do
	markers --man "$command" | sed -n '/^\.SH EXAMPLES/,/^\.SH SEE/s/^[[:space:]]*markers/markers/p' | sed 's/\\-/-/g; s/ | .*//; s/ && .*//; s/; .*//; s/ -- .*//'
done >examples
MARKERS_DIR=/nonexistent
export MARKERS_DIR
while read -r line; do
	case $line in "markers boot"*) line="$line --dir $work/boot" ;; esac
	timeout 20 sh -c "cd '$work' && $line" >said 2>&1 </dev/null
	[ $? -ne 2 ] || { echo "# $line"; sed 's/^/# /' said; false; }
done <examples
result $? "no example is a wrong command line"
unset MARKERS_DIR
# the Makefile takes them from the sources, as the programs may be gone by then
make -n -C "$here/../.." uninstall RELEASE=1 DESTDIR="$work/root" 2>error | grep -o 'man1/markers-[a-z_]*\.1' |
	sort >pages
markers --commands | sed 's,.*,man1/markers-&.1,' | sort >wanted
[ -s wanted ] && comm -13 pages wanted >error && [ ! -s error ]
result $? "make uninstall removes the page of each command"
if command -v bash >/dev/null; then
	# "markers list" lists these; all else is that of the program
	cat >markers.bash <<-'END_OF_BASH'
		markers()
		{
			if [ "$1" = list ]; then
				echo marker_example:example_peer marker_example:example_leaf disk:queue
			else
				command markers "$@"
			fi
		}
	END_OF_BASH
	# complete WORD...: the completions of the last word in bash, which splits words at : and =
	cat >complete.bash <<-'END_OF_BASH'
		. ./completion
		. ./markers.bash
		COMP_WORDS=(markers)
		for word; do
			while [[ $word =~ ^([^:=\"\']*)([:=]+)(.*)$ ]]; do
				[ -z "${BASH_REMATCH[1]}" ] || COMP_WORDS+=("${BASH_REMATCH[1]}")
				COMP_WORDS+=("${BASH_REMATCH[2]}")
				word=${BASH_REMATCH[3]}
				[ -n "$word" ] || continue 2
			done
			COMP_WORDS+=("$word")
		done
		COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
		_markers
		echo "${COMPREPLY[@]}"
	END_OF_BASH
	# completes WANTED WHAT WORD...
	completes()
	{
		wanted=$1 what=$2
		shift 2
		is "$(bash complete.bash "$@" 2>&1)" "$wanted" "$what"
	}
	completes snapshot "bash completes a command" sna
	completes record "a command after help" help rec
	completes --rotate "an option" record --ro
	completes mono "a clock" record -C mo
	completes mono "a clock after =" record --clock=mo
	completes "tsc cntvct mono boot counter" "all clocks" record --clock=
	completes export "another command" help exp
	completes perfetto "a format" export -f per
	completes json "another" report --format=j
	mkdir traces
	completes traces "a directory" snapshot tra
	completes "marker_example:example_peer marker_example:example_leaf" "some" enable mark
	completes "example_peer example_leaf" "after the colon" enable disk:queue marker_example:
	completes example_peer "after the colon with letters" record -e marker_example:example_p
	completes marker_example:example_peer "in quotation marks" enable '"marker_example:example_p'
	completes '!disk:queue' "what is left out" enable '!dis'
	completes "" "a file" report --where tra
	completes mapfile "a command of record" record -e disk:queue --clock=mono mapf
	completes mapfile "after --" record -b 1M -- mapf
	completes "" "a file for it" record -b 1M -- mapfile -e mapf
	# in a bash with a terminal, which splits words itself
	cat >terminal.py <<-'END_OF_PYTHON'
		import os
		import pty
		import sys
		pid, fd = pty.fork()
		if not pid:
		    os.environ.update(PS1='> ', TERM='xterm', INPUTRC='/dev/null')
		    os.execvp('bash', ['bash', '--norc', '--noprofile', '-i'])
		os.write(fd, b'. ./completion; . ./markers.bash; stty -echo\n')
		os.write(fd, b'markers() { [ "$1" = list ] && echo disk:queue disk:quick || printf "<%s>" "$@"; }\n')
		os.write(fd, sys.argv[1].encode().replace(b'TAB', b'\t') + b'; echo; echo en\'\'d; exit\n')
		got = b''
		while b'\nend' not in got:
		    more = os.read(fd, 4096)
		    if not more:
		        break
		    got += more
		sys.stdout.write(got.decode().replace('\r', '').split('\nend')[0].split('\n')[-1])
	END_OF_PYTHON
	is "$(timeout 60 python3 terminal.py 'markers enable disk:queTAB')" "<enable><disk:queue>" "in a terminal"
else
	skip "no bash" "bash completes"
fi
finish
