#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Check that includes point down.

usage: scripts/check-layers.py [TREE]

A file may include its own header, public headers, and headers of lower
levels; the members of a level do not know each other. The levels are below:
a new file has to be given a place there. Prints every arrow that points
another way, and exits with 1 if there is one.
"""

import os
import re
import sys

# Public: contracts for clients and readers of traces; anybody may use them.
PUBLIC = {
    'markers/marker.h', 'markers/marker_types.h', 'markers/args.h',
    'markers/uapi/ctf.h',
    'arch/x86/site.h', 'arch/generic/site.h',
}

# Lowest first. A name stands for NAME.c and NAME.h, unless it has an ending.
LEVELS = [
    {'markers/base'},
    # what everything stands on
    {'markers/log', 'markers/arch', 'markers/ring/clock', 'markers/format/format',
     'markers/format/words', 'markers/debugfs/file', 'arch/x86/insn', 'arch/x86/valist'},
    {'markers/switch/event', 'markers/switch/rules', 'markers/debugfs/command', 'markers/switch/sites', 'arch/x86/text',
     'arch/x86/guard',
     'arch/x86/trap', 'arch/generic/valist'},
    # pure: from arguments to bytes to text; the ring; the patch protocol
    {'markers/format/serialize', 'markers/format/simple', 'markers/format/metadata', 'markers/ring/ring.h',
     'markers/valist', 'arch/x86/int3', 'arch/x86/patch', 'arch/generic/patch'},
    {'markers/format/text', 'markers/ring/ring_internal', 'markers/switch/patcher',
     'markers/ring/packet'},
    {'markers/ring/ring.c', 'markers/ring/ring_write', 'markers/ring/ring_read', 'markers/trace/buffer'},
    # what is wanted, and where it goes
    {'markers/switch/registry', 'markers/trace/channel'},
    {'markers/trace/record', 'markers/switch/switch'},
    {'markers/switch/probes', 'markers/switch/control'},
    {'markers/trace/dispatch', 'markers/switch/modules', 'markers/trace/stream'},
    {'markers/debugfs/reader'},
    {'markers/debugfs/reader_text', 'markers/debugfs/reader_ctf', 'markers/debugfs/events', 'markers/debugfs/settings',
     'markers/debugfs/site_files'},
    {'markers/debugfs/tree'},
    {'markers/main'},
]

INCLUDE = re.compile(r'^\s*#\s*include\s*["<]([^">]+)[">]')


def level_of(path):
    """The level of a file, or None if it has none."""
    for number, level in enumerate(LEVELS):
        if path in level or os.path.splitext(path)[0] in level:
            return number
    return None


def resolve(tree, path, name):
    """The file in the tree that an #include names, or None: a system header."""
    beside = os.path.normpath(os.path.join(os.path.dirname(path), name))
    for candidate in (beside, name):
        if os.path.isfile(os.path.join(tree, candidate)):
            return candidate
    return None


def check(tree, path):
    """The arrows of one file that do not point down."""
    level = level_of(path)
    if level is None and path not in PUBLIC:
        return ['%s: has no level: add it to scripts/check-layers.py' % path]
    wrong = []
    with open(os.path.join(tree, path), encoding='utf-8') as source:
        for number, line in enumerate(source, 1):
            match = INCLUDE.match(line)
            target = match and resolve(tree, path, match.group(1))
            if not target or target in PUBLIC:
                continue
            if target.startswith('markers/compat/'):
                continue
            if os.path.splitext(target)[0] == os.path.splitext(path)[0]:
                continue
            target_level = level_of(target)
            if level is None:
                wrong.append('%s:%d: public, includes %s' %
                             (path, number, target))
            elif target_level is None:
                wrong.append('%s:%d: includes %s, which has no level' %
                             (path, number, target))
            elif target_level >= level:
                wrong.append('%s:%d: level %d includes %s of level %d' %
                             (path, number, level, target, target_level))
    return wrong


def main():
    tree = sys.argv[1] if len(sys.argv) > 1 else \
        os.path.join(os.path.dirname(os.path.abspath(__file__)), '..')
    wrong = []
    for top in ('markers', 'arch'):
        for where, _, names in os.walk(os.path.join(tree, top)):
            if where.endswith('compat'):
                continue
            for name in sorted(names):
                if name.endswith(('.c', '.h')):
                    path = os.path.relpath(os.path.join(where, name), tree)
                    wrong += check(tree, path)
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
