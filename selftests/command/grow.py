#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Write a recording again, packet by packet, as "markers record" writes it.

usage: grow.py FROM TO [--parts N] [--pause MS] [--halves] [--hold FILE]
              [--fast FILE] [--count]

FROM is a finished trace. TO gets its packets in the order of their times, and info/clock,
which gets its line "end:" last. --parts N: parts of N packets each, as with --rotate.
--pause MS: after each packet. --halves: each packet is written in two steps.
--fast FILE: there are no more pauses when there is this file. --hold FILE: the last packets are
not written before there is this one; those are the ones with the number of the last one. --count
prints the number of events in these last packets.
"""

import argparse
import os
import struct
import time

HEADER = struct.Struct('<I16sI6QII')


def packets(path):
    """Yield (end of its time, bytes) of each packet of a stream."""
    with open(path, 'rb') as stream:
        data = stream.read()
    at = 0
    while at < len(data):
        header = HEADER.unpack_from(data, at)
        size = header[6] // 8
        yield header[4], data[at:at + size]
        at += size


def seq(packet):
    """Return the number of a packet."""
    return HEADER.unpack_from(packet)[7]


def wait_for(path):
    """Wait until there is a file."""
    while not os.path.exists(path):
        time.sleep(0.02)


def main():
    """Write the recording."""
    parser = argparse.ArgumentParser()
    parser.add_argument('source')
    parser.add_argument('to')
    parser.add_argument('--parts', type=int, default=0)
    parser.add_argument('--pause', type=float, default=0)
    parser.add_argument('--halves', action='store_true')
    parser.add_argument('--hold', default='/')
    parser.add_argument('--fast', default='')
    parser.add_argument('--count', action='store_true')
    args = parser.parse_args()
    names = [name for name in sorted(os.listdir(args.source)) if name.startswith('stream_')]
    todo = sorted((end, name, data) for name in names
                  for end, data in packets(os.path.join(args.source, name)))
    last = seq(todo[-1][2])
    with open(os.path.join(args.source, 'metadata'), encoding='utf-8') as source:
        metadata = source.read()
    if args.count:
        print(sum(HEADER.unpack_from(data)[10] for _, _, data in todo if seq(data) == last))
        return

    os.makedirs(os.path.join(args.to, 'info'), exist_ok=True)
    with open(os.path.join(args.to, 'info', 'clock'), 'w', encoding='utf-8') as clock:
        clock.write('begin: clock=mono before=1000000000 after=1000000000 '
                    'realtime=1700000001.000000000\n')
    per_part = args.parts or len(todo)
    for first in range(0, len(todo), per_part):
        where = args.to
        if args.parts:
            where = os.path.join(args.to, '%06d.open' % (first // per_part + 1))
            os.mkdir(where)
        with open(os.path.join(where, '.metadata.new'), 'w', encoding='utf-8') as new:
            new.write(metadata)
        os.rename(os.path.join(where, '.metadata.new'), os.path.join(where, 'metadata'))
        for _, name, data in todo[first:first + per_part]:
            wait_for(args.hold if seq(data) == last else '/')
            if os.path.exists(args.fast):
                args.pause = 0
            with open(os.path.join(where, name), 'ab', buffering=0) as stream:
                half = len(data) // 2 if args.halves else 0
                stream.write(data[:half])
                time.sleep(args.pause / 2000)
                stream.write(data[half:])
            time.sleep(args.pause / 2000)
        if args.parts:
            os.rename(where, where[:-len('.open')])
    with open(os.path.join(args.to, 'info', 'clock'), 'a', encoding='utf-8') as clock:
        clock.write('end: clock=mono before=2000000000 after=2000000000 '
                    'realtime=1700000002.000000000\n')


if __name__ == '__main__':
    main()
