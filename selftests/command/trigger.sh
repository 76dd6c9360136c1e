#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# markers enable --trigger, list --triggers and reset write and show the right triggers.

# shellcheck source=selftests/command/kit
. "$(dirname "$0")/kit"

fake_markers
printf 'm:one\nm:two\n' >fake/available_markers
status_is 0 "enable with a trigger" markers enable --trigger 'traceoff:1 if a < 0' m:one m:two
is "$(cat fake/triggers)" "m:one traceoff:1 if a < 0
m:two traceoff:1 if a < 0" "the triggers"
is "$(cat fake/set_marker)" "m:one
m:two" "what is enabled"
is "$(markers list --triggers)" "$(cat fake/triggers)" "the list of triggers"
status_is 2 "the list of one pattern" markers list --triggers m:one
is "$(cat error)" 'markers: --triggers shows all of them: leave out the PATTERN; try "markers list --help"' "is refused"
status_is 0 "a reset" markers reset
is "$(cat fake/triggers)" "" "the triggers after it"
rm fake/triggers
status_is 1 "no file of triggers" markers list --triggers
grep -q '^markers: .*triggers: No such file or directory' error
result $? "the reason"
finish
