#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The layout of traces is that of a little-endian machine: for another one it must not
# compile, rather than write what no reader understands. Prints TAP.
#
# usage: selftests/host/endian.sh

set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
number=0 failed=0

# check STATUS WHAT
check()
{
	number=$((number + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $number - endian: $2"
	else
		failed=1
		echo "not ok $number - endian: $2"
	fi
}

# compile OPTION...: the messages
compile()
{
	echo '#include <markers/uapi/ctf.h>' |
		gcc -I"$top" -fsyntax-only -Wno-builtin-macro-redefined "$@" -xc - 2>&1
}

compile >/dev/null
check $? "little endian compiles"
! said=$(compile -U__BYTE_ORDER__ -D__BYTE_ORDER__=__ORDER_BIG_ENDIAN__)
check $? "big endian does not"
echo "$said" | grep -q 'little-endian machines only'
check $? "and the message says why"
echo "1..$number"
exit $failed
