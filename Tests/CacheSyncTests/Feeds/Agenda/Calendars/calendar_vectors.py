"""Writes calendar_vectors.json: generated series in many zones, and the occurrences that another program gives for them.

Run by hand: python3 calendar_vectors.py SEED > calendar_vectors.json (committed: see "seed" in the file). It needs
`icalendar` and `recurring-ical-events` from PyPI, whose versions the file names; tests need only the file.

Not generated, because the contract differs there from the oracle on purpose, or the oracle is wrong: UNTIL as a day for
times (it excludes that day), UNTIL before DTSTART (it drops DTSTART), EXDATE whose local digits are those of another
occurrence in UTC, overrides of what EXDATE takes out (it drops them), BYSETPOS, BYWEEKNO (faults of dateutil), sub-daily rules over gaps. Lengths are left out where the
clocks change between start and end, because the oracle adds exact time there.

A case is [zone of the cache, first moment, last, the VEVENTs, what starts between them: "minutes after the first+length
summary"].
"""

import datetime as dt
import importlib.metadata as metadata
import json
import random
import sys
import zoneinfo

import icalendar
import recurring_ical_events

ZONES = """Europe/Berlin Europe/London Europe/Dublin America/New_York America/St_Johns America/Havana America/Sao_Paulo
America/Santiago America/Nuuk Australia/Lord_Howe Australia/Adelaide Pacific/Apia Pacific/Chatham Asia/Beirut Asia/Tehran
Asia/Gaza Asia/Kathmandu Africa/Casablanca Africa/Cairo Antarctica/Troll""".split()
DAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
UTC = dt.timezone.utc


def changes(zone):
    """The moments from 2008 to 2023 at which a zone's offset changes, to the hour."""
    moment = dt.datetime(2008, 1, 1, tzinfo=UTC)
    found = []
    offset = moment.astimezone(zone).utcoffset()
    while moment.year < 2024:
        moment += dt.timedelta(hours=1)
        if moment.astimezone(zone).utcoffset() != offset:
            offset = moment.astimezone(zone).utcoffset()
            found.append(moment)
    return found


def digits(value):
    return value.strftime("%Y%m%d" if not isinstance(value, dt.datetime) else "%Y%m%dT%H%M%S")


def utc(value, zone):
    if not isinstance(value, dt.datetime):
        value = first_instant(value, zone)
    elif value.tzinfo is None:
        value = value.replace(tzinfo=zone)
    return value.astimezone(UTC)


def first_instant(day, zone):
    """When a day begins: midnight, or what follows it where that is skipped."""
    moment = dt.datetime.combine(day, dt.time(), zone)
    back = moment.astimezone(UTC).astimezone(zone)
    if back.replace(tzinfo=None) == moment.replace(tzinfo=None):
        return moment
    # Skipped: the first minute after the gap.
    moment = moment.astimezone(UTC) - dt.timedelta(days=2)
    low, high = 0, 4 * 24 * 60
    while low < high:
        middle = (low + high) // 2
        if (moment + dt.timedelta(minutes=middle)).astimezone(zone).date() >= day:
            high = middle
        else:
            low = middle + 1
    return moment + dt.timedelta(minutes=low)


def minutes(duration):
    return round(duration.total_seconds() / 60)


def stamp(moment):
    return moment.strftime("%Y%m%dT%H%M%SZ")


def rule(pick, start):
    frequency = pick.choice(["DAILY", "WEEKLY", "MONTHLY", "YEARLY"])
    parts = ["FREQ=" + frequency]
    if pick.random() < 0.4:
        parts.append("INTERVAL=%d" % pick.randint(2, 4))
    if frequency == "WEEKLY" and pick.random() < 0.6:
        parts.append("BYDAY=" + ",".join(sorted(pick.sample(DAYS, pick.randint(1, 3)), key=DAYS.index)))
    if frequency == "MONTHLY" and pick.random() < 0.7:
        parts.append(
            pick.choice(["BYDAY=%d%s" % (pick.choice([1, 2, -1]), pick.choice(DAYS)), "BYMONTHDAY=%d" % pick.choice([1, 28, 31, -1])]))
    if frequency == "DAILY" and isinstance(start, dt.datetime) and pick.random() < 0.3:
        parts.append("BYHOUR=" + ",".join(map(str, sorted(pick.sample(range(24), 3)))))
    return parts


def case(pick, name, moments):
    zone = zoneinfo.ZoneInfo(name)
    change = pick.choice(moments) if moments and pick.random() < 0.9 else dt.datetime(2019, 6, 1, tzinfo=UTC)
    first, last = change - dt.timedelta(days=pick.randint(2, 20)), change + dt.timedelta(days=pick.randint(2, 20))
    kind = pick.choice(["zone", "zone", "zone", "day", "floating", "utc"])
    local = change.astimezone(zone).replace(tzinfo=None, minute=0)
    start = local - dt.timedelta(days=pick.choice([0, 1, 7, 14, 28, 35, 365, 400]) + pick.randint(0, 3))
    if pick.random() < 0.7:
        # Near the wall time at which the clocks change.
        start += dt.timedelta(minutes=15 * pick.randint(-8, 4))
    else:
        start = start.replace(hour=pick.randint(0, 23), minute=pick.choice([0, 30]))
    if kind == "day":
        start = start.date()

    def written(property, value, form=None):
        form = form or kind
        if form == "day":
            return "%s;VALUE=DATE:%s" % (property, digits(value))
        if form == "zone":
            return "%s;TZID=%s:%s" % (property, name, digits(value))
        if form == "instant":
            return "%s:%s" % (property, stamp(value.replace(tzinfo=UTC if kind == "utc" else zone).astimezone(UTC)))
        return "%s:%s%s" % (property, digits(value), "Z" if form == "utc" else "")

    lines = ["UID:a", "SUMMARY:s", written("DTSTART", start)]
    if kind == "day":
        length = dt.timedelta(days=pick.randint(1, 3))
        lines.append(written("DTEND", start + length) if pick.random() < 0.7 else "DURATION:P%dD" % length.days)
    else:
        length = dt.timedelta(minutes=pick.choice([0, 30, 60, 90, 600, 1440, 3000]))
        if length and pick.random() < 0.7:
            lines.append(written("DTEND", start + length))
        elif length:
            lines.append("DURATION:PT%dM" % (length.total_seconds() // 60))
    parts = rule(pick, start)
    end = pick.random()
    if end < 0.3:
        parts.append("COUNT=%d" % pick.randint(1, 60))
    elif end < 0.6:
        until = last - dt.timedelta(days=pick.randint(0, 20), minutes=15 * pick.randint(0, 95))
        # Not before the first.
        if utc(start, zone) < until:
            if kind == "day":
                parts.append("UNTIL=" + digits(until.date()))
            elif kind == "floating":
                parts.append("UNTIL=" + digits(until.replace(tzinfo=None)))
            else:
                parts.append("UNTIL=" + stamp(until))
    lines.append("RRULE:" + ";".join(parts))

    def near():
        """A date of the series' kind in the window, more often than not one that it has."""
        days = dt.timedelta(days=pick.randint(0, (last - first).days))
        at = (first + days).astimezone(zone).replace(tzinfo=None)
        if kind == "day":
            return at.date()
        return at.replace(hour=start.hour, minute=start.minute, second=0, microsecond=0)

    originals = set()
    for _ in range(pick.choice([0, 0, 1, 3])):
        excluded = near()
        originals.add(excluded)
        lines.append(written("EXDATE", excluded))
    for _ in range(pick.choice([0, 0, 1, 2])):
        extra = near()
        if kind != "day":
            extra += dt.timedelta(minutes=pick.choice([0, 45]))
        lines.append(written("RDATE", extra))
    events = ["\n".join(lines)]
    for _ in range(pick.choice([0, 0, 1, 2])):
        original = near()
        if original in originals:
            continue
        originals.add(original)
        moved = original + dt.timedelta(days=pick.randint(-3, 3))
        # Written as the series is, or as the same moment in UTC.
        form = "instant" if kind == "zone" and pick.random() < 0.4 else None
        events.append(
            "\n".join(["UID:a", "SUMMARY:o%d" % len(events), written("RECURRENCE-ID", original, form), written("DTSTART", moved)]))
    return name, zone, first, last, events


def occurrences(zone, first, last, events):
    text = "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:x\n"
    for event in events:
        text += "BEGIN:VEVENT\nDTSTAMP:20200101T000000Z\n" + event + "\nEND:VEVENT\n"
    calendar = icalendar.Calendar.from_ical(text + "END:VCALENDAR\n")
    day = dt.timedelta(days=4)
    found = set()
    for event in recurring_ical_events.of(calendar).between(first - day, last + day):
        start, end = event["DTSTART"].dt, event["DTEND"].dt if "DTEND" in event else event["DTSTART"].dt
        a, b = utc(start, zone), utc(end, zone)
        if not first <= a < last:
            continue
        is_known = isinstance(start, dt.datetime) and a.astimezone(zone).utcoffset() == b.astimezone(zone).utcoffset()
        is_known = is_known or not isinstance(start, dt.datetime)
        # A start in a gap is not where the wall says.
        if isinstance(start, dt.datetime) and start.tzinfo is not UTC:
            shown = a.astimezone(zone).replace(tzinfo=None)
            if shown != start.replace(tzinfo=None) and start.tzinfo in (None, zone):
                is_known = False
        length = "+%d" % minutes(b - a) if is_known else ""
        found.add((minutes(a - first), length, str(event["SUMMARY"])))
    return ["%d%s %s" % occurrence for occurrence in sorted(found)]


def main():
    seed = int(sys.argv[1])
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 440
    pick = random.Random(seed)
    known = {name: changes(zoneinfo.ZoneInfo(name)) for name in ZONES}
    cases = []
    while len(cases) < count:
        name = ZONES[len(cases) % len(ZONES)]
        name, zone, first, last, events = case(pick, name, known[name])
        expected = occurrences(zone, first, last, events)
        cases.append([name, stamp(first), stamp(last), events, expected])
    versions = ["%s %s" % (name, metadata.version(name)) for name in ["icalendar", "recurring-ical-events", "python-dateutil"]]
    print('{"seed":%d,"oracle":%s,"cases":[' % (seed, json.dumps(versions)))
    print(",\n".join(json.dumps(case, separators=(",", ":")) for case in cases))
    print("]}")


main()
