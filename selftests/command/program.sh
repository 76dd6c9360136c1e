#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# What markers says of its command line.

# shellcheck source=selftests/command/kit
. "$(dirname "$0")/kit"

# says STATUS LINE COMMAND...: that status, and exactly this line on stderr
says()
{
	wanted=$1 line=$2
	shift 2
	"$@" >printed 2>error
	is "$? $(cat error)" "$wanted markers: $line" "$*"
}

says 2 "unknown option --bogus; try \"markers --help\"" markers --bogus
says 2 "unknown option --bogus; try \"markers list --help\"" markers list --bogus
says 2 "unknown option -x; try \"markers list --help\"" markers list -xl
says 2 "unknown option -x; try \"markers list --help\"" markers list -lx
says 2 "unknown option -x; try \"markers list --help\"" markers list --long -xl
says 2 "unknown option -x; try \"markers record --help\"" markers record --clock=mono -xC
says 2 "--o may be several options; try \"markers record --help\"" markers record --o
says 2 "--long takes no value; try \"markers list --help\"" markers list --long=1
says 2 "--help takes no value; try \"markers list --help\"" markers list --help=1
says 2 "--clock needs a value; try \"markers record --help\"" markers record --clock
says 2 "-C needs a value; try \"markers record --help\"" markers record -C
says 2 "unexpected argument \"x\"; try \"markers status --help\"" markers status x
version=$(sed -n 's/^#define MARKERS_VERSION_M[A-Z]*[[:space:]]*//p' "$here/../../markers/version.h" | paste -sd.)
is "$(markers --version)" "markers $version" "--version is that of markers.ko"
says 2 "--version takes no value: \"x\"; try \"markers --help\"" markers --version x
is "$(MARKERS_DIR='' markers status 2>&1)" "$(env -u MARKERS_DIR markers status 2>&1)" "an empty MARKERS_DIR is none"
for words in --help "list --help" "help list" --version; do
	# shellcheck disable=SC2086 # words
	is "$(markers $words 2>&1 >/dev/full; echo $?)" "markers: stdout: No space left on device
1" "$words, with a full disk"
done
make_trace lost 1000 lost
cp -r lost bad
printf 'xxxx' | dd of=bad/stream_0 conv=notrunc status=none
is "$(markers report --strict lost 2>&1 >/dev/full; echo $?)" "markers: stdout: No space left on device
1" "report --strict of a trace with losses, with a full disk"
for words in "check --strict lost" "latency --strict --key id lost io_begin io_end" "check bad"; do
	# shellcheck disable=SC2086 # words
	is "$(markers $words 2>&1 >/dev/full; echo $?)" "markers: stdout: No space left on device
1" "$words, with a full disk"
done
says 2 "no command \"bogus\"; try \"markers --help\"" markers bogus
says 2 "no command \"bogus\"; try \"markers --help\"" markers --man bogus
says 2 "no command \"bogus\"; try \"markers --help\"" markers help bogus
says 2 "which recording? Try \"markers report --help\"" markers report
says 2 "unexpected argument \"b\"; try \"markers report --help\"" markers report a b
is "$(markers report --help 2>&1 >/dev/full; echo $?)" "markers: stdout: No space left on device
1" "help of a command, with a full disk"
finish
