#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The queries of Documentation/query.rst print what the page says.
#
# usage: selftests/command/questions.sh TOOLS OUT

# shellcheck source=selftests/command/kit
. "$(dirname "$0")/kit"

command -v markers-query >/dev/null || { echo "1..0 # SKIP no libsqlite3-dev"; exit 0; }
make_trace trace 1000 service
make_trace slow 1000 slow
make_trace lossy 3000 lost
make_trace stacks 300 stack
mkdir stacks/info
printf '%s\n' '# came 0 disk' 'ffffffff81000000 T _text' 'ffffffff81000200 T sys_read' \
	'ffffffffc0001000 t disk_submit	[disk]' >stacks/info/symbols

# After ".. question", a command begins with "$ ", and goes on until its quotation marks are closed:
# NUMBER.command, NUMBER.wanted, and NUMBER.title, that of the section.
awk '
	/^(---|===)/ { title = last }
	{ last = $0 }
	/^\.\. question/ { on = 1 }
	!/^\t/ { if (seen && NF) on = seen = 0; open = 0; next }
	!on { next }
	{ line = substr($0, 2); seen = 1 }
	!open && line ~ /^[$] / {
		n++
		line = substr(line, 3)
		print title >n ".title"
		printf "" >n ".wanted"
		open = 1
		quotes = 0
	}
	!open { print line >n ".wanted"; next }
	{
		print line >n ".command"
		quotes += gsub(/"/, "", line)
		if (quotes % 2 == 0)
			open = 0
	}' "$here/../../Documentation/query.rst"
nr=0
while [ -e $((nr + 1)).command ]; do
	nr=$((nr + 1))
	sh $nr.command >$nr.got 2>&1
	diff $nr.wanted $nr.got >error
	result $? "$(cat $nr.title)"
done
# of two hosts, an event counts once
for host in ant bee; do
	mkdir -p hosts
	cp -r trace hosts/$host
	sed -i "s/testhost/$host/" hosts/$host/metadata
done
often=$(grep -lx "Is an error more frequent at some time?" ./*.title)
often=${often%.title}
sed 's/query trace /query hosts /' "$often.command" >hosts.command
sh hosts.command 2>&1 | awk '{ print $1, $2, $3 }' >got
awk 'NR > 1 { $2 *= 2; $3 *= 2 } { print $1, $2, $3 }' "$often.wanted" | diff - got >error
result $? "of two hosts, twice as many"
[ $nr -ge 20 ]
result $? "at least twenty"
finish
