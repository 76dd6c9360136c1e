#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The layout of traces is for little-endian machines: the code must not compile for
# another one, where it would write traces that no reader understands. Prints TAP.
#
# usage: selftests/host/endian.sh

set -u
# shellcheck source=selftests/host/results
. "$(dirname "$0")/results"

# compile OPTION...: the messages are in the log
compile()
{
	echo '#include <markers/uapi/ctf.h>' |
		gcc -I"$top" -fsyntax-only -Wno-builtin-macro-redefined "$@" -xc - >"$log" 2>&1
}
big_endian() { compile -U__BYTE_ORDER__ -D__BYTE_ORDER__=__ORDER_BIG_ENDIAN__; }
refused() { ! "$@"; }

echo 1..3
result "little endian compiles" compile
result "big endian does not" refused big_endian
result "and the message says why" grep -q 'little-endian machines only' "$log"
