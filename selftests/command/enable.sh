#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# markers enable and disable: several patterns in a word, filters and options.

# shellcheck source=selftests/command/kit
. "$(dirname "$0")/kit"

fake_markers
printf 'm:one\nm:two\nm:bad#refused\n' >fake/available_markers

# writes TEXT WHAT COMMAND...
writes()
{
	text=$1 what=$2
	shift 2
	: >fake/set_marker
	check "$what" "$@"
	is "$(cat fake/set_marker)" "$text" "what it writes"
}

writes '!one
!m:two
!three' "disable several patterns" markers disable one,m:two three
writes '!' "disable nothing" markers disable ''
writes 'one if a > 1, 2
two if a > 1, 2
!m:x
three if b
four if a > 1, 2' "a filter for several patterns" markers enable -f 'a > 1, 2' one,two '!m:x' 'three if b' four
writes 'one if a > 1
two' "a pattern with a filter, and one without" markers enable 'one if a > 1' two

markers enable one+count two=count bad+stack=4 nosuch+count 2>error
is "$(cat error)" "markers: bad+stack=4: cannot be recorded; the file \"refused\" in its directory says why
markers: nosuch+count: no loaded module has such a marker; it waits for one" "which of the patterns with options wait"

status_is 2 "a second filter" markers enable -f 'a > 1' -f 'b > 1' one two
is "$(cat error)" 'markers: -f "b > 1": a second filter; write PATTERN if FILTER, for each; try "markers enable --help"' "the reason"

# a filter that fits some; the kernel marks the others
cat >fake/set_marker <<'END'
m:one if a > 1
m:two#filter_refused if a > 1
n:old#filter_refused if b > 1
END
printf 'm:one\nm:two#filter_refused\nm:bad#refused\nn:old#filter_refused\nn:new\n' >fake/available_markers
grep -v '^#' fake/set_marker | sed 's/#filter_refused//' >fake/filters
cp fake/set_marker marked
check "a filter that does not fit all" markers enable -f 'a > 1' 'm:*' '!m:x'
is "$(cat error)" "markers: m:two: the filter does not fit it: none of its hits is recorded" "those that it does not fit"
cp marked fake/set_marker
check "another one" markers enable n:new
is "$(cat error)" "" "says nothing about others"
cp marked fake/set_marker
is "$(markers status | grep -e ' m:' -e ' n:')" "enabled          m:one if a > 1
misfit           m:two if a > 1
misfit           n:old if b > 1" "status shows filters"
markers status --json | grep -q '"misfit":\["m:two","n:old"\],"filters":{"m:one":"a > 1","m:two":"a > 1","n:old":"b > 1"}'
result $? "in JSON, too"
is "$(markers list --long m:one m:two n:new)" "enabled  m:one  if a > 1
misfit   m:two#filter_refused  if a > 1
-        n:new" "list shows filters"
is "$(markers list --json m:two)" '{"name":"m:two","enabled":true,"loaded":true,"state":"misfit","filter":"a > 1"}' "in JSON, too"
: >fake/set_marker
printf 'm:one\nm:two\nm:bad#refused\n' >fake/available_markers

check "a trigger for several patterns" markers enable -t traceoff:1 one+count,two 'three if a > 1'
is "$(cat fake/triggers)" "one traceoff:1
two traceoff:1
three traceoff:1" "the triggers"
finish
