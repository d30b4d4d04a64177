#!/usr/bin/env python3
"""changelog.py: checks the files of changelog/unreleased. Each is one change: a heading such as "### Fixed", an empty line,
and a list.

changelog.py VERSION [DATE]: joins them under a heading of that version in CHANGELOG.md, and removes them. That is a part of a
release; the date is today's by default.
"""

import datetime
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FILES = sorted((ROOT / "changelog/unreleased").glob("*.md"))
HEADINGS = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"]


def change(file):
    """The heading and the list of a file."""
    found = re.fullmatch(r"### (\w+)\n\n(- (?:.+\n)+)", file.read_text())
    if not found or found[1] not in HEADINGS:
        sys.exit(f"{file.relative_to(ROOT)}: want '### ' and one of {', '.join(HEADINGS)}, an empty line, and a list")
    return found[1], found[2]


def main():
    changes = [change(file) for file in FILES]
    if len(sys.argv) < 2:
        return
    version, date = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else datetime.date.today().isoformat()
    sections = ["".join(text for heading, text in changes if heading == name) for name in HEADINGS]
    entry = "".join(f"\n### {name}\n\n{text}" for name, text in zip(HEADINGS, sections) if text)
    page = ROOT / "CHANGELOG.md"
    before, mark, after = page.read_text().partition("\n## [")
    page.write_text(f"{before}\n## [{version}] - {date}\n{entry}{mark}{after}")
    for file in FILES:
        file.unlink()


main()
