"""What a home removes from the engine: intents that have ended, and deletions that are ninety days old, and nothing newer."""

import datetime
import json
import os
import shutil
import signal
import subprocess
import unittest
from pathlib import Path

from support import AGENT, Client, Place, tasks, wait_until

IN = "KV_cachesync-in-0"
# A clock that is ahead.
LATER = ["faketime", "-m", "-f", "+91d"]


def intent(days_ago):
    at = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(days=days_ago)
    return json.dumps({
        "id": f"i{days_ago}", "type": "add-task", "at": at.strftime("%Y-%m-%dT%H:%M:%SZ"), "title": "Oats"}).encode()


class Housekeeping(unittest.TestCase):
    def setUp(self):
        self.place = self.enterContext(Place())
        self.client = self.enterContext(Client(self.place.engine))
        self.cache = self.place.cache()

    def home(self, **more):
        home = self.place.home("--cache", self.cache, **more)
        # faketime waits for the home as its child, and passes no signal on.
        children = Path(f"/proc/{home.pid}/task/{home.pid}/children").read_text().split()
        home.program = int(children[0]) if children else home.pid
        self.addCleanup(self.end, home)
        return home

    def end(self, home):
        if home.poll() is None:
            os.kill(home.program, signal.SIGTERM)
            self.assertEqual(home.wait(10), 0)

    def last(self, key):
        """A key's last message: its content, or what stands for a deletion or for none."""
        found = self.client.get(IN, f"$KV.cachesync-in-0.{key}")
        if not found:
            return "none"
        return "deleted" if found[0].get("KV-Operation") == "DEL" else found[1]

    def put(self, key, payload):
        self.client.put(f"kitchen.{key}", payload)

    def written(self, name, payload=None):
        """Waits for a file that came from the engine, or for the end of one."""
        file = self.cache / name
        wait_until(lambda: file.exists() and file.read_bytes() == payload if payload else not file.exists(), what=name)

    def removable(self):
        """What the agent lists."""
        found = subprocess.run([AGENT, "status", "--json", "--cache", self.cache], capture_output=True)
        return json.loads(found.stdout)["removable"] if found.returncode == 0 else None

    def test_an_intent_that_has_ended_is_deleted_and_no_other_file(self):
        self.place.agent(self.cache)
        home = self.home()
        intent8, intent9, intent1 = intent(8), intent(9), intent(1)
        for name, payload in (("i8", intent8), ("i9", intent9), ("i1", intent1)):
            self.put(f"intents.{name}", payload)
        sequence = self.client.last_from_leader(IN, "$KV.cachesync-in-0.kitchen.intents.i8")[0]
        for key in "ab":
            self.put(f"tasks.{key}", tasks(key))
        self.client.delete("kitchen.tasks.b")
        wait_until(lambda: self.removable() == ["intents/i8.json", "intents/i9.json"], what="what the agent lists")
        # This one is not as it came from the engine any more.
        edited = intent9.replace(b"Oats", b"Rice")
        (self.cache / "intents/i9.json").write_bytes(edited)
        (self.cache / "intents/own.json").write_bytes(intent(10))
        wait_until(lambda: len(self.removable()) == 3, what="what the agent lists")
        self.end(home)
        home = self.home()
        wait_until(lambda: self.last("kitchen.intents.i8") == "deleted", what="the deletion")
        headers, _ = self.client.get(IN, "$KV.cachesync-in-0.kitchen.intents.i8")
        self.assertEqual(headers["Nats-Expected-Last-Subject-Sequence"], str(sequence), "it deletes no newer message")
        self.written("intents/i8.json")
        self.end(home)
        self.home()
        wait_until(lambda: "intents/i8.json" not in self.removable(), what="that the agent lists it no more")
        self.put("tasks.end", tasks("end"))
        self.written("tasks/end.json", tasks("end"))
        self.assertEqual(self.last("kitchen.intents.i9"), intent9)
        self.assertEqual((self.cache / "intents/i9.json").read_bytes(), edited)
        self.assertTrue((self.cache / "intents/own.json").exists())
        self.assertEqual(self.last("kitchen.tasks.a"), tasks("a"))
        self.assertEqual(self.last("kitchen.tasks.b"), "deleted", "a new deletion stays")
        self.assertEqual(self.last("kitchen.intents.i1"), intent1)

    @unittest.skipUnless(shutil.which("faketime"), "faketime is not installed")
    def test_a_deletion_is_removed_after_ninety_days_if_the_home_took_it_in(self):
        home = self.home()
        for key in "ab":
            self.put(f"tasks.{key}", tasks(key))
            self.written(f"tasks/{key}.json", tasks(key))
        self.client.delete("kitchen.tasks.a")
        self.client.delete("elsewhere.tasks.a")
        self.written("tasks/a.json")
        sequences = self.client.stream_info(IN)["state"]["last_seq"]
        self.end(home)
        home = self.home(wrapper=LATER)
        wait_until(lambda: self.last("kitchen.tasks.a") == "none", what="that it is removed")
        # Nothing is served of this one, so nothing is known about it.
        self.assertEqual(self.last("elsewhere.tasks.a"), "deleted")
        self.assertEqual(self.last("kitchen.tasks.b"), tasks("b"))
        self.assertEqual(self.client.stream_info(IN)["state"]["last_seq"], sequences)
        # The key can be used again.
        self.put("tasks.a", tasks("again"))
        self.written("tasks/a.json", tasks("again"))
        self.end(home)

    @unittest.skipUnless(shutil.which("faketime"), "faketime is not installed")
    def test_an_engine_that_shows_again_what_was_deleted_does_not_bring_it_back(self):
        home = self.home()
        self.put("tasks.a", tasks("a"))
        self.written("tasks/a.json", tasks("a"))
        # What an engine that lost power has: the message that the deletion replaced.
        self.place.engine.stop()
        before = self.place.folder / "before"
        shutil.copytree(self.place.engine.folder / "js", before)
        self.place.engine.start()
        self.client = self.enterContext(Client(self.place.engine))
        self.client.delete("kitchen.tasks.a")
        self.written("tasks/a.json")
        self.end(home)
        home = self.home(wrapper=LATER)
        wait_until(lambda: self.last("kitchen.tasks.a") == "none", what="that it is removed")
        self.end(home)
        self.place.engine.wipe()
        shutil.copytree(before, self.place.engine.folder / "js")
        self.place.engine.start()
        self.client = self.enterContext(Client(self.place.engine))
        self.assertEqual(self.last("kitchen.tasks.a"), tasks("a"))
        self.home(wrapper=LATER)
        self.put("tasks.end", tasks("end"))
        self.written("tasks/end.json", tasks("end"))
        self.assertFalse((self.cache / "tasks/a.json").exists())
        wait_until(lambda: self.last("kitchen.tasks.a") == "deleted", what="that it is deleted again")
        self.assertFalse((self.cache / "tasks/a.json").exists())


if __name__ == "__main__":
    unittest.main()
