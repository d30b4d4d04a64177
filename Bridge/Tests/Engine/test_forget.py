"""forget: everything of a cache goes from the engine, nothing of another, and not while a bridge serves it."""

import json
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from server import Owner, Server, programs
from support import BRIDGE, Client, Place, tasks, wait_until

IN, OUT = "KV_cachesync-in-0", "KV_cachesync-out-0"
PREFIXES = {IN: "$KV.cachesync-in-0.", OUT: "$KV.cachesync-out-0."}


class Forgetting(unittest.TestCase):
    def setUp(self):
        self.place = self.enterContext(Place())
        self.client = self.enterContext(Client(self.place.engine))

    def everything(self):
        """What there is, by key; of a deletion None."""
        found = Owner(self.client).everything()
        return {
            subject.removeprefix(PREFIXES[stream]): None if b"KV-Operation: DEL" in headers else data
            for stream in (IN, OUT) for subject, (_, _, headers, data) in found[stream]["messages"].items()}

    def fill(self):
        """Keys of two caches whose names begin alike, an owner that is gone, and what it kept."""
        self.place.cache("other")
        self.place.end(self.place.home("--cache", self.place.folder / "other", "--name", "earlier"))
        for cache in ("kitchen", "kitchen2"):
            for key in ("tasks.a", "tasks.=2E=2E.x", "cachesync"):
                self.client.put(f"{cache}.{key}", tasks(cache))
            for key in (cache, f"_good.{cache}.tasks.a"):
                assert "seq" in json.loads(self.client.ask(PREFIXES[OUT] + key, b"{}").payload)
        self.client.delete("kitchen.tasks.gone")

    def test_removes_everything_of_one_cache(self):
        self.fill()
        bell = self.client.subscribe("cachesync.set.kitchen")
        before = self.everything()
        found = self.place.run("forget", "kitchen", "--unserved")
        self.assertEqual(found.returncode, 0, found.stderr)
        self.assertEqual(found.stdout, "kitchen is removed: session files 3, sets 1, last good versions 1\n")
        forgotten = {"kitchen.tasks.a", "kitchen.tasks.=2E=2E.x", "kitchen.cachesync", "kitchen", "_good.kitchen.tasks.a"}
        self.assertEqual(self.everything(), before | {key: None for key in forgotten})
        self.assertIsNotNone(self.client.next(bell), "readers hear of it")
        headers, _ = self.client.get(OUT, "$KV.cachesync-out-0.kitchen")
        self.assertIn("Nats-Expected-Last-Sequence", headers, "as every message of out")
        headers, _ = self.client.get(IN, "$KV.cachesync-in-0.kitchen.tasks.a")
        self.assertIn("Nats-Expected-Last-Subject-Sequence", headers, "it deletes no newer message")
        again = self.place.run("forget", "kitchen", "--unserved")
        self.assertEqual(again.stdout, "kitchen is removed: session files 0, sets 0, last good versions 0\n")

    def test_refuses_while_a_bridge_serves_it(self):
        kitchen, other = self.place.cache("kitchen"), self.place.cache("other")
        home = self.place.home("--cache", kitchen, "--cache", other, "--name", "here")
        self.client.put("kitchen.tasks.a", tasks("a"))
        wait_until((kitchen / "tasks/a.json").exists, what="the file")
        before = self.everything()
        for words in ((), ("--unserved",)):
            refused = self.place.run("forget", "kitchen", *words)
            self.assertEqual(refused.returncode, 75)
            self.assertIn(f"the home here has kitchen at {kitchen}", refused.stderr)
            self.assertEqual(refused.stderr.count("\n"), 1)
        shutil.rmtree(kitchen)
        wait_until(lambda: (s := self.place.status()) and not all(cache["served"] for cache in s["caches"]),
                   what="that it is not there")
        self.assertEqual(self.place.run("forget", "kitchen").returncode, 75, "it may come back")
        # Stopped, it may serve the cache for all that is known.
        self.place.end(home)
        unknown = self.place.run("forget", "kitchen")
        self.assertEqual(unknown.returncode, 69)
        self.assertIn("here, which served this shard last, does not answer", unknown.stderr)
        self.assertEqual(self.everything(), before)

    def test_an_away_that_answers_is_believed_about_itself_alone(self):
        self.fill()
        before = self.everything()
        questions = self.client.subscribe("cachesync.status")
        for cache, status, words in (
                ("kitchen", 75, "the away there has kitchen at /x"), ("other", 69, "earlier, which served this shard last")):
            answer = {"role": "away", "name": "there", "caches": [{"cache": cache, "path": "/x", "served": True}]}
            with subprocess.Popen([BRIDGE, "forget", "kitchen"], env=self.place.environment(), text=True,
                                  stderr=subprocess.PIPE) as forgetting:
                question = self.client.next(questions)
                self.client.publish(question.reply, json.dumps(answer).encode())
                self.client.flush()
                _, errors = forgetting.communicate(timeout=30)
            self.assertEqual(forgetting.returncode, status, errors)
            self.assertIn(words, errors)
        self.assertEqual(self.everything(), before)

    def test_goes_on_beside_a_home_that_serves_other_caches(self):
        self.fill()
        other = self.place.folder / "other"
        self.place.agent(other)
        home = self.place.home("--cache", other, "--name", "here")
        (other / "tasks").mkdir()
        (other / "tasks/a.json").write_bytes(tasks("a"))
        wait_until(lambda: self.client.set("other"), what="the set")
        generation = self.client.set("other")[0]["generation"]
        found = self.place.run("forget", "kitchen")
        self.assertEqual(found.returncode, 0, found.stderr)
        self.assertIsNone(self.everything()["kitchen"])
        # The home goes on writing behind the message that is not its own.
        (other / "tasks/b.json").write_bytes(tasks("b", 2))
        wait_until(lambda: self.client.set("other")[0]["generation"] > generation, what="the next set")
        self.assertIsNone(home.poll())

    def test_needs_no_word_where_no_bridge_ever_was(self):
        self.client.put("kitchen.tasks.a", tasks("a"))
        self.assertEqual(self.place.run("forget", "kitchen").returncode, 0)
        self.assertIsNone(self.everything()["kitchen.tasks.a"])


class Permissions(unittest.TestCase):
    def test_no_tenant_may_forget_a_cache_not_even_its_own(self):
        if not programs():
            self.skipTest("no nats-server is installed")
        server = self.enterContext(Server(programs()[0]))
        folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        owner = Owner(self.enterContext(server.client("owner")))

        def run(user, *words):
            file = folder / user
            file.write_text(f"{user}:change-me-{user}\n")
            file.chmod(0o600)
            return subprocess.run(
                [BRIDGE, *words, "--server", f"nats://127.0.0.1:{server.port}", "--credentials", file],
                capture_output=True, timeout=60)

        self.assertEqual(run("owner", "setup").returncode, 0)
        for cache in ("kitchen", "other"):
            owner.put(f"$KV.cachesync-in-0.{cache}.tasks.a", b"{}")
            owner.put(f"$KV.cachesync-out-0.{cache}", b"{}")
        before = owner.everything()
        for user in ("producer", "reader", "other", "empty"):
            for cache in ("kitchen", "other"):
                refused = run(user, "forget", cache, "--unserved", "--shards", "1")
                self.assertEqual(refused.returncode, 77, (user, cache, refused.stderr))
        self.assertEqual(owner.everything(), before)
        self.assertEqual(run("owner", "forget", "other").returncode, 0)


if __name__ == "__main__":
    unittest.main()
