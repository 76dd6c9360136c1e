#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Measure after which time a viewer prints an event that has been recorded.

usage: delay.py FROM TO HOST:PORT DELAY

FROM is a finished trace whose CPUs have packets with the same numbers, and TO the directory of a
recording. "markers send --live --delay DELAY" sends it, and babeltrace2 follows. Prints a line with
the times from the write of a packet to the line of its last event.
"""

import os
import re
import statistics
import subprocess
import sys
import threading
import time

import grow

ROUNDS = 20
SHOWN = re.compile(r'\[(\d+)\.(\d{9})\]')


def wait_for(condition, seconds=60):
    """Wait until something holds."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            sys.exit('delay: nothing comes within %d s' % seconds)
        time.sleep(0.005)


def main():
    """Record, follow, and compare the times."""
    source, to, collector, delay = sys.argv[1:5]
    host, port = collector.split(':')
    rounds = {}
    for name in sorted(os.listdir(source)):
        if name.startswith('stream_'):
            for end, data in grow.packets(os.path.join(source, name)):
                rounds.setdefault(grow.seq(data), []).append((name, end, data))
    os.makedirs(os.path.join(to, 'info'))
    with open(os.path.join(to, 'info', 'clock'), 'w', encoding='utf-8') as clock:
        clock.write('begin: \n')
    # one more CPU, which has no event
    open(os.path.join(to, 'stream_99'), 'wb').close()

    def write(number):
        """Record the packets with a number. Return the time of the last event."""
        for name, _, data in rounds[number]:
            with open(os.path.join(to, name), 'ab', buffering=0) as stream:
                stream.write(data)
        return max(end for _, end, _ in rounds[number])

    numbers = sorted(rounds)
    write(numbers[0])
    with open(os.path.join(source, 'metadata'), 'rb') as metadata:
        with open(os.path.join(to, 'metadata'), 'wb') as copy:
            copy.write(metadata.read())
    sender = subprocess.Popen(['markers', 'send', to, '--to', collector, '--live', '--delay', delay,
                               '--session', 'live'])
    viewer = None
    shown = []

    def read():
        """Note the time of each event that the viewer shows."""
        for line in viewer.stdout:
            match = SHOWN.match(line)
            if match:
                shown.append((int(match[1]) * 10**9 + int(match[2]), time.monotonic()))

    try:
        wait_for(lambda: os.path.isdir('relay/testhost'))
        viewer = subprocess.Popen(
            ['babeltrace2', '--clock-seconds', '--input-format=lttng-live',
             'net://%s:%d/host/testhost/live' % (host, int(port) + 2)],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        threading.Thread(target=read, daemon=True).start()
        # the viewer shows what comes after it
        at = 1
        while not shown and at < len(numbers) - ROUNDS:
            write(numbers[at])
            at += 1
            time.sleep(1)
        delays = []
        for number in numbers[at:at + ROUNDS]:
            nr = len(shown)
            began = time.monotonic()
            write(number)
            events = sum(grow.HEADER.unpack_from(data)[10] for _, _, data in rounds[number])
            wait_for(lambda: len(shown) >= nr + events)
            delays.append(shown[nr + events - 1][1] - began)
    finally:
        if viewer:
            viewer.kill()
        sender.kill()
    print('a viewer shows an event after %.0f to %.0f ms, median %.0f ms, with --delay %s and an idle CPU'
          % (1000 * min(delays), 1000 * max(delays), 1000 * statistics.median(delays), delay))


main()
