#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# markers publish and unpublish, and what list and status say about it.

# shellcheck source=selftests/command/kit
. "$(dirname "$0")/kit"

fake_markers
printf 'm:one\nm:two\nm:three\nm:bad#refused\n' >fake/available_markers

# writes TEXT WHAT COMMAND...
writes()
{
	text=$1 what=$2
	shift 2
	: >fake/publish
	check "$what" "$@"
	is "$(cat fake/publish)" "$text" "what it writes"
}

writes 'm:*
!m:two
one
x:*' "several patterns" markers publish 'm:*' '!m:two' one,x:*
writes '!one
!m:two' "take markers back" markers unpublish one,m:two
writes '!' "take back nothing" markers unpublish ''

echo old:rule >fake/publish
check "only these" markers publish --only m:one
is "$(cat fake/publish)" "m:one" "the old rules are gone"
check "none" markers unpublish --all
is "$(cat fake/publish)" "" "no rule is left"

status_is 2 "no pattern" markers publish
status_is 2 "no pattern to take back" markers unpublish
status_is 2 "patterns and --all" markers unpublish --all one

: >fake/publish
check "patterns of no marker" markers publish bad nosuch
is "$(cat error)" "markers: bad: no loaded module has such a marker; it waits for one
markers: nosuch: no loaded module has such a marker; it waits for one" "it says which"

# what the kernel says after that
printf 'm:one\nm:two\nm:three\n*:nosuch # pending\n' >fake/publish
printf 'm:one\tm/one\tid 1401\tused by: ftrace perf\nm:two\tm/two\tid 1402\tused by: -\nm:three\t# tracefs has an event of that name\nold:gone\told/gone\tid 1403\tused by: perf bpf\n' >fake/published
check "a marker whose name is taken" markers publish m:three
is "$(cat error)" "markers: m:three: not published: tracefs has an event of that name" "it says so"
printf 'm:one\nm:two\nm:three\n*:nosuch # pending\n' >fake/publish
check "others" markers publish m:one
is "$(cat error)" "" "says nothing about markers that were not asked for"
printf 'm:one\nm:two\nm:three\n*:nosuch # pending\n' >fake/publish

is "$(markers list --published)" "m:one
m:two
m:three
old:gone" "list has the published ones, also of a module that is gone"
is "$(markers list --published --long 'm:*')" "-        m:one  published, used by ftrace, perf
-        m:two  published
-        m:three  not published: tracefs has an event of that name" "who uses them"
is "$(markers list --json m:one m:three m:bad)" '{"name":"m:one","enabled":false,"loaded":true,"state":"-","published":"m/one","used_by":["ftrace","perf"]}
{"name":"m:three","enabled":false,"loaded":true,"state":"-","not_published":"tracefs has an event of that name"}
{"name":"m:bad","enabled":false,"loaded":true,"state":"refused"}' "in JSON, too"
is "$(markers status | grep publ)" "published        m:one, used by ftrace perf
not published    m:three: tracefs has an event of that name
published        m:two
published        old:gone, used by perf bpf
published        *:nosuch, pending" "status has them"
markers status --json | grep -qF '"published":{"m:one":"ftrace perf","m:two":"","old:gone":"perf bpf"},"cpus"'
result $? "in JSON, too"

# before Linux 6.1, events go with a module
printf 'm:one\tm/one\tid 1401\tused by: -\t# goes with the next module that is unloaded, whichever it is\n' >fake/published
check "take one back" markers unpublish m:one
is "$(cat error)" "markers: m:one is still there: it goes with the next module that is unloaded, whichever it is" "it says so"
printf 'm:two\tm/two\tid 1402\tused by: -\t# goes with the next module that is unloaded, whichever it is\n' >>fake/published
check "take all back" markers unpublish --all
is "$(cat error)" "markers: m:two and 1 more are still there: each goes with the next module that is unloaded, whichever it is" "it says how many"
is "$(markers list --published --long m:one)" "-        m:one  published" "until then it is published"

# a markers.ko that cannot publish
rm fake/publish fake/published
status_is 1 "no file publish" markers publish m:one
is "$(cat error)" "markers: $work/fake/publish is not there: this markers.ko cannot publish markers" "the reason"
is "$(markers list --published)" "" "list has none"
check "status goes on" markers status
rm fake/error_log
status_is 1 "an instance" markers publish m:one
is "$(cat error)" "markers: $work/fake is an instance: markers are published without MARKERS_DIR" "the reason"
finish
