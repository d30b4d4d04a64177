"""The scratch cache of `make run`, at any hour and in any zone: its apps have written before now, and intents have an effect."""

import datetime
import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path
from zoneinfo import ZoneInfo

from support import REPOSITORY, program

# What says when something was written or done, and not when it is due or begins.
STAMPS = {"lastUpdate", "lastUpdated", "at", "createdAt", "created_at", "updated_at", "completedAt", "timestamp", "start", "end"}


def moment(value):
    """Seconds since 1970 of a text, or of a number of seconds since 2001."""
    return value + 978307200 if not isinstance(value, str) else datetime.datetime.fromisoformat(value).timestamp()


def split(value, stamps):
    """A document without its stamps, which are added to a list."""
    if isinstance(value, list):
        return [split(each, stamps) for each in value]
    if not isinstance(value, dict):
        return value
    stamps += [moment(each) for key, each in value.items() if key in STAMPS and each is not None]
    return {key: split(each, stamps) for key, each in value.items() if key not in STAMPS}


class ScratchTests(unittest.TestCase):
    def scratch(self, zone, clock):
        """A scratch cache that is made today at a time of day, and that time."""
        hour, minute = map(int, clock.split(":"))
        now = datetime.datetime.now(ZoneInfo(zone)).replace(hour=hour, minute=minute, second=0, microsecond=0)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        cache = Path(folder.name, "cache")
        subprocess.run([REPOSITORY / "scripts/scratch.sh", program(), "sample-cache", cache, str(int(now.timestamp()))],
                       cwd=REPOSITORY, env=os.environ | {"TZ": zone}, check=True)
        return cache, now

    def test_nothing_is_written_later_than_now(self):
        for zone in ("UTC", "Asia/Tokyo", "America/Los_Angeles"):
            # Just before midnight nothing of the day lies ahead, so only dates have moved.
            whole, _ = self.scratch(zone, "23:59")
            for clock in ("00:01", "06:00", "09:00", "12:50", "20:00"):
                cache, now = self.scratch(zone, clock)
                for file in sorted(cache.rglob("*.json")):
                    stamps, before = [], []
                    rest = split(json.loads(file.read_text()), stamps)
                    context = (zone, clock, file.name)
                    self.assertEqual(rest, split(json.loads((whole / file.relative_to(cache)).read_text()), before), context)
                    self.assertLess(max(stamps, default=0), now.timestamp(), context)
                    # What came first still does, and what is of today stays there.
                    order = [moved for _, moved in sorted(zip(before, stamps))]
                    self.assertEqual(order, sorted(order), context)
                    midnight = now.replace(hour=0, minute=0).timestamp()
                    self.assertEqual([each < midnight for each in stamps], [each < midnight for each in before], context)

    def test_intents_have_an_effect(self):
        for clock in ("00:01", "09:00", "20:00"):
            cache, now = self.scratch("UTC", clock)
            tasks, energy = self.shown(cache, now)
            for name, what in (("done", {"type": "complete-task", "taskId": "412"}),
                               ("eaten", {"type": "log-food", "foodId": "5E1C0B7A-3D0F-4C53-9A55-0E2F4B1C7D02"})):
                (cache / f"intents/{name}.json").write_text(json.dumps({"id": name, "at": now.isoformat(), **what}))
            # The sample's yoghurt has 130 kcal.
            self.assertEqual(self.shown(cache, now), [tasks - 1, energy - 130], clock)

    @staticmethod
    def shown(cache, now):
        """How many tasks there are at a moment, and how much energy is left."""
        found = []
        for kind, key in (("task-count", "count"), ("calories", "remaining")):
            words = [program(), "show", kind, "--cache", cache, "--at", now.isoformat(), "--format", "entry"]
            done = subprocess.run(words, env=os.environ | {"TZ": "UTC"}, check=True, capture_output=True, text=True)
            found.append(json.loads(done.stdout)["content"][key])
        return found


if __name__ == "__main__":
    unittest.main()
