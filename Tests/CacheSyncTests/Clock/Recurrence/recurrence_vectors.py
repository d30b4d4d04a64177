"""Writes what python-dateutil makes of 1,000 random rules: the oracle of RecurrenceVectorTests.swift.

Run again with (Debian: python3-dateutil):

    python3 Tests/CacheSyncTests/Clock/Recurrence/recurrence_vectors.py > \
        Tests/CacheSyncTests/Clock/Recurrence/recurrence_vectors.txt

A line is a rule, a start and the first eight occurrences in the 10,958 days from the start, by tabs and blanks. An
occurrence at the start's time of day is its day alone. Seeded, so that a run gives the same lines.

What dateutil 2.8 and 2.9 do differently from RFC 5545 is kept apart:

- WEEKLY with BYSETPOS counts positions of the first week from the start on. It is asked from the week's first day.
- BYWEEKNO without a day gives the whole week. It is asked with the start's weekday.
- BYWEEKNO chooses among the days of a calendar year, so that INTERVAL and BYSETPOS go wrong in weeks across its end.
  Not asked together.
- BYDAY with both "MO" and "1MO" gives what is both. Not asked.
- What an INTERVAL of hours, minutes or seconds never meets is a ValueError. It is no occurrence.
"""

import datetime
import itertools
import random
import sys
import types

import dateutil.rrule

FREQUENCIES = ["YEARLY", "MONTHLY", "WEEKLY", "DAILY", "HOURLY", "MINUTELY", "SECONDLY"]
WEEKDAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
FORMAT = "%Y%m%dT%H%M%S"
HORIZON = datetime.timedelta(days=10958)


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def chance(self, percent):
        return self.random.randrange(100) < percent

    def some(self, first, last, most):
        return sorted(self.random.sample(range(first, last + 1), self.random.randint(1, most)))

    def signed(self, last, most):
        return [number * self.random.choice([1, 1, -1]) for number in self.some(1, last, most)]

    def start(self):
        """A moment of 1997...2027, often near a year's end."""
        year = self.random.randrange(1997, 2028)
        day = self.random.choice([0, 1, 2, 3, 361, 362, 363, 364, *(self.random.randrange(365) for _ in range(8))])
        second = self.random.choice([0, 32400, 34200, 86399, self.random.randrange(86400)])
        return datetime.datetime(year, 1, 1) + datetime.timedelta(days=day, seconds=second)

    def weekdays(self, frequency, parts):
        names = self.random.sample(WEEKDAYS, self.random.randint(1, 3))
        if frequency not in ("YEARLY", "MONTHLY") or "BYWEEKNO" in parts or self.chance(50):
            return names
        most = 5 if frequency == "MONTHLY" or "BYMONTH" in parts else 53
        return [f"{self.random.choice([1, 1, -1]) * self.random.randint(1, most)}{name}" for name in names]

    def parts(self, start):
        frequency = self.random.choice(FREQUENCIES[:4] * 4 + FREQUENCIES[:3] * 3 + FREQUENCIES[4:])
        is_short = frequency in FREQUENCIES[4:]
        parts = {"FREQ": frequency}
        if self.chance(45):
            parts["INTERVAL"] = [self.random.choice([2, 2, 3, 4] if frequency == "YEARLY" else [2, 2, 3, 5, 7, 10, 11, 18])]
        # Of rules of an hour or less one choice of days: dateutil looks at each second that a choice excludes.
        free = 1 if is_short else 9
        if frequency == "SECONDLY":
            free = 0
        if free and self.chance(35):
            parts["BYMONTH"], free = self.some(1, 12, 3), free - 1
        if frequency == "YEARLY" and "INTERVAL" not in parts and self.chance(20):
            parts["BYWEEKNO"] = self.signed(self.random.choice([5, 53, 53]), 3)
        if free and (frequency == "YEARLY" or is_short) and self.chance(20):
            parts["BYYEARDAY"], free = self.signed(365 if is_short else 366, 4), free - 1
        if free and frequency != "WEEKLY" and self.chance(30):
            parts["BYMONTHDAY"], free = self.signed(28 if is_short else 31, 4), free - 1
        if free and self.chance(45):
            parts["BYDAY"] = self.weekdays(frequency, parts)
        for name, last, percent in (("BYHOUR", 23, 20), ("BYMINUTE", 59, 15), ("BYSECOND", 59, 10)):
            if self.chance(percent):
                parts[name] = self.some(0, last, 3)
        if any(name.startswith("BY") for name in parts) and "BYWEEKNO" not in parts and self.chance(20):
            parts["BYSETPOS"] = [self.random.choice([1, -1])] if is_short else self.signed(4, 2)
        if self.chance(25):
            parts["WKST"] = [self.random.choice(WEEKDAYS)]
        end = self.random.randrange(100)
        if end < 20:
            parts["COUNT"] = [self.random.choice([1, 2, 3, 5])]
        elif end < 35:
            until = start + datetime.timedelta(days=self.random.choice([3, 40, 400, 900]))
            parts["UNTIL"] = [until.strftime(self.random.choice(["%Y%m%dT%H%M%S", "%Y%m%d"]))]
        return parts


def text(parts):
    return ";".join(f"{name}={values if name == 'FREQ' else ','.join(map(str, values))}" for name, values in parts.items())


def occurrences(parts, start):
    """The first eight, with dateutil asked around its faults."""
    asked = dict(parts)
    first = start
    count = asked.pop("COUNT", [8])[0]
    if len(parts.get("UNTIL", [""])[0]) == 8:
        # A day is meant with all of it.
        asked["UNTIL"] = [parts["UNTIL"][0] + "T235959"]
    days = {"BYDAY", "BYMONTHDAY", "BYYEARDAY"}
    if "BYWEEKNO" in parts and not days & parts.keys():
        asked["BYDAY"] = [WEEKDAYS[start.weekday()]]
    if parts["FREQ"] == "WEEKLY" and "BYSETPOS" in parts:
        asked.setdefault("BYDAY", [WEEKDAYS[start.weekday()]])
        week_start = WEEKDAYS.index(parts.get("WKST", ["MO"])[0])
        first = start - datetime.timedelta(days=(start.weekday() - week_start) % 7)
    # Where dateutil gives up a rule that gives nothing; the year 9999 would take it seconds.
    dateutil.rrule.datetime = types.SimpleNamespace(**{**vars(datetime), "MAXYEAR": start.year + 31})
    try:
        found = dateutil.rrule.rrulestr(text(asked), dtstart=first)
        found = itertools.takewhile(lambda moment: moment <= start + HORIZON, found)
        found = itertools.dropwhile(lambda moment: moment < start, found)
        return list(itertools.islice(found, min(count, 8)))
    except ValueError:
        return []


def main():
    generator = Generator(5545)
    for _ in range(1000):
        start = generator.start()
        parts = generator.parts(start)
        found = [moment.strftime(FORMAT[:6] if moment.time() == start.time() else FORMAT) for moment in occurrences(parts, start)]
        sys.stdout.write(f"{text(parts)}\t{start.strftime(FORMAT)}\t{' '.join(found)}\n")


main()
