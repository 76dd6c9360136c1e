#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# markers reset writes the defaults.

# shellcheck source=selftests/command/kit
. "$(dirname "$0")/kit"

fake_markers
printf '%s\n' m:one m:two n:three o:four >fake/available_markers
mkdir -p fake/events/m fake/events/n fake/events/o
cat >fake/events/m/sites <<'END'
one mode: default jump [breakpoint] sites: 1 nop
one 0 nop 0xffffffffc0000000 f+0x0/0x10 [m]
two mode: [default] jump breakpoint sites: 1 nop
two 0 nop 0xffffffffc0000000 f+0x0/0x10 [m]
END
cat >fake/events/n/sites <<'END'
three mode: [default] jump breakpoint sites: 2 jump
three 0 jump 0xffffffffc0000000 f+0x0/0x10 [n] f.c:1
three 1 jump 0xffffffffc0000000 f+0x0/0x10 [n] f.c:1 alone
END
echo 'four mode: [default] jump breakpoint sites: 1 nop' >fake/events/o/sites
cp fake/events/o/sites four
echo '[breakpoint]' >fake/mode
printf '90\t80\t1\t7\t2\t0\tm:one\n' >fake/hits

status_is 0 "a reset" markers reset
is "$(head -c 1 fake/hits)" 0 "the counts of hits"
is "$(head -c 4 fake/mode)" jump "the mode of all"
is "$(head -c 11 fake/events/m/sites)" "one default" "the mode of a marker"
is "$(head -c 9 fake/events/n/sites)" "three 1 0" "a site that was enabled alone"
cmp four fake/events/o/sites
result $? "one that has the default is left alone"
rm fake/mode
status_is 0 "without code that is patched" markers reset
[ ! -e fake/mode ]
result $? "there is no mode"
rm fake/hits fake/error_log
status_is 0 "in an instance" markers reset
[ ! -e fake/hits ] && [ ! -e fake/error_log ]
result $? "there are no counts and no messages"
finish
