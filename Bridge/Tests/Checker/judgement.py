"""What the checker judges by: histories in, verdicts out. Nothing here knows a process, an engine or a clock."""

import hashlib
import json
from collections import defaultdict
from typing import NamedTuple

RULES = {
    "whole": "a set is whole",
    "twice": "a generation stands for one set",
    "back": "generations only grow for a reader",
    "owner": "behind an owner's record no other bridge writes",
    "lost": "an acknowledged last version shows",
    "returned": "what was deleted stays deleted",
    "good": "a last good version outlives its owner",
    "date": "the entry in force is right at every moment",
    "ended": "a program ends only when it should",
}


class Verdict(NamedTuple):
    rule: str
    what: str


class Look(NamedTuple):
    """A set as one reader found it."""

    reader: str
    cache: str
    generation: int
    digest: str


class Defect(NamedTuple):
    """A set that a reader found, and that is none."""

    reader: str
    cache: str
    what: str


class Stored(NamedTuple):
    """A message that a shard's `out` stream took. An engine that was wiped counts anew: another epoch."""

    epoch: int
    shard: int
    sequence: int
    key: str
    owner: str


class Write(NamedTuple):
    """What one producer did with one key."""

    cache: str
    key: str
    # None: a deletion.
    number: int | None
    by: str
    # wire: as wire.md has it. away: a file in an away's directory. home: a file at home.
    how: str
    # Where it stands among the writes of its key; None: the engine did not acknowledge it.
    order: tuple | None
    # The file's modification time, nanoseconds since 1970.
    modified: int = 0
    began: float = 0
    # Until when a copy of it that was never answered may arrive; None: every copy was answered.
    late_until: float | None = None


class Dated(NamedTuple):
    """What a reader found in force at a moment, by date."""

    reader: str
    cache: str
    moment: float
    # Of the schedule that the reader's set has, and what it shows as the next event.
    number: int
    text: str


class End(NamedTuple):
    """A program that ended by itself."""

    program: str
    status: int
    said: str


class Final(NamedTuple):
    """What there is after all has become quiet."""

    cache: str
    # Of each key the number of the version that home has; None: no file.
    files: dict
    # The titles that the published snapshot shows, in any order.
    titles: list
    # Where readers find something else than home's set, in words.
    differing: list


# MARK: Sets


def read_set(message):
    """A set's generation, or what is wrong with it (wire.md section 4)."""
    line, _, rest = message.partition(b"\n")
    try:
        manifest = json.loads(line)
        generation, files = manifest["generation"], manifest["files"]
        for name in sorted(files, key=str.encode):
            size = files[name]["bytes"]
            content, rest = rest[:size], rest[size:]
            if len(content) != size or not content.endswith(b"\n"):
                return None, f"{name} is cut short"
            own = json.loads(content)["generation"]
            if own != files[name]["generation"]:
                return None, f"{name} is of generation {own}, the manifest names {files[name]['generation']}"
    except (ValueError, KeyError, TypeError) as error:
        return None, f"it cannot be read: {error!r}"
    if rest:
        return None, f"{len(rest)} bytes are left over"
    return generation, None


def files_of(message):
    """The files of a whole set by name."""
    line, _, rest = message.partition(b"\n")
    files = {}
    for name, about in sorted(json.loads(line)["files"].items(), key=lambda item: item[0].encode()):
        files[name], rest = rest[:about["bytes"]], rest[about["bytes"]:]
    return files


def digest(message):
    return hashlib.sha256(message).hexdigest()[:16]


def look_at_files(before, files, after):
    """What a reader of files makes of one look at a cache (contract.md section 5): the set's message, or a defect, or neither,
    since another publication is under way and it begins anew.

    `before` and `after` are the manifest's bytes as they were before and after the reading, `files` the others' by name, None
    for one that is not there.
    """
    manifest = json.loads(before)
    message, is_mixed = before, before != after
    for name in sorted(manifest["files"], key=str.encode):
        content, named = files[name], manifest["files"][name]["generation"]
        if content is None:
            if before == after:
                return None, f"{name} is not there, and the manifest names it"
            is_mixed = True
            continue
        try:
            own = json.loads(content)["generation"]
        except ValueError:
            return None, f"{name} is no JSON"
        if own < named:
            return None, f"{name} is of generation {own} behind a manifest that names {named}"
        is_mixed = is_mixed or own != named
        message += content
    return (None if is_mixed else message), None


def judge_looks(looks):
    """Looks in the order in which they were made."""
    seen, newest = {}, {}
    for look in looks:
        place = (look.cache, look.generation)
        first = seen.setdefault(place, look)
        if first.digest != look.digest:
            yield Verdict("twice", f"{look.cache}: generation {look.generation} is {first.digest} for {first.reader} and "
                                   f"{look.digest} for {look.reader}")
        last = newest.get((look.reader, look.cache), 0)
        if look.generation < last:
            yield Verdict("back", f"{look.cache}: {look.reader} sees generation {look.generation} after {last}")
        newest[look.reader, look.cache] = look.generation


def judge_defects(defects):
    for defect in defects:
        yield Verdict("whole", f"{defect.cache}: {defect.reader}: {defect.what}")


# MARK: Owners


def judge_owners(messages):
    """Messages of `out` streams, in any order, some of them more than once, some of them missing."""
    streams = defaultdict(dict)
    for message in messages:
        streams[message.epoch, message.shard][message.sequence] = message
    for (_, shard), stream in sorted(streams.items()):
        claims = {}
        owner, claimed, gap, before = None, 0, False, 0
        for sequence, message in sorted(stream.items()):
            gap = gap or sequence != before + 1
            before = sequence
            if message.key == "_owner":
                owner, claimed, gap = message.owner, sequence, False
                claims[owner] = sequence
            elif owner is not None and message.owner != owner and (message.owner in claims or not gap):
                # A writer whose record is not known may have written it where messages are missing.
                yield Verdict("owner", f"shard {shard}: {message.key} at {sequence} is by {message.owner}, behind the "
                                       f"record of {owner} at {claimed}")


# MARK: Keys


def showing(writes):
    """The write of a key that shows when all have arrived; None: no file is to be there."""
    shown = None
    for write in sorted((write for write in writes if write.order is not None), key=lambda write: write.order):
        if write.number is not None:
            shown = write
        elif shown and write.how == "wire" and shown.how != "home":
            # What was edited at home stands until another version comes.
            shown = None
        elif shown and write.how == "away" and shown.by == write.by:
            # An away deletes what is its own.
            shown = None
    return shown


def acceptable(writes):
    """The numbers that a key may show in the end: the last acknowledged one, or one of which a copy may have come later."""
    shown = showing(writes)
    began = max((write.began for write in writes if write.order is not None), default=0)
    late = {write.number for write in writes
            if write.order is None or write.late_until is not None and write.late_until >= began}
    return {shown.number if shown else None} | late


def titles_of(files, writes, good):
    """The titles that a cache's tasks show: of the keys `pair…` one, of every other key one (feeds.md: tasks and events).

    - good: of a key whose version is not valid (a negative number) the valid one that was in force before it.
    """
    titles, pairs = [], []
    for key, number in files.items():
        if number is not None and number < 0:
            number = good.get(key)
        if number is None or key == "clock":
            continue
        title = f"{key} {number}"
        if key.startswith("pair"):
            modified = next((write.modified for write in writes if (write.key, write.number) == (key, number)), 0)
            pairs.append((modified, key, title))
        else:
            titles.append(title)
    return sorted(titles + ([max(pairs)[2]] if pairs else []))


def judge_final(finals, writes, good):
    """
    - writes: by cache.
    - good: by cache and key, the last valid version that readers saw before a version that is not valid.
    """
    for final in finals:
        own = writes.get(final.cache, [])
        by_key = defaultdict(list)
        for write in own:
            by_key[write.key].append(write)
        for key in sorted(by_key.keys() | final.files.keys()):
            found, allowed = final.files.get(key), acceptable(by_key[key])
            if found in allowed:
                continue
            is_back = allowed == {None}
            yield Verdict("returned" if is_back else "lost",
                          f"{final.cache}: {key} is {found} at home, and {sorted(allowed, key=str)} is right")
        goods = {key: number for (cache, key), number in good.items() if cache == final.cache}
        expected = titles_of(final.files, own, goods)
        if expected != sorted(final.titles):
            lacks_good = any(f"{key} {number}" in expected and f"{key} {number}" not in final.titles
                             for key, number in goods.items())
            yield Verdict("good" if lacks_good else "lost",
                          f"{final.cache}: readers see {sorted(final.titles)} in place of {expected}")
        for what in final.differing:
            yield Verdict("lost", f"{final.cache}: {what}")


# MARK: Dates

NO_EVENT = "No upcoming events"
EVENT_SECONDS, EVENT_COUNT = 3, 36


def schedule(number, base):
    """The events of a version of a schedule: their titles, and when they begin. They end a second later."""
    return [(f"clock {number} {at}", base + 1 + at * EVENT_SECONDS) for at in range(EVENT_COUNT)]


def next_event(number, base, moment):
    """The first event that begins after a moment."""
    return next((title for title, start in schedule(number, base) if start > moment), NO_EVENT)


def in_force(entries, moment, seconds):
    """The last entry whose date is not in the future; None: there is none.

    - seconds: what makes seconds since 1970 of a snapshot's instant.
    """
    found = None
    for entry in entries:
        if seconds(entry["date"]) <= moment:
            found = entry
    return found


def judge_dates(dated, bases):
    """
    - bases: by cache and number, when a schedule begins.
    """
    for look in dated:
        expected = next_event(look.number, bases[look.cache, look.number], look.moment)
        if look.text != expected:
            yield Verdict("date", f"{look.cache}: {look.reader} sees {look.text!r} at {look.moment:.3f} in place of "
                                  f"{expected!r}")


# MARK: Ends


def judge_ends(ends):
    for end in ends:
        yield Verdict("ended", f"{end.program} ended with {end.status}: {end.said}")
