"""Prints what Python's zoneinfo says about every zone of the system: the oracle of LocalDaysTests.swift.

One line a zone, fields by tabs:

    name  first start  days  ordinal:length ...  offset ...

"first start" is the start of 2000-01-01 in seconds since 1970, "days" the number of days 2000...2037 that exist. Then
come the days that are not 24 h long, as days since 1970 and seconds (0 for a day the zone skipped), and then the
offsets in seconds east at the moments of `moments`, which the Swift test works out for itself.

A day's start is the first minute whose local date is that day or later, found by asking zoneinfo minute by minute
wherever the offset changes around that midnight; no table of changes is read. What it takes for granted of 2000...2037:
offsets and changes in whole minutes, and no offset for less than four days.
"""

import datetime
import sys
import zoneinfo

DIRECTORY = "/usr/share/zoneinfo"
DAY = 86400
EPOCH = datetime.date(1970, 1, 1)
FIRST = (datetime.date(2000, 1, 1) - EPOCH).days
LAST = (datetime.date(2037, 12, 31) - EPOCH).days


def moments():
    """Sixty moments of the years 1850...9990, by a linear congruential generator (Knuth's MMIX)."""
    state = 1
    for _ in range(60):
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        yield -3786912000 + (state >> 20) % 256900000000


MOMENTS = list(moments())


def offset(zone, second):
    delta = datetime.datetime.fromtimestamp(second, zone).utcoffset()
    return delta.days * DAY + delta.seconds


def first_minute(zone, ordinal, offsets):
    """The day's start, given the offsets of the days around it."""
    midnight = ordinal * DAY
    # Before the one no clock of these has reached midnight, at the other each has.
    second = midnight - max(offsets)
    before = offset(zone, second)
    if before == offset(zone, midnight - min(offsets)):
        return midnight - before
    while second + offset(zone, second) < midnight:
        second += 60
    return second


def describe(zone):
    # offsets[i] holds at 00:00 UTC of day FIRST - 4 + 4 * i.
    offsets = [offset(zone, day * DAY) for day in range(FIRST - 4, LAST + 13, 4)]
    starts = []
    for index, ordinal in enumerate(range(FIRST, LAST + 2)):
        # From at least two days before to at least two days after.
        near = offsets[(index + 2) // 4 : (index + 6) // 4 + 2]
        if near.count(near[0]) == len(near):
            starts.append(ordinal * DAY - near[0])
        else:
            starts.append(first_minute(zone, ordinal, near))
    lengths = [later - earlier for earlier, later in zip(starts, starts[1:])]
    odd = [f"{FIRST + index}:{length}" for index, length in enumerate(lengths) if length != DAY]
    days = sum(length != 0 for length in lengths)
    later = " ".join(str(offset(zone, second)) for second in MOMENTS)
    return f"{starts[0]}\t{days}\t{' '.join(odd)}\t{later}"


def main():
    zoneinfo.reset_tzpath([DIRECTORY])
    known = {}
    # localtime and posixrules stand for whichever zone the system has, so the agent does not take them for names.
    for name in sorted(zoneinfo.available_timezones() - {"localtime", "posixrules"}):
        with open(f"{DIRECTORY}/{name}", "rb") as file:
            content = file.read()
        # A link has the bytes of its zone.
        if content not in known:
            known[content] = describe(zoneinfo.ZoneInfo(name))
        sys.stdout.write(f"{name}\t{known[content]}\n")


main()
