#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# markers send, where something is wrong: no collector, one that refuses, a full disk, a slow or cut
# link. Each has a message and a status, and nothing is lost. And viewers, which follow.
#
# usage: selftests/command/collector.sh TOOLS OUT
# shellcheck disable=SC2317 # functions are run by "check"

# shellcheck source=selftests/command/kit
. "$(dirname "$0")/kit"
# shellcheck source=selftests/command/relayd
. "$here/relayd"

make_trace plain 5000
mkdir relay

# says WHAT TEXT: is it in what the last command said?
says()
{
	grep -q -e "$2" said || sed 's/^/# /' said
	grep -q -e "$2" said
	result $? "$1"
}

# fails WHAT TEXT ARGUMENT...: markers send fails, and says TEXT
fails()
{
	what=$1 text=$2
	shift 2
	markers send "$@" >said 2>&1
	is $? 1 "$what"
	says "$what: the message" "$text"
}

#
# The command line, and the directory
#
for words in "plain" "--to $to" "--to :5 plain" "--to a:0 plain" "--to a:1:x plain" "--to [::1 plain" \
	"--to $to --retry x plain" "--to $to --protocol 2.14 plain" "--to $to --protocol 3.1 plain" \
	"--to $to --host a/b plain" "--to $to --session .a plain" "--to $to --session $(printf '%0201d' 1) plain" \
	"--to $to --delay 10001 plain"; do
	# shellcheck disable=SC2086 # words
	check "status 2: send $(echo "$words" | cut -c 1-60)" status 2 markers send $words
done
fails "no directory" "nowhere: No such file" --to "$to" nowhere
mkdir empty
fails "no recording" "empty: not a recording" --to "$to" empty
mkdir idle
cp plain/metadata idle
fails "a recording without an event" "idle: there is no stream in it, so there is nothing to send" --to "$to" idle
fails "no collector" "Connection refused: does lttng-relayd run there" --to "$to" --retry 0 plain
says "what to do" "the same command goes on"
fails "no such host" "no-such-host.invalid" --to no-such-host.invalid --retry 0 plain
printf 'something else\n' >plain/.sent-to-x
fails "a state that is none" "is not what \"markers send\" writes; remove it" --to "$to" --state plain/.sent-to-x plain
rm plain/.sent-to-x
if [ "$(id -u)" -eq 0 ]; then
	chmod 755 "$work"
	cp -r plain unwritable
	rm -f unwritable/.sent*
	chmod 555 unwritable
	cp "$(command -v markers)" .
	as_nobody="setpriv --reuid=65534 --regid=65534 --clear-groups"
	$as_nobody ./markers send unwritable --to "$to" 2>said
	is $? 1 "a directory without the right to write"
	says "--state is suggested" "Permission denied; --state names a file that can be written"
	chmod 700 plain
	$as_nobody ./markers send plain --to "$to" 2>said
	is $? 1 "a directory without the right to read"
	says "who can" "send as the user who recorded, or as root"
else
	skip "not root" "a directory without rights"
fi

#
# Collectors that are wrong
#
# stub HOW: another collector, at $port
stub()
{
	python3 "$here/relay_stub.py" "$port" "$1" >asked 2>/dev/null &
	stub_pid=$!
	wait_for is_listening "$port" && wait_for is_listening $((port + 1))
}

end_stub()
{
	kill "$stub_pid" 2>/dev/null
	wait "$stub_pid" 2>/dev/null
	port=$((port + 3))
	to=127.0.0.1:$port
}

stub 3.0
fails "protocol 3.0" "speaks protocol 3.0, and this program 2.8 to 2.13" --to "$to" plain
end_stub
stub 2.7
fails "protocol 2.7" "speaks protocol 2.7.*install a newer lttng-tools there" --to "$to" plain
end_stub
stub garbage
fails "no relayd" "no lttng-relayd answers there" --to "$to" plain
end_stub
stub refuse
fails "the session is refused" "cannot create a file: may it write to its directory" --to "$to" --retry 0 plain
end_stub
stub close
fails "a collector that closes" "closed the connection: its log says why" --to "$to" --retry 1 plain
end_stub
# two that need 30 s
mkdir -p late/info
cp plain/metadata plain/stream_* late
printf 'clock: mono\nend: 1\n' >late/info/clock
stub info
late_stub=$stub_pid
markers send --to "$to" --retry 0 late 2>said.late &
late_pid=$!
port=$((port + 3))
to=127.0.0.1:$port
# lttng-relayd answers all questions before it takes a packet
stub silent
fails "a collector that writes nothing" "the collector writes nothing for 3[0-9] s" --to "$to" --retry 0 plain
end_stub
wait "$late_pid"
is $? 1 "a collector that does not write the folder info"
mv said.late said
says "its message" "the collector writes nothing for 30 s"
kill "$late_stub"
[ "$(grep -c asked asked)" -gt 3 ] && [ "$(grep -c asked asked)" -le 200 ]
result $? "it is asked again, but not all the time"
check "none of these has a packet" sh -c "! grep -h '^cpu' plain/.sent*"
# its disk is full while it is behind
make_trace huge 180000
stub full
fails "a collector that is always behind" "the last packet of ./stream_0 there is [0-9]" --to "$to" --retry 0 huge
end_stub
rm huge/.sent*

#
# Two senders of one recording
#
relayd_start
mkdir -p slow
python3 "$here/grow.py" plain slow --hold go --pause 5 &
grow_pid=$!
wait_for test -e slow/metadata
: >said
sender slow --to "$to"
wait_for test -e "slow/.sent-to-$to"
markers send slow --to "$to" 2>error
is $? 1 "a second sender of a recording ends"
check "and says why" sh -c "markers send slow --to $to 2>&1 | grep -q 'another .markers send. sends this recording'"
kill -INT "$sender_pid"
wait "$sender_pid"
is $? 1 "SIGINT ends the first one"
says "and it says what to do" "the same command goes on"
touch go
wait "$grow_pid"
check "which sends the rest" markers send slow --to "$to"
check "the two sessions can be joined" markers join relay/testhost -o joined
check "to what was recorded" same_streams plain joined
rm -rf joined relay/* go

#
# Half a packet
#
markers send plain --to "$to" --session one --state state.1 2>said
markers send plain --to "$to" --session two --state state.2 2>said
truncate -s 100000 relay/testhost/one-*/markers/stream_0
check "half a packet that another piece has" markers join relay/testhost -o joined
check "is joined" same_streams plain joined
markers report plain >wanted
markers report relay >got 2>said
is $? 0 "and report bears it"
check "with each packet" cmp wanted got
# no copy is made to read them
TMPDIR=/nonexistent markers check relay >got 2>error
is $? 0 "and check"
is "$(cat got)" "$(markers check plain | sed 's/^plain/relay/')" "with each packet, too"
check "export to lttng joins them" env TMPDIR=/nonexistent "$(command -v markers)" export --format lttng -o lttng relay
markers export --format lttng -o lttng.plain plain
check "to the same packets" same_streams lttng.plain lttng
rm -rf joined lttng
truncate -s 100000 relay/testhost/two-*/markers/stream_0
markers join relay/testhost -o joined 2>said
is $? 1 "if no piece has it, join fails"
says "and says where" "stream_0: at byte 95304: a packet is cut off"
check "but keeps the rest" cmp -n 95304 plain/stream_0 joined/stream_0
check "which is whole" markers check joined
markers report relay >got 2>said
is $? 1 "so does report"
markers check relay >got 2>said.check
is $? 1 "and check"
grep -q "^# .*stream_0: is damaged, and no other piece has what is left out$" got
result $? "which says what is missing"
grep -q "stream_0: at byte 95304: a packet is cut off" said.check
result $? "and where"
markers export --format lttng -o lttng relay 2>said
is $? 1 "and export to lttng"
is "$(grep -c "stream_0: at byte 95304: a packet is cut off" said)" 2 "for both pieces"
check "with the rest" cmp -n 95304 plain/stream_0 lttng/stream_0
rm -rf lttng
markers report relay >got 2>said
says "report names the place" "stream_0: at byte 95304: a packet is cut off"
rm -rf joined relay/*
relayd_kill

#
# A full disk
#
make_trace big 60000
# it has room for more than may be sent before anything is written
if [ "$(id -u)" -eq 0 ] && mount -t tmpfs -o size=8m none relay 2>/dev/null; then
	relayd_start
	markers send huge --to "$to" --retry 2 >said 2>&1
	is $? 1 "the disk of the collector is full"
	says "the last packet there is named" "the last packet of ./stream_0 there is [0-9]"
	relayd_kill
	umount relay
	relayd_start
	check "with room it gets the rest" markers send huge --to "$to"
	check "it had a part already" test "$(du -sb relay | cut -f 1)" -lt "$(du -sb huge | cut -f 1)"
	relayd_kill
else
	skip "no right to mount" "the disk of the collector is full"
fi
rm -rf relay/*

#
# A slow link, which is cut meanwhile
#
# the two ends
near=near.$$ far=far.$$
end_link()
{
	ip netns del $near 2>/dev/null
	ip netns del $far 2>/dev/null
}

begin_link()
{
	ip netns add $near && ip netns add $far &&
		ip link add link0 netns $near type veth peer name link0 netns $far &&
		ip -n $near addr add 192.0.2.1/24 dev link0 && ip -n $near link set link0 up &&
		ip -n $far addr add 192.0.2.2/24 dev link0 && ip -n $far link set link0 up
}

if [ "$(id -u)" -eq 0 ] && begin_link 2>error; then
	trap 'relayd_kill; end_link; rm -rf "$work"' EXIT
	ip netns exec $near tc qdisc add dev link0 root tbf rate 8mbit burst 32k latency 200ms 2>/dev/null ||
		echo "# this kernel has no tbf: the link is not slow"
	ip netns exec $far lttng-relayd -C tcp://192.0.2.2:5342 -D tcp://192.0.2.2:5343 \
		-L tcp://192.0.2.2:5344 -o "$work/relay" >relayd.log 2>&1 &
	relayd_pid=$!
	rm -rf slow joined
	mkdir slow
	python3 "$here/grow.py" big slow --pause 5 --hold go &
	wait_for test -e slow/metadata
	ip netns exec $near markers send slow --to 192.0.2.2 2>said &
	sender_pid=$!
	wait_for grep -qs '^packets [1-9]' slow/.sent-to-192.0.2.2
	result $? "packets come over the link"
	packets=$(sed -n 's/^packets //p' slow/.sent-to-192.0.2.2)
	ip -n $far link set link0 down
	touch go
	wait_for grep -q '^end:' slow/info/clock
	ip -n $far link set link0 up
	wait "$sender_pid"
	is $? 0 "it goes on after a cut"
	is "$([ "$packets" -lt "$(sed -n 's/^packets //p' slow/.sent-to-192.0.2.2)" ] && echo more)" more "with the rest"
	check "what came can be joined" markers join relay/testhost -o joined
	check "to all that was recorded" same_streams big joined
	relayd_kill
	end_link
	rm -rf relay/*
else
	skip "no network namespaces: $(tail -n 1 error 2>/dev/null)" "a slow link, which is cut"
	end_link
fi

#
# Viewers
#
# view HOST: what a viewer shows, as "seen.HOST"
view()
{
	timeout 60 babeltrace2 -c source.ctf.lttng-live --params \
		"inputs=[\"net://127.0.0.1:$((port + 2))/host/$1/live\"],session-not-found-action=\"end\"" \
		>"seen.$1" 2>"viewer.$1" &
}

# shows HOST LINES: does the viewer show that many?
shows()
{
	[ "$(wc -l <"seen.$1")" -ge "$2" ]
}

if command -v babeltrace2 >/dev/null; then
	relayd_start
	make_trace rounds 3000 rounds
	for host in ant bee; do
		cp -r rounds "$host"
		sed -i "s/testhost/$host/" "$host/metadata"
		mkdir -p "live.$host"
		# the last CPU has no event
		touch "live.$host/stream_0" "live.$host/stream_1" "live.$host/stream_2"
		python3 "$here/grow.py" "$host" "live.$host" --pause 100 --hold go.live --fast "fast.$host" &
		wait_for test -e "live.$host/metadata"
		markers send "live.$host" --to "$to" --live --delay 2000 --session live 2>"said.$host" &
		senders="${senders:-} $!"
		wait_for grep -qs . "relay/$host"/live-*/markers/stream_1
		is "$(flock -n "live.$host" true; echo $?)" 1 "a lock says that somebody follows $host"
		view "$host"
		viewers="${viewers:-} $!"
	done
	held=$(python3 "$here/grow.py" rounds / --count)
	# a viewer shows what comes after it has; it must not wait for the packets that are held back
	for host in ant bee; do
		wait_for shows "$host" 1 || wait_for shows "$host" 1
		touch "fast.$host"
		babeltrace2 "$host" >wanted
		last=$(head -n -"$held" wanted | tail -n 1)
		wait_for grep -qF "${last%%)*}" "seen.$host" || wait_for grep -qF "${last%%)*}" "seen.$host"
		is "$(tail -n 1 "seen.$host")" "$last" "a viewer of $host follows, though a CPU is idle"
	done
	touch go.live
	bad=0
	for pid in $viewers $senders; do
		wait "$pid" || bad=$((bad + 1))
	done
	is "$bad" 0 "all end with the recording"
	cat said.ant said.bee >said
	is "$(grep -c "markers: sent" said) $(grep -v "markers: sent" said)" "2 " "nothing came too late"
	for host in ant bee; do
		babeltrace2 "$host" >wanted
		# when it came, one CPU may have sent its next packet, and another one not
		tail -n +31 "seen.$host" >seen
		tail -n "$(wc -l <seen)" wanted | sed 1d >rest
		[ -s rest ] && sed 1d seen >body && cmp body rest
		result $? "$host: the viewer has shown each event that came"
	done
	markers report ant >wanted
	markers report relay/ant >got
	check "report reads what viewers got" cmp wanted got
	relayd_kill
else
	skip "no babeltrace2" "viewers"
fi
finish
