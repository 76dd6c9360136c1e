#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Print what a debug statement takes in memory, as a marker and in dynamic debug.

usage: size.py DIRECTORY    with mark/*.ko, dynamic/*.ko and none/*.ko

Adds up the sections that stay in memory, of all modules, takes away those of the modules
without statements, and divides by the number of statements. The unwinder's tables (ORC) are
not in these sums, but on a line of their own.
"""

import glob
import os
import re
import subprocess
import sys

SECTION = re.compile(r' *\[ *\d+\] (\S+) +\S+ +[0-9a-f]{16} [0-9a-f]+ ([0-9a-f]+)  *[0-9a-f]{2} +([A-Zxop]*) ')
GONE = ('.init', '.modinfo', '__versions', '.gnu.linkonce', '.note', '.BTF')


def sections(path):
    """Yield each section of an object: (name, bytes, flags)."""
    text = subprocess.run(['readelf', '-SW', path], check=True, capture_output=True,
                          encoding='utf-8').stdout
    for line in text.splitlines():
        match = SECTION.match(line)
        if match:
            yield match.group(1), int(match.group(2), 16), match.group(3)


def total(directory):
    """Return bytes by kind (code, data, orc), and those of the tables of statements."""
    size = {'code': 0, 'data': 0, 'orc': 0, '__markers': 0, '__dyndbg': 0}
    for path in glob.glob(os.path.join(directory, '*.ko')):
        for name, nr, flags in sections(path):
            if name in ('__markers', '__dyndbg'):
                size[name] += nr
            if 'A' not in flags or name.startswith(GONE):
                continue
            if name.startswith('.orc'):
                size['orc'] += nr
            else:
                size['code' if 'X' in flags else 'data'] += nr
    return size


def main():
    """Print the table."""
    none = total(os.path.join(sys.argv[1], 'none'))
    sizes = {}
    print('%-14s %10s %6s %6s %6s %6s' % ('', 'statements', 'code', 'data', 'sum', 'orc'))
    for name, table, entry in (('mark', '__markers', 40), ('dynamic', '__dyndbg', 56)):
        size = total(os.path.join(sys.argv[1], name))
        nr = size[table] // entry
        each = {kind: (size[kind] - none[kind]) / nr for kind in ('code', 'data', 'orc')}
        each['sum'] = each['code'] + each['data']
        sizes[name] = each
        print('%-14s %10d %6.1f %6.1f %6.1f %6.1f' % (
            name, nr, each['code'], each['data'], each['sum'], each['orc']))
    # for scripts/figures
    with open(os.path.join(sys.argv[1], 'size.tsv'), 'w', encoding='utf-8') as tsv:
        for kind in ('code', 'data', 'sum', 'orc'):
            print(kind, 'Debug statements: bytes of memory for each', kind,
                  '%.1f' % sizes['mark'][kind], '%.1f' % sizes['dynamic'][kind],
                  'dynamic_debug', '', '', sep='\t', file=tsv)


main()
