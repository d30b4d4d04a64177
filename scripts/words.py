#!/usr/bin/env python3
"""words.py [FILE...]: finds the marks of a dialect that our texts once had, and sentences and paragraphs that are too long.

Without a FILE it reads the rooms below. It prints `file:line: what is wrong` for each, and ends with 1 if there is any.
"""

import glob
import os
import re
import sys

# The documents, and the sources whose comments and titles of tests are in plain words.
ROOMS = [
    "**/*.md",
    "Sources/**/*.swift",
    "Sources/CInotify/*.h",
    "Sources/CLanguages/**/*.[ch]",
    "Sources/CLinux/**/*.[ch]",
    "Sources/cachesyncd/**/*.swift",
    "Makefile",
    "scripts/*.sh",
    "Bridge/Sources/**/*.swift",
    "Bridge/Sources/**/*.h",
    "Pictures/Sources/**/*.swift",
    "Pictures/Sources/**/*.[ch]",
    "Pictures/Sources/CacheSyncPage/Assets/page.js",
    "Tests/**/*.swift",
    "Tests/Helpers/**/*.c",
    "Bridge/Tests/**/*.swift",
    "Pictures/Tests/**/*.swift",
    "Fuzz/Sources/Fuzz/*.swift",
]
# The manual pages and completions are made from the help, which is in literals of the sources.

MARKS = [
    (r"(?<!there )\bis no\b(?! longer)", "'is no': write 'is not a', or the adjective: invalid, missing"),
    (r"\bof which the\b", "'of which the': begin a new sentence"),
    (r"\bsomebody\b", "'somebody': name who it is"),
    (r"\b(no|every|any)body\b", "'nobody' and the like: name who it is"),
    (r"\bwhoever\b", "'whoever': name who it is"),
    (r"\bwhat draws\b", "'what draws': name the part"),
    (r"\bthat which\b", "'that which': name it"),
]
LONGEST_SENTENCE = 40
LONGEST_PARAGRAPH = 6


def texts_of_document(lines):
    """The paragraphs, items and cells of a Markdown document: (line, text, how many lines, whether a cell)."""
    fenced, begun, gathered = False, 0, []

    def paragraph():
        if gathered:
            yield begun, " ".join(gathered), len(gathered), False
        gathered.clear()

    for number, line in enumerate(lines, start=1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
            yield from paragraph()
        elif fenced:
            continue
        elif line.startswith("|"):
            yield from paragraph()
            for cell in re.split(r"(?<!\\)\|", line.strip().strip("|")):
                yield number, cell.strip(), 1, True
        elif not line.strip() or line.startswith("#"):
            yield from paragraph()
            if line.startswith("#"):
                yield number, line.lstrip("# "), 1, True
        else:
            if re.match(r"\s*([-*]|\d+\.) ", line):
                yield from paragraph()
            if not gathered:
                begun = number
            gathered.append(re.sub(r"^\s*([-*]|\d+\.) ", "", line.strip()))
    yield from paragraph()


def texts_of_source(lines):
    """The titles of tests, and the comments of a program: consecutive lines are one text."""
    begun, gathered = 0, []
    for title in re.finditer(r'@(?:Test|Suite)\(\s*"((?:[^"\\]|\\.)*)"', "\n".join(lines)):
        yield title.string.count("\n", 0, title.start(1)) + 1, title[1], 1, False
    for number, line in enumerate([*lines, ""], start=1):
        comment = re.match(r"\s*(?:///?|#(?![!\w])) ?(.*)", line)
        if comment:
            begun = begun if gathered else number
            gathered.append(comment[1])
        elif gathered:
            yield begun, " ".join(gathered), 1, False
            gathered = []


def literals(lines):
    """The texts that a program prints: the literals on one line."""
    for number, line in enumerate(lines, start=1):
        if not re.match(r"\s*//", line):
            for literal in re.finditer(r'"((?:[^"\\]|\\.)*)"', line):
                yield number, literal[1]


def help_texts(lines):
    """The paragraphs of help: literals of several lines, without the examples in them."""
    for block in re.finditer(r'(?:discussion:|ArgumentHelp\()\s*"""\n(.*?)"""', "\n".join(lines), re.DOTALL):
        begun = block.string.count("\n", 0, block.start(1)) + 1
        for paragraph in re.split(r"\n\s*\n", block[1]):
            yield begun, " ".join(line.strip() for line in paragraph.splitlines() if not line.startswith(" " * 8))


def sentences(text, is_cell):
    # Code counts as one word.
    text = re.sub(r"`[^`]*`", "`x`", text)
    # What a cell lists is set off by semicolons.
    ends = r"(?<=[.?!:])\)?[\"”]?\s+(?=[A-Z0-9`\"“(\[*])" + (r"|;\s" if is_cell else "")
    return re.split(ends, text)


def complaints(path):
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    is_document = path.endswith(".md")
    if path.endswith(".swift") and "Tests/" not in path:
        for number, text in literals(lines):
            # Scripts may match this message, and it is short.
            if text.endswith(" is no date"):
                continue
            for pattern, reason in MARKS:
                if re.search(pattern, text, re.IGNORECASE):
                    yield f"{path}:{number}: {reason}"
        for number, text in help_texts(lines):
            for sentence in sentences(text, False):
                words = len(sentence.split())
                if words > LONGEST_SENTENCE:
                    yield f"{path}:{number}: help with a sentence of {words} words: '{sentence[:50]}…'"
    for number, text, count, is_cell in (texts_of_document if is_document else texts_of_source)(lines):
        for pattern, reason in MARKS:
            if re.search(pattern, text, re.IGNORECASE):
                yield f"{path}:{number}: {reason}"
        if not is_document:
            continue
        for sentence in sentences(text, is_cell):
            words = len(sentence.split())
            if words > LONGEST_SENTENCE:
                yield f"{path}:{number}: a sentence of {words} words: '{sentence[:50]}…'"
        if count > LONGEST_PARAGRAPH and "docs/reference/" in path:
            yield f"{path}:{number}: a paragraph of {count} lines: split it, or make it a list or a table"


def main():
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    rooms = (path for room in ROOMS for path in sorted(glob.glob(room, recursive=True)))
    paths = sys.argv[1:] or rooms
    found = [complaint for path in paths for complaint in complaints(path)]
    print(*found, sep="\n", end="\n" if found else "")
    sys.exit(1 if found else 0)


main()
