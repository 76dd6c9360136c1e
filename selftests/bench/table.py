#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Print the table of the benchmark, from what the guests printed.

usage: table.py [-a ARCH] DIR [BASE]

Reads those of DIR/{count,switch,time,scale,size,memory,many,publish,record}.raw that exist; prints the
table and writes DIR/result.tsv. BASE is an earlier result.tsv. ARCH is x86 or arm64; targets are
those of x86.

How the numbers are made. Under qemu's -icount shift=0 a tick of the time stamp
counter is one instruction of the guest. A loop does the operation 100000 times
with interrupts off. The least of five runs counts, less what an empty loop takes
(for kprobes: a loop that calls the function they are in). Loops of 10 and of 100
nops must come out as just that, or there is no table. Each event that a loop
recorded must be in the buffer's statistics, and the text of the first and the
last one must be right. A tick is an instruction, not a
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
        """Read one line; the top of the guest script says what it means."""
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
        """Return the ticks of an operation, or None."""
        if name not in self.loops:
            return None
        base, count, least, _, _ = self.loops[name]
        ticks = least / count
        if base != 'none':
            if base not in self.loops:
                return None
            _, count, least, _, _ = self.loops[base]
            ticks -= least / count
        return ticks

    def calls(self, name):
        """Return the interrupts of a single operation on each CPU, or None."""
        if name not in self.loops:
            return None
        return self.loops[name][4]

    def value(self, name):
        """Return another number, or None."""
        return float(self.values[name]) if name in self.values else None


# operation, ours, peers, target ('+100': so much more than the peer). Names are the guest's;
# "!" stands for the interrupts of the run with two CPUs, "=" for a value, "a-b" for a
# difference; "/n" divides.
LINES = (
    ('A marker that is disabled', (
        ('disabled marker', 'off', 'tracepoint key global', 1),
        ('  _trace_mark(): load, test, branch', 'branch_off', 'global', None),
        ('  trace_mark_guard(): a read', 'guard_off', 'global', None),
        ('  in an optional client', 'optional_off', 'global', None),
        ('8 of them in a small function, 1 call', 'leaf_marker-leaf_plain',
         'leaf_tracepoint-leaf_plain', 8),
        ('(kprobe by ftrace, disabled)', None, 'kprobe_ftrace_off', None),
        ('(kprobe by int3 or a jump, disabled)', None, 'kprobe_middle_off', None),
    )),
    ('Enabled, a probe that does nothing (arguments: int, u64, string)', (
        ('one probe', 'probe', 'tracepoint_probe', 60),
        ('two probes', 'probe2', 'tracepoint_probe2', None),
        ('one probe, _trace_mark()', 'branch_probe', 'tracepoint_probe', None),
        ('one probe, breakpoint', 'probe_breakpoint', 'kprobe_int3', None),
        ('  of this, until the cold block runs', 'probe_breakpoint-probe',
         'kprobe_int3', 350),
        ('one probe, guard page', 'guard_probe', 'kprobe_int3', None),
        ('(kprobe by ftrace, at a function\'s entry)', None, 'kprobe_ftrace', None),
        ('(kprobe by int3)', None, 'kprobe_int3', None),
        ('(kprobe by a jump)', None, 'kprobe_optimized', None),
    )),
    ('Recorded (clock: the time stamp counter)', (
        ('int + u64 + "hello-world"', 'event', 'ftrace_event trace_printk lttng_event', 140),
        ('int + u64', 'fixed', 'ftrace_fixed lttng_fixed', 110),
        ('no fields', 'none', 'ftrace_none lttng_none', 85),
        ('6 integers', 'ints6', '', None),
        ('12 integers', 'ints12', '', None),
        ('int + u64 + strings of 11 and 4 bytes', 'strings2', '', 200),
        ('int + string of 35 bytes', 'string35', '', 190),
        ('int + %pM', 'mac', '', 130),
        ('int + u64 + string, clock mono', 'event_mono', 'lttng_event', None),
        ('int + u64, clock mono', 'fixed_mono', 'lttng_fixed', 160),
        ('no fields, clock mono', 'none_mono', 'lttng_none', None),
        ('int + u64 + string, tid + flags + name', 'event_contexts', 'ftrace_event', 165),
        ('int + u64, tid + flags + name', 'fixed_contexts', 'ftrace_fixed', None),
        ('no fields, tid + flags + name', 'none_contexts', 'ftrace_none', None),
        ('int + u64 + string, _trace_mark()', 'branch', 'ftrace_event', None),
        ('int + u64 + string, breakpoint', 'event_breakpoint', 'ftrace_event', None),
        ('int + u64 + string, guard page', 'guard', 'ftrace_event', None),
        ('int + u64 + string, optional client', 'optional', 'ftrace_event', None),
        ('int + u64 + string, and counted', 'event_record_counted', '', None),
        ('int + u64 + string, and a probe that does nothing', 'event_record_probed', '', None),
        ('int + u64 + string, which a filter passes', 'event_passed', '', None),
        ('int + u64 + string, and a trigger that is not hit', 'event_record_triggered', '', None),
        ('int + u64 + string, by an instance', 'event_copied', '', None),
        ('int + u64 + string, by the top and an instance', 'event_record_copied', '', None),
        ('int + u64 + string, stack of 16', 'event_stack', 'ftrace_event_stack', None),
        ('  without, in the same recording', 'event_nostack', '', None),
        ('(LTTng, callstack-kernel)', None, 'lttng_event_stack', None),
    )),
    ('Recorded while other markers are enabled, too', (
        ('10 others', 'event_among_10', '', None),
        ('1000 others', 'event_among_1000', '', None),
        ('10000 others, of 10 modules', 'event_among_10000', '', None),
        ('1004 others, of 12101 sites', 'event_among_all', '', None),
    )),
    ('Enabled and not recorded', (
        ('buffer full', 'event_full', 'ftrace_full', 65),
        ('  no fields', 'none_full', '', 65),
        ('  int + u64', 'fixed_full', '', 65),
        ('  6 integers', 'ints6_full', '', 65),
        ('  12 integers', 'ints12_full', '', 65),
        ('  two strings', 'strings2_full', '', 65),
        ('  string of 35 bytes', 'string35_full', '', 65),
        ('  %pM', 'mac_full', '', 65),
        ('filtered out', 'event_filtered', 'ftrace_filtered', 60),
        ('  by two and a string', 'event_filtered_text', '', 110),
        ('a write() to trace_marker', 'note', 'ftrace_note', None),
        ('only a trigger, filtered out', 'event_triggered', 'ftrace_triggered', 66),
        ('only counted', 'event_counted', '', 50),
        ('counted by a key of 32 bits', 'hist', 'ftrace_hist', 150),
        ('  and a value added up', 'hist_value', 'ftrace_hist_value', None),
        ('  and by the CPU', 'hist_two', 'ftrace_hist_two', None),
        ('  by a string', 'hist_text', 'ftrace_hist_text', None),
        ('tracing_on=0', 'event_off', 'ftrace_off', 35),
        ('  two strings', 'strings2_off', '', 35),
        ('  with a filter', 'event_filtered_off', '', 35),
    )),
    ('Published: recorded by the kernel\'s own tracers, next to a TRACE_EVENT', (
        ('nobody records it', 'published_event', '', 1),
        ('int + u64 + "hello-world", ftrace', 'published_event_ftrace', 'native_event_ftrace', '+100'),
        ('  perf record', 'published_event_perf', 'native_event_perf', '+100'),
        ('  a program of BPF that counts', 'published_event_bpf', 'native_event_bpf', '+100'),
        ('  the same at the raw tracepoint', 'published_event_raw', 'native_event_raw', '+100'),
        ('  ftrace, and recorded by us', 'published_event_both', '', None),
        ('  recorded by us alone', 'published_event_ours', '', None),
        ('int + u64, ftrace', 'published_fixed_ftrace', 'native_fixed_ftrace', '+100'),
        ('  perf record', 'published_fixed_perf', 'native_fixed_perf', '+100'),
        ('  a program of BPF that counts', 'published_fixed_bpf', 'native_fixed_bpf', '+100'),
        ('  the same at the raw tracepoint', 'published_fixed_raw', 'native_fixed_raw', '+100'),
        ('  ftrace, and recorded by us', 'published_fixed_both', '', None),
        ('  recorded by us alone', 'published_fixed_ours', '', None),
    )),
    ('The ring alone: reserve, copy, commit', (
        ('8 bytes', 'raw8', 'rb8', None),
        ('32 bytes', 'raw32', 'rb32', 60),
        ('128 bytes', 'raw128', 'rb128', None),
        ('32 bytes, discard mode', 'raw32_discard', 'rb32', None),
    )),
    ('Switching: instructions, for each site', (
        ('1 marker on, by a probe', 'register', 'key_on', 6000),
        ('  next to a tracepoint', 'register', 'tracepoint_register', None),
        ('1 marker off, by a probe', 'unregister', 'key_off', 6000),
        ('  next to a tracepoint', 'unregister', 'tracepoint_unregister', None),
        ('1 marker on, by debugfs', 'sites_1_on', 'key_on', None),
        ('1 marker off, by debugfs', 'sites_1_off', 'key_off', None),
        ('100 sites on', 'sites_100_on', 'key100_on/100', None),
        ('1000 sites on', 'sites_1000_on', 'key1000_on/1000', 600),
        ('1000 sites off', 'sites_1000_off', 'key1000_off/1000', 600),
        ('10000 sites on', 'sites_10000_on', 'key10000_on/10000', 600),
        ('10000 sites off', 'sites_10000_off', '', 600),
        ('1000 markers on', 'many_1000_on', 'tracepoint_register', None),
        ('10000 markers on', 'many_10000_on', 'tracepoint_register', None),
    )),
    # keys and probes: each operation is an on and an off
    ('Switching: interrupts to one other CPU, in all', (
        ('1 marker on or off, by a probe', '!register_ipis/2', '!key_on_ipis/2', 3),
        ('  next to a tracepoint', '!register_ipis/2', '!tracepoint_register_ipis/2', None),
        ('1 marker on, by debugfs', '!sites_1_on', '!key_on_ipis/2', 3),
        ('1 marker off, by debugfs', '!sites_1_off', '!key_on_ipis/2', 3),
        ('100 sites on', '!sites_100_on', '!key100_on/6', 3),
        ('1000 sites on', '!sites_1000_on', '!key1000_on/6', 3),
        ('10000 sites on', '!sites_10000_on', '!key10000_on/6', 3),
        ("  besides, from the kernel's interrupts", '!sites_10000_on_other', '', None),
        ('1000 markers on', '!many_1000_on', '', 3),
        ("  besides, from the kernel's interrupts", '!many_1000_other', '', None),
        ('10000 markers on', '!many_10000_on', '', 3),
        ("  besides, from the kernel's interrupts", '!many_10000_other', '', None),
    )),
    # the peer: a thousand of them, in one module
    ('10,000 markers in ten modules, next to 1,000 in one: instructions for each marker', (
        ('insmod, all ten', 'crowd_insmod_10000', 'crowd_insmod_1000', None),
        ('  the last of them', 'crowd_insmod_last_1000', 'crowd_insmod_1000', None),
        ('  while 10,000 names are asked for', 'crowd_insmod_asked_1000',
         'crowd_insmod_1000', None),
        ('rmmod, all ten', 'crowd_rmmod_10000', 'crowd_rmmod_last_1000', None),
        ('  the first of them', 'crowd_rmmod_1000', 'crowd_rmmod_last_1000', None),
        ('set_marker, all by a glob', 'crowd_on_10000', 'crowd_on_1000', None),
        ('  off again', 'crowd_off_10000', 'crowd_off_1000', None),
        ('set_marker, each by its name', 'crowd_names_10000', 'crowd_names_1000', None),
        ('available_markers read', 'crowd_list_10000', 'crowd_list_1000', None),
        ('set_marker read', 'crowd_list_on_10000', 'crowd_list_on_1000', None),
    )),
    ('Published at once: instructions for each marker, next to each TRACE_EVENT of a module', (
        ('1,000, by a glob', 'publish_1000', 'native_publish_100', None),
        ('10,000, by a glob', 'publish_10000', 'native_publish_100', 100000),
        ('10,000, each by its name', 'publish_names_10000', 'native_publish_100', 100000),
        ('taken back, 1,000', 'unpublish_1000', 'native_unpublish_100', None),
        ('taken back, 10,000', 'unpublish_10000', 'native_unpublish_100', 100000),
    )),
    ('10,000 markers: instructions with the registry mutex, at most', (
        ('set_marker, all by a glob', '=crowd_mutex_on', '', None),
        ('  off again', '=crowd_mutex_off', '', None),
        ('set_marker, each by its name', '=crowd_mutex_names', '', None),
        ('available_markers read', '=crowd_mutex_list', '', None),
        ('insmod of 1000 of them', '=crowd_mutex_insmod', '', None),
        ('rmmod of 1000 of them', '=crowd_mutex_rmmod', '', None),
    )),
    ('10,000 markers: of these, without a chance for other tasks, at most', (
        ('set_marker, all by a glob', '=crowd_busy_on', '', None),
        ('  off again', '=crowd_busy_off', '', None),
        ('set_marker, each by its name', '=crowd_busy_names', '', None),
        ('available_markers read', '=crowd_busy_list', '', None),
        ('insmod of 1000 of them', '=crowd_busy_insmod', '', None),
        ('rmmod of 1000 of them', '=crowd_busy_rmmod', '', None),
    )),
    ('Reading: instructions for each event (int + u64 + string)', (
        ('text', 'read_text', 'ftrace_text', 2500),
        ('binary, read()', 'read_raw', 'ftrace_raw', None),
        ('binary, splice()', 'read_splice', 'ftrace_splice ftrace_raw', 20),
    )),
    ('Recording to files: instructions of the recorder for each KiB of trace', (
        ('markers record, next to trace-cmd record', '=recorder_ours', '=recorder_trace_cmd', None),
        ('  next to lttng-consumerd', '=recorder_ours', '=recorder_lttng', None),
    )),
    ('Bytes', (
        ('of an event in the buffer', '=event_bytes',
         '=ftrace_raw_bytes =lttng_event_bytes', 28.1),
        ('of an event, tid + flags + name', '=event_contexts_bytes', '=ftrace_raw_bytes', 50),
        ('of one with two strings', '=strings2_bytes', '', None),
        ('(return addresses of a stack)', '=stack_frames', '=ftrace_stack_frames', None),
        ('(the same, LTTng)', None, '=lttng_stack_frames', None),
        ('of an event as text', '=read_text_bytes', '=ftrace_text_bytes', None),
        ('of a marker in its module', '=size_marker', '=size_tracepoint', 220),
        ('  text', '=size_marker_text', '=size_tracepoint_text', None),
        ('  data and strings', '=size_marker_data', '=size_tracepoint_data', None),
        ('  tables', '=size_marker_table', '=size_tracepoint_table', None),
        ('  ORC, for stack traces', '=size_marker_orc', '=size_tracepoint_orc', None),
        ('of a marker, next to TRACE_EVENT', '=size_marker', '=size_event', None),
        ('  text', '=size_marker_text', '=size_event_text', None),
        ('  data and strings', '=size_marker_data', '=size_event_data', None),
        ('  tables', '=size_marker_table', '=size_event_table', None),
        ('  ORC, for stack traces', '=size_marker_orc', '=size_event_orc', None),
        ('of memory for a marker, loaded', '=memory_marker', '=memory_tracepoint', 700),
        ('  next to TRACE_EVENT', '=memory_marker', '=memory_event', None),
        ('of memory for a marker of 10,000, its module too', '=memory_crowd', '', None),
        ('  enabled, in addition', '=memory_crowd_on', '', None),
        ('of memory for a KiB of buffer', '=memory_buffer', '=memory_ftrace_buffer', None),
    )),
)

# The additional cost that an id of 16 bits may have, compared with 5: instructions, bytes.
# The guest repeats some lines in a module that is loaded after many others ("_high").
HIGH_INSTRUCTIONS, HIGH_BYTES = 6, 3

# The sections that follow LINES.
TICKS = 'Times of the emulator, in ticks: for ratios only'
SCALE = 'All CPUs record at once: events in the same time, one CPU is 1'

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
    ('read, text', 'read_text', 'ftrace_text'),
    ('read, binary, read()', 'read_raw', 'ftrace_raw'),
    ('read, binary, splice()', 'read_splice', 'ftrace_splice'),
)


class Bench:
    """All results."""

    def __init__(self, where):
        (self.count, self.switch, self.time, self.scale, self.size, self.memory, self.many,
         self.publish, self.record) = (
            Results(os.path.join(where, part + '.raw'))
            for part in ('count', 'switch', 'time', 'scale', 'size', 'memory', 'many',
                         'publish', 'record'))
        self.count.values.update(self.size.values)
        self.count.values.update(self.memory.values)
        self.count.values.update(self.many.values)
        self.count.loops.update(self.many.loops)
        self.count.loops.update(self.publish.loops)
        self.count.values.update(self.record.values)

    def get(self, text):
        """Return the number that a name in LINES stands for, or None."""
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

    def high(self, text):
        """The same number for a marker with a large id, or None; and what it may be more."""
        if not text or text[0] == '!' or '/' in text or '-' in text:
            return None, 0
        if text.endswith('_bytes'):
            return self.get(text[:-len('_bytes')] + '_high_bytes'), HIGH_BYTES
        return self.get(text + '_high'), HIGH_INSTRUCTIONS

    def check(self):
        """Exit if the numbers cannot be right."""
        for part in (self.count, self.switch, self.time, self.scale, self.memory, self.many,
                     self.publish, self.record):
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
    """Return a number as text, with as many digits as mean something."""
    if number is None:
        return '-'
    if abs(number) >= 10000:
        return f'{number:.0f}'
    return f'{number + 0:.1f}'


def best(bench, peers):
    """Return the least of them, and its name."""
    numbers = [(bench.get(peer), peer) for peer in peers.split()]
    numbers = [(n, peer) for n, peer in numbers if n is not None]
    if not numbers:
        return None, ''
    number, peer = min(numbers)
    return number, peer.strip('!=').split('/')[0].split('-')[0]


def limit(target, peer):
    """Return a target as a number, or None: that of a row may depend on the peer."""
    if not isinstance(target, str):
        return target
    return None if peer is None else round(peer + float(target), 1)


def read_base(path):
    """Return the numbers of an earlier result.tsv, by operation."""
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
    arguments, arch = sys.argv[1:], 'x86'
    if arguments[0] == '-a':
        arch, arguments = arguments[1], arguments[2:]
    where = arguments[0]
    base = read_base(arguments[1] if len(arguments) > 1 else '')
    bench = Bench(where)
    bench.check()
    if 'clock_default' in bench.count.values:
        print('clock chosen by default on this machine:',
              bench.count.values['clock_default'])
    rows = [('key', 'section', 'operation', 'ours', 'peer', 'peer_name',
             'target', 'met')]
    for title, lines in LINES:
        if all(bench.get(one) is None for line in lines
               for one in ((line[1] or '') + ' ' + line[2]).split()):
            continue
        print(f'\n{title}')
        line = f'  {"":40}{"ours":>9}{"id > 30":>9}{"peer":>9} {"":20}{"target":>8} met '
        print((line + (f'{"base":>9}{"delta":>8}' if base else '')).rstrip())
        for text, name, peers, target in lines:
            target = target if arch == 'x86' else None
            ours = bench.get(name) if name else None
            high, more = bench.high(name)
            peer, peer_name = best(bench, peers)
            if ours is None and peer is None:
                continue
            target = limit(target, peer)
            met = ''
            if target is not None and ours is not None:
                met = 'yes' if ours <= target + 0.05 else 'NO'
            if high is not None and ours is not None and high > ours + more + 0.05:
                met = 'NO, ids'
            line = (f'  {text:40}{show(ours):>9}{show(high) if high is not None else "":>9}'
                    f'{show(peer):>9} {peer_name:20}'
                    f'{target if target is not None else "":>8} {met:4}')
            if name in base and ours is not None:
                line += f'{show(base[name]):>9}{ours - base[name]:>+8.1f}'
            print(line.rstrip())
            rows.append((name or '-', title if arch == 'x86' else f'{arch}: {title}', text,
                         f'{ours:.3f}' if ours is not None else '-',
                         f'{peer:.3f}' if peer is not None else '-',
                         peer_name, str(target or ''), met))
            if high is not None:
                rows.append((name + ' id > 30', rows[-1][1], text, f'{high:.3f}', '-', '',
                             '', ''))
    print_times(bench, rows)
    print_scale(bench, rows)
    for part in (bench.count, bench.switch, bench.record):
        for name, why in part.skipped.items():
            print(f'SKIP {name}: {why}')
    with open(os.path.join(where, 'result.tsv'), 'w', encoding='utf-8') as tsv:
        for row in rows:
            print(*row, sep='\t', file=tsv)


def print_times(bench, rows):
    """Print the section of what was measured without icount."""
    if not bench.time.there:
        return
    print('\n' + TICKS)
    for text, ours_name, peer_name in TIMES:
        ours, peer = bench.time.each(ours_name), bench.time.each(peer_name)
        if not ours or not peer:
            continue
        print(f'  {text:40}{ours:>9.0f}{peer:>9.0f} {peer_name:20}{ours / peer:>8.2f}')
        rows.append(('time_' + ours_name, TICKS, text, f'{ours:.3f}',
                     f'{peer:.3f}', peer_name, '', ''))


def print_scale(bench, rows):
    """Several CPUs at once: how many times the events of one."""
    if not bench.scale.there:
        return
    print('\n' + SCALE)
    for cpus in (1, 2, 4):
        speed = []
        for name in ('event_all', 'ftrace_event_all'):
            one, all_cpus = bench.scale.each(f'{name}_1'), bench.scale.each(f'{name}_{cpus}')
            speed.append(cpus * one / all_cpus if one and all_cpus else 0)
        text = f'{cpus} of 4 CPUs'
        print(f'  {text:40}{speed[0]:>9.2f}{speed[1]:>9.2f} ftrace_event')
        rows.append((f'scale_{cpus}', SCALE, text, f'{speed[0]:.3f}', f'{speed[1]:.3f}',
                     'ftrace_event', '', ''))


main()
