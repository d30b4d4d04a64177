#!/bin/sh
# libical 3.0 reads an RDATE with TZID as if it were in UTC, and finds no occurrence for an RDATE with a period.
#
# Versions: Debian's libical3 3.0.16-1+b1.
#
# Behaviour: RFC 5545, 3.8.5.2 permits "RDATE;TZID=…:DATE-TIME" and "RDATE;VALUE=PERIOD:…". icalcomponent_foreach_recurrence(),
# which lists the occurrences of an event, takes the digits of the first for UTC: with a zone three hours ahead the occurrence
# comes three hours late. DTSTART, RRULE and EXDATE of the same event are in their zone. An RDATE with a period gives no
# occurrence at all, neither with a zone nor in UTC. Nothing is reported, and the component has no errors. So what writes
# calendars for programs that expand them with libical should write additional dates in UTC, and an occurrence with a length
# of its own as an event of its own.
#
# Output on 2026-12-01 (the lines of an event at 09:00 in a zone of +03:00, then the starts that it lists, in UTC):
#   RDATE;TZID=Own:20260610T090000                          01T0600 10T0900
#   RDATE:20260610T060000Z                                  01T0600 10T0600
#   RDATE;VALUE=PERIOD;TZID=Own:20260610T090000/PT2H        01T0600
#   RDATE;VALUE=PERIOD:20260610T060000Z/PT2H                01T0600
#   RRULE:FREQ=DAILY;COUNT=3 EXDATE;TZID=Own:20260602T090000  01T0600 03T0600
#
# Ends with 0 while this is so, with 1 when it has changed, and with 77 where Debian's package cannot be fetched. Needs python3
# on Debian 12.
set -eu
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$place"
chmod 755 .
apt-get download -qq libical3=3.0.16-1+b1 2>/dev/null || { echo "cannot fetch libical3"; exit 77; }
dpkg-deb -x libical3_*.deb package
found=$(python3 - "$(find package -name 'libical.so.3')" <<'PYTHON'
import ctypes
import datetime
import sys


class Time(ctypes.Structure):
    _fields_ = [(name, ctypes.c_int) for name in "year month day hour minute second is_date is_daylight".split()]
    _fields_ += [("zone", ctypes.c_void_p)]


class Span(ctypes.Structure):
    _fields_ = [("start", ctypes.c_long), ("end", ctypes.c_long), ("is_busy", ctypes.c_int)]


Receive = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.POINTER(Span), ctypes.c_void_p)
library = ctypes.CDLL(sys.argv[1])
pointer = ctypes.c_void_p
for name, result, arguments in [
    ("icalparser_parse_string", pointer, [ctypes.c_char_p]),
    ("icalcomponent_get_first_component", pointer, [pointer, ctypes.c_int]),
    ("icaltime_from_string", Time, [ctypes.c_char_p]),
    ("icalcomponent_foreach_recurrence", None, [pointer, Time, Time, Receive, pointer]),
]:
    function = getattr(library, name)
    function.restype, function.argtypes = result, arguments
EVENT_COMPONENT = 4
YEAR = [library.icaltime_from_string(text) for text in (b"20260101T000000Z", b"20270101T000000Z")]


def occurrences(*lines):
    text = "\r\n".join([
        "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//findings//EN",
        "BEGIN:VTIMEZONE", "TZID:Own", "BEGIN:STANDARD", "DTSTART:19700101T000000", "TZOFFSETFROM:+0300", "TZOFFSETTO:+0300",
        "END:STANDARD", "END:VTIMEZONE",
        "BEGIN:VEVENT", "UID:a", "DTSTAMP:20260101T000000Z", "DTSTART;TZID=Own:20260601T090000",
        "DTEND;TZID=Own:20260601T100000", *lines, "END:VEVENT", "END:VCALENDAR", ""])
    event = library.icalcomponent_get_first_component(library.icalparser_parse_string(text.encode()), EVENT_COMPONENT)
    starts = []

    def receive(_, span, __):
        starts.append(datetime.datetime.fromtimestamp(span.contents.start, datetime.timezone.utc).strftime("%dT%H%M"))

    library.icalcomponent_foreach_recurrence(event, *YEAR, Receive(receive), None)
    return " ".join(starts)


for lines in (
    ["RDATE;TZID=Own:20260610T090000"],
    ["RDATE:20260610T060000Z"],
    ["RDATE;VALUE=PERIOD;TZID=Own:20260610T090000/PT2H"],
    ["RDATE;VALUE=PERIOD:20260610T060000Z/PT2H"],
    ["RRULE:FREQ=DAILY;COUNT=3", "EXDATE;TZID=Own:20260602T090000"],
):
    print(" ".join(lines), occurrences(*lines))
PYTHON
)
echo "$found"
expected='RDATE;TZID=Own:20260610T090000 01T0600 10T0900
RDATE:20260610T060000Z 01T0600 10T0600
RDATE;VALUE=PERIOD;TZID=Own:20260610T090000/PT2H 01T0600
RDATE;VALUE=PERIOD:20260610T060000Z/PT2H 01T0600
RRULE:FREQ=DAILY;COUNT=3 EXDATE;TZID=Own:20260602T090000 01T0600 03T0600'
[ "$found" = "$expected" ] || { echo "changed: expected"; echo "$expected"; exit 1; }
