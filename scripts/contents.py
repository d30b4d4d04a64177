#!/usr/bin/env python3
"""contents.py PROGRAM: writes the types of the kinds' contents, Sources/CacheSyncFeeds/Feeds/Contents/, from what the rules of the
kinds write. It computes the sample cache with PROGRAM: as it is, with each of its members left out or with another number, with
ids that two files share, in another language, empty, and through widgets with options. It also takes the contents that Python
programs computed for the tests. A member that may be null or missing is an optional one."""

import copy
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

PROJECT = pathlib.Path(__file__).resolve().parent.parent
PLACE = PROJECT / "Sources/CacheSyncFeeds/Feeds/Contents"
HEADER = """// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Written by scripts/contents.py. docs/reference/feeds.md says what the members mean.
"""
HOLIDAY = """BEGIN:VCALENDAR\r
VERSION:2.0\r
BEGIN:VEVENT\r
UID:holiday\r
SUMMARY:Holiday\r
DTSTART;VALUE=DATE:20261125\r
END:VEVENT\r
END:VCALENDAR\r
"""
MOMENTS = ("2026-11-21T18:48:00Z", "2026-11-24T10:15:00Z")


def changed(value, name, change):
    """The value with a change to each member of that name."""
    if isinstance(value, list):
        return [changed(element, name, change) for element in value]
    if not isinstance(value, dict):
        return value
    members = {key: change(member) if key == name else changed(member, name, change) for key, member in value.items()}
    return {key: member for key, member in members.items() if member is not changed}


def names(value):
    if isinstance(value, list):
        return set().union(*map(names, value))
    return set(value).union(*map(names, value.values())) if isinstance(value, dict) else set()


def ids(files):
    return [shoe["id"] for value in files.values() if isinstance(value, dict) for shoe in value.get("shoes", [])]


def another(value):
    return value + 0.25 if isinstance(value, (int, float)) and not isinstance(value, bool) else value


def found(program, contents):
    """Adds the contents of every kind that has a type."""
    files = {path.relative_to(PROJECT / "sample-cache"): json.loads(path.read_text())
             for path in sorted((PROJECT / "sample-cache").rglob("*.json"))
             if path.relative_to(PROJECT / "sample-cache").parts[0] not in ("feeds", "widgets", "screens", "cachesync.json")}
    def of_another(value):
        for name, member in (("title", "x"), ("name", "x"), ("createdAt", "2026-11-01T10:00:00Z")):
            value = changed(value, name, lambda _: member)
        return value

    other = {path.with_stem(path.stem + "-other"): of_another(value) for path, value in files.items()}
    empty = {path: {name: [] if isinstance(member, list) else member for name, member in value.items() if name != "goals"}
             for path, value in files.items() if isinstance(value, dict)}
    widgets = {pathlib.Path(f"widgets/{kind}-{number}.json"): {"kind": kind, "options": {"shoe": shoe}}
               for kind in ("daily-stats", "current-shoe") for number, shoe in enumerate(ids(files))}
    caches = [files, files | other, empty, files | widgets, files | {pathlib.Path("cachesync.json"): {"locale": "de"}}]
    for name in sorted(names(list(files.values()))):
        for change in (lambda _: changed, another):
            caches.append({path: changed(copy.deepcopy(value), name, change) for path, value in files.items()})
    for cache in caches:
        with tempfile.TemporaryDirectory() as folder:
            for path, value in cache.items():
                (pathlib.Path(folder) / path).parent.mkdir(parents=True, exist_ok=True)
                (pathlib.Path(folder) / path).write_text(json.dumps(value))
            (pathlib.Path(folder) / "events").mkdir(exist_ok=True)
            (pathlib.Path(folder) / "events/holidays.ics").write_text(HOLIDAY)
            for moment in MOMENTS:
                shown = subprocess.run([program, "show", "--json", "--cache", folder, "--at", moment], capture_output=True,
                                       env=os.environ | {"TZ": "UTC"}, check=True).stdout
                for kind, snapshot in json.loads(shown).items():
                    kind = snapshot.get("widget", {"kind": kind})["kind"]
                    contents.setdefault(kind, []).extend(entry["content"] for entry in snapshot["entries"])
    for file, member in (("Reference/shoes.json", "expected"), ("CacheSyncTests/Feeds/health_vectors.json", "content")):
        for vector in json.loads((PROJECT / "Tests" / file).read_text()):
            for kind, content in vector[member].items():
                contents.setdefault(kind, []).append(content)


def capital(name):
    return name[0].upper() + name[1:]


class Types:
    """The types in one content, by their names."""

    def __init__(self):
        self.members, self.names = {}, {}

    def of(self, values, name):
        """The Swift type of a member with these values."""
        kept = [value for value in values if value is not None]
        kinds = {type(value) for value in kept}
        optional = "?" if len(kept) < len(values) else ""
        if name == "id" or name.endswith("Id"):
            return "RecordID" + optional
        if not kept or len(kinds - {int, float}) > (0 if kinds & {int, float} else 1):
            sys.exit(f"{name}: {kinds} of {len(values)} values say no type")
        if kinds <= {int, float}:
            return ("Int" if kinds == {int} else "Double") + optional
        if kinds == {bool}:
            return "Bool" + optional
        if kinds == {str}:
            form = next((form for form, pattern in (("LocalDay", r"\d{4}-\d\d-\d\d"), ("Instant", r"\d{4}-\d\d-\d\dT.*Z"))
                         if all(re.fullmatch(pattern, value) for value in kept)), "String")
            return form + optional
        if kinds == {list}:
            return f"[{self.of([element for value in kept for element in value], name.removesuffix('s'))}]{optional}"
        return self.object(kept, capital(name)) + optional

    def object(self, values, name):
        """The type of some objects: one that has the same members under another name, or a new one."""
        common = frozenset(set.intersection(*map(set, values)))
        name = self.names.setdefault(common, name)
        self.members.setdefault(name, []).extend(values)
        return name

    def lines(self, values, depth):
        keys = sorted(set().union(*values))
        # First the lists, whose elements give their type the name: a task, and not an overdue.
        typed = {key: self.of([value.get(key) for value in values], key) for key in sorted(keys, key=lambda key: key[-1:] != "s")}
        return [f"{'  ' * depth}public var {key}: {typed[key]}" for key in keys]


def declaration(kind, contents, known):
    """The type of a kind's content. What an earlier type has inside, this one has by its name."""
    types, inside, done = Types(), {}, 0
    name = "".join(map(capital, kind.split("-"))) + ("" if "-" in kind else "Content")
    own = types.lines(contents, 1)
    while done < len(types.members):
        # A type may have more values once another has been looked at.
        done = len(types.members)
        inside = {type: types.lines(values[:], 2) for type, values in list(types.members.items())}
    text = [f"/// The content of `{kind}`.", f"public struct {name}: Decodable, Sendable, Equatable {{"]
    for type, lines in inside.items():
        # One with types inside may mean others by their names.
        is_plain = not any(re.search(rf"\b{other}\b", line) for other in inside for line in lines)
        same = known.setdefault("\n".join(lines), f"{name}.{type}") if is_plain else f"{name}.{type}"
        if same == f"{name}.{type}":
            text += [f"  public struct {type}: Decodable, Sendable, Equatable {{", *lines, "  }", ""]
        else:
            text += [f"  public typealias {type} = {same}", ""]
    return "\n".join([*text, *own, "}"])


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    contents, files, known, feed = {}, {}, {}, None
    found(program, contents)
    listed = subprocess.run([program, "kinds", "--json", "--cache", PROJECT / "sample-cache"], capture_output=True, check=True).stdout
    for kind in json.loads(listed)["kinds"]:
        if kind["kind"] in contents and "widget" not in kind:
            # A kind of several feeds is listed among those of its own.
            feed = feed if feed in kind["feeds"] else kind["feeds"][0]
            files.setdefault(feed, []).append(declaration(kind["kind"], contents[kind["kind"]], known))
    shutil.rmtree(PLACE, ignore_errors=True)
    PLACE.mkdir()
    for feed, declarations in files.items():
        name = "".join(map(capital, feed.split("-"))) + "Contents.swift"
        (PLACE / name).write_text("\n\n".join([HEADER.rstrip(), *declarations]) + "\n")


if __name__ == "__main__":
    main()
