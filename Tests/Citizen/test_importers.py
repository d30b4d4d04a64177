"""The importers: each jq program turns what its program writes, in several settings, into a session that the feed reads
without a warning. Every test runs with each jq in PATH: `jq`, and `jq-` with a version.

The expected values are computed by hand from the samples. Debian: jq.
"""

import json
import os
import subprocess
import unittest
from pathlib import Path

from pages import blocks
from recipes import Home, needs
from support import Cache

PAGE = "importers.md"
NOW = "2026-11-24T09:00:00Z"
PROGRAMS = {
    found.resolve(): found for folder in reversed(os.environ["PATH"].split(":")) if folder
    for found in sorted(Path(folder).glob("jq-[0-9]*")) + sorted(Path(folder).glob("jq"))}
MARK = "\ufeff"


def each_jq(test):
    """Runs a test once with each jq, which is the first in the home's PATH."""
    def run(self):
        for path in PROGRAMS:
            link = self.home.path / ".local/bin/jq"
            link.unlink(missing_ok=True)
            link.symlink_to(path)
            with self.subTest(jq=subprocess.check_output([path, "--version"], text=True).strip()):
                test(self)
    run.__name__ = test.__name__
    return run


def names(labels):
    return [label["name"] for label in labels]


@needs("jq")
class Importers(unittest.TestCase):
    def setUp(self):
        self.cache = Cache(sample=False)
        self.addCleanup(self.cache.close)
        self.cache.put("cachesync.json", '{"timeZone": "Europe/Berlin"}')
        self.home = self.enterContext(Home(self.cache))
        self.home.environment["TZ"] = "Europe/Berlin"
        self.commands = {block.text.split(" --name ")[1].strip(): block.text for block in self.home.follow(PAGE)}

    # The recipes as the page runs them.

    def type(self, name, sample=None):
        """Types a command of the page, with another sample in place of its own."""
        command = self.commands[name]
        if sample:
            own = next(word for word in command.split() if word.endswith((".json", "todo.txt")))
            command = command.replace(f" {own} ", f" {sample} ")
        return self.home.type(command)

    def drop(self, name, sample=None):
        """The session that a command drops, which `check` has nothing against, and what the recipe said."""
        result = self.type(name, sample)
        self.assertEqual(result.returncode, 0, result)
        session = self.cache.file(result.stdout.strip())
        check = self.home.type(f"cachesyncd check {session}")
        self.assertEqual((check.returncode, check.stdout), (0, ""), check)
        return json.loads(session.read_text()), result.stderr.splitlines()

    def content(self, kind, moment):
        result = self.home.type(f"cachesyncd show {kind} --format entry --at {moment}")
        self.assertEqual(result.returncode, 0, result)
        return json.loads(result.stdout)["content"]

    # The recipes alone, for tables.

    def session(self, recipe, text, zone="Europe/Berlin", now=NOW, week="2026-11-23", options=""):
        """What a recipe makes of an input, and what it says."""
        command = f"jq --arg week {week} --arg now {now} {options} -f {recipe}.jq input"
        (self.home.path / "input").write_bytes(text.encode())
        self.home.environment["TZ"] = zone
        result = self.home.type(command)
        self.home.environment["TZ"] = "Europe/Berlin"
        self.assertEqual(result.returncode, 0, result)
        return json.loads(result.stdout), result.stderr.splitlines()

    def list(self, *lines, **more):
        """What the recipe of todo.txt makes of lines: its tasks, by title, and what it says."""
        session, said = self.session("todo-txt", "\n".join(lines), options="-nR", **more)
        return {task["title"]: task for task in session["tasks"]}, said

    def test_every_importer_and_every_sample_is_tested(self):
        self.assertEqual(
            set(self.commands),
            {"health-auto-export", "mealie-2026-11-23", "tandoor-2026-11-23", "taskwarrior", "todo-txt"})
        self.assertEqual(
            {block.file for block in blocks(PAGE) if block.file and block.file.endswith((".json", ".txt"))},
            {"health-auto-export.json", "health-auto-export-12-hour.json", "mealie.json", "mealie-moments.json",
             "tandoor.json", "tandoor-older.json", "taskwarrior.json", "taskwarrior-waiting.json", "todo.txt",
             "todo-more.txt"})

    # Health Auto Export

    def samples(self, session):
        return [
            (sample["type"], sample["date"], round(sample["value"], 3), sample.get("end"), sample.get("source"))
            for sample in session["samples"]]

    @each_jq
    def test_health_auto_export(self):
        session, said = self.drop("health-auto-export")
        # 2092 kJ are 500 kcal, and 172 lb are 78.018 kg.
        self.assertEqual(self.samples(session), [
            ("bodyFatPercentage", "2026-11-20T06:45:00+01:00", 0.215, None, None),
            ("bodyMass", "2026-11-20T06:45:00+01:00", 78.018, None, None),
            ("dietaryCalories", "2026-11-20T12:30:00+01:00", 500, None, "Phone")])
        self.assertEqual(said, [])

    @each_jq
    def test_health_auto_export_with_a_12_hour_clock(self):
        session, said = self.drop("health-auto-export", "health-auto-export-12-hour.json")
        # 10 US fluid ounces are 295.735 ml.
        self.assertEqual(self.samples(session), [
            ("bodyFatPercentage", "2026-11-20T05:45:00Z", 0.215, None, None),
            ("bodyMass", "2026-11-20T05:45:00Z", 78.4, None, None),
            ("dietaryCalories", "2026-11-20T00:05:00+01:00", 90, None, "Phone"),
            ("dietaryCalories", "2026-11-20T12:05:00+01:00", 52, None, "Phone"),
            ("dietaryCalories", "2026-11-20T12:05:00+01:00", 52, None, "Phone"),
            ("dietaryCalories", "2026-11-20T19:30:00+01:00", 640, "2026-11-20T19:50:00+01:00", "Watch"),
            ("water", "2026-11-20T09:15:00+05:30", 295.735, None, None)])
        self.assertEqual(
            said, ['health-auto-export: dietary_energy: "2026-11-20 half past nine" is not a date'])
        # 90 + 52 + 52 + 640: both apples of one minute count.
        self.assertEqual(self.content("budget", "2026-11-20T22:00:00Z")["intake"], 834)

    DATES = {
        "2024-09-28 4:51:59 pm +1000": "2024-09-28T16:51:59+10:00",
        "2024-09-28 4:51:59 PM +1000": "2024-09-28T16:51:59+10:00",
        "2024-09-28 4:51:59PM +1000": "2024-09-28T16:51:59+10:00",
        "2024-09-28 4:51:59\u202fPM +1000": "2024-09-28T16:51:59+10:00",
        "2024-09-28 4:51:59\u00a0p.\u00a0m. +1000": "2024-09-28T16:51:59+10:00",
        "2024-09-28 04:51:59 a.m. +10:00": "2024-09-28T04:51:59+10:00",
        "2024-09-28 12:05:00 am -0330": "2024-09-28T00:05:00-03:30",
        "2024-09-28 12:05 pm -03:30": "2024-09-28T12:05:00-03:30",
        "2024-09-28 11:59:59 PM Z": "2024-09-28T23:59:59Z",
        "2024-09-28 16:51:59 +0000": "2024-09-28T16:51:59+00:00",
        "2024-09-28 16:51:59 Z": "2024-09-28T16:51:59Z",
        "2024-09-28T16:51:59.250+05:30": "2024-09-28T16:51:59+05:30",
        "2024-02-29T00:00:00Z": "2024-02-29T00:00:00Z",
        # Not dates.
        "2024-09-28 13:05:00 am +1000": None, "2024-09-28 24:05:00 +1000": None, "2024-09-28 12:60:00 +1000": None,
        "2024-09-31 12:05:00 +1000": None, "2023-02-29 12:05:00 +1000": None, "2024-09-28 12:05:00": None,
        "2024-09-28": None, "yesterday": None, "": None, None: None, 1764000000: None,
    }

    def energy(self, *samples, unit="kcal"):
        return json.dumps({"data": {"metrics": [{"name": "dietary_energy", "units": unit, "data": samples}]}})

    @each_jq
    def test_dates_of_health_auto_export(self):
        session, said = self.session("health-auto-export", self.energy(
            *({"date": date, "qty": number} for number, date in enumerate(self.DATES))))
        found = {sample["value"]: sample["date"] for sample in session["samples"]}
        self.assertEqual({date: found.get(number) for number, date in enumerate(self.DATES)}, self.DATES)
        self.assertEqual(
            [line.removeprefix("health-auto-export: dietary_energy: ").removesuffix(" is not a date") for line in said],
            [json.dumps(date) for date, wanted in self.DATES.items() if wanted is None])

    @each_jq
    def test_one_sample_has_one_id_in_every_export(self):
        def ids(*dates, unit="kcal"):
            session, _ = self.session("health-auto-export", self.energy(
                *({"date": date, "qty": 52, "source": "Phone"} for date in dates), unit=unit))
            return [sample["id"] for sample in session["samples"]]
        one, = ids("2024-09-28 4:51:59 pm +1000")
        for date in ("2024-09-28 16:51:59 +1000", "2024-09-28T06:51:59Z", "2024-09-28 03:21:59 am -0330"):
            self.assertEqual(ids(date, unit="kJ"), [one], date)
        two = ids("2024-09-28 16:51:59 +1000", "2024-09-28 4:51:59\u202fPM +1000")
        self.assertEqual(two[0], one)
        self.assertNotEqual(two[1], one)

    @each_jq
    def test_values_of_health_auto_export(self):
        def metric(name, unit, *data):
            return {"name": name, "units": unit, "data": [{"date": "2026-11-20T05:45:00Z"} | one for one in data]}
        session, said = self.session("health-auto-export", json.dumps({"data": {"metrics": [
            metric("dietary_energy", "kcal", {"qty": 0}, {"qty": -1}, {"qty": "many"}, {"qty": None}, {"Avg": 3}),
            metric("protein", "g", {"qty": 20, "endDate": "noon"}), metric("sodium", "g", {"qty": 2}),
            metric("vitamin_d", "\u00b5g", {"qty": 5}), metric("vitamin_a", "IU", {"qty": 900}, {"qty": 900}),
            metric("body_fat_percentage", "%", {"qty": 1}, {"qty": 20}), metric("dietary_water", "L", {"qty": 0.5}),
            {"name": "zinc"}, {"name": None}, None, "iron"]}}))
        self.assertEqual([(sample["type"], sample["value"]) for sample in session["samples"]], [
            ("bodyFatPercentage", 1), ("bodyFatPercentage", 0.2), ("dietaryCalories", 0), ("protein", 20),
            ("sodium", 2000), ("vitaminD", 5), ("water", 500)])
        self.assertEqual(said, [
            "health-auto-export: " + line for line in (
                "dietary_energy: -1 on 2026-11-20T05:45:00Z is not a quantity",
                'dietary_energy: "many" on 2026-11-20T05:45:00Z is not a quantity',
                'protein: the end "noon" is not a date', 'vitamin_a: unknown unit "IU"')])

    # Mealie and Tandoor

    def meals(self, session):
        return [(entry["day_index"], entry["meal_type"], entry["meal_id"], entry["meal_name"]) for entry in session["plan"]]

    @each_jq
    def test_mealie(self):
        session, said = self.drop("mealie-2026-11-23")
        self.assertEqual(
            self.meals(session), [(1, "dinner", "b1", "Salmon with Rice"), (1, "lunch", None, "Leftovers")])
        self.assertEqual(said, [])
        self.assertIn("Salmon with Rice", json.dumps(self.content("meal-plan", "2026-11-24T12:00:00Z")))

    @each_jq
    def test_mealie_with_moments(self):
        session, said = self.drop("mealie-2026-11-23", "mealie-moments.json")
        self.assertEqual(self.meals(session), [
            (1, "dinner", "b2", "Bean Burgers"), (1, "dinner", None, "Oven Chips"), (1, "lunch", None, "Bread")])
        self.assertEqual(len(said), 1)
        self.assertIn('"2026-11-31" is not a day', said[0])
        self.assertIn("Quiche", said[0])

    @each_jq
    def test_tandoor(self):
        session, said = self.drop("tandoor-2026-11-23")
        self.assertEqual(self.meals(session), [
            (2, "dinner", "12", "Lentil Soup"), (3, "dinner", "12", "Lentil Soup"), (2, "breakfast", None, "Toast")])
        self.assertEqual(said, [])

    @each_jq
    def test_tandoor_of_an_older_version(self):
        session, said = self.drop("tandoor-2026-11-23", "tandoor-older.json")
        self.assertEqual(self.meals(session), [
            (5, "breakfast", None, "Pancakes"), (5, "dinner", "12", "Lentil Soup"), (5, "dinner", None, "Flatbread")])
        self.assertEqual(len(said), 1)
        self.assertIn("null is not a day", said[0])
        self.assertIn("Quiche", said[0])

    # A zone, and its day of each moment as a day of November 2026. Midnight as written is the day as written in each zone.
    EVERYWHERE = {
        "2026-11-24": 24, "2026-11-24T00:00:00+01:00": 24, "2026-11-24T00:00:00Z": 24, "2026-11-24T00:00:00.000Z": 24,
        "2026-11-24T23:59:59Z": 24, "2026-11-24T23:59:00-05:00": 24, "2026-11-24T18:30:00": 24, "2026-11-24 18:30": 24,
        "2026-11-31": None, "2026-11-24T25:00:00Z": None, "tomorrow": None, "": None, None: None, 20261124: None,
    }
    DAYS = {
        "Europe/Berlin": {
            "2026-11-24T22:59:59Z": 24, "2026-11-24T23:00:00Z": 25, "2026-11-25T10:00:00+0530": 25,
            "2026-11-25T04:00:00+05:30": 24},
        "America/New_York": {"2026-11-24T04:59:59Z": 23, "2026-11-24T05:00:00Z": 24, "2026-11-24T23:00:00Z": 24},
        "Australia/Melbourne": {"2026-11-24T12:59:59Z": 24, "2026-11-24T13:00:00Z": 25, "2026-11-24T23:00:00Z": 25},
        "Asia/Kolkata": {"2026-11-24T18:29:59Z": 24, "2026-11-24T18:30:00Z": 25},
        "Pacific/Apia": {"2026-11-24T10:59:59Z": 24, "2026-11-24T11:00:00Z": 25, "2026-11-24T22:00:00-11:00": 25},
        "UTC": {"2026-11-24T23:00:00Z": 24, "2026-11-24T22:00:00-05:00": 25},
    }

    @each_jq
    def test_days_in_zones(self):
        for zone, more in self.DAYS.items():
            days = self.EVERYWHERE | more
            indices = {text: day and day - 23 for text, day in days.items()}
            with self.subTest(zone):
                session, said = self.session("mealie", json.dumps({"items": [
                    {"date": text, "entryType": "lunch", "title": json.dumps(text)} for text in days]}), zone)
                found = {entry["meal_name"]: entry["day_index"] for entry in session["plan"]}
                self.assertEqual({text: found.get(json.dumps(text)) for text in days}, indices)
                self.assertEqual(len(said), sum(index is None for index in indices.values()))
                session, said = self.session("tandoor", json.dumps([
                    {"from_date": text, "to_date": text, "title": json.dumps(text), "meal_type": {"name": "Lunch "}}
                    for text in days]), zone)
                found = {entry["meal_name"]: entry["day_index"] for entry in session["plan"]}
                self.assertEqual({text: found.get(json.dumps(text)) for text in days}, indices)

    @each_jq
    def test_days_when_clocks_change(self):
        # The week of 2026-03-08, when New York loses an hour, and of 2026-10-25, when Berlin gains one: 23 and 25 hours.
        for zone, week, days in (
            ("America/New_York", "2026-03-02", {"2026-03-08T05:00:00Z": 6, "2026-03-09T03:59:59Z": 6}),
            ("Europe/Berlin", "2026-10-19", {"2026-10-24T22:00:00Z": 6, "2026-10-25T22:59:59Z": 6}),
        ):
            with self.subTest(zone):
                session, said = self.session("mealie", json.dumps({"items": [
                    {"date": text, "entryType": "lunch", "title": text} for text in days]}), zone, week=week)
                self.assertEqual({entry["meal_name"]: entry["day_index"] for entry in session["plan"]}, days)

    @each_jq
    def test_a_week_may_begin_on_any_day(self):
        # 2026-11-25 is a Wednesday, and day_index counts from Monday.
        session, _ = self.session("mealie", json.dumps({"items": [
            {"date": date, "entryType": "dinner", "title": date}
            for date in ("2026-11-24", "2026-11-25", "2026-12-01", "2026-12-02")]}), week="2026-11-25")
        self.assertEqual(
            [(entry["day_index"], entry["meal_name"]) for entry in session["plan"]], [(2, "2026-11-25"), (1, "2026-12-01")])

    @each_jq
    def test_entries_of_several_days(self):
        def entry(title, begin, end):
            return {"title": title, "from_date": begin, "to_date": end, "meal_type": {"name": "Dinner"}}
        session, said = self.session("tandoor", json.dumps({"results": [
            entry("over Sunday", "2026-11-28", "2026-12-01"), entry("from last week", "2026-11-20", "2026-11-23"),
            entry("until 22:59:59", "2026-11-23T23:00:00Z", "2026-11-25T22:59:59.999Z"),
            entry("backward", "2026-11-27", "2026-11-25"), entry("open", "2026-11-27", "soon")]}))
        self.assertEqual([(meal["day_index"], meal["meal_name"]) for meal in session["plan"]], [
            (5, "over Sunday"), (6, "over Sunday"), (0, "from last week"), (1, "until 22:59:59"), (2, "until 22:59:59"),
            (4, "backward"), (4, "open")])
        self.assertEqual(len(said), 1)
        self.assertIn('"soon" is not a day', said[0])

    @each_jq
    def test_names_of_meals(self):
        recipe = {"id": 3, "name": "Stew"}
        for title, note, of, name in (
            ("Sunday", "slowly", recipe, "Stew"), ("Sunday", "slowly", None, "Sunday"), ("", "slowly", None, "slowly"),
            (" \n", "slowly", {"id": 3, "name": ""}, "slowly"), (None, None, None, None), ("", " ", None, None),
        ):
            with self.subTest(title=title, note=note, recipe=of):
                mealie = {"date": "2026-11-24", "entryType": "lunch", "title": title, "text": note, "recipe": of}
                tandoor = {"from_date": "2026-11-24", "meal_type": {"name": "lunch"}, "title": title, "note": note, "recipe": of}
                for importer, text in (("mealie", {"items": [mealie]}), ("tandoor", [tandoor])):
                    session, _ = self.session(importer, json.dumps(text))
                    self.assertEqual([entry["meal_name"] for entry in session["plan"]], [name])

    # Taskwarrior

    def tasks(self, session):
        return [
            (task["id"], task["title"], task["completed"], task["dueDate"], task["createdAt"], task["completedAt"],
             names(task["labels"])) for task in session["tasks"]]

    @each_jq
    def test_taskwarrior(self):
        session, said = self.drop("taskwarrior")
        self.assertEqual(self.tasks(session), [
            ("a1", "Call the plumber", False, "2026-11-24T16:00:00Z", "2026-11-20T08:00:00Z", None, ["House", "phone"]),
            ("a2", "Buy milk", True, None, "2026-11-20T08:00:00Z", "2026-11-24T09:00:00Z", [])])
        self.assertEqual(said, [])
        self.assertEqual(self.content("todays-tasks", "2026-11-24T12:00:00Z")["completedToday"], 1)

    @each_jq
    def test_taskwarrior_with_tasks_that_wait(self):
        session, said = self.drop("taskwarrior", "taskwarrior-waiting.json")
        self.assertEqual(self.tasks(session), [
            ("b1", "Cut back the hedge", False, "2099-02-12T23:00:00Z", "2026-11-18T08:00:00Z", None, []),
            ("b2", "Order seeds", False, "2099-01-01T08:00:00Z", "2026-11-18T08:00:00Z", None, []),
            ("b4", "Feed the sourdough", False, None, "2026-11-19T08:00:00Z", None, [])])
        self.assertEqual(said, ['taskwarrior: due "tomorrow" is not a date in "Feed the sourdough"'])
        today = self.content("todays-tasks", "2026-11-24T12:00:00Z")
        self.assertEqual([task["title"] for task in today["tasks"]], ["Feed the sourdough"])
        self.assertEqual(today["overdueCount"], 0)
        # It is due on 13 February in Berlin.
        self.assertIn("Cut back the hedge", json.dumps(self.content("todays-tasks", "2099-02-13T12:00:00Z")["tasks"]))

    @each_jq
    def test_when_a_task_of_taskwarrior_is_due(self):
        past, soon, later, someday = "20261101T080000Z", "20261201T080000Z", "2026-12-24T08:00:00Z", "99991230T000000Z"
        first, second = "2026-12-01T08:00:00Z", "2026-12-24T08:00:00Z"
        table = {
            "no dates": ({}, None), "waited": ({"wait": past}, None), "due": ({"due": soon, "wait": past}, first),
            "waits": ({"wait": soon}, first), "waits before due": ({"wait": soon, "due": later}, second),
            "waits after due": ({"wait": later, "due": soon}, second), "overdue": ({"wait": soon, "due": past}, first),
            "both": ({"wait": soon, "scheduled": later}, second), "older": ({"wait": soon, "status": "waiting"}, first),
            "no end": ({"wait": soon, "due": someday}, first), "completed": ({"status": "completed", "wait": soon}, None),
            "bad wait": ({"wait": "20261340T000000Z", "due": soon}, first),
            "someday": ({"wait": someday}, ...), "deleted": ({"status": "deleted"}, ...),
            "recurring": ({"status": "recurring"}, ...), "bad status": ({"status": "?"}, ...), "no id": ({"uuid": None}, ...),
        }
        session, said = self.session("taskwarrior", json.dumps([
            {"uuid": title, "description": title, "status": "pending", "entry": past} | task
            for title, (task, _) in table.items()] + [None]))
        found = {task["title"]: task["dueDate"] for task in session["tasks"]}
        self.assertEqual({title: found.get(title, ...) for title in table}, {title: due for title, (_, due) in table.items()})
        self.assertEqual(len(said), 4)
        for line, word in zip(said, ("bad wait", "bad status", "no id", "null")):
            self.assertIn(word, line)

    @each_jq
    def test_dates_of_taskwarrior(self):
        # mktime of jq 1.6 is an hour wrong when clocks are an hour ahead.
        for zone in ("UTC", "Europe/Berlin", "America/New_York", "Australia/Melbourne"):
            for text, wanted in (
                ("20260721T170000Z", "2026-07-21T17:00:00Z"), ("20261221T170000Z", "2026-12-21T17:00:00Z"),
                ("2026-07-21T17:00:00Z", "2026-07-21T17:00:00Z"), ("20240229T000000Z", "2024-02-29T00:00:00Z"),
                ("20260229T000000Z", None), ("20260721T240000Z", None), ("2026-07-21", None), (1784653200, None),
            ):
                with self.subTest(zone=zone, text=text):
                    session, said = self.session("taskwarrior", json.dumps([
                        {"uuid": "a", "description": "A", "status": "pending", "due": text}]), zone)
                    self.assertEqual((session["tasks"][0]["dueDate"], len(said)), (wanted, wanted is None))

    @each_jq
    def test_taskwarrior_without_an_array(self):
        lines = '{"uuid":"a","description":"A","status":"pending"}\n{"uuid":"b","description":"B","status":"pending"}\n'
        session, said = self.session("taskwarrior", lines)
        self.assertEqual([task["id"] for task in session["tasks"]], ["a", "b"])

    # todo.txt

    @each_jq
    def test_todo_txt(self):
        session, said = self.drop("todo-txt")
        ladder, call, water = self.tasks(session)
        self.assertEqual(call, (
            "todo.txt: Call Mum +Family @phone", "Call Mum", False, "2026-11-24", "2026-11-20T00:00:00Z", None,
            ["Family", "phone"]))
        self.assertEqual(water, (
            "todo.txt: Water the plants", "Water the plants", True, None, "2026-11-20T00:00:00Z", "2026-11-24T11:00:00Z", []))
        self.assertEqual(ladder[:4], ("todo.txt: Ask for the ladder", "Ask for the ladder", False, None))
        self.assertEqual(said, [])
        self.assertEqual(self.content("todays-tasks", "2026-11-24T12:00:00Z")["completedToday"], 1)

    @each_jq
    def test_todo_txt_with_more_of_the_format(self):
        session, said = self.drop("todo-txt", "todo-more.txt")
        self.assertEqual([task[:4] + task[6:] for task in self.tasks(session)], [
            ("todo-more.txt: Read https://todo.example/format", "Read https://todo.example/format", False, None, []),
            ("todo-more.txt: Sow peas @garden", "Sow peas", False, "2099-03-01", ["garden"]),
            ("todo-more.txt: Water the plants", "Water the plants", True, None, []),
            ("todo-more.txt: Water the plants  2", "Water the plants", False, None, [])])
        self.assertEqual(said, [
            'todo-txt: line 4: "due:tomorrow" is not a date in "Read https://todo.example/format due:tomorrow"'])
        today = self.content("todays-tasks", "2026-11-24T12:00:00Z")
        self.assertEqual(
            [task["title"] for task in today["tasks"]], ["Read https://todo.example/format", "Water the plants"])

    @each_jq
    def test_an_id_stays_with_its_task(self):
        line = "(A) 2026-11-20 Call Mum +Family due:2026-11-24"
        (tasks, _), wanted = self.list(line), "input: Call Mum +Family"
        self.assertEqual(tasks["Call Mum"]["id"], wanted)
        for now in (
            "Call Mum +Family", "x 2026-11-24 2026-11-20 Call Mum +Family due:2026-11-24 pri:A", "x (A) Call Mum +Family",
            "x 2026-11-24 (B) 2026-11-20 Call Mum +Family", "x 2026-11-24 (B) Call Mum +Family",
            "(C) Call  Mum +Family t:2026-12-01", "2026-11-21 Call Mum due:2026-12-24 +Family\r", "\tCall Mum +Family ",
        ):
            tasks, _ = self.list("Another", "", now)
            self.assertEqual(tasks["Call Mum"]["id"], wanted, now)
        session, _ = self.session("todo-txt", "A\nA 2\nA  2\nA\n(B) A\n", options="-nR")
        self.assertEqual(len({task["id"] for task in session["tasks"]}), 5)

    @each_jq
    def test_when_a_line_is_due(self):
        for words, due, bad in (
            ("", None, 0), ("due:2026-11-24", "2026-11-24", 0), ("due:2026-11-24T18:00", "2026-11-24", 0),
            ("due:tomorrow", None, 1), ("due:2026-02-30", None, 1), ("due:20261124", None, 1), ("due:", None, 0),
            ("t:2026-11-24", None, 0), ("t:2026-11-25", "2026-11-25", 0), ("t:2026-11-25 due:2026-11-20", "2026-11-25", 0),
            ("t:2026-11-25 due:2026-12-24", "2026-12-24", 0), ("t:2026-11-20 due:2026-11-19", "2026-11-19", 0),
            ("t:-3d due:2026-11-24", "2026-11-24", 1), ("t:2026-11-25 due:soon", "2026-11-25", 1),
        ):
            with self.subTest(words):
                tasks, said = self.list(f"Sow peas {words}")
                task, = tasks.values()
                self.assertEqual((task["dueDate"], len(said)), (due, bad))
                for line in said:
                    self.assertIn("Sow peas", line)
        # Today is another day in each zone.
        for zone, due in (("America/New_York", "2026-11-25"), ("Australia/Melbourne", None)):
            tasks, _ = self.list("Sow peas t:2026-11-25", zone=zone, now="2026-11-24T20:00:00Z")
            self.assertEqual(tasks["Sow peas"]["dueDate"], due, zone)

    @each_jq
    def test_lines(self):
        tasks, said = self.list(
            MARK + "(A) First\r", "\r", "x Second", "x", "xylophone", "(a) Fifth", "x 2026-11-24", "+Sixth @home",
            "2026-11-20 2026-11-21 is a day", "Last + @ ann@todo.example rec:1w")
        self.assertEqual(
            {title: (task["completed"], names(task["labels"])) for title, task in tasks.items()}, {
                "First": (False, []), "Second": (True, []), "x": (False, []), "xylophone": (False, []),
                "(a) Fifth": (False, []), "2026-11-24": (True, []), "+Sixth @home": (False, ["Sixth", "home"]),
                "2026-11-21 is a day": (False, []), "Last + @ ann@todo.example": (False, [])})
        self.assertEqual(said, [])
        # The line has no date of completion.
        self.assertEqual((tasks["Second"]["completedAt"], tasks["Second"]["createdAt"]), (None, None))

    @each_jq
    def test_a_line_is_completed_at_noon_in_the_zone(self):
        for zone, noon in (
            ("Pacific/Apia", "2026-11-23T23:00:00Z"), ("Pacific/Honolulu", "2026-11-24T22:00:00Z"),
            ("Asia/Kolkata", "2026-11-24T06:30:00Z"), ("Europe/Berlin", "2026-07-21T10:00:00Z"),
        ):
            tasks, _ = self.list(f"x {noon[:8]}{24 if noon > '2026-11' else 21} Water the plants", zone=zone)
            self.assertEqual(tasks["Water the plants"]["completedAt"], noon, zone)

    # All of them

    @each_jq
    def test_a_byte_order_mark_changes_nothing(self):
        for name, command in self.commands.items():
            sample = next(word for word in command.split() if word.endswith((".json", "todo.txt")))
            text = (self.home.path / sample).read_text()
            with self.subTest(name):
                plain, _ = self.drop(name)
                self.home.write(sample, MARK + text.replace("\n", "\r\n"))
                marked, said = self.drop(name)
                for session in (plain, marked):
                    for stamp in ("lastUpdate", "created_at", "updated_at"):
                        session.pop(stamp, None)
                self.assertEqual((marked, said), (plain, []))
                self.home.write(sample, text)

    @each_jq
    def test_without_anything_that_can_be_read_the_last_session_stays(self):
        error = '{"detail": "Authentication credentials were not provided."}'
        for name, texts in {
            "health-auto-export": (error, "", "<html>", self.energy({"date": "?", "qty": 1}), '{"data": {"metrics": [{"na'),
            "mealie-2026-11-23": (error, "", '{"items": [{"date": "?", "entryType": "lunch"}]}'),
            "tandoor-2026-11-23": (error, "", '[{"from_date": "?", "meal_type": {"name": "lunch"}}]'),
            "taskwarrior": (error, "", '[{"status": "pending"}]'),
        }.items():
            for text in texts:
                with self.subTest(name, text=text):
                    before, _ = self.drop(name)
                    self.home.write("broken.json", text)
                    result = self.type(name, "broken.json")
                    self.assertEqual((result.returncode, result.stdout), (65, ""), result)
                    place, = self.cache.path.glob(f"*/{name}.json")
                    self.assertEqual(json.loads(place.read_text()), before)

    @each_jq
    def test_an_empty_list_is_a_session(self):
        for importer, text, options in (
            ("mealie", '{"items": []}', ""), ("tandoor", "[]", ""), ("taskwarrior", "[]", ""), ("todo-txt", "\n", "-nR"),
            ("health-auto-export", '{"data": {"metrics": []}}', ""),
        ):
            with self.subTest(importer):
                session, said = self.session(importer, text, options=options)
                self.assertEqual([session.get(name, []) for name in ("plan", "tasks", "samples")], [[], [], []])
                self.assertEqual(said, [])

    @each_jq
    def test_many_warnings_are_counted(self):
        tasks, said = self.list("Good", *(f"Bad {number} due:{number}" for number in range(25)))
        self.assertEqual((len(tasks), len(said), said[-1]), (26, 21, "todo-txt: and 5 more"))


if __name__ == "__main__":
    unittest.main()
