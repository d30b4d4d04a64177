"""The commands as people without rights over the engine give them, with the published configuration."""

import json
import subprocess
import tempfile
import unittest
from pathlib import Path

from server import IN, OUT, Server, programs
from support import AGENT, BRIDGE, tasks, wait_until


class Tenants(unittest.TestCase):
    def setUp(self):
        if not programs():
            self.skipTest("no nats-server is installed")
        self.server = self.enterContext(Server(programs()[0]))
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.run_as("owner", "setup", check=True)
        self.cache = self.folder / "kitchen"
        self.cache.mkdir()

    def words(self, user):
        file = self.folder / user
        # Once: a home that starts may be reading it.
        if not file.exists():
            file.write_text(f"{user}:change-me-{user}\n")
            file.chmod(0o600)
        return ["--server", f"nats://127.0.0.1:{self.server.port}", "--credentials", str(file)]

    def run_as(self, user, command, *words, **more):
        return subprocess.run(
            [BRIDGE, command, *words, *self.words(user)], capture_output=True, timeout=30, **more)

    def home(self):
        process = subprocess.Popen(
            [BRIDGE, "home", "--cache", f"{self.cache}=kitchen", *self.words("owner")], stderr=subprocess.DEVNULL)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)

        def serves():
            status = self.run_as("owner", "status", "--json")
            return status.returncode == 0

        wait_until(serves, what="the home")
        return process

    def test_a_producer_drops_and_a_reader_watches(self):
        self.home()
        agent = subprocess.Popen([AGENT, "run", "--cache", self.cache], stderr=subprocess.DEVNULL)
        self.addCleanup(agent.wait)
        self.addCleanup(agent.kill)
        lines = self.folder / "lines"
        with open(lines, "wb") as output:
            watching = subprocess.Popen(
                [BRIDGE, "watch", "kitchen", "--shards", "1", *self.words("reader")], stdout=output)
        self.addCleanup(watching.wait)
        self.addCleanup(watching.kill)
        number = 0

        def shown():
            nonlocal number
            number += 1
            self.run_as(
                "producer", "drop", "kitchen", "tasks", "--name", "new", "--shards", "1", input=tasks(f"Oats {number}"),
                check=True)
            return b"Oats" in lines.read_bytes()

        wait_until(shown, what="the line")
        # Neither may do what the other may.
        refused = self.run_as("reader", "drop", "kitchen", "tasks", "--shards", "1", input=tasks("x"))
        self.assertEqual(refused.returncode, 77, refused.stderr)

    def test_no_header_of_a_producer_is_taken_for_the_engine_s_own(self):
        self.home()
        with self.server.client("owner") as owner, self.server.client("producer") as producer:

            def streams():
                return [json.loads(owner.request(f"$JS.API.STREAM.INFO.{stream}").payload)["config"]["name"]
                        for stream in (IN, OUT)]

            before = streams()
            subject = "$KV.cachesync-in-0.kitchen.tasks.forged"
            forged = {
                "Status": "100", "Nats-Consumer-Stalled": f"$JS.API.STREAM.DELETE.{IN}", "Nats-Last-Consumer": "99",
                "Nats-Sequence": "1", "Nats-Time-Stamp": "2001-01-01T00:00:00Z",
            }
            producer.request(subject, tasks("forged"), headers=forged)
            file = self.cache / "tasks/forged.json"
            wait_until(file.exists, what="the file, as of any other message")
            producer.request("$KV.cachesync-in-0.kitchen.tasks.after", tasks("after"))
            wait_until((self.cache / "tasks/after.json").exists, what="the next file")
            self.assertEqual(streams(), before)


if __name__ == "__main__":
    unittest.main()
