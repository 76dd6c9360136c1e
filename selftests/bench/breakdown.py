#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Trace one operation of the benchmark, and say where its instructions are.

usage: breakdown.py MONITOR LOG
       breakdown.py LOG KALLSYMS COUNT [list]

The first form tells qemu, through its monitor, to log every instruction to LOG for some
seconds, and then to end. The second form finds in LOG a call of a function loop_...() that
does COUNT operations, or one operation of a function time_...(), and counts its instructions
by function; "list" shows every instruction, too.
"""

import bisect
import collections
import os
import re
import socket
import sys
import time


LOG_BYTES = 150 << 20


def monitor(path, *commands):
    """Give commands to the monitor of qemu."""
    with socket.socket(socket.AF_UNIX) as sock:
        sock.connect(path)
        stream = sock.makefile('rw')
        for command in commands:
            stream.write(command + '\n')
            stream.flush()
            time.sleep(0.05)
        time.sleep(0.2)


def record(path, log):
    """Log all instructions for some seconds."""
    # qemu translates all code anew from now on, and so disassembles it. From 8.1 on, the
    # command has another name; each knows one of the two.
    monitor(path, f'logfile {log}', 'log in_asm', 'one-insn-per-tb on', 'singlestep on',
            'log in_asm,exec,nochain')
    for _ in range(20):
        time.sleep(0.5)
        if os.path.getsize(log) > LOG_BYTES:
            break
    monitor(path, 'log none', 'quit')


class Symbols:
    """The functions of /proc/kallsyms, by address."""

    def __init__(self, path):
        table = []
        with open(path, encoding='ascii') as lines:
            for line in lines:
                addr, kind, name, *_ = line.split()
                if kind in 'tT':
                    table.append((int(addr, 16), name))
        table.sort()
        self.addrs = [addr for addr, _ in table]
        self.names = [name for _, name in table]
        self.cache = {}

    def name(self, addr):
        """Return the function that an address is in."""
        if addr not in self.cache:
            index = bisect.bisect_right(self.addrs, addr)
            self.cache[addr] = self.names[index - 1] if index else '?'
        return self.cache[addr]

    def addr_of(self, addr):
        """Return where the function begins that an address is in."""
        return self.addrs[bisect.bisect_right(self.addrs, addr) - 1]


EXEC = re.compile(r'^Trace \d+: 0x[0-9a-f]+ \[[0-9a-f]+/([0-9a-f]+)/')
ASM = re.compile(r'^0x([0-9a-f]+):\s+((?:[0-9a-f]{2} )+)\s*(.*)$')


def read_log(path):
    """Return the addresses that were executed, in order, and the instructions there."""
    trace, text = [], {}
    with open(path, encoding='ascii', errors='replace') as lines:
        for line in lines:
            match = EXEC.match(line)
            if match:
                trace.append(int(match[1], 16))
                continue
            match = ASM.match(line)
            if match:
                text[int(match[1], 16)] = match[3]
    return trace, text


def find_loop(trace, symbols):
    """Return one call of a function loop_...()."""
    begin = None
    last = ''
    for i, addr in enumerate(trace):
        name = symbols.name(addr)
        if name.startswith('loop_') and not last.startswith('loop_') and \
           begin is None and addr == symbols.addr_of(addr):
            begin = i
        elif name == 'bench_time' and begin is not None:
            return trace[begin:i]
        last = name
    return None


def find_timed(trace, text, symbols):
    """Return the shortest way of a function time_...() from one look at the time to the next."""
    first = begin = best = None
    entered = False
    for i, addr in enumerate(trace):
        if not symbols.name(addr).startswith('time_'):
            continue
        entered = entered or addr == symbols.addr_of(addr)
        if not entered or not text.get(addr, '').startswith('rdtsc'):
            continue
        first = first or addr
        if addr == first:
            begin = i
        elif best is None or i - begin < len(best):
            best = trace[begin:i]
    return best


KINDS = (
    ('memory', lambda op, args: '(' in args and not op.startswith(('lea', 'nop'))
     or op.startswith(('push', 'pop', 'call', 'ret', 'leave'))),
    ('branches', lambda op, args: op.startswith('j') and not op.startswith('jmp')),
    ('jumps', lambda op, args: op.startswith('jmp')),
    ('calls', lambda op, args: op.startswith('call')),
    ('locked', lambda op, args: op.startswith('lock') or op.startswith('xchg') and '(' in args),
    ('cmpxchg/xadd', lambda op, args: 'cmpxchg' in op or 'xadd' in op),
    ('rdtsc', lambda op, args: op.startswith('rdtsc')),
    ('pushf/popf/cli/sti/iret', lambda op, args: op.startswith(
        ('pushf', 'popf', 'cli', 'sti', 'iret'))),
    ('fences', lambda op, args: op.startswith(('lfence', 'mfence', 'sfence'))),
)


def report(log, kallsyms, count):
    """Print the table."""
    symbols = Symbols(kallsyms)
    trace, text = read_log(log)
    loop = find_loop(trace, symbols)
    if not loop:
        loop = find_timed(trace, text, symbols)
        count = 1
    if not loop:
        sys.exit('breakdown.py: no whole call of the operation is in the trace')
    trace = loop
    functions = collections.Counter(symbols.name(addr) for addr in trace)
    kinds = collections.Counter()
    hits = collections.Counter(trace)
    for addr, times in hits.items():
        op, _, args = text.get(addr, '? ').partition(' ')
        for kind, test in KINDS:
            if test(op, args.strip()):
                kinds[kind] += times
        if symbols.name(addr).startswith('__x86_indirect_thunk') and \
           op.startswith('call'):
            kinds['retpolines'] += times
    print(f'{len(trace) / count:9.1f}  all, loop included')
    for name, times in functions.most_common():
        print(f'{times / count:9.1f}  {name}')
    print('of these:')
    for kind, _ in KINDS + (('retpolines', None),):
        print(f'{kinds[kind] / count:9.1f}  {kind}')
    if len(sys.argv) > 4:
        last = None
        for addr in sorted(hits):
            if symbols.name(addr) != last:
                last = symbols.name(addr)
                print(f'\n{last}:')
            print(f'{hits[addr] / count:9.2f}  {addr:x}  {text.get(addr, "?")}')


def main():
    """Trace, or print the table."""
    if len(sys.argv) == 3:
        record(sys.argv[1], sys.argv[2])
    elif len(sys.argv) >= 4:
        report(sys.argv[1], sys.argv[2], int(sys.argv[3]))
    else:
        sys.exit(__doc__)


main()
