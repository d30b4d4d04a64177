#!/usr/bin/env python3
"""What a definition's kinds must show, worked out from docs/reference/definitions.md and apart from the Swift code.

defined_feeds.json beside this file holds definitions, files, zones and moments drawn at random, and the timelines
that this model gives for them. DefinedFeedVectorTests compares. Run again after a change of the contract (Debian:
python3-dateutil); it writes the timelines of defined_feeds.json anew:

    python3 Tests/Reference/defined_feeds.py
"""
import datetime
import decimal
import functools
import itertools
import json
import pathlib
import re
import urllib.parse
import zoneinfo

from dateutil import rrule

UTC = datetime.timezone.utc
APPLE = 978307200
DAY = datetime.timedelta(days=1)
SHOWS = ("all", "today", "now", "next", "coming", "nextDay", "due")
WEEKDAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
MONTHS = "January February March April May June July August September October November December".split()


class Rejected(Exception):
    """A value cannot be read, or a file is unusable."""


class Zone:
    def __init__(self, name):
        self.name = name
        fixed = re.fullmatch(r"GMT([+-])(\d\d):(\d\d)", name)
        if fixed:
            minutes = int(fixed[2]) * 60 + int(fixed[3])
            self.zone = datetime.timezone(datetime.timedelta(minutes=-minutes if fixed[1] == "-" else minutes))
        else:
            try:
                self.zone = zoneinfo.ZoneInfo(name)
            except Exception:
                raise Rejected(f"no zone {name}")

    def wall(self, instant):
        return datetime.datetime.fromtimestamp(instant, self.zone).replace(tzinfo=None)

    def instant(self, wall):
        """A skipped local time is the first instant after the gap, one that comes twice the first."""
        first = int(wall.replace(tzinfo=self.zone, fold=0).timestamp())
        if self.wall(first) == wall:
            return first
        before = int(wall.replace(tzinfo=self.zone, fold=1).timestamp()) - 1
        while first - before > 1:  # the gap's end lies between them
            middle = (first + before) // 2
            before, first = (middle, first) if self.wall(middle) < wall else (before, middle)
        return first

    def day(self, instant):
        return self.wall(instant).date()

    def start(self, day):
        return self.instant(datetime.datetime.combine(day, datetime.time()))

    def after(self, day, count=1):
        """The count-th existing day after this one."""
        for _ in range(count):
            day += DAY
            while self.day(self.start(day)) != day:
                day += DAY
        return day

    def before(self, day, count=1):
        for _ in range(count):
            day -= DAY
            while self.day(self.start(day)) != day:
                day -= DAY
        return day

    def offset(self, instant):
        return datetime.datetime.fromtimestamp(instant, self.zone).utcoffset()

    @functools.lru_cache(None)
    def transitions(self, first, last):
        found = []
        for low in range(first, last, 3600):
            high = low + 3600
            if self.offset(low) != self.offset(high):
                while high - low > 1:
                    middle = (low + high) // 2
                    low, high = (middle, high) if self.offset(middle) == self.offset(low) else (low, middle)
                found.append(high)
        return found


zone_named = functools.lru_cache(None)(Zone)


class Instant(int):
    def __repr__(self):
        return datetime.datetime.fromtimestamp(self, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


class Moment:
    """A start or an end as it was read: an instant, its wall time in the item's zone, and whether it had a time."""

    def __init__(self, zone, wall=None, instant=None, timed=True):
        self.zone, self.timed, self.local = zone, timed, instant is None
        self.is_before = False  # the day before the one that is written, see read_one_time
        self.instant = zone.instant(wall) if instant is None else int(instant // 1)
        self.wall = zone.wall(self.instant) if wall is None else wall


# Values


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, (bool, Instant))


def is_text(value):
    return isinstance(value, str)


def decimal_of(number):
    return decimal.Decimal(repr(float(number)))


def shortest(number):
    text = format(decimal_of(number), "f")
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def rounded(number, places):
    return decimal_of(number).quantize(decimal.Decimal(1).scaleb(-places), decimal.ROUND_HALF_UP)


def text_of(value):
    if value is None:
        return ""
    if value is True or value is False:
        return "true" if value else "false"
    if isinstance(value, Instant):
        return repr(value)
    if is_number(value):
        return shortest(value)
    if isinstance(value, list):
        return ", ".join(text_of(one) for one in value if one is not None)
    if isinstance(value, dict):
        raise AssertionError("an object in a text")
    return value


def same(one, other):
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    return one == other and is_number(one) == is_number(other)


def rank(value):
    """A key of the order: numbers, texts by bytes, false, true, and the rest all alike."""
    if isinstance(value, bool):
        return (2, value)
    if isinstance(value, Instant) or is_number(value):
        return (0, value)
    return (1, value.encode()) if is_text(value) else (3, 0)


# Paths


@functools.lru_cache(None)
def parse(path):
    root = re.match(r"\$|@|\^+|#\w+", path)[0]
    steps, rest = [], path[len(root):]
    while rest:
        match = re.match(r"\.(\w+)|\[(-?\d+)\]|\['([^']*)'\]|\[(\*)\]|\.(\*)", rest)
        name, index, quoted, star, dot = match.groups()
        steps.append(("*",) if star or dot else ("index", int(index)) if index else ("name", name or quoted or ""))
        rest = rest[match.end():]
    return root, steps


class Node:
    def __init__(self, value, parent=None, key=None, index=None, count=None):
        self.value, self.parent, self.key, self.index, self.count = value, parent, key, index, count

    def children(self):
        if isinstance(self.value, dict):
            count = len(self.value)
            return [Node(v, self, k, i, count) for i, (k, v) in enumerate(self.value.items())]
        if isinstance(self.value, list):
            return [Node(v, self, None, i, len(self.value)) for i, v in enumerate(self.value)]
        return []

    def walk(self, steps):
        found = [self]
        for step in steps:
            following = []
            for node in found:
                if step[0] == "*":
                    following += node.children()
                elif step[0] == "name" and isinstance(node.value, dict):
                    following += [child for child in node.children() if child.key == step[1]]
                elif step[0] == "index" and isinstance(node.value, list):
                    index = step[1] + (len(node.value) if step[1] < 0 else 0)
                    following += node.children()[index:index + 1] if index >= 0 else []
            found = following
        return found


def look_up(paths, node, document):
    """All values of the first path that finds one that is not null."""
    for path in paths if isinstance(paths, list) else [paths]:
        root, steps = parse(path)
        if root.startswith("#"):
            values = [{"#key": node.key, "#index": node.index, "#count": node.count}[root]]
        elif root.startswith("^"):
            around, left = node, len(root)
            while around is not None and left:
                around = around.parent
                left -= around is not None and isinstance(around.value, dict)
            values = [] if around is None else [one.value for one in around.walk(steps)]
        else:
            values = [one.value for one in (document if root == "$" else node).walk(steps)]
        if any(value is not None for value in values):
            return values
    return []


def value_at(paths, node, document):
    values = look_up(paths, node, document)
    return values[0] if values else None


# Fields and conditions


def field_value(field, node, document):
    if not isinstance(field, dict):
        field = {"from": field}
    value = value_at(field["from"], node, document)
    if value is not None and field.get("as") == "number" and not is_number(value):
        number = isinstance(value, str) and re.fullmatch(r"-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?", value)
        value = float(value) if number else None
    if value is not None and field.get("as") == "text":
        value = text_of(value)
    if value is not None and "map" in field and not isinstance(value, (list, dict)):
        words = field["map"]
        value = words[text_of(value)] if text_of(value) in words else words.get("*", value)
    if is_number(value) and "scale" in field:
        value = float(decimal_of(value) * decimal_of(field["scale"]))
    if is_number(value) and "round" in field:
        value = float(rounded(value, field["round"]))
    return field.get("else") if value is None else value


def holds(conditions, values):
    def one(condition):
        if "any" in condition:
            return any(one(inner) for inner in condition["any"])
        value = values.get(condition["field"])
        (word, wanted), = [pair for pair in condition.items() if pair[0] != "field"]
        if word == "is":
            return same(value, wanted)
        if word == "isNot":
            return not same(value, wanted)
        if word == "in":
            return any(same(value, each) for each in wanted)
        if word == "has":
            if isinstance(value, list):
                return any(same(each, wanted) for each in value)
            return is_text(value) and is_text(wanted) and wanted in value
        if not is_number(value) and not is_text(value):
            return False
        value, wanted = rank(value), rank(wanted)
        return {
            "above": value > wanted, "below": value < wanted, "atLeast": value >= wanted, "atMost": value <= wanted,
        }[word]

    return all(one(condition) for condition in conditions)


# Times


def matched(pattern, value):
    """The parts of a date that a pattern reads, or none."""
    if is_number(value):
        value = shortest(value)
    if not is_text(value):
        return None
    groups, expression = [], ""
    for quoted, letters, other in re.findall(r"'([^']*)'|(yyyy|MM?|dd?|HH?|mm?|ss)|(.)", pattern):
        if letters:
            groups.append(letters[0])
            expression += r"([0-9]{1,2})" if len(letters) == 1 else "([0-9]{%d})" % len(letters)
        else:
            expression += re.escape(quoted or other)
    match = re.fullmatch(expression, value)
    return dict(zip(groups, map(int, match.groups()))) if match else None


def date_of(parts):
    try:
        return datetime.date(parts["y"], parts["M"], parts["d"])
    except ValueError:
        raise Rejected("no such day")


def time_of(parts):
    try:
        return datetime.time(parts.get("H", 0), parts.get("m", 0), parts.get("s", 0))
    except ValueError:
        raise Rejected("no such time")


def moment_of(value, form, zone):
    if form in ("unix", "unix-ms", "apple"):
        if is_text(value) and form == "unix" and re.fullmatch(r"-?\d+", value):
            value = int(value)
        if not is_number(value):
            raise Rejected(form)
        return Moment(zone, instant=value / 1000 if form == "unix-ms" else value + APPLE if form == "apple" else value)
    if form:
        parts = matched(form, value)
        if parts is None:
            raise Rejected(form)
        return Moment(zone, datetime.datetime.combine(date_of(parts), time_of(parts)), timed="H" in parts)
    if is_number(value):
        return Moment(zone, instant=value + APPLE)
    match = is_text(value) and re.fullmatch(
        r"(\d{4}-\d\d-\d\d)(?:[Tt](\d\d:\d\d(?::\d\d)?)(\.\d+)?([Zz]|[+-]\d\d:?\d\d)?)?", value)
    if not match:
        raise Rejected(value)
    day, time, fraction, offset = match.groups()
    try:
        wall = datetime.datetime.fromisoformat(f"{day}T{time or '00:00'}")
    except ValueError:
        raise Rejected(value)
    if offset:
        minutes = 0
        if offset not in "Zz":
            minutes = (int(offset[1:3]) * 60 + int(offset[-2:])) * (-1 if offset[0] == "-" else 1)
        return Moment(zone, instant=int(wall.replace(tzinfo=UTC).timestamp()) - minutes * 60)
    return Moment(zone, wall, timed=bool(time))


def written_wall(value, form):
    """A date as it is written, by its own offset; a number by UTC."""
    match = is_text(value) and not form and re.match(r"(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d(?::\d\d)?)", value)
    return datetime.datetime.fromisoformat(f"{match[1]}T{match[2]}") if match else None


def part_of_day(wall):
    """Whether a wall time is a midnight: the one that begins its day, or 23:59, the end of its day."""
    if wall.hour == wall.minute == wall.second == 0:
        return "begin"
    return "end" if (wall.hour, wall.minute) == (23, 59) else None


def meant_day(value, form, zone, cache):
    """Which day a date means, which part of it the date is, and whether the cache's zone alone decided that."""
    moment = moment_of(value, form, zone)
    if moment.local:
        return moment.wall.date(), part_of_day(moment.wall) if moment.timed else None, False
    wall = written_wall(value, form) or zone_named("UTC").wall(moment.instant)
    if part_of_day(wall):
        return wall.date(), part_of_day(wall), False
    for one in (zone, cache):
        wall = one.wall(moment.instant)
        part = part_of_day(wall) or ("begin" if one.start(wall.date()) == moment.instant else None)
        if part:
            return wall.date(), part, one is not zone
    return zone.day(moment.instant), None, False


FIRST_DATE, FIRST_NEVER = datetime.date(1900, 1, 2), datetime.date(2900, 1, 1)


def means_none(value, form, zone, role):
    """Whether programs write a value where there is no date. Role: start, repeating, end or updated."""
    if role == "updated":
        return False
    if is_text(value) and (not value.strip() or value.count("0") >= 8 and not value.strip("0-/.:TZtz +")):
        return True
    try:
        moment = moment_of(value, form, zone)
    except Rejected:
        return False
    day = moment.wall.date() if moment.local else zone_named("UTC").day(moment.instant)
    return day < FIRST_DATE and role != "repeating" or day >= FIRST_NEVER and role in ("start", "repeating")


DURATION = re.compile(r"P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?")


def duration(text):
    match = is_text(text) and DURATION.fullmatch(text)
    if not match or not any(match.groups()):
        raise Rejected(text)
    weeks, days, hours, minutes, seconds = (int(part or 0) for part in match.groups())
    return weeks * 7 + days, hours * 3600 + minutes * 60 + seconds


def is_path(text):
    return isinstance(text, list) or text[0] in "$@^#"


def read_time(time, item, zone, role):
    """The first of several times that finds a date; None when there is none."""
    failure = None
    for one in time if isinstance(time, list) else [time]:
        one = one if isinstance(one, dict) else {"at": one}
        paths = one["at"] if "at" in one else one["day"] if is_path(one["day"]) else None
        for path in [None] if paths is None else paths if isinstance(paths, list) else [paths]:
            value = one["day"] if path is None else value_at(path, item.node, item.document)
            if value is None or means_none(value, one.get("as"), zone, role):
                continue
            try:
                return read_one_time(one, value, item, zone, role)
            except Rejected as rejected:
                failure = failure or rejected
    if failure:
        raise failure
    return None


def read_one_time(time, value, item, zone, role):
    node, document = item.node, item.document
    if "at" in time:
        return moment_of(value, time.get("as"), zone)
    day, part, is_of_cache = meant_day(value, time.get("as"), zone, item.clock.zone)
    if "plus" in time:
        days, seconds = duration(item.text(time["plus"]))
        day += DAY * days
    clock = time.get("time")
    if clock is not None and is_path(clock):
        clock = value_at(clock, node, document)
    if clock is None or is_text(clock) and not clock.strip():
        is_before = role == "end" and part == "begin"
        day -= DAY * is_before
        zone = item.clock.zone if is_of_cache and role != "end" else zone
        moment = Moment(zone, datetime.datetime.combine(day, datetime.time()), timed=False)
        moment.is_before = is_before
        return moment
    if "timeAs" in time and is_path(time["time"]):
        parts = matched(time["timeAs"], clock)
    else:
        parts = matched("HH:mm", clock) or matched("HH:mm:ss", clock)
    if parts is None:
        raise Rejected(clock)
    return Moment(zone, datetime.datetime.combine(day, time_of(parts)))


# Texts

NUMBERS = ("0", "0.0", "0.00")


def formatted(value, form, clock, number=None):
    """A value by a format, or None where it does not fit; a list's values each. A word by number follows the digits that
    the format of its number gives."""
    if isinstance(value, list):
        texts = [(formatted(one, form, clock, number), one) for one in value if one is not None]
        return ", ".join(text_of(one) if text is None else text for text, one in texts)
    if "|" in form:
        if not is_number(value):
            return None
        one, many = form.split("|", 1)
        digits = formatted(value, number, clock) if number in NUMBERS else text_of(value)
        return one if digits.lstrip("-") == "1" else many
    if form in NUMBERS:
        if not is_number(value):
            return None
        text = str(rounded(value, max(0, len(form) - 2)))
        return text[1:] if text[0] == "-" and not text.strip("-0.") else text
    if not isinstance(value, Instant):
        return None
    wall = clock.zone.wall(value)
    weekday, month = WEEKDAYS[wall.weekday()], MONTHS[wall.month - 1]

    def word(english):
        return clock.words.get(english, english)

    if form == "HH:mm":
        return wall.strftime("%H:%M")
    if form == "EEE":
        return word(weekday[:3])
    if form == "EEEE":
        return word(weekday)
    if form == "yyyy-MM-dd":
        return wall.date().isoformat()
    if form == "relative" and clock.day is not None:
        ahead = (wall.date() - clock.day).days
        if 0 <= ahead <= 6:
            return word(["today", "tomorrow"][ahead]) if ahead < 2 else word(weekday)
    if form in ("d MMM", "relative"):
        other = clock.day is not None and clock.day.year != wall.year
        return f"{wall.day} {word(month[:3])}" + (f" {wall.year}" if other else "")
    raise AssertionError(form)


class Clock:
    def __init__(self, zone, words, day=None):
        self.zone, self.words, self.day = zone, words, day


def fill(template, values, clock, encode=False):
    alone = re.fullmatch(r"\{(\w+)\}", template)
    if alone and not encode:
        return values.get(alone[1])

    holes = [match for match in re.finditer(r"\{\{|\{(\w+)(?::([^}]*))?\}", template)]

    def number_of(match):
        """The format of the number to which a word belongs: the last before it, else the first after it."""
        before = [hole for hole in holes if hole.start() < match.start()]
        after = [hole for hole in holes if hole.start() > match.start()]
        forms = [hole[2] for hole in before[::-1] + after if hole[1] == match[1] and "|" not in (hole[2] or "")]
        return forms[0] if forms else None

    def part(match):
        if match[0] == "{{":
            return "{"
        value, form = values.get(match[1]), match[2]
        text = None if form is None or value is None else formatted(value, form, clock, number_of(match))
        text = text_of(value) if text is None else text
        return urllib.parse.quote(text, safe="-._~") if encode else text

    return re.sub(r"\{\{|\{(\w+)(?::([^}]*))?\}", part, template)


# Items


class Item:
    def __init__(self, node, document, path, place, definition, clock):
        self.node, self.document, self.path, self.place, self.clock = node, document, path, place, clock
        fields = definition["items"].get("fields", {})
        self.fields = {name: field_value(field, node, document) for name, field in fields.items()}
        self.id = self.begin = self.finish = None
        self.unstated = self.lasts = False  # neither an end nor how long; how long

    def text(self, template, more=()):
        node = self.node
        known = dict(self.fields, key=node.key, index=node.index, count=node.count, **dict(more))
        return text_of(fill(template, known, self.clock))


class Occurrence:
    def __init__(self, item, start, end, id):
        self.item, self.start, self.end, self.id = item, start, end, id
        self.values = dict(item.fields, start=start, end=end)

    def overlaps(self, first, last):
        if self.start is None:
            return False
        return self.start < last and (self.end > first or self.start >= first)


class File:
    """A usable file: its items before ids meet, which where then drops and which get times."""

    def __init__(self, definition, path, document, modified, cache_zone):
        self.definition, self.path = definition, path
        items = definition["items"]
        root = Node(document)
        zone = definition.get("timeZone")
        if zone is None:
            self.zone = cache_zone
        else:
            name = value_at(zone, root, root) if is_path(zone) else zone
            try:
                self.zone = zone_named(name) if is_text(name) else cache_zone
            except Rejected:
                self.zone = cache_zone
        self.names_zone = self.zone is not cache_zone
        clock = Clock(cache_zone, definition.get("words", {}))
        self.updated = modified
        if "updated" in definition:
            item = Item(root, root, path, 0, {"items": {}}, clock)
            try:
                updated = read_time(definition["updated"], item, self.zone, "updated")
            except Rejected:
                updated = None
            self.updated = modified if updated is None else updated.instant
        self.items = [
            Item(node, root, path, place, definition, clock) for place, node in enumerate(self.nodes(root, items))
        ]
        if "id" in items and "{start" not in items["id"]:
            for item in self.items:
                item.id = item.text(items["id"])
        self.kept = [item for item in self.items if holds(items.get("where", []), item.fields)]
        self.time()
        if "id" in items:
            counted = set({item.id: item for item in self.items}.values())
            self.items = [item for item in self.items if item in counted]
            self.kept = [item for item in self.kept if item in counted]

    def nodes(self, root, items):
        each = items["each"]
        found, are_there = [], False
        for path in each if isinstance(each, list) else [each]:
            _, steps = parse(path)
            ends_in_star = bool(steps) and steps[-1] == ("*",)
            holders = root.walk(steps[:-1] if ends_in_star else steps)
            holders = [node for node in holders if isinstance(node.value, (dict, list))]
            if not holders:
                continue
            are_there = True
            if not items.get("columns"):
                found += [child for node in holders for child in node.children()] if ends_in_star else holders
                continue
            for node in [child for one in holders for child in one.children()] if ends_in_star else holders:
                columns = {key: value for key, value in node.value.items() if isinstance(value, list)}
                lengths = {len(column) for column in columns.values()}
                if len(lengths) > 1:
                    raise Rejected("columns")
                count = lengths.pop() if lengths else 0
                for index in range(count):
                    row = {key: column[index] for key, column in columns.items()}
                    found.append(Node(row, node, None, index, count))
        if not are_there:
            raise Rejected("each")
        return found

    def time(self):
        items = self.definition["items"]
        if "start" not in items:
            return
        self.leave_out(self.begin)
        starts = sorted({item.begin.instant for item in self.kept})

        def finish(item):
            begin = item.begin
            if items.get("end") == "next":
                later = [start for start in starts if start > begin.instant]
                length = later[0] - begin.instant if later else starts[-1] - starts[-2] if len(starts) > 1 else 0
                item.finish = Moment(self.zone, instant=begin.instant + length)
            else:
                item.finish = self.stated_end(item)
            # An end before the start is ignored, and a whole day stays one.
            early = item.finish and item.finish.instant - begin.instant
            if item.finish is None or early < 0 or early == 0 and not begin.timed:
                item.unstated = True
                item.finish = begin if begin.timed else self.day_end(begin)
            if "id" in items and "{start" in items["id"]:
                item.id = item.text(items["id"], {"start": Instant(begin.instant)}.items())

        for item in self.kept:
            finish(item)
        if "id" in items and "{start" in items["id"]:
            self.items = self.kept

    def begin(self, item):
        items = self.definition["items"]
        repeats = "repeats" in items and item.text(items["repeats"])
        item.begin = read_time(items["start"], item, self.zone, "repeating" if repeats else "start")
        if item.begin is None:
            raise Rejected("start")

    def stated_end(self, item):
        """None where the file states no end that can be read."""
        items, begin = self.definition["items"], item.begin
        try:
            if "end" in items:
                end = read_time(items["end"], item, self.zone, "end")
                if end is not None and end.timed:
                    return end
                if end is not None:
                    # The days of an item are in one zone.
                    first, last = begin.wall.date(), end.wall.date()
                    is_first = end.is_before and last == first - DAY and begin.local
                    return self.day_end(Moment(
                        begin.zone, datetime.datetime.combine(first if is_first else last, datetime.time())))
            item.lasts = "lasts" in items
            return self.lasting(item, begin) if item.lasts else None
        except Rejected:
            return None

    def leave_out(self, read):
        """Leaves out the items whose times cannot be read; rejects a file that has no other."""
        bad = []
        for item in self.kept:
            try:
                read(item)
            except Rejected:
                bad.append(item)
        if bad and len(bad) == len(self.items):
            raise Rejected("no item can be read")
        self.kept = [item for item in self.kept if item not in bad]
        self.items = [item for item in self.items if item not in bad]

    def day_end(self, moment):
        return Moment(moment.zone, datetime.datetime.combine(moment.wall.date() + DAY, datetime.time()))

    def lasting(self, item, begin):
        days, seconds = duration(item.text(self.definition["items"]["lasts"]))
        return Moment(begin.zone, instant=begin.zone.instant(begin.wall + DAY * days) + seconds) if days else Moment(
            begin.zone, instant=begin.instant + seconds)

    def occurrences(self, item, first, last):
        """Those that could matter between two instants."""
        items = self.definition["items"]
        if item.begin is None:
            return [Occurrence(item, None, None, item.id)]
        if "repeats" not in items:
            begins = [item.begin]
        else:
            begins = self.repeated(item, item.text(items["repeats"]), first, last)
        days, dates = set(), set()
        if "except" in items:
            for value in look_up(items["except"], item.node, item.document):
                if value is not None and not item.begin.timed:
                    days.add(meant_day(value, None, self.zone, item.clock.zone)[0])
                elif value is not None:
                    moment = moment_of(value, None, self.zone)
                    (dates.add(moment.instant) if moment.timed else days.add(moment.wall.date()))
        found = []
        for begin in begins:
            if begin.wall.date() in days or begin.instant in dates:
                continue
            if begin is item.begin:
                end = item.finish
            elif item.unstated:
                end = begin if begin.timed else self.day_end(begin)
            elif item.lasts:
                end = self.lasting(item, begin)
            else:
                end = Moment(begin.zone, begin.wall + (begin.zone.wall(item.finish.instant) - item.begin.wall))
            id = item.id
            if id is not None and "repeats" in items:
                id += "#" + (repr(Instant(begin.instant)).replace("-", "").replace(":", "")
                             if item.begin.timed else begin.zone.day(begin.instant).strftime("%Y%m%d"))
            found.append(Occurrence(item, Instant(begin.instant), Instant(max(end.instant, begin.instant)), id))
        longest = {}  # where the wall skips, two may be at one moment
        for one in found:
            if one.start not in longest or one.end > longest[one.start].end:
                longest[one.start] = one
        return list(longest.values())

    def repeated(self, item, rule, first, last):
        parts = dict(part.split("=") for part in rule.split(";"))
        until = parts.pop("UNTIL", None)
        if (item.begin.wall.month, item.begin.wall.day) == (2, 29) and parts["FREQ"] == "YEARLY" and not {
            "BYMONTHDAY", "BYYEARDAY", "BYWEEKNO", "BYDAY"
        } & parts.keys() and parts.get("BYMONTH", "2") == "2":
            parts.update(BYMONTH="2", BYMONTHDAY="-1")
        count = None
        if not item.begin.timed:  # each day once, whatever the times of day
            parts = {k: v for k, v in parts.items() if k not in ("BYHOUR", "BYMINUTE", "BYSECOND")}
            count = int(parts.pop("COUNT", 0)) or None
        walls = rrule.rrulestr(";".join(f"{k}={v}" for k, v in parts.items()), dtstart=item.begin.wall)
        if not item.begin.timed:
            days = (day for day, _ in itertools.groupby(wall.date() for wall in walls))
            walls = (datetime.datetime.combine(day, datetime.time()) for day in itertools.islice(days, count))
        margin, begins = DAY * 40, []
        for wall in walls:
            if wall > item.begin.zone.wall(last) + margin:
                break
            begin = Moment(item.begin.zone, wall, timed=item.begin.timed)
            if until:
                day = datetime.datetime.strptime(until[:8], "%Y%m%d")
                if len(until) == 8 and wall.date() > day.date():
                    break
                if len(until) > 8:
                    limit = datetime.datetime.strptime(until[:15], "%Y%m%dT%H%M%S")
                    after = begin.instant > limit.replace(tzinfo=UTC).timestamp() if until[-1] == "Z" else wall > limit
                    if after:
                        break
            if wall >= self.zone.wall(first) - margin:
                begins.append(item.begin if wall == item.begin.wall else begin)
        return begins


# Kinds


class Feed:
    def __init__(self, name, definition, samples, zone, moment):
        """samples: path, document, time of modification."""
        self.name, self.definition, self.zone, self.moment = name, definition, zone_named(zone), moment
        files, self.rejected = [], []
        for path, document, modified in samples:
            try:
                files.append(File(definition, path, document, modified, self.zone))
            except Rejected:
                self.rejected.append(path)
        files.sort(key=lambda file: (file.updated, file.path.encode()))
        if definition.get("use") == "newest":
            files = files[-1:]
        self.files = files
        self.today = self.zone.day(moment)
        last = {}
        for file in files:
            for item in file.items:
                if item.id is not None:
                    last[item.id] = item
        self.kept = [
            (file, item) for file in files for item in file.kept if item.id is None or last.get(item.id, item) is item
        ]
        first, end = self.zone.start(self.zone.before(self.today, 7)), self.zone.start(self.zone.after(self.today, 50))
        self.all = [(file, one) for file, item in self.kept for one in file.occurrences(item, first, end)]
        stale = definition.get("staleAfter")
        self.stale = None
        if stale and files and "updated" in definition:
            days, seconds = duration(stale)
            self.stale = files[-1].updated + days * 86400 + seconds

    def day_items(self, day):
        first, last = self.zone.start(day), self.zone.start(self.zone.after(day))
        return sum(one.overlaps(first, last) for _, one in self.all)

    def kinds(self):
        return {name: Kind(self, name, kind).snapshot() for name, kind in self.definition["kinds"].items()}


class Kind:
    def __init__(self, feed, name, kind):
        self.feed, self.name, self.kind, self.zone = feed, name, kind, feed.zone
        self.within = kind.get("within", 7)
        self.reach = 7 if kind.get("reach", "7 days") == "7 days" else 2
        self.end = self.zone.start(self.zone.after(feed.today, self.reach))
        self.occurrences = [one for _, one in feed.all if holds(kind.get("where", []), one.values)]
        self.occurrences.sort(key=lambda one: (
            one.start or 0, one.end or 0, one.item.path.encode(), one.item.place))
        for name in reversed(kind.get("order", [])):
            field = name.lstrip("-")
            known = [one for one in self.occurrences if one.values.get(field) is not None]
            known.sort(key=lambda one: rank(one.values[field]), reverse=name[0] == "-")
            self.occurrences = known + [one for one in self.occurrences if one.values.get(field) is None]

    def ahead(self, t):
        return self.zone.instant(self.zone.wall(t) + DAY * self.within)

    def shown(self, show, t):
        day = self.zone.day(t)
        first, last = self.zone.start(day), self.zone.start(self.zone.after(day))
        ahead = self.ahead(t)
        repeats = "repeats" in self.feed.definition["items"]
        window = self.zone.start(self.zone.before(day, 6)), self.zone.start(self.zone.after(day, self.reach))
        found = []
        for one in self.occurrences:
            start, end = one.start, one.end
            inside = not repeats or start is None or one.overlaps(*window)
            if start is None:
                ok = show == "all"
            else:
                ok = {
                    "all": inside,
                    "today": one.overlaps(first, last),
                    "now": start <= t < end,
                    "next": t < start <= ahead,
                    "coming": end > t and start <= ahead,
                    "nextDay": end > t and start <= ahead,
                    "due": start < last and inside,
                }[show]
            if ok:
                found.append(one)
        if show == "nextDay" and found:
            days = [max(day, self.zone.day(one.start)) for one in found]
            found = [one for one, its in zip(found, days) if its == min(days)]
        return found

    def value(self, value, t):
        chosen = self.shown(value.get("of", self.kind["show"]), t)
        chosen = [one for one in chosen if holds(value.get("where", []), one.values)]
        if value.get("count"):
            return len(chosen)
        if "share" in value:
            return sum(holds(value["share"], one.values) for one in chosen) / len(chosen) if chosen else None
        words = "sum min max mean first last list least greatest".split()
        word, field = next((word, value[word]) for word in words if word in value)
        if word in ("first", "last"):
            return chosen[0 if word == "first" else -1].values.get(field) if chosen else None
        if word == "list":
            return [one.values.get(field) for one in chosen]
        if word in ("sum", "mean"):
            numbers = [one.values[field] for one in chosen if is_number(one.values.get(field))]
            return sum(numbers) if word == "sum" else sum(numbers) / len(numbers) if numbers else None
        known = [one for one in chosen if rank(one.values.get(field))[0] == 0]  # numbers, else texts
        known = known or [one for one in chosen if is_text(one.values.get(field))]
        if not known:
            return None
        best = (min if word in ("least", "min") else max)(rank(one.values[field]) for one in known)
        return next(one for one in known if rank(one.values[field]) == best).values.get(value.get("give", field))

    def content(self, t):
        kind, feed = self.kind, self.feed
        clock = Clock(self.zone, feed.definition.get("words", {}), self.zone.day(t))
        chosen = self.shown(kind["show"], t)
        limit = kind.get("limit", 5)
        shown = chosen[:limit] if "items" in kind else []
        values = {name: self.value(value, t) for name, value in kind.get("values", {}).items()}
        values.update(count=len(chosen), more=len(chosen) - len(shown))
        texts = dict(kind.get("content", {}))
        if not chosen:
            texts.update(kind.get("empty", {}))
        content = {name: fill(text, values, clock, name == "deepLink") for name, text in texts.items()}
        content.update(count=len(chosen), more=len(chosen) - len(shown))
        if "items" in kind:
            content["items"] = []
            for one in shown:
                known = dict(one.values, id=one.id, key=one.item.node.key, index=one.item.node.index)
                record = {name: fill(text, known, clock, name == "deepLink") for name, text in kind["items"].items()}
                record.update(start=one.start, end=one.end)
                if one.id is not None:
                    record["id"] = one.id
                content["items"].append(record)
        return content

    def state(self, t):
        if not self.feed.files:
            return "empty"
        return "stale" if self.feed.stale is not None and t >= self.feed.stale else "current"

    def candidates(self):
        """Moments with an entry always, and those that may change something."""
        zone, begin = self.zone, self.zone.start(self.feed.today)
        always, other, day = set(), set(), self.feed.today
        while zone.start(day) < self.end:
            always.add(zone.start(day))
            for hour in self.kind.get("hours", []):
                always.add(zone.instant(datetime.datetime.combine(day, datetime.time(hour))))
            day = zone.after(day)
        shows = {self.kind["show"]} | {value.get("of") for value in self.kind.get("values", {}).values()}
        edges = [begin, *zone.transitions(begin, self.end), self.end]
        for one in self.occurrences:
            if one.start is None:
                continue
            other |= {one.start, one.end}
            if not shows & {"next", "coming", "nextDay"}:
                continue
            for low, high in zip(edges, edges[1:]):
                if self.ahead(low) >= one.start:
                    other.add(low)
                elif self.ahead(high - 1) >= one.start:
                    high -= 1
                    while high - low > 1:
                        middle = (low + high) // 2
                        low, high = (low, middle) if self.ahead(middle) >= one.start else (middle, high)
                    other.add(high)
        other |= set(edges)
        if self.feed.stale is not None:
            other.add(self.feed.stale)
        return ({t for t in always if begin <= t < self.end}, {t for t in other if begin <= t < self.end})

    def snapshot(self):
        always, other = self.candidates()
        entries, now = [], self.feed.moment
        for t in sorted(always | other):
            content, state = self.content(t), self.state(t)
            if t in always or (content, state) != (entries[-1]["content"], entries[-1]["state"]):
                entry = {"date": Instant(t), "content": content, "state": state}
                entries = [entry] if t <= now else entries + [entry]
        reload = Instant(self.end)
        if len(entries) > 48:
            reload, entries = entries[48]["date"], entries[:48]
        return {
            "entries": entries, "policy": {"date": reload, "reload": "after"},
        }


def plain(value):
    """As JSON has it."""
    if isinstance(value, Instant):
        return repr(value)
    if isinstance(value, dict):
        return {key: plain(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [plain(inner) for inner in value]
    return value


def plain_numbers(value):
    """Whole numbers without a fraction, as the agent writes them."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return int(value)
    if isinstance(value, dict):
        return {key: plain_numbers(inner) for key, inner in value.items()}
    return [plain_numbers(inner) for inner in value] if isinstance(value, list) else value


def seconds(text):
    return int(datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp())


def main():
    file = pathlib.Path(__file__).with_suffix(".json")
    vectors = json.loads(file.read_text())
    for vector in vectors:
        samples = [(one["path"], json.loads(one["document"]), seconds(one["modified"])) for one in vector["files"]]
        feed = Feed("t", vector["definition"], samples, vector["zone"], seconds(vector["at"]))
        vector["kinds"] = plain_numbers(plain(feed.kinds()))
    lines = [json.dumps(vector, ensure_ascii=False, separators=(",", ":")) for vector in vectors]
    file.write_text("[\n" + ",\n".join(lines) + "\n]\n")


if __name__ == "__main__":
    main()
