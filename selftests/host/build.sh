#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# scripts/build builds again what has changed since, also if that was during the last build, and
# nothing else. Prints TAP.
#
# usage: selftests/host/build.sh

set -u
# shellcheck source=selftests/host/results
. "$(dirname "$0")/results"
echo 1..4

kernel=$work/build/kernels/none
mkdir -p "$work/scripts" "$kernel/headers"
: >"$kernel/makeflags"
printf '#!/bin/sh\necho %s\n' "$kernel" >"$work/scripts/kernel"
chmod +x "$work/scripts/kernel"
# In place of a kernel's: an "object" has what was in the source. CHANGE is written meanwhile.
cat >"$kernel/headers/Makefile" <<'END'
modules: $(M)/object
$(M)/object: $(M)/source
	text=$$(cat $<); echo two >$(or $(CHANGE),/dev/null); echo $$text >$@; echo built
END

# builds TEXT [ARGUMENT...]: the object then has TEXT
builds()
{
	text=$1
	shift
	TOP=$work BUILD=$work/build "$top/scripts/build" none "$@" >"$log" 2>&1 &&
		[ "$(cat "$work/build/out/none/object")" = "$text" ]
}

echo one >"$work/source"
touch -d 2000-01-01 "$work/source"
result "a source is built" builds one CHANGE="$work/source"
result "one that changes during a build is built by the next one" builds two
nothing_new() { builds two && ! grep -q '^built' "$log"; }
touch "$work/source"
result "one with the same content is not" nothing_new
echo three >"$work/source"
touch -d 2001-01-01 "$work/source"
result "one with an old date is" builds three
