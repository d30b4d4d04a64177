"""Exported calendars, read back by two other programs: Python's icalendar and libical.

Debian: libical3 python3-pip. PyPI: icalendar, recurring-ical-events.
"""

import ctypes
import ctypes.util
import datetime
import json
import os
import subprocess
import sys
import unittest
import zoneinfo

from pypi import packages
from support import Cache, program

UTC = datetime.timezone.utc
PACKAGES = ["icalendar==7.3.2", "recurring-ical-events==3.8.2"]
AWKWARD = "Semi; comma, back\\slash \"quoted\" \u00e4\u00f6\u00fc \U0001f9c0 " * 5


class Export(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        sys.path.insert(0, str(packages(*PACKAGES)))
        cls.addClassCleanup(sys.path.pop, 0)

    def setUp(self):
        self.cache = Cache()
        self.addCleanup(self.cache.close)
        today = datetime.date.today()
        self.cache.put("tasks/awkward.json", json.dumps([
            {"id": "a,b;c", "title": AWKWARD, "description": "two\nlines", "completed": False, "dueDate": today.isoformat(),
             "createdAt": "2026-11-20T08:00:00Z", "labels": [{"id": 1, "name": "x;y"}, {"id": 2, "name": "z"}]}]))

    def export(self, feed):
        return subprocess.run([program(), "export", feed, "--cache", self.cache.path], capture_output=True, check=True).stdout

    def test_icalendar(self):
        import icalendar

        for feed, name in [("tasks", "VTODO"), ("events", "VEVENT"), ("meal-plan", "VEVENT")]:
            calendar = icalendar.Calendar.from_ical(self.export(feed))
            self.assertEqual(calendar.errors, [])
            self.assertTrue(calendar.subcomponents, feed)
            ids = [str(component["UID"]) for component in calendar.subcomponents]
            self.assertEqual(len(ids), len(set(ids)), feed)
            for component in calendar.subcomponents:
                self.assertEqual((component.name, component.errors), (name, []), feed)
                component["DTSTAMP"].dt
        calendar = icalendar.Calendar.from_ical(self.export("tasks"))
        [task] = [task for task in calendar.subcomponents if str(task["UID"]).startswith("a,b;c@tasks.cache.")]
        self.assertEqual((str(task["SUMMARY"]), str(task["DESCRIPTION"])), (AWKWARD, "two\nlines"))
        self.assertEqual(task["DUE"].dt, datetime.date.today())
        self.assertEqual([str(word) for word in task["CATEGORIES"].cats], ["x;y", "z"])

    def test_libical(self):
        name = ctypes.util.find_library("ical")
        if not name:
            self.skipTest("not installed: libical3; run make deps-citizen")
        library = ctypes.CDLL(name)
        library.icalparser_parse_string.restype = ctypes.c_void_p
        library.icalparser_parse_string.argtypes = [ctypes.c_char_p]
        library.icalrestriction_check.argtypes = [ctypes.c_void_p]
        library.icalcomponent_count_errors.argtypes = [ctypes.c_void_p]
        for feed in ("tasks", "events", "meal-plan"):
            component = library.icalparser_parse_string(self.export(feed))
            self.assertTrue(component, feed)
            # The rules of RFC 5545 for which property may be where, and how often.
            self.assertEqual(library.icalcomponent_count_errors(component), 0, feed)
            self.assertTrue(library.icalrestriction_check(component), feed)
            self.assertEqual(library.icalcomponent_count_errors(component), 0, feed)

    def test_equal_content_gives_equal_bytes(self):
        first = self.export("tasks")
        # Written anew with the same content: the file's times do not show.
        for file in self.cache.path.glob("tasks/*.json"):
            self.cache.put(f"tasks/{file.name}", file.read_text())
        self.assertEqual(self.export("tasks"), first)


# What calendars have, for a cache in Berlin, and from when to when each library has to give the same instances.
CALENDAR = """BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//test//EN
BEGIN:VTIMEZONE
TZID:Own zone
BEGIN:STANDARD
DTSTART:19701025T030000
RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU
TZOFFSETFROM:+0530
TZOFFSETTO:+0430
END:STANDARD
BEGIN:DAYLIGHT
DTSTART:19700329T020000
RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU
TZOFFSETFROM:+0430
TZOFFSETTO:+0530
END:DAYLIGHT
END:VTIMEZONE
%s
END:VCALENDAR
"""
SERIES = {
    "weekly": "DTSTART;TZID=Europe/Berlin:20260106T090000\nDTEND;TZID=Europe/Berlin:20260106T100000\n"
              "RRULE:FREQ=WEEKLY;BYDAY=TU,TH\nEXDATE;TZID=Europe/Berlin:20261201T090000\nEXDATE:20261203T080000Z",
    "count": "DTSTART;TZID=America/New_York:20261110T183000\nDURATION:PT90M\nRRULE:FREQ=DAILY;INTERVAL=3;COUNT=90",
    "until-day": "DTSTART;TZID=Europe/London:20261029T073000\nRRULE:FREQ=DAILY;UNTIL=20270210",
    "windows": "DTSTART;TZID=Tokyo Standard Time:20261110T080000\nDURATION:PT1H\nRRULE:FREQ=MONTHLY;BYDAY=2TU,-1FR",
    "own-zone": "DTSTART;TZID=Own zone:20261020T233000\nDURATION:PT1H\nRRULE:FREQ=WEEKLY",
    "floating": "DTSTART:20261020T053000\nDURATION:PT1H\nRRULE:FREQ=MONTHLY;BYMONTHDAY=1,15,-1",
    "utc": "DTSTART:20261020T083000Z\nDURATION:PT1H\nRRULE:FREQ=WEEKLY;INTERVAL=2\nEXDATE;VALUE=DATE:20261103",
    "days": "DTSTART;VALUE=DATE:20000229\nRRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1",
    "trip": "DTSTART;VALUE=DATE:20261125\nDTEND;VALUE=DATE:20261128\nRRULE:FREQ=MONTHLY;UNTIL=20270401",
    "dates": "DTSTART;TZID=Europe/Berlin:20261201T120000\nDURATION:PT1H\nRDATE;TZID=Europe/Berlin:20261204T120000,20270328T120000",
    "period": "DTSTART;TZID=Europe/Berlin:20261202T170000\nDURATION:PT1H\nRDATE;VALUE=PERIOD:20261209T160000Z/PT3H",
    "off-rule": "DTSTART;TZID=Europe/Berlin:20261123T110000\nDURATION:PT30M\nRRULE:FREQ=WEEKLY;BYDAY=WE",
    "single": "DTSTART;TZID=Asia/Gaza:20261201T120000\nDURATION:PT1H",
    "changed": "DTSTART;TZID=Europe/Berlin:20261102T150000\nDURATION:PT1H\nRRULE:FREQ=WEEKLY",
    "hours": "DTSTART;TZID=Africa/Casablanca:20270101T060000\nDURATION:PT1H\nRRULE:FREQ=WEEKLY;BYHOUR=6,18;WKST=SU",
}
CHANGES = [
    "UID:changed\nRECURRENCE-ID:20261130T140000Z\nDTSTART:20261201T080000Z\nDURATION:PT2H",
    "UID:changed\nRECURRENCE-ID;TZID=Europe/Berlin:20261214T150000\nDTSTART;TZID=Europe/Berlin:20261214T150000\nSTATUS:CANCELLED",
    "UID:changed\nRECURRENCE-ID;TZID=Europe/Berlin:20270405T150000\nDTSTART;TZID=Europe/Berlin:20270406T160000\nDURATION:PT2H",
]


class Instances(unittest.TestCase):
    """Series are exported as they came in, and give the same instances for a year as cachesyncd shows.

    Run by hand with ical.js, too (its directory in ICAL_JS), which is not a Debian package.
    """

    FIRST = datetime.datetime(2026, 11, 1, tzinfo=UTC)
    LAST = datetime.datetime(2027, 11, 1, tzinfo=UTC)

    @classmethod
    def setUpClass(cls):
        sys.path.insert(0, str(packages(*PACKAGES)))
        cls.addClassCleanup(sys.path.pop, 0)
        cls.cache = Cache(sample=False)
        cls.addClassCleanup(cls.cache.close)
        cls.cache.put("cachesync.json", json.dumps({"timeZone": "Europe/Berlin"}))
        events = [f"UID:{uid}\n{lines}" for uid, lines in SERIES.items()] + CHANGES
        text = CALENDAR % "\n".join(f"BEGIN:VEVENT\nDTSTAMP:20261101T000000Z\nSUMMARY:s\n{event}\nEND:VEVENT" for event in events)
        cls.cache.put("events/calendar.ics", text.replace("\n", "\r\n"))
        cls.exported = cls.run_program("export", "events", "--at", "2026-12-01T00:00:00Z")
        cls.expected = cls.shown()

    @classmethod
    def run_program(cls, *words):
        return subprocess.run([program(), *words, "--cache", cls.cache.path], capture_output=True, check=True).stdout

    @classmethod
    def shown(cls):
        """The UID, start and end of each event that the calendar shows as coming, from one to the next."""
        shown = set()
        moment = cls.FIRST
        while moment < cls.LAST:
            answer = cls.run_program("show", "calendar", "--at", moment.isoformat(), "--format", "json")
            events = json.loads(answer)["entries"][0]["content"]["events"]
            read = datetime.datetime.fromisoformat
            times = [(event["id"].split("#")[0], *(read(event[key]) for key in ("startTime", "endTime"))) for event in events]
            shown.update(times)
            # The last ones may have more beside them that start together.
            last = max([start for _, start, _ in times], default=cls.LAST) - datetime.timedelta(seconds=1)
            if last <= moment:
                raise AssertionError(f"all of {events} start together")
            moment = last
        return {event for event in shown if cls.FIRST <= event[1] < cls.LAST}

    def moment(self, value):
        """A day begins at its midnight in the cache's zone."""
        if isinstance(value, datetime.datetime):
            return value.astimezone(UTC)
        return datetime.datetime.combine(value, datetime.time(), zoneinfo.ZoneInfo("Europe/Berlin")).astimezone(UTC)

    def compare(self, instances):
        # What is written occurrence by occurrence has a UID for each.
        found = {(uid.split("#")[0], *times) for uid, *times in instances if self.FIRST <= times[0] < self.LAST}
        self.assertGreater(len(self.expected), 500)
        self.assertEqual(sorted(found - self.expected), [], "only the library has these")
        self.assertEqual(sorted(self.expected - found), [], "the library lacks these")

    def test_icalendar(self):
        import icalendar
        import recurring_ical_events

        calendar = icalendar.Calendar.from_ical(self.exported)
        events = recurring_ical_events.of(calendar).between(self.FIRST, self.LAST)
        self.compare((str(event["UID"]), self.moment(event["DTSTART"].dt), self.moment(event.end)) for event in events)

    def test_libical(self):
        name = ctypes.util.find_library("ical")
        if not name:
            self.skipTest("not installed: libical3; run make deps-citizen")

        class Time(ctypes.Structure):
            _fields_ = [(field, ctypes.c_int) for field in "year month day hour minute second is_date is_daylight".split()]
            _fields_ += [("zone", ctypes.c_void_p)]

        class Span(ctypes.Structure):
            _fields_ = [("start", ctypes.c_long), ("end", ctypes.c_long), ("is_busy", ctypes.c_int)]

        Receive = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.POINTER(Span), ctypes.c_void_p)
        library = ctypes.CDLL(name)
        for function, result, arguments in [
            ("icalparser_parse_string", ctypes.c_void_p, [ctypes.c_char_p]),
            ("icalcomponent_get_first_component", ctypes.c_void_p, [ctypes.c_void_p, ctypes.c_int]),
            ("icalcomponent_get_next_component", ctypes.c_void_p, [ctypes.c_void_p, ctypes.c_int]),
            ("icalcomponent_get_uid", ctypes.c_char_p, [ctypes.c_void_p]),
            ("icalcomponent_get_dtstart", Time, [ctypes.c_void_p]),
            ("icalcomponent_get_recurrenceid", Time, [ctypes.c_void_p]),
            ("icaltime_as_timet_with_zone", ctypes.c_long, [Time, ctypes.c_void_p]),
            ("icalcomponent_foreach_recurrence", None, [ctypes.c_void_p, Time, Time, Receive, ctypes.c_void_p]),
        ]:
            getattr(library, function).restype = result
            getattr(library, function).argtypes = arguments
        for function in (library.icalrestriction_check, library.icalcomponent_count_errors):
            function.argtypes = [ctypes.c_void_p]
        calendar = library.icalparser_parse_string(self.exported)
        self.assertTrue(library.icalrestriction_check(calendar))
        self.assertEqual(library.icalcomponent_count_errors(calendar), 0)
        # Wider than the year, because it has days in UTC.
        first, last = Time(2026, 10, 30), Time(2027, 11, 3)
        instances, changed, zones = set(), [], {}
        event = library.icalcomponent_get_first_component(calendar, 4)
        while event:
            uid = library.icalcomponent_get_uid(event).decode()
            start = library.icalcomponent_get_dtstart(event)
            isDay = start.is_date
            original = library.icalcomponent_get_recurrenceid(event)
            if original.year:
                changed.append((uid, original))
            else:
                zones[uid] = start.zone

            def receive(_, span, __, uid=uid, isDay=isDay, isChange=bool(original.year)):
                times = [datetime.datetime.fromtimestamp(second, UTC) for second in (span[0].start, span[0].end)]
                instances.add((uid, *(self.moment(time.date()) if isDay else time for time in times), isChange))

            library.icalcomponent_foreach_recurrence(event, first, last, Receive(receive), None)
            event = library.icalcomponent_get_next_component(calendar, 4)
        # It knows nothing of changed occurrences, which have the zone of their series.
        changed = {
            (uid, datetime.datetime.fromtimestamp(library.icaltime_as_timet_with_zone(original, zones[uid]), UTC))
            for uid, original in changed}
        self.compare(event[:3] for event in instances if event[3] or event[:2] not in changed)

    @unittest.skipUnless(os.environ.get("ICAL_JS"), "by hand alone")
    def test_ical_js(self):
        script = """
          const ICAL = (await import(process.argv[1])).default;
          const chunks = [];
          for await (const chunk of process.stdin) chunks.push(chunk);
          const calendar = new ICAL.Component(ICAL.parse(Buffer.concat(chunks).toString()));
          for (const zone of calendar.getAllSubcomponents("vtimezone")) ICAL.TimezoneService.register(zone);
          const all = calendar.getAllSubcomponents("vevent").map(event => new ICAL.Event(event));
          const print = (uid, from, to) => console.log(JSON.stringify(
            [uid, ...[from, to].map(time => time.isDate ? time.toString() : time.toJSDate().toISOString())]));
          for (const event of all.filter(event => !event.isRecurrenceException())) {
            for (const change of all) {
              if (change.isRecurrenceException() && change.uid == event.uid) event.relateException(change);
            }
            if (!event.isRecurring()) { print(event.uid, event.startDate, event.endDate); continue; }
            const each = event.iterator();
            for (let next = each.next(); next && next.year < 2028; next = each.next()) {
              const found = event.getOccurrenceDetails(next);
              print(event.uid, found.startDate, found.endDate);
            }
          }"""
        lines = subprocess.run(
            ["node", "--input-type=module", "-e", script, os.environ["ICAL_JS"]], input=self.exported, capture_output=True,
            check=True).stdout.decode().splitlines()

        def read(text):
            return datetime.date.fromisoformat(text) if len(text) == 10 else datetime.datetime.fromisoformat(text)

        self.compare((uid, *(self.moment(read(time)) for time in times)) for uid, *times in map(json.loads, lines))


if __name__ == "__main__":
    unittest.main()
