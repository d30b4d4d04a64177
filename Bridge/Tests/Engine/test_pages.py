"""The pages about several machines, followed literally: what they say is typed, on a host each."""

import json
import os
import shutil
import subprocess
import sys
import unittest

from hosts import Network
from support import AGENT, REPOSITORY, outputs, tasks, wait_until

sys.path.append(str(REPOSITORY / "Tests/Citizen"))

from pages import blocks  # noqa: E402


@unittest.skipIf(os.geteuid() != 0, "only root may make network namespaces")
class AtHome(unittest.TestCase):
    """One network for both pages: the second one begins where the first one ends."""

    @classmethod
    def setUpClass(cls):
        cls.network = cls.enterClassContext(Network("cupboard", "kitchen", "phone"))
        cupboard = cls.network["cupboard"]
        cls.cache = cupboard.home / ".cache/cachesync"
        cls.cache.parent.mkdir()
        subprocess.run(
            ["sh", REPOSITORY / "scripts/scratch.sh", AGENT, REPOSITORY / "sample-cache", cls.cache], check=True)
        cupboard.begin("cachesyncd run")
        cls.outputs = {}
        cls.follow("kitchen-display.md", copied=("engine.pem", "kitchen.credentials"))

    @classmethod
    def follow(cls, page, copied):
        """Puts the page's files in place and types its commands, in their order."""
        for block in blocks(page):
            if not block.host:
                continue
            host = cls.network[block.host]
            for name in copied:
                file = cls.network["cupboard"].home / name
                if file.exists() and not (host.home / name).exists():
                    shutil.copy2(file, host.home)
            if block.file:
                path = host.home / block.file
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(block.text)
                path.chmod(block.mode)
            elif block.is_background:
                words = block.text.split()
                output = cls.outputs[" ".join(words[:2])] = host.begin(block.text)
                # A person takes longer to type the next command.
                sign = {"nats-server": b"Server is ready", "cachesync-bridge": b"notice: "}.get(words[0], b"\n")
                try:
                    wait_until(lambda: sign in output.read_bytes())
                except AssertionError as error:
                    raise AssertionError(f"{block.text}{output.read_text()}") from error
            elif block.is_command:
                done = host.run(block.text)
                assert done.returncode == 0, (block.text, done)

    def snapshots(self, host):
        return outputs(self.network[host].home / ".cache/cachesync")

    def shows(self, host, title):
        return title in self.snapshots(host).get("todays-tasks.json", b"").decode()

    def expect_shown(self, title):
        """Both hosts show a task, and then have the same files."""
        wait_until(lambda: self.shows("cupboard", title), what=f"{title} in the cupboard")
        wait_until(lambda: self.shows("kitchen", title), what=f"{title} in the kitchen")
        wait_until(lambda: self.snapshots("kitchen") == self.snapshots("cupboard"), what="the same files")

    def test_kitchen_shows_what_cupboard_publishes_and_drops_there(self):
        kitchen = self.network["kitchen"]
        self.expect_shown("Buy yeast")
        lines = self.outputs["cachesyncd watch"]
        kinds = len(self.snapshots("cupboard")) - len(("manifest", "day-index"))
        # One for each kind, and at least one more for what was dropped.
        wait_until(lambda: len(lines.read_text().splitlines()) > kinds, what="the display's lines")
        for command in ("wait", "sync", "status"):
            refused = kitchen.run(f"cachesyncd {command}")
            self.assertEqual((refused.returncode, refused.stderr.count("\n")), (69, 1), refused)

    def test_without_a_network_kitchen_keeps_what_it_has(self):
        kitchen = self.network["kitchen"]
        before = self.snapshots("kitchen")
        kitchen.plug(False)
        try:
            (kitchen.home / "offline.json").write_bytes(tasks("Offline bread", "offline"))
            dropped = kitchen.run("cachesyncd drop tasks offline.json --name offline")
            self.assertEqual(dropped.returncode, 0, dropped)
            self.assertEqual(self.snapshots("kitchen"), before)
        finally:
            kitchen.plug(True)
        wait_until(lambda: (self.cache / "tasks/offline.json").exists(), seconds=60, what="what was dropped offline")

    @unittest.skipUnless(shutil.which("systemd-analyze"), "not installed: systemd")
    def test_services_are_valid_units(self):
        for host, unit in (("cupboard", "cachesync-home"), ("kitchen", "cachesync-away")):
            found = self.network[host].run(f"systemd-analyze verify --user .config/systemd/user/{unit}.service")
            complaints = [line for line in found.stderr.splitlines() if unit in line and "not executable" not in line]
            self.assertEqual(complaints, [], found)

    def test_phone_drops_a_task_and_nothing_else(self):
        self.follow("phone-drop.md", copied=("engine.pem", "phone.credentials"))
        self.expect_shown("Ring the bakery")
        phone = self.network["phone"]
        # What the configuration does not give it, and what no parser takes.
        for feed, content, words in [
            ("cachesync", "{}", "Permissions Violation"), ("events", "{}", "Permissions Violation"),
            ("tasks", "{", "JSONDecodeError")]:
            refused = phone.run(["python3", "drop.py", feed, "x"], input=content, stdin=None)
            self.assertEqual(refused.returncode, 1, refused)
            self.assertIn(words, refused.stderr)
        # Home validates what the phone does not: a bad file is left out, and said.
        dropped = phone.run(["python3", "drop.py", "tasks", "bad"], input='{"tasks": 1}', stdin=None)
        self.assertEqual(dropped.returncode, 0, dropped)

        def problems():
            found = self.network["cupboard"].run("cachesyncd status --json")
            return [problem["path"] for problem in json.loads(found.stdout)["problems"]]

        wait_until(lambda: "tasks/bad.json" in problems(), what="the problem")


if __name__ == "__main__":
    unittest.main()
