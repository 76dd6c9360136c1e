#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# vmcore-to-ctf finds a trace in a memory dump, and says what is wrong with others. (The
# VM tests have a dump of a real kernel: react/last-words-interrupt.tc.)

# shellcheck source=selftests/command/kit
. "$(dirname "$0")/kit"

script=$here/../../scripts/vmcore-to-ctf
make_trace good 1000

# A dump of two pieces of memory: notes, of which there are older and damaged ones, a copy of a
# page elsewhere, and the packets in any order. The last packet of each CPU is open.
cat >make_dump.py <<'END'
import struct, sys, zlib
from importlib.machinery import SourceFileLoader
script = SourceFileLoader('script', sys.argv[2]).load_module()

PAGE, SUBBUF, NR = 4096, 32768, 8
HEAD = struct.Struct('<16sIIQQQ16sII')
kind = sys.argv[1]
magic = b'markers notes 4\n' if kind == 'version' else b'markers notes 3\n'
streams = {cpu: open('good/stream_%d' % cpu, 'rb').read() for cpu in (0, 1)}
uuid = streams[0][4:20]
memory = bytearray(PAGE * 4)

def place(data, align=PAGE):
    global memory
    memory += bytes(-len(memory) % align)
    at = len(memory)
    memory += data
    return at

types = script.parse_types(open('good/metadata', 'rb').read())

# What a writer left that had written the header of its record only: the rest is of an event of a
# lap before, so it reads as an event. The next record, from an interrupt, is longer or shorter.
def torn_record(packet, end):
    at, records = 80, []
    while at < end:
        kind = packet[at] & 31
        number, size = (kind, 4) if kind < 31 else (packet[at + 1], 13)
        after = script.event_end(packet, at + size, types[number])
        records.append((at, after))
        at = after
    sizes = [after - at for at, after in records]
    last = max(i for i in range(len(sizes) - 1) if sizes[i] not in sizes[i + 1:])
    at, after = records[last]
    return after, packet[at:after]

layout = 'subbuf_size %d\nnr_subbufs %d\n' % (SUBBUF, NR)
for cpu, stream in streams.items():
    at, packets = 0, []
    while at < len(stream):
        size, = struct.unpack_from('<Q', stream, at + 48)
        packets.append(bytearray(stream[at:at + size // 8]))
        at += size // 8
    number, = struct.unpack_from('<Q', packets[-1], 56)
    end, content = struct.unpack_from('<QQ', packets[-1], 32)
    struct.pack_into('<QQQ', packets[-1], 32, 0, 0, 0)
    # A writer on CPU 0 was in the middle of an event of 50 bytes, which others interrupted.
    inside = 50 * (1 - cpu)
    if kind == 'torn' and cpu == 0:
        at, record = torn_record(packets[-1], content // 8)
        inside = len(record)
        packets[-1][at:at] = record
    else:
        packets[-1][80:80] = b'\xff' * inside
    slots = bytearray(NR * 64)
    # A writer on CPU 0 was interrupted by others that went on to the last packet.
    if kind == 'hole' and cpu == 0:
        before = packets[-2]
        old, = struct.unpack_from('<Q', before, 40)
        before[80:80] = b'\xff' * 50
        before[80 + 50 + old // 8 - 80:] = bytes(-(old // 8 + 50) % 8)
        struct.pack_into('<QQ', before, 40, old + 400, len(before) * 8)
        struct.pack_into('<q', slots, (number - 1) % NR * 64, -50 << 32)
    # One on CPU 1 was about to close the packet before.
    if kind == 'hole' and cpu == 1:
        before = packets[-2]
        old, = struct.unpack_from('<Q', before, 40)
        struct.pack_into('<QQQ', before, 32, 0, 0, 0)
        struct.pack_into('<q', slots, (number - 1) % NR * 64, (old // 8 - SUBBUF) << 32)
    for packet in packets[::2] + packets[1::2]:
        place(packet)
    # A writer on CPU 1 was in the middle of an event of 100 bytes.
    hole = 100 * cpu
    events, = struct.unpack_from('<I', packets[-1], 76)
    words = place(struct.pack('<QQ', (number + NR) * SUBBUF + content // 8 + inside + hole,
                              end), 8)
    struct.pack_into('<q', slots, number % NR * 64, (content // 8 - SUBBUF) << 32 | events)
    # The notes are older than this CPU.
    if kind == 'late' and cpu == 1:
        continue
    layout += 'cpu %d %d %d %d 64 0 0\n' % (cpu, words, words + 8, place(slots, 8))
layout += 'clock mono 1000000000 0 0\nevent m:e text\\012 %d\n'
# in Unicode, some of these end a line
if kind == 'odd':
    layout += 'event m:f \x85\u2028cpu 0 8 8 8 8 0 0\u2029\x7f\n'
layout = layout.encode()
if kind == 'odd':
    layout += b'event m:g \xff\xfe %d\n'

def notes(generation, text, base=None):
    size = PAGE - HEAD.size
    parts = [text[i:i + size] for i in range(0, len(text), size)]
    for number, part in enumerate(parts):
        phys = place(b'')
        page = HEAD.pack(magic, 0, len(part), phys, generation, base or generation, uuid, number, len(parts)) + part
        memory.extend(page[:16] + struct.pack('<I', zlib.crc32(page[24:])) + page[20:])

text = layout + b'\n' + open('good/metadata', 'rb').read()
if kind != 'none':
    notes(1, b'subbuf_size 1\n\nold')
    # The last event's class in the metadata is later, as that of a module that is loaded.
    if kind == 'later':
        at = text.rindex(b'\nevent {\n')
        notes(2, text[:at])
        notes(5, b'from 2\nevent m:h %d\n\n' + text[at:], 2)
        notes(4, b'from 1\nevent m:g %d\n\n', 2)
        notes(6, b'from 1\nevent m:g %d\n\ngarbage', 2)
        notes(7, b'from 3\nevent m:h %d\n\ngarbage', 2)
        notes(1, b'from 1\nevent m:h %d\n\ngarbage', 1)
    else:
        notes(2, text)
    begin = len(memory) - len(memory) % PAGE
    place(memory[begin:])           # a copy
    notes(3, text + bytes(PAGE))
    memory[-10] ^= 1                # damaged
memory += bytes(-len(memory) % PAGE)
half = len(memory) // 2 // PAGE * PAGE
first, second = memory[:half], memory[half:]
# The notes are first in the file, which ends in the header of a packet.
if kind == 'cut':
    first, second = second, first
    second = second[:second.rfind(uuid) + 30]
# where in the file the upper and the lower half are
upper, lower = (PAGE, PAGE + len(first)) if kind == 'cut' else (PAGE + half, PAGE)
head = b'\x7fELF\x02\x01\x01' + bytes(9) + struct.pack('<HHIQQQIHHHHHH', 4, 62, 1, 0, 64, 0,
                                                      0, 64, 56, 3, 0, 0, 0)
head += struct.pack('<IIQQQQQQ', 4, 0, 300, 0, 0, 0, 0, 0)
head += struct.pack('<IIQQQQQQ', 1, 7, upper, 0, half, len(memory) - half, 0, 0)
head += struct.pack('<IIQQQQQQ', 1, 7, lower, 0, 0, half, 0, 0)
with open('dump', 'wb') as file:
    file.write(head + bytes(PAGE - len(head)) + first + second)
END

python3 make_dump.py good "$script"
status_is 0 "a dump" "$script" dump found
babeltrace2 good >good.text
babeltrace2 found >found.text
is "$(cmp good.text found.text && wc -l <found.text)" "$(wc -l <good.text)" "all events are found"

# refuses WHY WHAT
refuses()
{
	rm -rf found
	"$script" dump found >out 2>&1 && echo "no error" >>out
	is "$(grep -c "^vmcore-to-ctf: .*$1" out)" 1 "$2"
	is "$(ls found 2>/dev/null)" "" "$2: no trace"
}

rm -rf found
python3 make_dump.py hole "$script"
status_is 0 "a hole in a closed packet" "$script" dump found
babeltrace2 found >found.text
is "$(cmp good.text found.text && wc -l <found.text)" "$(wc -l <good.text)" "all its events are found"

for kind in torn odd later; do
	rm -rf found
	python3 make_dump.py $kind "$script"
	status_is 0 "$kind: a trace" "$script" dump found
	babeltrace2 found >found.text
	is "$(cmp good.text found.text && wc -l <found.text)" "$(wc -l <good.text)" "$kind: all events, and no others"
done

rm -rf found
python3 make_dump.py late "$script"
status_is 0 "a CPU that came late" "$script" dump found
babeltrace2 found >found.text
is "$(grep -c 'cpu_id = 0' found.text)" "$(grep -c 'cpu_id = 0' good.text)" "the others are complete"
check "its closed packets are found" grep -q 'cpu_id = 1' found.text

python3 make_dump.py none "$script"
refuses 'kdump=1' "a dump without notes"
python3 make_dump.py version "$script"
refuses 'another version' "notes of another version"
printf 'KDUMP   ' >dump
refuses 'makedumpfile' "a compressed dump"
: >dump
refuses 'empty' "an empty file"
rm dump
refuses 'dump: No such file or directory$' "a missing file"
mkdir dump
refuses 'dump: Is a directory$' "a directory"
rmdir dump
python3 make_dump.py good "$script"
head -c 100 dump >part
mv part dump
refuses 'dump is cut off' "a dump without its headers"
python3 make_dump.py good "$script"
mv dump whole
size=$(stat -c %s whole)
for part in 1 3 5 7 8; do
	rm -rf found
	head -c $((size * part / 8 - 1000)) whole >dump
	"$script" dump found >out 2>&1
	is "$? $(grep -c Traceback out) $(grep -c 'the dump is cut off\|which is cut off' out)" \
		"$([ -d found ] && echo 0 || echo 1) 0 1" "a dump that is cut off at $part/8"
	[ ! -d found ] || check "and the trace is a trace" babeltrace2 found
done
python3 make_dump.py good "$script"
rm -rf found
python3 make_dump.py cut "$script"
"$script" dump found >out 2>&1
is "$? $(cat out)" "0 $(head -n 1 out)" "a dump that ends in the header of a packet"
check "what is missing is told" grep -q '^[1-9] packets of . CPUs; . cannot be read; the dump is cut off' out
mkdir there
"$script" dump there >out 2>&1
is "$? $(cat out)" "1 vmcore-to-ctf: there: File exists" "a directory that is there already"
finish
