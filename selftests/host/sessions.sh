#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# A test runs the session at the top of each sample: that test must have all
# commands of the session, in the same order. Prints TAP.
#
# usage: selftests/host/sessions.sh

set -u
# shellcheck source=selftests/host/results
. "$(dirname "$0")/results"
cd "$top" || exit 1

# SAMPLE TEST
pairs='marker-example sample-marker
probe-example sample-probe
kernel-events sample-events
kernel-syscalls sample-syscalls'

# missing SAMPLE TEST: the commands of the session that the test lacks
missing()
{
	sed -n 's/^ \*	# //p' "samples/$1.c" | awk '
		NR == FNR { line[n++] = $0; next }
		{
			for (i = at; i < n && line[i] != $0; i++)
				;
			if (i == n)
				print "not in the test, or in another place: " $0
			else
				at = i + 1
			commands++
		}
		END { if (!commands) print "no session found" }' \
		"selftests/test.d/00basic/$2.tc" -
}
complete() { ! missing "$@" | grep .; }

echo 1..4
while read -r sample test; do
	result "session of samples/$sample.c" complete "$sample" "$test"
done <<EOF
$pairs
EOF
