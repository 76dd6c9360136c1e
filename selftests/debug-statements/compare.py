#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Compare what dynamic debug printed with what markers recorded.

usage: compare.py MESSAGES TRACE

MESSAGES is what dmesg says, with dyndbg=+pfl; TRACE the file trace. Each message, with
its function and line, must be an event, and each event a message, as often as it is there. A
statement with a device begins with driver and device as a message, and with "dev" and
device as an event. Prints those that only one of them has, then the numbers. Exits with 1
if there is one, or if there is no message at all.
"""

import re
import sys
from collections import Counter

MESSAGE = re.compile(r'^\[ *\d+\.\d+\] (\w+):(\d+): (.*)$')
EVENT = re.compile(r'\] .{4} +\d+\.\d+: (\w+):(\w+?)_(\d+)(?:_\d)?: (.*)$')


def messages(path):
    """Yield each message: (function, line, text, text without a driver's name)."""
    with open(path, encoding='utf-8', errors='replace') as lines:
        for line in lines:
            match = MESSAGE.match(line.rstrip())
            if match:
                function, number, text = match.groups()
                yield function, number, text, text.partition(' ')[2]


def events(path):
    """Yield each event but dumps of bytes: (function, line, text, has a device, module)."""
    with open(path, encoding='utf-8', errors='replace') as lines:
        for line in lines:
            match = EVENT.search(line.rstrip())
            if match and not match.group(4).startswith('prefix '):
                module, function, number, text = match.groups()
                device = text.startswith('dev ')
                yield function, number, text[4:] if device else text, device, module


def main():
    """Compare two files."""
    with_device, module_of, recorded = set(), {}, Counter()
    for function, number, text, device, module in events(sys.argv[2]):
        module_of[function, number] = module
        if device:
            with_device.add((function, number))
        recorded[function, number, text.rstrip()] += 1
    printed = Counter()
    for function, number, text, rest in messages(sys.argv[1]):
        if (function, number) in with_device:
            text = rest
        else:
            text = text.removeprefix(module_of.get((function, number), '') + ': ')
        printed[function, number, text.rstrip()] += 1
    for what, these in (('message', printed - recorded), ('event', recorded - printed)):
        for (function, number, text), times in sorted(these.items()):
            print('only as %s: %d times %s:%s: %s' % (what, times, function, number, text))
    places = len({key[:2] for key in recorded})
    print('%d messages, %d events, of %d statements' %
          (sum(printed.values()), sum(recorded.values()), places))
    sys.exit(not recorded or printed != recorded)


main()
