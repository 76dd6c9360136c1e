#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# A session at the top of a sample is one that a test runs: each of its
# commands must stand in the sample's test, in the same order. Prints TAP.
#
# usage: selftests/host/sessions.sh

set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
cd "$top" || exit 1

# SAMPLE TEST
pairs='marker-example sample-marker
probe-example sample-probe
kernel-events sample-events'

echo 1..3
count=0
echo "$pairs" | while read -r sample test; do
	count=$((count + 1))
	missing=$(sed -n 's/^ \*	# //p' "samples/$sample.c" | awk '
		NR == FNR { line[n++] = $0; next }
		{
			for (i = at; i < n && line[i] != $0; i++)
				;
			if (i == n)
				print "# not in the test, or not there: " $0
			else
				at = i + 1
			commands++
		}
		END { if (!commands) print "# no session found" }' \
		"selftests/test.d/00basic/$test.tc" -)
	if [ -z "$missing" ]; then
		echo "ok $count - session of samples/$sample.c"
	else
		echo "$missing"
		echo "not ok $count - session of samples/$sample.c"
	fi
done
