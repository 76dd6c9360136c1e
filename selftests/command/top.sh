#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# markers top reports losses.

# shellcheck source=selftests/command/kit
. "$(dirname "$0")/kit"

fake_markers

# lost NUMBER
lost()
{
	printf '%s: 0\n' written read unread open >stats
	echo "lost: $1" >>stats
	cp stats fake/per_cpu/cpu0/stats.new
	mv fake/per_cpu/cpu0/stats.new fake/per_cpu/cpu0/stats
}

# says LOST BEFORE
says()
{
	wait_for grep -q "^lost: $1, and $2 before that$" tables
	result $? "$1 lost, and $2 before that"
}

: >tables
lost 12
markers top -d 0.1 >tables 2>error &
says 12 0
lost 20
says 8 12
lost 3
says 3 0	# somebody has emptied the buffers
kill -TERM $!
wait $!
is $? 0 "status"
finish
