#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Check that includes point down, from room to room.

usage: scripts/check-layers.py [TREE]
       scripts/check-layers.py --calls BUILD [scripts/markers/]

A folder of markers/ is a room, and so is one of the command, scripts/markers/. ROOMS and
COMMAND have them from the top floor down. A file may include files of its own room and of
rooms on lower floors; the command only public headers of the module. Rooms on the
same floor do not know each other, but for the ground floor, where an
architecture meets its contract. Files of a room do not include each other in
a circle. A public header includes only public headers. LOWEST has the parts (NAME.c and
NAME.h) of a room that include no other part of it.

The walks of Documentation/design.rst and command.rst are trees of calls: each function must be in
the file that is named there, and on no higher floor than its caller.

Prints the rooms, the arrows between them (how many includes each stands for),
and every include and step that breaks a rule. Exits with 1 if there is one.

--calls reads the objects of a build instead. A file may use the symbols of its
own room and of lower floors, and the files of a room do not call each other in
a circle. What goes up on purpose is a function pointer, which no object shows,
or enters from machine code: ENTRIES. With scripts/markers/, BUILD has the objects of the
command: build/tools/obj.
"""

import os
import re
import subprocess
import sys

TREE = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..')

# From the top floor down.
ROOMS = [
    ['markers/main.c'],
    ['markers/debugfs'],
    ['markers/publish'],
    ['markers/control'],
    ['markers/after'],
    ['markers/hit', 'markers/read'],
    ['markers/record'],
    ['markers/model'],
    ['markers/hist'],
    ['markers/format', 'markers/ring'],
    ['markers', 'arch', 'arch/x86', 'arch/arm64', 'arch/generic'],
]

COMMAND = [
    ['scripts/markers/markers.c', 'scripts/markers/markers-query.c'],
    ['scripts/markers/query'],
    ['scripts/markers/commands'],
    ['scripts/markers/timeline', 'scripts/markers/record', 'scripts/markers/sql',
     'scripts/markers/send'],
    ['scripts/markers/formats'],
    ['scripts/markers/choose'],
    ['scripts/markers/pairs', 'scripts/markers/reader'],
    ['scripts/markers/events', 'scripts/markers/ctf', 'scripts/markers/control'],
    ['scripts/markers/base'],
]

# Contracts for clients and for readers of traces. All files may include them.
PUBLIC = [
    'markers/marker.h', 'markers/marker_types.h', 'markers/args.h', 'markers/debug.h',
    'markers/version.h', 'markers/debug/linux', 'markers/debug/net', 'markers/debug/rdma',
    'markers/compat', 'markers/uapi',
    'arch/x86/include/markers/arch', 'arch/arm64/include/markers/arch',
    'arch/generic/include/markers/arch',
]

# The parts that others of the room stand on, and what they may include of it: structs.
LOWEST = {
    'markers/model/registry': ['markers/model/event.h', 'markers/model/arena.h',
                               'markers/model/idle.h'],
}

# What the reader of the command shares with the module: the same code reads what it wrote.
SHARED = {
    'scripts/markers/reader': ['markers/format', 'markers/ring'],
    'scripts/markers/base': ['markers/format'],
}

# What machine code enters: a hit and a trap begin on the ground.
ENTRIES = re.compile(r'marker_dispatch_\w+|marker_top|marker_arch_find_site')

INCLUDE = re.compile(r'^\s*#\s*include\s*["<]([^">]+)[">]')


def is_public(path):
    """Tell whether a file is part of a contract."""
    return path in PUBLIC or os.path.dirname(path) in PUBLIC


def house_of(path):
    """Return the floors of the program that a file is part of."""
    return COMMAND if path.startswith('scripts/markers') else ROOMS


def room_of(path):
    """Return the room of a file, or None if its house does not have its folder."""
    rooms = [room for floor in house_of(path) for room in floor]
    for room in (path, os.path.dirname(path)):
        if room in rooms:
            return room
    return None


def floor_of(room):
    """Return the floor of a room; 0 is the ground."""
    floors = house_of(room)
    return next(len(floors) - 1 - number
                for number, floor in enumerate(floors) if room in floor)


def resolve(tree, path, name):
    """Return the file that an #include names, or None if it is not in the tree."""
    beside = os.path.normpath(os.path.join(os.path.dirname(path), name))
    arch = re.match(r'(arch/\w+)/', path)
    chosen = os.path.join(arch.group(1) if arch else 'arch/x86', 'include', name)
    for candidate in (beside, name, chosen):
        if os.path.isfile(os.path.join(tree, candidate)):
            return candidate
    return None


def sources(tree):
    """Yield all C files and headers below markers/, arch/ and scripts/markers/."""
    for top in ('markers', 'arch', 'scripts/markers'):
        for where, _, names in sorted(os.walk(os.path.join(tree, top))):
            for name in sorted(names):
                if name.endswith(('.c', '.h')) and not name.endswith('.mod.c'):
                    yield os.path.relpath(os.path.join(where, name), tree)


def includes(tree, path):
    """Yield the files of the tree that a file includes, each with its line number."""
    with open(os.path.join(tree, path), encoding='utf-8') as source:
        for number, line in enumerate(source, 1):
            match = INCLUDE.match(line)
            target = match and resolve(tree, path, match.group(1))
            if target:
                yield number, target


def complaint(path, target):
    """Say what is wrong with an include; None if nothing is."""
    if is_public(target):
        return None
    if is_public(path):
        return 'a public header includes %s, which is not public' % target
    room, target_room = room_of(path), room_of(target)
    if not room or not target_room:
        return None     # main() complains once for each such file
    if target_room in SHARED.get(room, []):
        return None
    if house_of(path) is not house_of(target):
        return '%s includes %s, which is not public' % (room, target)
    part = os.path.splitext(path)[0]
    if part in LOWEST and room == target_room and target != part + '.h' and \
            target not in LOWEST[part]:
        return '%s includes %s, which stands on it' % (part, target)
    if room == target_room:
        return None
    floor, target_floor = floor_of(room), floor_of(target_room)
    if floor == 0 and target_floor == 0:
        return None
    if target_floor > floor:
        return '%s includes %s, which is above it' % (room, target)
    if target_floor == floor:
        return '%s includes %s, on the same floor' % (room, target)
    return None


STEP = re.compile(r'^\t( *)([\w/]+\.[chS])\t+(\w+)\(\)')


def walks(tree, page, top):
    """Yield what is wrong with the walks of a page, whose paths are below @top."""
    callers, steps = [], 0
    with open(os.path.join(tree, 'Documentation', page), encoding='utf-8') as text:
        lines = text.read().split('\nWalks\n')[1].split('\nNames\n')[0].splitlines()
    for line in lines:
        match = STEP.match(line)
        if not match:
            callers = []
            continue
        steps += 1
        depth, path, function = len(match.group(1)) // 2, match.group(2), match.group(3)
        if not path.startswith('arch/'):
            path = top + path
        callers = callers[:depth] + [path]
        try:
            with open(os.path.join(tree, path), encoding='utf-8') as source:
                if not re.search(r'^\w[^;]*\b%s\(|^SYM_\w+\(%s\)' % (function, function),
                                 source.read(), re.M):
                    yield '%s: %s has no function %s()' % (page, path, function)
        except OSError:
            yield '%s: there is no %s' % (page, path)
            continue
        if depth and floor_of(room_of(path)) > floor_of(room_of(callers[depth - 1])):
            yield '%s: %s is above its caller %s' % (page, path, callers[depth - 1])
    if not steps:
        yield '%s: no walk was found' % page


def circles(graph):
    """Return the circles of a graph of files."""
    found, done = [], set()

    def visit(node, path):
        if node in path:
            found.append(path[path.index(node):] + [node])
            return
        if node in done:
            return
        for following in sorted(graph.get(node, ())):
            visit(following, path + [node])
        done.add(node)

    for node in sorted(graph):
        visit(node, [])
    return found


def symbols(build, prefix):
    """Return the symbols that the objects of a build define and use.

    With a prefix, it is the directory of the sources of all objects.

    By name: the part, and whether it is a function; by part: the names.
    """
    def is_current(path):
        source = prefix + os.path.relpath(path, build)[:-1] + 'c'
        return not prefix or os.path.exists(os.path.join(TREE, source))

    objects = [path for path in (os.path.join(where, name)
                                 for top in ([''] if prefix else ['markers', 'arch'])
                                 for where, _, names in os.walk(os.path.join(build, top))
                                 for name in names)
               if path.endswith('.o') and not path.endswith('.mod.o') and is_current(path)]
    defined, used = {}, {}
    for line in subprocess.run(['nm', '-A', *objects], check=bool(objects), text=True,
                               stdout=subprocess.PIPE).stdout.splitlines():
        path, _, rest = line.rpartition(':')
        kind, name = rest.split()[-2:]
        part = prefix + os.path.relpath(path, build)[:-len('.o')]
        if kind == 'U':
            used.setdefault(part, set()).add(name)
        elif kind.isupper() and not name.startswith('__'):
            defined[name] = part, kind in 'TW'
    return defined, used


def calls(build, prefix=''):
    """Yield what is wrong with the calls between the objects of a build."""
    defined, used = symbols(build, prefix)
    wrong, graph = [], {}
    for part, names in sorted(used.items()):
        for name in sorted(names & defined.keys()):
            target, is_function = defined[name]
            if part.startswith('arch/') and ENTRIES.fullmatch(name):
                continue
            text = complaint(part + '.c', target + '.h')
            if text:
                wrong.append('%s uses %s() of %s: %s' % (
                    part, name, target, text.replace('includes', 'calls')))
            elif is_function:
                graph.setdefault(part, set()).add(target)
    print('# %d objects use %d symbols of others' % (
        len(used), sum(len(names & defined.keys()) for names in used.values())))
    if not graph:
        yield 'no call was found in %s' % build
    yield from wrong
    for circle in circles(graph):
        yield 'a circle of calls: ' + ' -> '.join(circle)


def main():
    """Print the rooms, the arrows, and what breaks a rule."""
    if sys.argv[1:2] == ['--calls']:
        wrong = list(calls(*sys.argv[2:]))
        print('\n'.join(wrong))
        return 1 if wrong else 0
    tree = sys.argv[1] if len(sys.argv) > 1 else TREE
    wrong, files, arrows, graph = [], {}, {}, {}
    for path in sources(tree):
        room = room_of(path)
        if room:
            files[room] = files.get(room, 0) + 1
        elif not is_public(path):
            wrong.append('%s: its folder is no room of scripts/check-layers.py' % path)
        for number, target in includes(tree, path):
            text = complaint(path, target)
            if text:
                wrong.append('%s:%d: %s' % (path, number, text))
            if is_public(path) or is_public(target):
                continue
            target_room = room_of(target)
            if room and target_room and room != target_room:
                arrows[room, target_room] = arrows.get((room, target_room), 0) + 1
            graph.setdefault(path, set()).add(target)
    wrong += walks(tree, 'design.rst', 'markers/')
    wrong += walks(tree, 'command.rst', 'scripts/markers/')
    wrong += ['a circle: ' + ' -> '.join(circle) for circle in circles(graph)]

    for floor in ROOMS + COMMAND:
        for room in floor:
            if room not in files:
                continue
            print('# floor %d: %s (%d files)' % (floor_of(room), room, files[room]))
            for target in sorted(target for source, target in arrows if source == room):
                print('#     -> %s (%d)' % (target, arrows[room, target]))
    print('# %d rooms, %d arrows, %d includes that break a rule' %
          (len(files), len(arrows), len(wrong)))
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
