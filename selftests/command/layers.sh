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

# walks of files that are gone: that is said, and what follows them is looked at
mkdir copy copy/scripts
cp -R "$here/../../markers" "$here/../../arch" "$here/../../Documentation" copy
cp -R "$here/../../scripts/markers" copy/scripts
sed -i 's,^\(\t *\)hit/dispatch.*\.c\t,\1hit/gone.c\t,' copy/Documentation/design.rst
python3 "$layers" copy >said 2>&1
grep -qx 'design.rst: there is no markers/hit/gone.c' said && ! grep -q Traceback said
result $? "a file of a walk that is not there is named"
finish
