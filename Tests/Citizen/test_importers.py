"""The importers: each jq program turns its sample into a session file that the feed reads without a warning.

The expected values are computed by hand from the samples. Debian: jq.
"""

import json
import unittest

from recipes import Home, needs
from support import Cache

PAGE = "importers.md"


@needs("jq")
class Importers(unittest.TestCase):
    def setUp(self):
        self.cache = Cache(sample=False)
        self.addCleanup(self.cache.close)
        self.cache.put("cachesync.json", '{"timeZone": "Europe/Berlin"}')
        self.home = self.enterContext(Home(self.cache))
        self.commands = {block.text.split(" --name ")[1].strip(): block.text for block in self.home.follow(PAGE)}

    def drop(self, name):
        result = self.home.type(self.commands[name])
        self.assertEqual((result.returncode, result.stderr), (0, ""), result)
        session = self.cache.file(result.stdout.strip())
        check = self.home.type(f"cachesyncd check {session}")
        self.assertEqual((check.returncode, check.stdout), (0, ""), check)
        return json.loads(session.read_text())

    def content(self, kind, moment):
        result = self.home.type(f"cachesyncd show {kind} --format entry --at {moment}")
        self.assertEqual(result.returncode, 0, result)
        return json.loads(result.stdout)["content"]

    def test_every_importer_is_tested(self):
        self.assertEqual(
            set(self.commands),
            {"health-auto-export", "mealie-2026-11-23", "tandoor-2026-11-23", "taskwarrior", "todo-txt"})

    def test_health_auto_export(self):
        samples = self.drop("health-auto-export")["samples"]
        # 2092 kJ are 500 kcal, and 172 lb are 78.018 kg.
        self.assertEqual(
            [(sample["type"], sample["date"], round(sample["value"], 3)) for sample in samples],
            [("dietaryCalories", "2026-11-20T12:30:00+01:00", 500), ("bodyMass", "2026-11-20T06:45:00+01:00", 78.018),
             ("bodyFatPercentage", "2026-11-20T06:45:00+01:00", 0.215)])

    def meals(self, name):
        plan = self.drop(name)["plan"]
        return [(entry["day_index"], entry["meal_type"], entry["meal_id"], entry["meal_name"]) for entry in plan]

    def test_mealie(self):
        self.assertEqual(
            self.meals("mealie-2026-11-23"),
            [(1, "dinner", "b1", "Salmon with Rice"), (1, "lunch", None, "Leftovers")])
        self.assertIn("Salmon with Rice", json.dumps(self.content("meal-plan", "2026-11-24T12:00:00Z")))

    def test_tandoor(self):
        self.assertEqual(
            self.meals("tandoor-2026-11-23"), [(2, "dinner", "12", "Lentil Soup"), (2, "breakfast", None, "Toast")])

    def tasks(self, name):
        return [
            (task["id"], task["title"], task["completed"], task["dueDate"], task["createdAt"], task["completedAt"],
             [label["name"] for label in task["labels"]]) for task in self.drop(name)["tasks"]]

    def test_taskwarrior(self):
        self.assertEqual(self.tasks("taskwarrior"), [
            ("a1", "Call the plumber", False, "2026-11-24T16:00:00Z", "2026-11-20T08:00:00Z", None, ["House", "phone"]),
            ("a2", "Buy milk", True, None, "2026-11-20T08:00:00Z", "2026-11-24T09:00:00Z", [])])
        self.assertEqual(self.content("todays-tasks", "2026-11-24T12:00:00Z")["completedToday"], 1)

    def test_todo_txt(self):
        call, water, ladder = self.tasks("todo-txt")
        self.assertEqual(
            call, (1, "Call Mum", False, "2026-11-24", "2026-11-20T00:00:00Z", None, ["Family", "phone"]))
        self.assertEqual(
            water, (2, "Water the plants", True, None, "2026-11-20T00:00:00Z", "2026-11-24T12:00:00Z", []))
        self.assertEqual(ladder[:4], (4, "Ask for the ladder", False, None))


if __name__ == "__main__":
    unittest.main()
