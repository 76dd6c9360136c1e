#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# markers boot writes only parameters that markers.ko accepts, and writes the file as a whole.

# shellcheck source=selftests/command/kit
. "$(dirname "$0")/kit"

# refused ARGUMENT...: the kernel would refuse it
refused()
{
	status_is 2 "refused: markers boot $(echo "$*" | cut -c 1-40)" markers boot --dir d "$@"
	[ ! -e d/markers.conf ]
	result $? "and no file"
	rm -rf d
}

# written LINE ARGUMENT...
written()
{
	line=$1
	shift
	status_is 0 "markers boot $(echo "$*" | cut -c 1-40)" markers boot --dir d "$@"
	is "$(markers boot --dir d)" "options markers $line" "what is written"
	rm -rf d
}

long=$(awk 'BEGIN { for (i = 0; i < 1020; i++) printf "a" }')
refused 'x y'
refused a.b
refused foo:
refused :foo
refused '!'
refused a:b:c
refused a,b
refused '!foo:bar'
refused foo:bar '!foo:baz'
refused '!foo:bar' foo:bar
refused "$long" bcde
refused -b 16K foo:bar
refused -b 4000G foo
refused -b 8M
refused --overwrite
refused -C tcs foo:bar
refused -C '' foo:bar
case $(uname -m) in
aarch64)	own=cntvct other=tsc ;;
*)		own=tsc other=cntvct ;;
esac
refused -C $other foo:bar
refused foo --publish a:b:c
refused foo --publish '!foo:bar'
refused --publish "$long" --publish bcde
written "enable=foo publish=a:*,!a:b" foo --publish 'a:*' --publish '!a:b'
written "publish=a:* buffer_size_kb=64" -p 'a:*' -b 64K
status_is 2 "patterns and --off" markers boot --dir d --off --publish a
written "enable=$long,bcd" "$long" bcd
written 'enable=test-a:*,!test_a:x,!*_a:*y' 'test-a:*' '!test_a:x' '!*_a:*y'
written 'enable=foo buffer_size_kb=32 trace_clock=boot overwrite=1' -b 32K -C boot --overwrite foo
written 'enable=foo buffer_size_kb=1048576' -b 1G foo
written "enable=foo trace_clock=$own" -C $own foo

# the old file stays until the new one is complete
markers boot --dir d first
(
	ulimit -f 0
	trap '' XFSZ
	markers boot --dir d second
) 2>error
is $? 1 "status without room"
is "$(markers boot --dir d)" "options markers enable=first" "the file is the old one"
is "$(ls -A d)" markers.conf "nothing else is left"

# a file that another program left empty
: >d/markers.conf
status_is 0 "an empty file is shown" markers boot --dir d
status_is 0 "an empty file is replaced" markers boot --dir d second
is "$(markers boot --dir d)" "options markers enable=second" "by a whole one"
is "$(stat -c %a d/markers.conf)" 644 "which anybody can read"
sed -n 1p d/markers.conf >first-line
cp first-line d/markers.conf
status_is 0 "a file without its last line is shown" markers boot --dir d
status_is 0 "--off" markers boot --dir d --off
is "$(ls -A d)" '' "the file is gone"

echo "options markers enable=x" >d/markers.conf
status_is 1 "somebody else's file is not removed" markers boot --dir d --off
status_is 1 "nor replaced" markers boot --dir d other
is "$(cat d/markers.conf)" "options markers enable=x" "nor changed"
rm d/markers.conf
mkdir d/markers.conf
status_is 1 "a file that cannot be read" markers boot --dir d other
is "$(cat error)" "markers: d/markers.conf: Is a directory" "it says why"
finish
