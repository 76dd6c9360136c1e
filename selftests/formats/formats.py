#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Print the format strings of the kernel's messages, one in a line.

usage: formats.py DIRECTORY...

Takes every call of printk() and the like (pr_*, dev_*, netdev_*, netif_*, ...) in
the .c and .h files below the directories, and of its arguments the first one that
is made of string literals. It leaves out a format with a macro in it (but KERN_*),
since it does not know the text. It cuts off a newline at the end, which a marker does
not have, and prints others as "\\n", and a backslash as two.
"""

import os
import re
import sys

LEVELS = 'emerg|alert|crit|err|warn|warning|notice|info|debug|dbg|vdbg|cont|devel'
CALL = re.compile(
    r'\b(?:printk(?:_once|_ratelimited|_deferred)?|'
    r'(?:pr|dev|netdev|netif|net|wiphy|pci|sdev|hid|shost|starget|snd|acpi_handle)_'
    r'(?:%s)(?:_once|_ratelimited|_probe)?|'
    r'(?:dev|netdev|netif|wiphy|sdev|pci)_printk|panic)\s*\(' % LEVELS)
# comments, strings and characters, which may hold anything
OPAQUE = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
PIECE = re.compile(r'\s*(?:"((?:\\.|[^"\\\n])*)"|(\w+))')
ESCAPE = re.compile(r'\\(x[0-9a-fA-F]+|[0-7]{1,3}|.)', re.S)
LETTERS = {'n': '\n', 't': '\t', 'r': '\r', 'a': '\a', 'b': '\b', 'f': '\f', 'v': '\v'}


def unescape(match):
    """Return the character that an escape of C stands for."""
    what = match.group(1)
    if what[0] == 'x':
        return chr(int(what[1:], 16) & 0xff)
    if what[0] in '01234567':
        return chr(int(what, 8) & 0xff)
    return LETTERS.get(what, what)


def arguments(text, start):
    """Return the arguments of the call whose "(" ends before start; [] if it has no end."""
    depth, args, at = 0, [], start
    while at < len(text):
        char = text[at]
        opaque = OPAQUE.match(text, at) if char in '"\'' else None
        if opaque:
            at = opaque.end()
            continue
        if char in '([{':
            depth += 1
        elif char in ')]}':
            if depth == 0:
                return args + [text[start:at]]
            depth -= 1
        elif char == ',' and depth == 0:
            args.append(text[start:at])
            start = at + 1
        at += 1
    return []


def literal(arg):
    """Return the text of an argument of string literals; None if it is another one."""
    text, at, any_string = '', 0, False
    while arg[at:].strip():
        match = PIECE.match(arg, at)
        if not match:
            return None
        if match.group(1) is not None:
            text += ESCAPE.sub(unescape, match.group(1))
            any_string = True
        elif not match.group(2).startswith('KERN_'):
            return None
        at = match.end()
    return text if any_string else None


def formats(text):
    """Yield all format strings of a source."""
    text = OPAQUE.sub(lambda m: ' ' if m.group()[0] == '/' else m.group(), text)
    text = text.replace('\\\n', ' ')
    for call in CALL.finditer(text):
        for arg in arguments(text, call.end()):
            found = literal(arg)
            if found is not None:
                yield found
                break


def main():
    """Print the formats of all files."""
    out = os.fdopen(1, 'w', encoding='latin-1', newline='\n')
    for top in sys.argv[1:]:
        for where, folders, names in os.walk(top):
            folders.sort()
            for name in sorted(names):
                if not name.endswith(('.c', '.h')):
                    continue
                with open(os.path.join(where, name), encoding='latin-1') as source:
                    for text in formats(source.read()):
                        text = text[:-1] if text.endswith('\n') else text
                        out.write(text.replace('\\', '\\\\').replace('\n', '\\n') + '\n')


if __name__ == '__main__':
    main()
