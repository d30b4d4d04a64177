#!/usr/bin/env python3
"""links.py: finds dead links in the documents, and dead citations of docs/reference in comments and documents.

A link is `[text](path#anchor)`, `src="path"`, or `<doc:Article>` in DocC. A citation is `contract.md section 6`, with a heading
that begins with the number, or `feeds.md: shoes`, with a heading that what follows begins with; several are separated by ", ",
" and " or "; ". It prints `file:line: what is wrong` for each, and ends with 1 if there is any.
"""

import glob
import os
import re
import subprocess
import sys

REFERENCE = "docs/reference"
FORMER = re.compile(r"(?<![\w$/-])(CONTRACT|FEEDS|OWNFEEDS|PICTURES|WIRE|CITIZEN)(?![\w=-])")
# From the end of one line to the text of the next.
BREAK = re.compile(r"\n[ \t]*(?:///?|#|\*)?[ \t]*")


def listed():
    words = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(words, check=True, capture_output=True).stdout.decode().split("\0")
    return sorted(name for name in set(names) if os.path.isfile(name) and not os.path.islink(name))


def read(path):
    """The text of a file, or nothing if it is not a text."""
    with open(path, "rb") as file:
        content = file.read()
    try:
        return "" if b"\0" in content[:8192] else content.decode()
    except UnicodeDecodeError:
        return ""


def without_code(text):
    """The same text, with spaces for fenced blocks and code in lines."""
    def blank(match):
        return re.sub(r"[^\n]", " ", match[0])
    text = re.sub(r"^ *```.*?^ *```$", blank, text, flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"`[^`\n]+`", blank, text)


def headings(path):
    text = re.sub(r"^ *```.*?^ *```$", "", read(path), flags=re.MULTILINE | re.DOTALL)
    return re.findall(r"^#+ (.*)$", text, re.MULTILINE)


def anchors(path):
    """The anchors that GitHub gives to the headings of a document."""
    seen, all_anchors = {}, set()
    for heading in headings(path):
        slug = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        count = seen.get(slug, 0)
        seen[slug] = count + 1
        all_anchors.add(f"{slug}-{count}" if count else slug)
    return all_anchors


def dead_links(path, text):
    prose = without_code(text)
    # What is not released will be in CHANGELOG.md, at the top.
    folder = "" if path.startswith("changelog/") else os.path.dirname(path)
    for match in re.finditer(r"\]\(\s*([^)\s]+)[^)]*\)|\b(?:src|href)=\"([^\"]+)\"", prose):
        target = match[1] or match[2]
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        file = os.path.normpath(os.path.join(folder, name)) if name else path
        if not os.path.exists(file):
            yield match.start(), f"dead link: there is no {file}"
        elif anchor and file.endswith(".md") and anchor not in anchors(file):
            yield match.start(), f"dead link: no heading of {file} has the anchor #{anchor}"
    for match in re.finditer(r"<doc:([\w-]+)>", prose):
        article = os.path.join(os.path.dirname(path), match[1] + ".md")
        if not os.path.exists(article):
            yield match.start(), f"dead link: there is no article {article}"


def dead_citations(path, text, pages):
    # A citation may go on in the next line of a comment.
    flat = BREAK.sub(lambda match: " " * len(match[0]), text)
    cited = re.compile(
        r"(?<![\w/-])(?:docs/reference/)?(%s)\.md" % "|".join(pages)
        + r"(?:\s+sections?\s+(\d+(?:(?:,\s+|\s+and\s+)\d+)*)|:\s+([^).\n]*))?")
    for match in cited.finditer(flat):
        page, sections, names = match.groups()
        for number in re.findall(r"\d+", sections or ""):
            if not any(heading.startswith(f"{number}. ") for heading in pages[page]):
                yield match.start(), f"dead citation: {page}.md has no section {number}"
        for name in re.split(r";\s+", names) if names else []:
            name = re.sub(r"\s+", " ", name).lower()
            if not any(name.startswith(heading.lower()) for heading in pages[page]):
                yield match.start(), f"dead citation: {page}.md has no heading '{name[:40]}'"
    for match in FORMER.finditer(flat):
        yield match.start(), f"dead citation: {match[1]} is a page of {REFERENCE} now"


def main():
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    pages = {os.path.basename(path)[:-3]: headings(path) for path in glob.glob(f"{REFERENCE}/*.md")}
    found = []
    for path in listed():
        if path in ("scripts/links.py", "debian/changelog"):
            continue
        text = read(path)
        defects = [*(dead_links(path, text) if path.endswith(".md") else []), *dead_citations(path, text, pages)]
        found += [f"{path}:{text.count(chr(10), 0, place) + 1}: {reason}" for place, reason in sorted(defects)]
    print(*found, sep="\n", end="\n" if found else "")
    sys.exit(1 if found else 0)


main()
