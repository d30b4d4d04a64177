#!/usr/bin/env python3
"""Works out, second by second and with Python's own zone files, when events are upcoming.

feeds.md, tasks and events: now < startTime <= now + 7 local days at the same wall time; a local time that a day skips counts
at the first instant after it, one that comes twice the first time. Prints the boundaries of one event that EventsTests
expects. Run: python3 agenda_windows.py
"""
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

UTC = timezone.utc


def parse(text):
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def window_end(now, zone):
    wall = now.astimezone(zone).replace(tzinfo=None) + timedelta(days=7)
    return first_instant(wall, zone)


def first_instant(wall, zone):
    """The first instant at which the wall shows `wall` or more."""
    # No offset is more than 15 hours, no change more than a few: look at every instant that could show it.
    candidates = []
    for fold in (0, 1):
        moment = wall.replace(tzinfo=zone, fold=fold).astimezone(UTC)
        if moment.astimezone(zone).replace(tzinfo=None) == wall:
            candidates.append(moment)
    if candidates:
        return min(candidates)
    # Skipped: the change of clocks itself, found by halving.
    low = wall.replace(tzinfo=UTC) - timedelta(hours=30)
    high = low + timedelta(hours=60)
    while high - low > timedelta(seconds=1):
        middle = low + (high - low) // 2
        middle = middle.replace(microsecond=0)
        if middle.astimezone(zone).replace(tzinfo=None) >= wall:
            high = middle
        else:
            low = middle
    return high.replace(microsecond=0)


def changes(name, event, begin, end):
    zone, event = ZoneInfo(name), parse(event)
    moment, stop = parse(begin), parse(end)
    was = None
    result = []
    while moment < stop:
        shown = moment < event <= window_end(moment, zone)
        if was is not None and shown != was:
            result.append((moment.strftime("%Y-%m-%dT%H:%M:%SZ"), shown))
        was = shown
        moment += timedelta(seconds=60)
    return result


CASES = [
    ("UTC", "2026-11-27T09:30:00Z", "2026-11-18T00:00:00Z", "2026-11-28T00:00:00Z"),
    # New York sets its clocks back on 2026-11-01 at 06:00Z, and forward on 2026-03-08 at 07:00Z.
    ("America/New_York", "2026-11-08T06:30:00Z", "2026-10-31T04:00:00Z", "2026-11-09T00:00:00Z"),
    ("America/New_York", "2026-11-05T20:00:00Z", "2026-10-28T04:00:00Z", "2026-11-06T00:00:00Z"),
    ("America/New_York", "2026-11-01T06:30:00Z", "2026-10-24T04:00:00Z", "2026-11-02T00:00:00Z"),
    ("America/New_York", "2026-11-01T05:30:00Z", "2026-10-24T04:00:00Z", "2026-11-02T00:00:00Z"),
    ("America/New_York", "2026-03-08T07:00:00Z", "2026-02-28T05:00:00Z", "2026-03-09T00:00:00Z"),
    ("America/New_York", "2026-03-08T07:10:00Z", "2026-02-28T05:00:00Z", "2026-03-09T00:00:00Z"),
    ("America/New_York", "2026-03-15T06:30:00Z", "2026-03-07T05:00:00Z", "2026-03-16T00:00:00Z"),
    # Lord Howe changes by half an hour: back on 2026-04-04 at 15:00Z, forward on 2026-10-03 at 15:30Z.
    ("Australia/Lord_Howe", "2026-04-11T15:15:00Z", "2026-04-03T00:00:00Z", "2026-04-12T00:00:00Z"),
    ("Australia/Lord_Howe", "2026-10-10T15:00:00Z", "2026-10-02T00:00:00Z", "2026-10-12T00:00:00Z"),
]

if __name__ == "__main__":
    for case in CASES:
        print(case[0], case[1], changes(*case))
