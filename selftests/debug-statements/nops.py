#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Check that each site of these modules is one 5-byte NOP.

usage: nops.py MODULE...

Reads the relocations of __marker_sites, which lead to the sites, and the bytes there.
Prints the number of sites and each that is something else. Exits with 1 if there is one.
"""

import re
import subprocess
import sys

NOP = '0f 1f 44 00 00'


def output(*command):
    """Return what a command prints."""
    return subprocess.run(command, check=True, capture_output=True, encoding='utf-8').stdout


def sites(path):
    """Yield each site of a module: (section, offset)."""
    inside = False
    for line in output('readelf', '-rW', path).splitlines():
        if line.startswith('Relocation section'):
            inside = "'.rela__marker_sites'" in line
        match = re.search(r'R_X86_64_PC32 +[0-9a-f]+ (\.\S*text\S*) ([+-]) ([0-9a-f]+)$', line)
        if inside and match:
            yield match.group(1), int(match.group(2) + match.group(3), 16)


def main():
    """Check all modules."""
    total, bad = 0, 0
    for path in sys.argv[1:]:
        nops = set()
        section = ''
        for line in output('objdump', '-dw', path).splitlines():
            match = re.match(r'Disassembly of section (.*):$', line)
            if match:
                section = match.group(1)
            match = re.match(r' *([0-9a-f]+):\t([0-9a-f ]+)\t', line)
            if match and match.group(2).strip() == NOP:
                nops.add((section, int(match.group(1), 16)))
        for site in sites(path):
            total += 1
            if site not in nops:
                bad += 1
                print('%s: %s+0x%x is no NOP' % (path, site[0], site[1]))
    print('%d sites, %d of them NOPs' % (total, total - bad))
    sys.exit(not total or bad > 0)


main()
