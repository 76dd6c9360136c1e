#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The recipes of Documentation/fleet.rst print what the page says, but for numbers and dates.
#
# usage: selftests/command/fleet.sh TOOLS OUT
# shellcheck disable=SC2317 # functions are run by "check"

# shellcheck source=selftests/command/kit
. "$(dirname "$0")/kit"
# shellcheck source=selftests/command/relayd
. "$here/relayd"

TZ=UTC
export TZ
make_trace trace 5000
make_trace other 100
mkdir fleet
for host in ant bee; do
	make_trace fleet/$host 100
	sed -i "s/testhost/$host/" fleet/$host/metadata
done
markers export -f trace.dat other -o trace.dat 2>error

# programs whose output would be that of this machine
mkdir bin
cat >bin/dmesg <<'END'
#!/bin/sh
[ "$*" = "--time-format iso" ] && echo "2023-11-14T22:13:21,000000+00:00 disk: a line of the kernel"
END
cat >bin/journalctl <<'END'
#!/bin/sh
[ "$*" = "-o short-iso-precise" ] && echo "2023-11-14T22:13:21.000001+0000 testhost daemon[7]: a line of the journal"
END
# the port is that of the test
cat >bin/markers <<END
#!/bin/sh
for word do
	shift
	[ "\$word" != localhost ] || word=localhost:$port
	set -- "\$@" "\$word"
done
exec "$(command -v markers)" "\$@"
END
chmod +x bin/*
PATH=$work/bin:$PATH

# recipe NAME: its commands run in one shell, in "NAME.sh", and what it prints, in "NAME.wanted"
recipe()
{
	awk -v name="$1" '
		/^\.\. recipe: / { on = $3 == name; next }
		/^[^\t:]/ { on = 0 }
		on && /^\t[$] / { print substr($0, 4) >name ".sh"; next }
		on && /^\t/ { print substr($0, 2) >name ".wanted" }
	' "$here/../../Documentation/fleet.rst"
	[ -s "$1.sh" ] && [ -s "$1.wanted" ]
	result $? "$1 is in the page"
}

# prints NAME: does the recipe print that?
prints()
{
	recipe "$1"
	if grep -q trace-cmd "$1.sh" && ! command -v trace-cmd >/dev/null; then
		skip "no trace-cmd" "$1"
		return
	fi
	LC_ALL=C sh "$1.sh" >"$1.said" 2>&1
	# numbers of sessions, ports; head may end a pipe early
	for file in "$1.said" "$1.wanted"; do
		sed -E '/addresses of functions stay/d; s/:'"$port"'//g; s/port [0-9]+/port N/; s/-[0-9]{8}-[0-9]{6}-[0-9]{6}-[0-9a-f]{4}/-DATE/' "$file" >"$file.plain"
	done
	diff -b "$1.wanted.plain" "$1.said.plain" >error
	result $? "$1 prints what the page says"
}

prints away
rm -f trace/.sent*
mkdir relay
relayd_start
prints send
markers send trace --to "$to" --session again --state state 2>error
rm relay/testhost/again-*/markers/stream_0
truncate -s 130000 relay/testhost/again-*/markers/stream_1
prints join
prints hosts
rm -f trace/.sent*
prints pack
prints merge-trace-cmd
# a text that looks like a time, lines without a time, more flags, a name with blanks, microseconds
grep '^sorted' merge-trace-cmd.sh >sorted.sh
cat >wanted <<'END'
           a-1         [000] .....     1.000000001: one: text=a 99.000000: b
 => stack_of_one
the rest of a text
       a [b] c-2         [011] ....     1.000000002: m:two: at 0.000001: c
           a-1         [000]     1.000001: three: 1
 => stack_of_three
END
{
	echo "# host: testhost"
	sed -n '4p' wanted
	echo "cpus=2"
	sed -n '5,6p' wanted
	sed -n '1,3p' wanted
} >mixed
(. ./sorted.sh && sorted <mixed) >said
diff wanted said >error
result $? "by the first time, with the lines below it"
prints merge-log
finish
