#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# markers reset writes the defaults.

# shellcheck source=selftests/command/kit
. "$(dirname "$0")/kit"

fake_markers
echo m:one >fake/available_markers
echo m:two >>fake/available_markers
echo m:filter >>fake/available_markers
mkdir -p fake/events/m/one fake/events/m/two fake/events/m/filter.d
echo none >fake/events/m/filter
cat >fake/events/m/one/sites <<'END'
mode: default jump [breakpoint] sites: 1 nop
0 nop 0xffffffffc0000000 f+0x0/0x10 [m]
END
echo 'mode: [default] jump breakpoint sites: 1 nop' >fake/events/m/two/sites
cp fake/events/m/two/sites two
cp fake/events/m/one/sites fake/events/m/filter.d/
echo '[breakpoint]' >fake/mode

status_is 0 "a reset" markers reset
is "$(head -c 4 fake/mode)" jump "the mode of all"
is "$(head -c 7 fake/events/m/one/sites)" default "the mode of a marker"
is "$(head -c 7 fake/events/m/filter.d/sites)" default "of one that is named as a file is"
cmp two fake/events/m/two/sites
result $? "one that has the default is left alone"
rm fake/mode
status_is 0 "without code that is patched" markers reset
[ ! -e fake/mode ]
result $? "there is no mode"
finish
