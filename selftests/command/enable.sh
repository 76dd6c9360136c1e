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

check "a trigger for several patterns" markers enable -t traceoff:1 one+count,two 'three if a > 1'
is "$(cat fake/triggers)" "one traceoff:1
two traceoff:1
three traceoff:1" "the triggers"
finish
