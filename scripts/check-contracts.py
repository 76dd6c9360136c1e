#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Check that each function used in several files has its contract in its header.

usage: scripts/check-contracts.py [TREE]

A contract is a kernel-doc comment right before the declaration. It names the
function, every argument, the context in which it may be called ("Context:"),
and what it returns ("Return:"), unless it returns nothing. A header may say at its
top what the context of all its functions is ("Context of all:"). A function without
arguments that is called from main.c only (NAME_init, NAME_exit) may do without, and
so may an inline function that no other file names. Every function of a .c file that
is not static is declared in a header.

Prints one line for each contract that is missing or not complete, and their
number. Exits with 1 if there is one.
"""

import os
import re
import sys

COMMENT = re.compile(r'/\*.*?\*/', re.S)
# A declaration at the beginning of a line, up to its ";" or its body.
FUNCTION = re.compile(
    r'^(?!typedef\b|return\b|else\b|struct \w+ *\{|#|\s|\})'
    r'(?P<type>[A-Za-z_][\w\s]*?[\s*]+(?:__printf\(\d+, \d+\)\s+)?\**)'
    r'(?P<name>\w+)\((?P<args>[^;{}]*?)\)(?P<tail>\s*(?:__\w+(?:\([^)]*\))?\s*)*)(?P<end>[;{])',
    re.M)
PREFIX = re.compile(r'^__printf\(\d+, \d+\)\s+', re.M)
ATTRIBUTE = re.compile(r'__attribute__\(\([^;{}]*\)\)\s*$')
PLAIN = re.compile(r'\w+_(init|exit)$')


def sources(tree):
    """Yield all C files and headers but those that user space shares."""
    for top in ('markers', 'arch'):
        for where, _, names in sorted(os.walk(os.path.join(tree, top))):
            for name in sorted(names):
                path = os.path.relpath(os.path.join(where, name), tree)
                if name.endswith(('.c', '.h')) and not name.endswith('.mod.c') and \
                        not path.startswith(('markers/uapi', 'markers/compat')):
                    yield path


def functions(text):
    """Yield each function of a text: (name, type, arguments, comment before it)."""
    blank = COMMENT.sub(lambda m: re.sub(r'[^\n]', ' ', m.group()), text)
    blank = re.sub(r'^[ \t]*#.*?(?<!\\)$', lambda m: re.sub(r'[^\n]', ' ', m.group()),
                   blank, flags=re.M | re.S)
    blank = PREFIX.sub(lambda m: ' ' * 0 + m.group().replace('(', '_').replace(')', '_')
                       .replace(',', '_').replace(' ', '_', 1), blank)
    for match in FUNCTION.finditer(blank):
        before = ATTRIBUTE.sub('', text[:match.start()]).rstrip()
        comment = ''
        if before.endswith('*/'):
            comment = before[before.rindex('/*'):]
        yield match.group('name'), match.group('type'), match.group('args'), comment


def arguments(args):
    """Return the names of the arguments of a declaration."""
    depth, names, part = 0, [], ''
    for char in args + ',':
        if char == ',' and depth == 0:
            match = re.search(r'(\w+)\s*(\[[^]]*\])?\s*$', part) or \
                re.search(r'\(\*(\w+)\)', part)
            if '...' in part:
                names.append('...')
            elif match and part.strip() != 'void':
                names.append(match.group(1))
            part = ''
            continue
        depth += (char == '(') - (char == ')')
        part += char
    return names


def complaints(path, name, kind, args, comment, context):
    """Yield what the contract of a function lacks; context is that of its whole file."""
    where = '%s: %s()' % (path, name)
    if PLAIN.match(name) and not arguments(args):
        return
    if not comment.startswith('/**') or not re.search(r'\* %s\(\)' % name, comment):
        yield where + ' has no kernel-doc'
        return
    for argument in arguments(args):
        if argument != '...' and not re.search(r'@%s:' % argument, comment):
            yield '%s: @%s is not described' % (where, argument)
    if not context and 'Context:' not in comment:
        yield where + ' has no Context:'
    if not re.search(r'\bvoid(\s+__\w+)*\s*$', kind) and 'Return:' not in comment:
        yield where + ' has no Return:'


def main():
    """Print what the contracts lack."""
    tree = sys.argv[1] if len(sys.argv) > 1 else \
        os.path.join(os.path.dirname(os.path.abspath(__file__)), '..')
    wrong, declared, defined = [], set(), []
    number = 0
    texts, words = {}, {}
    for path in sources(tree):
        with open(os.path.join(tree, path), encoding='utf-8') as source:
            texts[path] = source.read()
        for word in set(re.findall(r'\w+', COMMENT.sub('', texts[path]))):
            words[word] = words.get(word, 0) + 1
    for path, text in texts.items():
        context = 'Context of all:' in text.split('*/')[1]
        for name, kind, args, comment in functions(text):
            if path.endswith('.h'):
                declared.add(name)
                if name.startswith('__'):
                    continue    # a part of a macro or of its neighbour
                if 'inline' in kind and words[name] == 1:
                    continue    # a part of its neighbours in the header
                number += 1
                wrong += complaints(path, name, kind, args, comment, context)
            elif 'static' not in kind.split():
                defined.append((path, name))
    wrong += ['%s: %s() is neither static nor declared in a header' % pair
              for pair in defined
              if pair[1] not in declared and not pair[1].startswith('__')]
    for line in wrong:
        print(line)
    print('# %d functions with a contract to keep, %d complaints' % (number, len(wrong)))
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
