"""Exported calendars, read back by two other programs: Python's icalendar and libical.

Debian: libical3 python3-pip. PyPI: icalendar.
"""

import ctypes
import ctypes.util
import datetime
import json
import subprocess
import sys
import unittest

from pypi import packages
from support import Cache, program

AWKWARD = "Semi; comma, back\\slash \"quoted\" \u00e4\u00f6\u00fc \U0001f9c0 " * 5


class Export(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        sys.path.insert(0, str(packages("icalendar==6.3.1")))
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


if __name__ == "__main__":
    unittest.main()
