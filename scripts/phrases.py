#!/usr/bin/env python3
"""phrases.py [TAG ...]: prints which texts a language lacks, by default every language: in English, each under what it is
for, with a key for each plural form of the language. `en` lacks all, because its texts are in the sources: that is the
template.

Without the lines of comments the output is a file of data, in the format of i18next (JSON v4).
"""

import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TEXTS = ROOT / "Sources/CLanguages/Texts"
SOURCE = (ROOT / "Sources/CacheSyncValues/Words/Phrase.swift").read_text()
VECTORS = ROOT / "Tests/CacheSyncTests/Words/cldr_vectors.json"


def phrases():
    """(name, comment, English texts by their forms), in the order of the source."""
    raw = r'"(?:[^"\\]|\\.)*"'
    element = rf'\w+(?:\s*=\s*{raw})?'
    comments, texts = {}, {}
    for lines, elements in re.findall(rf"((?:  ///.*\n)+)  case ({element}(?:,\s+{element})*)\n", SOURCE):
        for name, literal in re.findall(rf"(\w+)(?:\s*=\s*({raw}))?", elements):
            comments[name] = " ".join(re.findall(r"/// (.*)", lines))
            texts[name] = literal or f'"{name}"'
    texts |= dict(re.findall(rf"    case \.(\w+): ({raw})", SOURCE))
    for name, literal in texts.items():
        text = json.loads(re.sub(r"\\u\{(\w+)\}", lambda code: f"\\u{code[1]:0>4}", literal))
        one, _, other = text.partition("|")
        is_plural = "|" in text or "{count}" in text
        yield name, comments[name], {"_one": one, "_other": other or one} if is_plural else {"": text}


def forms(tag):
    """The endings of the keys for a language's plural forms, as babel has them."""
    for language in json.loads(VECTORS.read_text())["languages"]:
        if language["tag"] == ("en-US" if tag == "en" else tag):
            return [f"_{form}" for form in ("one", "few", "many", "other") if form in language["plurals"]]
    sys.exit(f"'{tag}' is not in {VECTORS.relative_to(ROOT)}: add it to scripts/cldr.py, and run that")


def missing(tag):
    """(comment, texts by their keys) of each phrase of which a language lacks a text."""
    file = TEXTS / f"{tag}.json"
    known = json.loads(file.exists() and file.read_text() or "{}")
    for name, comment, english in phrases():
        endings = [""] if "" in english else forms(tag)
        texts = {name + ending: english.get(ending, english.get("_other")) for ending in endings}
        if not texts.keys() <= known.keys():
            yield comment, texts


def main():
    # English elsewhere has only what differs.
    for tag in sys.argv[1:] or sorted(
            file.stem for file in TEXTS.glob("*.json") if not file.stem.startswith("en")):
        found = list(missing(tag))
        print(f"// {tag} lacks {len(found)} of {len(list(phrases()))} texts.")
        entries = [f"  // {comment}\n  " + json.dumps(texts, ensure_ascii=False, indent=2)[1:-1].strip()
                   for comment, texts in found]
        if entries:
            print("{", ",\n".join(entries), "}", sep="\n")


main()
