#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Compare the events and values that babeltrace2 and "markers report" find in a trace.

usage: same_events.py BABELTRACE2 JSON

BABELTRACE2 is the output of "babeltrace2 --clock-seconds --no-delta", JSON that of "markers report
--format json". Times are compared from the first event on, within a nanosecond, and texts by their
ASCII characters: the readers show others in their own ways. Prints the number of events.
"""

import json
import re
import sys
from decimal import Decimal

TOKEN = re.compile(r'\s*(?:("(?:[^"\\]|\\.)*")|([][{}(),=:])|([^][{}(),=:\s"]+))')
ESCAPES = {'n': '\n', 't': '\t', 'r': '\r', 'a': '\a', 'b': '\b', 'f': '\f', 'v': '\v',
           'e': '\x1b'}
PLAIN = re.compile(r'[^ -~]+')
HEAD = re.compile(r'\[([0-9.]+)\] (?:\S+ )?([^ ]+:[^ ]+): (.*)')


class Text:
    """The values of an event, as babeltrace2 prints them."""

    def __init__(self, text):
        self.tokens = [match.group(1) or match.group(2) or match.group(3)
                       for match in TOKEN.finditer(text)]
        self.at = 0

    def take(self):
        """Return the next token."""
        self.at += 1
        return self.tokens[self.at - 1]

    def value(self):
        """Return a value: a number, a text, a list, a struct."""
        token = self.take()
        if token == '{':
            return self.members('}')
        if token == '[':
            return list(self.members(']').values())
        if token == '(':
            label = self.take()
            while self.take() != '=':
                pass
            number = int(self.take(), 0)
            self.take()
            return label[1:-1] if label[0] == '"' else number
        if token[0] == '"':
            return re.sub(r'\\(x..|.)', lambda m: ESCAPES.get(m[1], m[1] if len(m[1]) == 1 else ''),
                          token[1:-1])
        return int(token, 8 if re.fullmatch('0[0-7]+', token) else 0)

    def members(self, end):
        """Return the members of a struct or an array."""
        found = {}
        while self.tokens[self.at] != end:
            if self.tokens[self.at] == ',':
                self.take()
                continue
            name = self.take()
            if name == '[':
                name = self.take()
                self.take()
            self.take()
            found[name] = self.value()
        self.take()
        return found


def flat(fields):
    """Return fields with the members of structs among them, and without lengths."""
    found = {}
    for name, value in fields.items():
        if isinstance(value, dict):
            for member, inner in value.items():
                found[name + '.' + member] = inner
        elif not re.fullmatch(r'_.*_length(_[0-9]+)?', name):
            found[name] = value
    return found


def theirs(path):
    """Yield the events of babeltrace2."""
    with open(path, encoding='utf-8', errors='replace') as lines:
        for line in lines:
            match = HEAD.match(line)
            assert match, line
            text = Text(match[3])
            parts = []
            while text.at < len(text.tokens):
                if text.tokens[text.at] == ',':
                    text.take()
                else:
                    parts.append(text.value())
            fields = {}
            for part in parts[1:]:
                fields.update(flat(part))
            yield match[1], parts[0]['cpu_id'], match[2], fields


def ours(path):
    """Yield the events of the report."""
    with open(path, encoding='utf-8') as lines:
        for line in lines:
            event = json.loads(line, parse_float=str)
            if 'lost' not in event:
                yield event['time'], event['cpu'], event['marker'], \
                    {**event['contexts'], **event['fields']}


def is_same(their, our):
    """Compare two values."""
    if isinstance(their, int) and isinstance(our, str):
        return int(our, 8 if re.fullmatch('0[0-7]+', our) else 0) == their
    if isinstance(their, str) and isinstance(our, str):
        return PLAIN.sub('', their) == PLAIN.sub('', our)
    if isinstance(their, list):
        if ' ' in our or our.startswith('0x'):
            return [int(word, 16) for word in our.split()] == their
        return [int(byte, 16) for byte in our.split(':') if byte] == their
    return their == our


def read(events):
    """Return events in the order of their times, which count from the first one."""
    events = sorted(((Decimal(time), *rest) for time, *rest in events), key=lambda event: event[:2])
    return [(time - events[0][0], *rest) for time, *rest in events]


def is_same_event(their, our):
    """Compare two events."""
    return abs(their[0] - our[0]) <= Decimal('1e-9') and their[1:3] == our[1:3] and \
        their[3].keys() == our[3].keys() and \
        all(is_same(value, our[3][name]) for name, value in their[3].items())


def main():
    """Compare, and print the first difference."""
    one, other = read(theirs(sys.argv[1])), read(ours(sys.argv[2]))
    for their, our in zip(one, other):
        if not is_same_event(their, our):
            print('babeltrace2: %s\nreport:      %s' % (their, our))
            return 1
    print('%d events' % len(one))
    return 0 if len(one) == len(other) else 1


if __name__ == '__main__':
    sys.exit(main())
