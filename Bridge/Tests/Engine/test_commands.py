"""The commands, each against a real engine."""

import json
import os
import pty
import select
import shutil
import subprocess
import unittest

from support import Client, Engine, Place, tasks, wait_until


class Setup(unittest.TestCase):
    def test_makes_the_streams_once_and_says_how_others_differ(self):
        with Place(shards=2) as place, Client(place.engine) as client:
            again = place.run("setup", "--shards", "2")
            self.assertEqual((again.returncode, again.stdout), (0, "cachesync: 4 streams, 0 of them new\n"))
            config = client.stream_info("KV_cachesync-out-1")["config"]
            self.assertEqual(config["max_msgs_per_subject"], 1)
            self.assertEqual((config["storage"], config["discard"], config["deny_purge"]), ("file", "new", True))
            self.assertEqual(config["republish"]["dest"], "cachesync.set.{{wildcard(1)}}")
            self.assertTrue(config["republish"]["headers_only"] and config["allow_direct"])
            self.assertFalse(config.get("allow_rollup_hdrs", False))
            self.assertNotIn("republish", client.stream_info("KV_cachesync-in-1")["config"])

            other = place.run("setup", "--shards", "3")
            self.assertEqual(other.returncode, 78)
            self.assertIn("shard 0 of 2", other.stderr)
            self.assertIn("error", client.stream_info("KV_cachesync-in-2"), "nothing is made beside streams that differ")

            config = client.stream_info("KV_cachesync-in-0")["config"] | {"max_msgs_per_subject": 5}
            client.request("$JS.API.STREAM.UPDATE.KV_cachesync-in-0", json.dumps(config).encode())
            changed = place.run("setup", "--shards", "2")
            self.assertEqual(changed.returncode, 78)
            self.assertIn("max_msgs_per_subject is 5 and must be 1", changed.stderr)

    def test_limits_how_much_a_stream_holds_and_the_engine_reserves_it(self):
        with Place(settings="jetstream { max_file: 10MB }\n") as place, Client(place.engine) as client:
            made = place.run("setup", "--namespace", "limited", "--max-bytes", "1M")
            self.assertEqual(made.returncode, 0, made.stderr)
            for direction in ("in", "out"):
                self.assertEqual(client.stream_info(f"KV_limited-{direction}-0")["config"]["max_bytes"], 1 << 20)
            # Without the option the limit is the operator's.
            for words, status in [((), 0), (("--max-bytes", "1024K"), 0), (("--max-bytes", "2M"), 78)]:
                again = place.run("setup", "--namespace", "limited", *words)
                self.assertEqual(again.returncode, status, (words, again.stderr))
            self.assertIn("max_bytes is 1048576 and must be 2097152", again.stderr)
            refused = place.run("setup", "--namespace", "large", "--max-bytes", "9M")
            self.assertEqual((refused.returncode, refused.stderr.count("\n")), (74, 1), refused.stderr)
            for size in ("0", "-1", "1X", "M", "9" * 30, "9999999999G"):
                self.assertEqual(place.run("setup", "--max-bytes", size).returncode, 64, size)

    def test_refuses_replicas_on_an_engine_that_is_too_old(self):
        with Place() as place:
            refused = place.run("setup", "--namespace", "other", "--replicas", "3")
            self.assertEqual(refused.returncode, 78)
            self.assertIn("2.12.7", refused.stderr)


class Start(unittest.TestCase):
    def said(self, place, words, is_terminal):
        """The line of a start, as a terminal or another file gets it."""
        reading, writing = pty.openpty() if is_terminal else os.pipe()
        self.addCleanup(os.close, reading)
        process = subprocess.Popen(
            [place.program(), *words], env=place.environment(), stdin=subprocess.DEVNULL, stderr=writing)
        os.close(writing)
        place.processes.append(process)
        said = ""
        while "notice: " not in said or "\n" not in said.partition("notice: ")[2]:
            self.assertTrue(select.select([reading], [], [], 30)[0], said)
            said += os.read(reading, 4096).decode()
        place.end(process)
        return said

    def test_only_a_terminal_reads_how_to_stop(self):
        with Place() as place:
            for name in ("kitchen", "desk", "many"):
                place.cache(name)
            for words in [("home", "--cache", place.folder / "kitchen"),
                          ("away", "--cache", f"{place.folder}/desk=kitchen"),
                          ("pool", "--caches-in", place.folder / "many")]:
                with self.subTest(words[0]):
                    self.assertIn("; stop with ^C\r\n", self.said(place, words, is_terminal=True))
                    self.assertNotIn("^C", self.said(place, words, is_terminal=False))


class Usage(unittest.TestCase):
    def test_exit_statuses(self):
        with Place() as place:
            valid = place.folder / "valid.json"
            valid.write_bytes(tasks("x"))
            invalid = place.folder / "invalid.json"
            invalid.write_text("{")
            odd = os.fsencode(place.folder) + b"/odd\xff"
            shutil.copy(valid, odd)
            hidden = os.fsencode(place.folder) + b"/folder\xff/.hidden"
            os.makedirs(hidden)
            open_file = place.folder / "open"
            open_file.write_text("user:password")
            nowhere = "nats://127.0.0.1:1"
            for words, status in [
                (("drop", "kitchen", "tasks", valid), 0),
                (("drop", "kitchen", "tasks", odd), 0),
                # What is found is refused for another reason than what is missing.
                (("status", "--credentials", odd), 77),
                (("home", "--cache", hidden), 64),
                (("home", "--cache", odd + b"none"), 66),
                (("drop", "kitchen", "tasks", invalid), 65),
                (("drop", "kitchen", "tasks", place.folder / "none"), 66),
                (("drop", "kitchen", "nothing", valid), 64),
                (("drop", ".kitchen", "tasks", valid), 64),
                (("drop", "kitchen", "tasks", valid, "--name", "x~"), 64),
                (("drop", "kitchen", "tasks", valid, "--server", nowhere), 69),
                (("drop", "kitchen", "tasks", valid, "--namespace", "none"), 69),
                (("drop", "kitchen", "tasks", valid, "--namespace", "a.b"), 64),
                (("drop", "kitchen", "tasks", valid, "--credentials", open_file), 77),
                (("status",), 69),
                (("status", "--server", nowhere), 69),
                (("watch", "kitchen", "--server", nowhere), 69),
                (("home",), 64),
                (("home", "--cache", place.folder / "none"), 66),
                (("home", "--cache", f"{place.folder}=a/b"), 66),
                (("setup", "--replicas", "2"), 64),
            ]:
                found = place.run(*words)
                self.assertEqual(found.returncode, status, (words, found.stderr))
                if status not in (0, 64):
                    self.assertTrue(found.stderr.startswith("cachesync-bridge: "), found.stderr)
                    self.assertEqual(found.stderr.count("\n"), 1, found.stderr)

    def test_a_password_and_an_nkey_are_read_from_a_file_of_the_owner_alone(self):
        # The seed and the key are of the documentation of nats-server: nothing is secret about them.
        seed = "SUACSSL3UAHUDXKFSNVUZRF5UHPMWZ6BFDTJ7M6USDXIEDNPPQYYYCU3VY"
        key = "UDXU4RCSJNZOIQHZNWXHXORDPRTGNJAHAHFRGZNEEJCPQTT2M7NLCNF4"
        settings = f'authorization {{ users: [ {{ user: a, password: "b:c" }}, {{ nkey: {key} }} ] }}\n'
        engine = Engine(settings)
        try:
            for content, status in [("a:b:c\n", 0), ("a:wrong\n", 69), (seed + "\n", 0), ("nothing\n", 78)]:
                file = engine.folder / "credentials"
                file.write_text(content)
                file.chmod(0o600)
                found = subprocess.run(
                    [Place.program(), "setup", "--server", engine.url, "--credentials", file], capture_output=True,
                    text=True, timeout=30)
                self.assertEqual(found.returncode, status, (content, found.stderr))
                self.assertNotIn("wrong", found.stderr)
        finally:
            engine.close()


class Dropping(unittest.TestCase):
    def test_means_that_the_engine_has_it(self):
        with Place() as place, Client(place.engine) as client:
            dropped = place.run("drop", "küche", "tasks", "--name", "a b", input=tasks("x").decode())
            self.assertEqual((dropped.returncode, dropped.stdout), (0, "tasks/a b.json\n"))
            headers, payload = client.get("KV_cachesync-in-0", "$KV.cachesync-in-0.k=C3=BCche.tasks.a=20b")
            self.assertEqual(payload, tasks("x"))
            self.assertGreater(int(headers["Cachesync-Modified"]), 1_700_000_000 * 10**9)
            self.assertNotIn("Nats-Msg-Id", headers)

    def test_refuses_what_is_larger_than_the_engine_takes_and_names_the_limit(self):
        with Place(settings="max_payload: 4096\n") as place:
            large = place.folder / "large.json"
            large.write_bytes(tasks("x" * 5000))
            refused = place.run("drop", "kitchen", "tasks", large)
            self.assertEqual(refused.returncode, 65)
            self.assertIn("4096", refused.stderr)


if __name__ == "__main__":
    unittest.main()
