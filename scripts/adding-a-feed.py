#!/usr/bin/env python3
"""adding-a-feed.py: does in a copy of the library what the article AddingAFeed says, and lets the compiler check it, with the
flags of the debug build in .build. Prints what the compiler says."""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ARTICLE = "Sources/CacheSync/CacheSync.docc/AddingAFeed.md"


def blocks(text):
    """The Swift of the article: its code by the words that it begins with."""
    return [block.strip("\n") for block in re.findall(r"```swift\n(.*?)```", text, re.S)]


def insert(file, before, lines):
    text = file.read_text()
    assert before in text, f"{file} has no {before!r}"
    file.write_text(text.replace(before, lines + "\n" + before, 1))


def apply(article, library):
    session, feed, phrases, kind, registry, _ = blocks(article)
    folder = library / "Feeds/Water"
    folder.mkdir()
    for name, code in [("WaterSession", session), ("WaterFeed", feed), ("WaterKind", kind)]:
        (folder / f"{name}.swift").write_text(code + "\n")
    names = re.findall(r"case \.(\w+):", phrases)
    insert(library / "Words/Phrase.swift", "  case stale\n", "".join(f"  case {name}\n" for name in names))
    for table in (library / "Words").glob("*.swift"):
        if "    case .stale:" in table.read_text():
            insert(table, "    case .stale:", phrases)
    # The line before the new one is there already.
    known, new = registry.splitlines()
    insert(library / "Feeds/FeedRegistry.swift", "    ]\n    intents", new)
    assert known.strip() in (library / "Feeds/FeedRegistry.swift").read_text(), known


def flags(build):
    """How the build compiles the library, without what it writes."""
    for line in (build / "debug.yaml").read_text().splitlines():
        if '"-module-name","CacheSync"' in line and "args:" in line:
            words = json.loads(line.split("args:", 1)[1])
            break
    kept, place = [], 1
    while place < len(words):
        word = words[place]
        if word in ("-I", "-target", "-Xcc", "-swift-version", "-enable-upcoming-feature", "-package-name", "-module-name"):
            kept += words[place:place + 2]
            place += 1
        place += 1
    return words[0], kept


def main():
    project = pathlib.Path(__file__).resolve().parent.parent
    with tempfile.TemporaryDirectory() as place:
        library = pathlib.Path(place) / "CacheSync"
        shutil.copytree(project / "Sources/CacheSync", library, ignore=shutil.ignore_patterns("*.docc"))
        apply((project / ARTICLE).read_text(), library)
        compiler, words = flags(project / ".build")
        files = sorted(str(file) for file in library.rglob("*.swift"))
        sys.exit(subprocess.run([compiler, "-typecheck", "-wmo", "-parse-as-library", *words, *files]).returncode)


if __name__ == "__main__":
    main()
