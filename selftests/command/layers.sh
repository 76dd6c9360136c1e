#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Calls between the files of the command go down, from room to room, and in no circle.

# shellcheck source=selftests/command/kit
. "$(dirname "$0")/kit"

layers=$here/../../scripts/check-layers.py
command -v python3 >/dev/null || { echo "1..0 # SKIP no python3"; exit 0; }
check "calls go down" python3 "$layers" --calls "$(dirname "$(command -v markers)")/obj" scripts/markers/

# object PATH CODE: compiled in place of the file of this name
object()
{
	mkdir -p "$(dirname "tree/$1")"
	echo "$2" | ${CC:-cc} -xc -c -o "tree/$1.o" -
}
object base/file 'void high(void); void low(void) { high(); }'
object commands/list 'void one(void); void high(void) { one(); }'
object commands/top 'void high(void); void one(void) { high(); }'
python3 "$layers" --calls tree scripts/markers/ >said
grep -q 'base/file uses high() of scripts/markers/commands/list: .*above it$' said
result $? "a call upwards is found"
grep -q 'a circle of calls: scripts/markers/commands/list' said
result $? "a circle is found"
finish
