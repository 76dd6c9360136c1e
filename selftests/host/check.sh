#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# A second scripts/check with the same logs says so, and waits for the first. Stages that run at
# once make programs one after the other. Prints TAP.
#
# usage: selftests/host/check.sh

set -u
# shellcheck source=selftests/host/results
. "$(dirname "$0")/results"
echo 1..5

mkdir -p "$work/scripts" "$work/logs"
printf '#!/bin/sh\n: >%s\necho ok\n' "$work/ran" >"$work/scripts/style.sh"
chmod +x "$work/scripts/style.sh"
begin()
{
	TOP=$work BUILD=$work/build LOGS=$1 "$top/scripts/check" docs >"$log" 2>&1 &
	run=$!
}

# waits_and_says: until it says that it waits, or has ended
waits_and_says()
{
	until grep -q "another scripts/check.* writes to $work/logs" "$log"; do
		kill -0 $run || return 1
		sleep 0.1
	done
	[ ! -e "$work/ran" ]
}
passed() { wait $run && [ -e "$work/ran" ] && [ "$(tail -n 1 "$log")" = "1 passed, 0 failed" ]; }

exec 6>"$work/logs/.lock"
flock 6
begin "$work/logs" 6>&-
result "the second one waits, and says so" waits_and_says
exec 6>&-
result "it runs when the first has ended" passed
exec 6>"$work/logs/.lock"
flock 6
rm -f "$work/ran"
begin "$work/others" 6>&-
result "with other logs it does not wait" passed

# It holds the lock for as long as it makes something, and no longer.
mkdir "$work/program"
printf 'all:\n\t@: >began; until [ -e go ]; do sleep 0.1; done\n' >"$work/program/Makefile"
is_free() { flock -n "$work/build/.lock-make" true; }
holds_the_lock()
{
	until [ -e "$work/program/began" ]; do
		kill -0 $run || return 1
		sleep 0.1
	done
	! is_free
}
ends_with_it() { : >"$work/program/go" && wait $run && is_free; }

TOP=$work BUILD=$work/build sh -c '. "$0/scripts/lib.sh"; make_alone "$1"' "$top" "$work/program" >"$log" 2>&1 &
run=$!
result "make_alone: nobody else makes a program meanwhile" holds_the_lock
result "make_alone: its end is the end of the lock" ends_with_it
