#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# markers record and snapshot: the directory, and what is left of it after a failure.

# shellcheck source=selftests/command/kit
. "$(dirname "$0")/kit"

fake_markers
cat fake/set_marker fake/tracing_on fake/overwrite fake/buffer_percent >before

# settings_are_back WHAT
settings_are_back()
{
	cat fake/set_marker fake/tracing_on fake/overwrite fake/buffer_percent >after
	cmp before after
	result $? "$1: the settings are back"
}

status_is 0 "a command is recorded" markers record -o trace -- true
is "$(find trace -perm /077)" '' "only the owner can read the recording"
[ -s trace/metadata ] && [ -s trace/info/symbols ] && [ -s trace/info/settings ]
result $? "it is complete"
status_is 0 "with parts" markers record --rotate 64K -o parts -- true
is "$(find parts -perm /077)" '' "only the owner can read them"
settings_are_back "after a command"

# what does not begin leaves what was there
status_is 1 "a command that does not exist" markers record -o nothing -- ./nosuchcommand
[ ! -e nothing ]
result $? "leaves no recording"
mkdir mine
status_is 1 "the same, into a directory that is there" markers record --rotate 64K -o mine -- ./nosuchcommand
is "$(ls -A mine 2>&1)" '' "it stays, empty"
rm -r mine
settings_are_back "after a command that does not exist"

# snapshots: the first one cannot be copied, the second one can
rm -f ready
cat >two <<'END'
kill -USR1 $PPID
i=0
until grep -q snapshot_ctf error || [ $i -gt 100 ]; do sleep 0.05; i=$((i + 1)); done
[ ! -e flight/snapshot-1 ] || echo left >left
mkdir fake/snapshot_ctf
: >fake/snapshot_ctf/stream_0
echo '/* CTF 1.8 */' >fake/snapshot_ctf/metadata
kill -USR1 $PPID
i=0
until grep -q 'a snapshot is in' error || [ $i -gt 100 ]; do sleep 0.05; i=$((i + 1)); done
END
status_is 1 "a snapshot that failed is in the exit status" markers record --snapshot-on signal -o flight -- sh ./two
[ ! -e left ]
result $? "nothing is left of it"
[ -s flight/snapshot-1/metadata ]
result $? "the next one is whole"
grep -q '^markers: 1 snapshot in flight$' error
result $? "one is counted"

# a snapshot replaces the last one, so the place for it is looked at before
echo 0 >fake/snapshot
mkdir full
: >full/file
status_is 1 "a snapshot to a directory with files" markers snapshot -o full
is "$(cat fake/snapshot)" 0 "was not taken"
status_is 0 "a snapshot" markers snapshot -o copy
is "$(cat fake/snapshot) $(cat copy/metadata)" "1 /* CTF 1.8 */" "was taken and copied"
rm -r fake/snapshot_ctf
status_is 1 "a snapshot that cannot be copied" markers snapshot -o copy-2
grep -q -- --keep error
result $? "says how to copy it"
[ ! -e copy-2 ]
result $? "and leaves nothing"
finish
