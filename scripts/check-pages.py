#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Check that the pages and the comments speak of what there is.

usage: scripts/check-pages.py [TREE [PAGE...]]

PAGE is checked besides the pages of TREE: a test plants stale statements in one.

* A file that a page or a comment names must exist, and so must a function, and each word with
  an underscore: somewhere in the code, not in its comments only. NOT_OURS has the exceptions.
* An @argument or @member of a comment must exist in the code of its file.
* A page that :doc:`...` names must exist, and so must a section: "Title" in :doc:`page`.
* Figures are in figures.rst only. Those of README.rst must be the same, rounded.
* figures.rst and performance.svg are as scripts/figures writes them.
* index.rst lists each page in its toctree, testing.rst each area of test.d, and advanced.rst and the
  ABI name each parameter.
* promises.rst has the numbers of the sources; the changelog of the packages begins with the
  version, and their NEWS have its layout.

Prints one line for each statement that is wrong. Exits with 1 if there is one.
"""

import importlib.machinery
import importlib.util
import os
import re
import sys

CODE = ('.c', '.h', '.S', '.sh', '.py', '.tc', '.mk', '.kbuild', '.pml', '.litmus', '.proto')
TOPS = 'markers|arch|scripts|selftests|samples|Documentation'
# Words of the kernel, of compilers, and of other projects, which no code here has.
NOT_OURS = set('''
arch_get_kernel_nofault BUILD_DEPENDS BUILT_MODULE_NAME CONFIG_INIT_STACK_ALL_ZERO CONFIG_NET
CONFIG_OF CONFIG_STACKPROTECTOR_STRONG CONFIG_SYMBOLIC_ERRNAME crash_kexec_post_notifiers ctype.h
DECLARE_EVENT_CLASS DEFINE_MARKER event_mutex define_trace.h DEST_MODULE_LOCATION dkms_tree
Documentation/fault-injection drm_dbg FORTIFY_SOURCE fp_offset GET_MARKER gp_offset hid_dbg
INSTALL_MOD_STRIP kallsyms_lookup_name kernel_source_dir kmsg_dump_register MAKEDUMP_ARGS marker_arm
marker_disarm marker_iter_start module_mutex PACKAGE_NAME pci_dbg POST_BUILD PRIVATE_EXPEDITED_SYNC_CORE
PROVE_RCU pte_present SA_RESETHAND samples/markers/marker-example.c
samples/markers/probe-example.c scanf scope_tgid stack_trace_save_user stop_machine
__task_state_index text_mutex text_poke TP_CONDITION TRACE_EVENT_FN trace_instance trace_mark_tp
trace_print_lat_fmt v4l2_dbg VERBOSE_DEBUG vprintk
'''.split())
# Words that an example or a message makes up.
MADE_UP = set('''
bytes_per_second CFLAGS_example CFLAGS_file CFLAGS_noisy crowd_a000 crowd_a999 dev_8 dev_9
dummy.c dummy_probe dummy_udc example.c example_trace example_trace.h exmaple_request first.c
from_ms from_us FUNCTION_LINE FUNCTION_LINE_2 gap_us hammer_00 hammer_99
handle_control_request_1668 high_000 link_2 low_000 many_000 many_a000 many_a999
marker_layout_N max_size_bytes max_us my_data my_probe name_command name_file name_fops
name_show oct32_t OFFSET_S p50_us p95_us p99_us per_second ramdisk_request
register_trace_example rx.c rx_drop scope_ANY scope_ANYTHING set_address sum_ms swarm_00
swarm_19 trace_example_enabled trace_example_request w_value
'''.split())

C_COMMENT = re.compile(r'/\*.*?\*/', re.S)
HASH_COMMENT = re.compile(r'(?m)^[ \t]*#(?!!| ?include| ?define| ?if| ?el| ?endif).*$')
WORD = re.compile(r'[A-Za-z_][A-Za-z0-9_]*')
DOC = re.compile(r':doc:`(?:[^`<]*<)?([^`>]+)>?`')
SECTION = re.compile(r'"([^"]+)"\s+in\s+:doc:`(\w[\w-]*)`')
FIGURE = re.compile(r'\b[0-9][0-9,.]*\s+(?:instructions|nanoseconds\s+(?:an|for\s+each)\s+event|events\s+(?:a|per)\s+second)\b')
PATH = re.compile(r'(?<![\w/.<-])(?:%s)/[\w./*-]*' % TOPS)
FILE = re.compile(r'(?<![\w/*.-])[\w-]+\.(?:c|h|S|py|tc|rst|sh|pml|litmus)\b')
MEMBER = re.compile(r'(?<![\w\\])@(\w+)')
CALL = re.compile(r'(?<!\w)([A-Za-z_]\w*)\(\)')
NAME = re.compile(r'(?<![\w/.<*%:-])[A-Za-z]\w*_\w*[A-Za-z0-9](?![\w*/-])')


class Tree:
    """What there is."""

    def __init__(self, top):
        self.top = top
        self.paths, self.names, self.words, self.comments = set(), set(), set(), []
        self.own = {}     # words of each file
        for where, dirs, files in os.walk(top):
            dirs[:] = sorted(one for one in dirs if one not in ('.git', 'build'))
            for name in dirs + files:
                self.paths.add(os.path.relpath(os.path.join(where, name), top))
                self.names.add(name)
                self.words.update((name.split('.')[0], name.split('_test.')[0]))
            for name in files:
                self.read(os.path.join(where, name))

    def read(self, path):
        """Take the words of a source, and its comments."""
        name = os.path.relpath(path, self.top)
        if name.startswith('Documentation') or name.endswith(('.rst', '.mod.c')) or \
                ('.' in os.path.basename(name) and not name.endswith(CODE)):
            return
        with open(path, encoding='utf-8', errors='replace') as source:
            text = source.read()
        if name.endswith(('.c', '.h', '.S')):
            if re.match('(markers|arch|scripts|selftests|samples)/', name):
                self.comments += [(name, text.count('\n', 0, one.start()) + 1, one.group())
                                  for one in C_COMMENT.finditer(text)]
            text = C_COMMENT.sub(' ', text)
            self.own[name] = set(WORD.findall(text))
        else:
            text = HASH_COMMENT.sub(' ', text)
        self.words.update(WORD.findall(text))

    def has_path(self, path):
        """Is there such a file? "*" may stand for anything."""
        path = re.sub('NAME|AREA', '*', path.rstrip('/.,'))
        if '*' not in path:
            return path in self.paths or 'arch/x86/include/' + path in self.paths
        glob = re.compile(re.escape(path).replace(r'\*', '[^/]*') + '$')
        return any(glob.match(one) for one in self.paths)

    def has_word(self, word):
        """Is there such an identifier? One that begins or ends with "_" is a part of one."""
        if word[0] == '_' or word[-1] == '_':
            return any(one.startswith(word) or one.endswith(word) for one in self.words)
        return word in self.words or word in NOT_OURS or word in MADE_UP


def of_text(tree, text):
    """Yield (offset, what) for what a text names and the tree lacks."""
    found = set()
    for match in FIGURE.finditer(text):
        yield match.start(), 'a figure outside of figures.rst: ' + ' '.join(match.group().split())
    for match in PATH.finditer(text):
        path = match.group().rstrip('.')
        if not tree.has_path(path) and path not in NOT_OURS:
            found.add((match.start(), path))
    for match in FILE.finditer(text):
        if match.group() not in tree.names and not tree.has_word(match.group()):
            found.add((match.start(), match.group()))
    for match in list(CALL.finditer(text)) + list(NAME.finditer(text)):
        word = match.group().rstrip('()')
        if not tree.has_word(word) and not text.startswith('.', match.end()):
            found.add((match.start(), word))
    for at, what in sorted(found):
        yield at, 'there is no ' + what


def of_page(tree, pages, text):
    """Yield the same for a page, and what its links miss."""
    yield from of_text(tree, text)
    for match in DOC.finditer(text):
        if match.group(1) not in pages:
            yield match.start(), 'there is no page ' + match.group(1)
    for match in SECTION.finditer(text):
        title = ' '.join(match.group(1).split())
        if not re.search(r'(?m)^%s.*\n[=-]+$' % re.escape(title), pages.get(match.group(2), '')):
            yield match.start(), 'page %s has no section "%s"' % (match.group(2), title)


def of_figures(tree, readme):
    """Yield what is wrong with figures.rst, and with the figures of README.rst."""
    path = os.path.join(tree.top, 'scripts', 'figures')
    loader = importlib.machinery.SourceFileLoader('figures', path)
    spec = importlib.util.spec_from_loader('figures', loader)
    figures = importlib.util.module_from_spec(spec)
    sys.dont_write_bytecode = True
    loader.exec_module(figures)
    page = figures.read_page(os.path.join(tree.top, 'Documentation', 'figures.rst'))
    with open(os.path.join(tree.top, 'Documentation', 'figures.rst'), encoding='utf-8') as text:
        if text.read() != figures.text_of(page):
            yield 'Documentation/figures.rst: not as scripts/figures writes it'
    with open(os.path.join(tree.top, 'Documentation', 'performance.svg'), encoding='utf-8') as svg:
        if svg.read() != figures.draw(page):
            yield 'Documentation/performance.svg: not as scripts/figures draws it'
    recorded = {row.operation: row for row in page['Recorded (clock: the time stamp counter)']}
    said = re.search(r'an event costs (\d+) instructions.*?ftrace needs (\d+).*?it costs\s+(\d+) '
                     r'and LTTng (\d+)', readme, re.S)
    cells = [recorded['int + u64 + string, ' + row].cells[column]
             for row in ('tid + flags + name', 'clock mono') for column in (0, 1)]
    true = [str(round(float(cell))) for cell in cells]
    if not said or list(said.groups()) != true:
        yield 'README.rst: figures.rst says ' + ', '.join(true)


def of_promises(tree, page):
    """Yield the numbers that are not those of the sources."""
    def read(path, pattern):
        with open(os.path.join(tree.top, path), encoding='utf-8') as source:
            return '.'.join(re.findall(pattern, source.read(), re.M))

    layout = read('markers/marker_types.h', r'^#define MARKER_LAYOUT\s+(\d+)')
    if f'MARKER_LAYOUT, now {layout}.' not in page:
        yield f'promises.rst: MARKER_LAYOUT is {layout}'
    if f'layout {layout},' not in read('scripts/debian/NEWS', r'.+'):
        yield f'scripts/debian/NEWS: MARKER_LAYOUT is {layout}'
    notes = read('markers/after/crash_notes.h', r'MARKER_NOTE_MAGIC\s+"markers notes (\d+)')
    if f'version {notes} of the page' not in page:
        yield f'promises.rst: the notes have version {notes}'
    version = read('markers/version.h', r'^#define MARKERS_VERSION_M\w+\s+(\d+)')
    if read('scripts/debian/changelog', r'\A\w+ \((.*?)\)') != version:
        yield f'scripts/debian/changelog: the version is {version}'


def of_lists(tree, pages):
    """Yield what the list of a page lacks."""
    toctree = re.search(r'toctree::\n\n((?:   .*\n)+)', pages['index']).group(1).split()
    for page in pages:
        if page not in toctree and '/' not in page and page not in ('index', 'README'):
            yield f'index.rst: the toctree lacks {page}'
    for path in sorted(tree.paths):
        area = re.fullmatch('selftests/test.d/([^/.]+)/', path + '/')
        if area and path != 'selftests/test.d/functions' and \
                not re.search(f'(?m)^{area.group(1)} ', pages['testing']):
            yield f'testing.rst: there is no area {area.group(1)}'
    with open(os.path.join(tree.top, 'Documentation/ABI/testing/debugfs-markers'), encoding='utf-8') as text:
        abi = re.search('/sys/module/markers/parameters.*?\n\n', text.read(), re.S).group()
    with open(os.path.join(tree.top, 'markers/debugfs/params.c'), encoding='utf-8') as source:
        for name in re.findall(r'MODULE_PARM_DESC\((\w+)', source.read()):
            if not re.search(f'(?m)^{name} ', pages['advanced']):
                yield f'advanced.rst: there is no parameter {name}'
            if not re.search(rf'\b{name}\b', abi):
                yield f'ABI/testing/debugfs-markers: there is no parameter {name}'


def main():
    """See the top."""
    here = os.path.dirname(os.path.abspath(__file__))
    tree = Tree(sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(here))
    pages, wrong = {}, []
    for path in sorted(one for one in tree.paths if one.endswith('.rst')) + sys.argv[2:]:
        with open(os.path.join(tree.top, path), encoding='utf-8') as page:
            name = path[:-len('.rst')]
            pages[name.replace('Documentation/', '')] = page.read()
    for name, text in pages.items():
        if name == 'figures':
            continue
        wrong += ['%s.rst:%d: %s' % (name, text.count('\n', 0, at) + 1, what)
                  for at, what in of_page(tree, pages, text)
                  if name != 'README' or not what.startswith('a figure')]
    for name, line, text in tree.comments:
        found = list(of_text(tree, text))
        found += [(one.start(), 'there is no ' + one.group()) for one in MEMBER.finditer(text)
                  if one.group(1) not in tree.own[name]]
        wrong += ['%s:%d: %s' % (name, line + text.count('\n', 0, at), what)
                  for at, what in sorted(found)]
    wrong += of_figures(tree, pages['README'])
    wrong += of_promises(tree, pages['promises'])
    wrong += of_lists(tree, pages)
    print('\n'.join(wrong + ['%d pages, %d comments, %d wrong' %
                             (len(pages), len(tree.comments), len(wrong))]))
    sys.exit(1 if wrong else 0)


main()
