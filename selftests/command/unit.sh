#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The units of systemd that record for weeks and send that, and their examples of a configuration.

# shellcheck source=selftests/command/kit
. "$(dirname "$0")/kit"

units=$here/../../scripts/systemd
if command -v systemd-analyze >/dev/null; then
	for kind in record send; do
		sed "s,/usr/bin/markers,$(command -v markers)," "$units/markers-$kind@.service" >"markers-$kind@disk.service"
		systemd-analyze verify --man=no "./markers-$kind@disk.service" >error 2>&1
		is "$? $(grep -c disk.service error)" "0 0" "systemd has no complaint of $kind"
		# 96 of 100 if a unit says nothing of its rights
		systemd-analyze security --offline=true --no-pager --threshold=30 "./markers-$kind@disk.service" >error 2>&1
		result $? "what $kind could do to the system is little"
	done
	# a word that it does not know
	sed 's/^Restart=.*/Restart=of course/' "markers-record@disk.service" >"markers-record@bad.service"
	systemd-analyze verify --man=no "./markers-record@bad.service" >error 2>&1
	grep -q 'bad.service.*of course' error
	result $? "and would have one"
else
	skip "no systemd-analyze" "systemd has no complaint"
fi

# as systemd splits it: quotes are respected, no pattern becomes names of files
fake_markers
options=$(sed -n 's/^OPTIONS=//p' "$units/record.conf")
set -f
eval "set -- $options"
set +f
# shellcheck disable=SC2016 # $OPTIONS is systemd's
words=$(sed -n 's,^ExecStart=/usr/bin/markers \(.*\) \$OPTIONS$,\1,p' "$units/markers-record@.service" | sed "s,%S.*,lib,")
# shellcheck disable=SC2086 # as systemd splits them
status_is 0 "the example records" markers $words "$@" --own -- cp fake/set_marker got
is "$(cat got)" 'mydriver:*
mydriver:request if bytes > 65536' "what it says"
is "$(find lib -name '000001' | grep -c lib/markers-20)" 1 "into a directory of the day"
# shellcheck disable=SC2086 # as above
status_is 0 "and again" markers $words "$@" --own -- true
is "$(find lib -name '000001' | grep -c lib/markers-20)" 2 "into another one"

# the words of the unit, with the options of its example
options=$(sed -n 's/^OPTIONS=//p' "$units/send.conf")
# shellcheck disable=SC2016 # $OPTIONS is systemd's
# shellcheck disable=SC2016 # $OPTIONS is systemd's
words=$(sed -n 's,^ExecStart=/usr/bin/markers \(.*\) \$OPTIONS$,\1,p' "$units/markers-send@.service" | sed "s,%S.*,nowhere,")
# shellcheck disable=SC2086 # as above
status_is 1 "the other example sends" markers $words $options
grep -qx 'markers: nowhere: No such file or directory' error
result $? "what is in the directory"
finish
