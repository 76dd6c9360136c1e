#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""The table of the benchmark, from what the guests printed.

usage: table.py DIR [BASE]

Reads DIR/{count,switch,time,size}.raw, as far as they are there; prints the
table and writes DIR/result.tsv. BASE is an earlier result.tsv.

How the numbers are made. Under qemu's -icount shift=0 a tick of the time stamp
counter is one instruction of the guest. A loop does the operation 100000 times
with interrupts off; the least of five runs counts; what an empty loop takes is
subtracted (for kprobes: a loop that calls the function they are in). Loops of
10 and of 100 nops must come out as just that, or there is no table. Each event
that a loop recorded must be in the buffer's statistics, and the text of the
first and the last one must be right. A tick is an instruction, not a
nanosecond: caches, mispredicted branches, the price of serialising
instructions are not in it. Each iteration of rep movs counts as one.
"""

import os
import sys


class Results:
    """What a guest said."""

    def __init__(self, path):
        self.loops, self.values, self.skipped, self.failed = {}, {}, {}, []
        self.there = os.path.exists(path)
        if not self.there:
            return
        with open(path, encoding='utf-8', errors='replace') as lines:
            for line in lines:
                self.parse(line.split())

    def parse(self, words):
        """One line; see the top of the guest script."""
        if not words:
            return
        if words[0] == 'loop' and len(words) == 7:
            count, least, median, calls = (int(word) for word in words[3:])
            self.loops[words[1]] = (words[2], count, least, median, calls)
        elif words[0] == 'value':
            self.values[words[1]] = words[2]
        elif words[0] == 'skip':
            self.skipped[words[1]] = ' '.join(words[2:])
        elif words[0] == 'fail':
            self.failed.append(' '.join(words[1:]))

    def each(self, name):
        """Ticks of an operation, or None."""
        if name not in self.loops:
            return None
        base, count, least, _, _ = self.loops[name]
        ticks = least / count
        if base != 'none':
            base = self.each(base)
            if base is None:
                return None
            ticks -= base
        return ticks

    def calls(self, name):
        """Interrupts per CPU of a single operation, or None."""
        if name not in self.loops:
            return None
        return self.loops[name][4]

    def value(self, name):
        """Another number, or None."""
        return float(self.values[name]) if name in self.values else None


# operation, unit, ours, peers, target. Names are the guest's; "!" stands for
# the interrupts of the run with two CPUs, "=" for a value, "a-b" for a
# difference; "/n" divides.
LINES = (
    ('A marker that is disabled', (
        ('disabled marker', 'off', 'tracepoint key global', 1),
        ('  _trace_mark(): load, test, branch', 'branch_off', 'global', None),
        ('  trace_mark_guard(): a read', 'guard_off', 'global', None),
        ('8 of them in a small function, 1 call', 'leaf_marker-leaf_plain',
         'leaf_tracepoint-leaf_plain', 8),
    )),
    ('Enabled, a probe that does nothing (arguments: int, u64, string)', (
        ('one probe', 'probe', 'tracepoint_probe kprobe_ftrace', 50),
        ('two probes', 'probe2', 'tracepoint_probe2', None),
        ('one probe, _trace_mark()', 'branch_probe', 'tracepoint_probe', None),
        ('one probe, breakpoint', 'probe_breakpoint', 'kprobe_int3', None),
        ('  of this, until the cold block runs', 'probe_breakpoint-probe',
         'kprobe_int3', 350),
        ('one probe, guard page', 'guard_probe', 'kprobe_int3', None),
        ('(probe in any function: kprobe, by a jump)', None, 'kprobe_optimized', None),
    )),
    ('Recorded (clock: the time stamp counter)', (
        ('int + u64 + "hello-world"', 'event', 'ftrace_event trace_printk lttng_event', 140),
        ('int + u64', 'fixed', 'ftrace_fixed lttng_fixed', 110),
        ('no fields', 'none', 'ftrace_none lttng_none', 85),
        ('int + u64 + string, _trace_mark()', 'branch', 'ftrace_event', None),
        ('int + u64 + string, breakpoint', 'event_breakpoint', 'ftrace_event', None),
        ('int + u64 + string, guard page', 'guard', 'ftrace_event', None),
        ('int + u64 + string, clock mono', 'event_mono', 'ftrace_event', None),
        ('int + u64, clock mono', 'fixed_mono', 'ftrace_fixed', None),
        ('no fields, clock mono', 'none_mono', 'ftrace_none', None),
    )),
    ('Enabled and not recorded', (
        ('buffer full', 'event_full', 'ftrace_full', 60),
        ('filtered out', 'event_filtered', 'ftrace_filtered', 60),
        ('tracing_on=0', 'event_off', 'ftrace_off', 35),
    )),
    ('The ring alone: reserve, copy, commit', (
        ('8 bytes', 'raw8', 'rb8', None),
        ('32 bytes', 'raw32', 'rb32', 60),
        ('128 bytes', 'raw128', 'rb128', None),
        ('32 bytes, discard mode', 'raw32_discard', 'rb32', None),
    )),
    ('Switching: instructions, for each site', (
        ('1 marker on, by a probe', 'register', 'key_on tracepoint_register', 6000),
        ('1 marker off, by a probe', 'unregister', 'key_off tracepoint_unregister', 6000),
        ('1 marker on, by debugfs', 'sites_1_on', 'key_on', None),
        ('1 marker off, by debugfs', 'sites_1_off', 'key_off', None),
        ('100 sites on', 'sites_100_on', '', None),
        ('1000 sites on', 'sites_1000_on', 'key1000_on/1000', 600),
        ('1000 sites off', 'sites_1000_off', 'key1000_off/1000', 600),
        ('10000 sites on', 'sites_10000_on', '', 600),
        ('10000 sites off', 'sites_10000_off', '', 600),
        ('1000 markers on', 'many_1000_on', '', None),
    )),
    # keys and probes: each repeat is an on and an off, with all that goes on besides
    ('Switching: interrupts to one other CPU, in all', (
        ('1 marker on or off, by a probe', '!register/60',
         '!key_on/60 !tracepoint_register/60', 3),
        ('1 marker on, by debugfs', '!sites_1_on', '!key_on/60', 3),
        ('1 marker off, by debugfs', '!sites_1_off', '!key_off/60', 3),
        ('1000 sites on', '!sites_1000_on', '!key1000_on/6', 3),
        ('10000 sites on', '!sites_10000_on', '', 3),
        ('1000 markers on', '!many_1000_on', '', 3),
    )),
    ('Reading: instructions for each event (int + u64 + string)', (
        ('text', 'read_text', 'ftrace_text', 2500),
        ('binary, read()', 'read_raw', 'ftrace_raw', None),
        ('binary, splice()', 'read_splice', 'ftrace_splice ftrace_raw', 20),
    )),
    ('Bytes', (
        ('of an event in the buffer', '=read_raw_bytes', '=ftrace_raw_bytes', 28),
        ('of an event as text', '=read_text_bytes', '=ftrace_text_bytes', None),
        ('of a marker in its module', '=size_marker', '=size_tracepoint =size_event', 220),
    )),
)

# The same as ratios of times of the emulator.
TIMES = (
    ('recorded, int + u64 + string', 'event', 'ftrace_event'),
    ('recorded, int + u64', 'fixed', 'ftrace_fixed'),
    ('recorded, no fields', 'none', 'ftrace_none'),
    ('recorded, breakpoint', 'event_breakpoint', 'ftrace_event'),
    ('recorded, guard page', 'guard', 'ftrace_event'),
    ('one probe', 'probe', 'tracepoint_probe'),
    ('one probe, breakpoint', 'probe_breakpoint', 'kprobe_int3'),
    ('buffer full', 'event_full', 'ftrace_full'),
    ('tracing_on=0', 'event_off', 'ftrace_off'),
    ('ring, 32 bytes', 'raw32', 'rb32'),
)


class Bench:
    """All results."""

    def __init__(self, where):
        self.count, self.switch, self.time, self.size = (
            Results(os.path.join(where, part + '.raw'))
            for part in ('count', 'switch', 'time', 'size'))
        self.count.values.update(self.size.values)

    def get(self, text):
        """The number that a name in LINES stands for, or None."""
        if '/' in text:
            text, _, by = text.partition('/')
            number = self.get(text)
            return None if number is None else number / int(by)
        if text[0] == '!':
            return self.switch.calls(text[1:])
        if text[0] == '=':
            return self.count.value(text[1:])
        if '-' in text:
            one, two = (self.count.each(name) for name in text.split('-'))
            return None if one is None or two is None else one - two
        return self.count.each(text)

    def check(self):
        """Exit if the numbers cannot be trusted."""
        for part in (self.count, self.switch, self.time):
            for why in part.failed:
                sys.exit('table.py: failed: ' + why)
        if not self.count.there:
            return
        for nops in (10, 100):
            got = self.count.each(f'nop{nops}')
            print(f'calibration: {nops} nops take {got:.3f} instructions')
            if abs(got - nops) > 0.001:
                sys.exit('table.py: the calibration is not exact')


def show(number):
    """A number with as many digits as it deserves."""
    if number is None:
        return '-'
    if abs(number) >= 10000:
        return f'{number:.0f}'
    return f'{number + 0:.1f}'


def best(bench, peers):
    """The least of them, and its name."""
    numbers = [(bench.get(peer), peer) for peer in peers.split()]
    numbers = [(n, peer) for n, peer in numbers if n is not None]
    if not numbers:
        return None, ''
    number, peer = min(numbers)
    return number, peer.strip('!=').split('/')[0].split('-')[0]


def read_base(path):
    """The numbers of an earlier result.tsv, by operation."""
    base = {}
    if path:
        with open(path, encoding='utf-8') as lines:
            for line in lines:
                words = line.rstrip('\n').split('\t')
                if len(words) > 3 and words[3] not in ('-', 'ours'):
                    base[words[0]] = float(words[3])
    return base


def main():
    """See the top."""
    where = sys.argv[1]
    base = read_base(sys.argv[2] if len(sys.argv) > 2 else '')
    bench = Bench(where)
    bench.check()
    if bench.count.value:
        print('clock chosen by default on this machine:',
              bench.count.values.get('clock_default', '?'))
    rows = [('key', 'section', 'operation', 'ours', 'peer', 'peer_name',
             'target', 'met')]
    for title, lines in LINES:
        print(f'\n{title}')
        head = 'ours', 'peer', '', 'target', 'met'
        print(f'  {"":40}{head[0]:>9}{head[1]:>9} {head[2]:20}{head[3]:>8} {head[4]:4}'
              + (f'{"base":>9}{"delta":>8}' if base else ''))
        for text, name, peers, target in lines:
            ours = bench.get(name) if name else None
            peer, peer_name = best(bench, peers)
            if ours is None and peer is None:
                continue
            met = ''
            if target is not None and ours is not None:
                met = 'yes' if ours <= target + 0.05 else 'NO'
            line = (f'  {text:40}{show(ours):>9}{show(peer):>9} {peer_name:20}'
                    f'{target if target is not None else "":>8} {met:4}')
            if name in base and ours is not None:
                line += f'{show(base[name]):>9}{ours - base[name]:>+8.1f}'
            print(line.rstrip())
            rows.append((name or '-', title, text.strip(),
                         f'{ours:.3f}' if ours is not None else '-',
                         f'{peer:.3f}' if peer is not None else '-',
                         peer_name, str(target or ''), met))
    print_times(bench, rows)
    print('SKIP LTTng: its modules are not part of a stock kernel. 2.13.9, overwrite '
          'mode, on\n  6.1.192: 803 with int + u64 + string, 590 with int + u64, 475 '
          'without fields, 28.1 bytes')
    for part in (bench.count, bench.switch):
        for name, why in part.skipped.items():
            print(f'SKIP {name}: {why}')
    with open(os.path.join(where, 'result.tsv'), 'w', encoding='utf-8') as tsv:
        for row in rows:
            print(*row, sep='\t', file=tsv)


def print_times(bench, rows):
    """The section without icount."""
    if not bench.time.there:
        return
    print('\nTimes of the emulator (TCG), not of a CPU: ratios, ours to the peer\'s')
    for text, ours_name, peer_name in TIMES:
        ours, peer = bench.time.each(ours_name), bench.time.each(peer_name)
        if not ours or not peer:
            continue
        print(f'  {text:40}{ours:>9.0f}{peer:>9.0f} {peer_name:20}{ours / peer:>8.2f}')
        rows.append(('time_' + ours_name, 'emulated', text, f'{ours:.3f}',
                     f'{peer:.3f}', peer_name, '', ''))


main()
