"""A home: what the network drops reaches the cache, what the agent publishes reaches the engine, and faults lose nothing."""

import json
import os
import random
import re
import shutil
import signal
import subprocess
import time
import unittest
from pathlib import Path

from support import AGENT, Client, Place, tasks, wait_until


def shard(token, count=4):
    """FNV-1a of 32 bits."""
    value = 2166136261
    for byte in token.encode():
        value = ((value ^ byte) * 16777619) & 0xFFFFFFFF
    return value % count


class Flow(unittest.TestCase):
    def test_a_drop_is_a_file_then_a_set_then_a_line(self):
        with Place() as place, Client(place.engine) as client:
            cache = place.cache(sample=True)
            place.agent(cache)
            place.home("--cache", cache)
            wait_until(lambda: client.set("kitchen"), what="the first set")
            lines = place.folder / "lines"
            watching = place.start("watch", "kitchen", output=lines)
            number = 0

            def shown():
                # Again and again, since the watch may not have begun with the first.
                nonlocal number
                number += 1
                place.run("drop", "kitchen", "tasks", "--name", "new", input=tasks(f"Oats {number}").decode(), check=True)
                return b"Oats" in lines.read_bytes()

            wait_until(shown, what="the line")
            for line in lines.read_bytes().splitlines():
                self.assertIn("kind", json.loads(line))
            watching.send_signal(signal.SIGTERM)
            self.assertEqual(watching.wait(), 0)
            file = cache / "tasks/new.json"
            wait_until(lambda: file.read_bytes() == tasks(f"Oats {number}"), what="the last file")
            self.assertEqual(subprocess.run([AGENT, "wait", "--cache", cache], stdout=subprocess.DEVNULL).returncode, 0)
            files = sorted((cache / "snapshots").glob("*.json"))
            there = {path.name: path.read_bytes() for path in files if path.name != "manifest.json"}
            wait_until(lambda: client.set("kitchen")[1] == there, what="the last set")

    def test_a_file_has_the_time_that_its_producer_gave_it(self):
        with Place() as place, Client(place.engine) as client:
            cache = place.cache()
            place.home("--cache", cache)
            client.put("kitchen.tasks.a", tasks("a"), **{"Cachesync_Modified": "1500000000123456789"})
            file = cache / "tasks/a.json"
            wait_until(file.exists, what="the file")
            self.assertEqual(file.stat().st_mtime_ns, 1500000000123456789)
            self.assertEqual(file.stat().st_mode & 0o777, 0o644)

    def test_of_caches_in_a_directory_one_may_come_later(self):
        with Place(shards=4) as place, Client(place.engine) as client:
            folder = place.folder / "caches"
            (folder / "a").mkdir(parents=True)
            place.home("--caches-in", folder)
            client.put("a.tasks.x", tasks("a"), shard("a"))
            client.put("b.tasks.x", tasks("b"), shard("b"))
            wait_until((folder / "a/tasks/x.json").exists, what="the file of the first")
            wait_until(lambda: place.status().get("leftAlone") == 1, what="the count")
            (folder / "b").mkdir()
            wait_until((folder / "b/tasks/x.json").exists, what="the file of the second")
            wait_until(lambda: place.status().get("leftAlone") == 0, what="the count")


    def test_a_cache_that_goes_away_takes_no_other_cache_s_problems_with_it(self):
        with Place() as place, Client(place.engine) as client:
            folder = place.folder / "caches"
            for name in ["a", "ab"]:
                (folder / name / "tasks/x.json").mkdir(parents=True)
            place.home("--caches-in", folder)
            for name in ["a", "ab"]:
                client.put(f"{name}.tasks.x", tasks("x"))
            wait_until(lambda: (s := place.status()) and len(s["problems"]) == 2, what="the problems")
            (folder / "a").rename(place.folder / "a")
            status = wait_until(lambda: (s := place.status()) and len(s["caches"]) == 1 and s, what="one cache")
            self.assertEqual(len(status["problems"]), 1)
            self.assertIn("cache ab: cannot write tasks/x.json", status["problems"][0]["message"])


class ManyCaches(unittest.TestCase):
    def test_all_their_sets_are_sent_and_again_after_the_engine_lost_them(self):
        with Place() as place:
            folder = place.folder / "caches"
            for number in range(100):
                (folder / f"c{number}").mkdir(parents=True)
            subprocess.run([AGENT, "sync", "--caches-in", folder, "--durability", "rename"], check=True)
            place.home("--caches-in", folder)

            def sets():
                with Client(place.engine) as client:
                    # One message is the owner's.
                    return client.stream_info("KV_cachesync-out-0").get("state", {}).get("messages", 0) - 1

            wait_until(lambda: sets() == 100, what="all sets")
            place.engine.wipe()
            place.engine.start()
            place.run("setup", check=True)
            wait_until(lambda: sets() == 100, seconds=60, what="all sets again")

    def test_memory_grows_little_with_their_number(self):
        with Place() as place:
            folder = place.folder / "caches"
            for number in range(500):
                (folder / f"c{number}").mkdir(parents=True)
            process = place.home("--caches-in", folder)

            def kibibytes():
                """What is not of a file: the programs' own pages depend on what else the kernel keeps."""
                return int(re.search(r"(?m)^Anonymous:\s+(\d+)", Path(f"/proc/{process.pid}/smaps_rollup").read_text())[1])

            # Measured: 2 MiB and 1.5 KiB a cache.
            wait_until(lambda: kibibytes() < 2_500 + 500 * 3, what="little memory")


class Keys(unittest.TestCase):
    def test_what_no_path_is_encoded_as_is_left_alone_and_counted(self):
        with Place() as place, Client(place.engine) as client:
            cache = place.cache()
            outside = place.folder / "outside"
            outside.mkdir()
            (cache / "events").symlink_to(outside)
            before = sorted(path.name for path in place.folder.iterdir())
            place.home("--cache", cache)
            foreign = [
                "kitchen.tasks.=2E=2E.=2E=2E.x", "kitchen.tasks.=2Fetc", "kitchen.tasks.a=00b", "kitchen.tasks.a=2fb",
                "kitchen.tasks.=61", "kitchen.snapshots.manifest", "kitchen.=2Ebridge.kept", "kitchen.other.x",
                "elsewhere.tasks.x", "=.tasks.x", "_good.tasks.x", "kitchen", "kitchen.=2E=2E.tasks.x",
            ]
            for key in foreign:
                client.put(key, tasks("foreign"))
            client.put("kitchen.events.link", b"{}")  # through a link: it cannot be written, and stops no other
            client.put("kitchen.tasks.fine", tasks("fine"))
            wait_until((cache / "tasks/fine.json").exists, what="the fine one")
            status = wait_until(lambda: (s := place.status()).get("leftAlone") == len(foreign) and s, what="the count")
            self.assertEqual([os.listdir(outside), os.listdir(cache / "tasks")], [[], ["fine.json"]])
            self.assertEqual(status["unwritten"], 1)
            self.assertIn("events/link.json", status["problems"][0]["message"])
            self.assertEqual(before, [n for n in sorted(p.name for p in place.folder.iterdir()) if "errors" not in n])

    def test_a_deletion_removes_a_file_only_as_long_as_it_is_the_bridges(self):
        with Place() as place, Client(place.engine) as client:
            cache = place.cache()
            place.home("--cache", cache)
            for key in "abc":
                client.put(f"kitchen.tasks.{key}", tasks(key))
            # Keys of several shards come in any order.
            wait_until(lambda: all((cache / f"tasks/{key}.json").exists() for key in "abc"), what="the files")
            (cache / "tasks/b.json").write_bytes(tasks("edited here"))
            (cache / "tasks/own.json").write_bytes(tasks("own"))
            for key in ["a", "b", "own"]:
                client.delete(f"kitchen.tasks.{key}")
            client.put("kitchen.tasks.end", tasks("end"))
            wait_until((cache / "tasks/end.json").exists, what="the last")
            self.assertEqual(sorted(os.listdir(cache / "tasks")), ["b.json", "c.json", "end.json", "own.json"])
            self.assertEqual((cache / "tasks/b.json").read_bytes(), tasks("edited here"))
            self.assertEqual(sorted(os.listdir(cache / ".bridge")), ["kept", "lock", "owners"])

    def test_a_put_back_is_taken_only_if_it_is_newer(self):
        with Place() as place, Client(place.engine) as client:
            cache = place.cache()
            place.home("--cache", cache)
            file = cache / "tasks/a.json"
            client.put("kitchen.tasks.a", tasks("2"), **{"Cachesync_Again": "2000"})
            wait_until(lambda: file.exists() and file.read_bytes() == tasks("2"), what="the file")
            client.put("kitchen.tasks.a", tasks("1"), **{"Cachesync_Again": "1000"})
            client.put("kitchen.tasks.end", tasks("end"))
            wait_until((cache / "tasks/end.json").exists, what="the last")
            self.assertEqual(file.read_bytes(), tasks("2"))
            client.put("kitchen.tasks.a", tasks("3"), **{"Cachesync_Again": "3000"})
            wait_until(lambda: file.read_bytes() == tasks("3"), what="the newer one")

    def test_a_local_edit_stands_until_a_newer_version_comes(self):
        with Place() as place, Client(place.engine) as client:
            cache = place.cache()
            home = place.home("--cache", cache)
            client.put("kitchen.tasks.a", tasks("engine"))
            file = cache / "tasks/a.json"
            wait_until(file.exists, what="the file")
            file.write_bytes(tasks("edited here"))
            home.send_signal(signal.SIGTERM)
            self.assertEqual(home.wait(), 0)
            place.home("--cache", cache)
            client.put("kitchen.tasks.end", tasks("end"))
            wait_until((cache / "tasks/end.json").exists, what="the last")
            self.assertEqual(file.read_bytes(), tasks("edited here"))


class Ownership(unittest.TestCase):
    def test_a_second_home_ends_with_75_unless_it_takes_over(self):
        with Place() as place, Client(place.engine) as client:
            cache, other = place.cache("kitchen"), place.cache("bath")
            first = place.home("--cache", cache, "--name", "first")
            second = place.run("home", "--cache", other)
            self.assertEqual(second.returncode, 75)
            self.assertIn("(first since", second.stderr)
            same = place.run("home", "--cache", cache)
            self.assertEqual(same.returncode, 75)
            place.home("--cache", other, "--name", "second", "--take-over")
            self.assertEqual(first.wait(timeout=10), 75)
            self.assertIn(b"took cachesync over (second since", first.errors.read_bytes())
            _, record = client.last_from_leader("KV_cachesync-out-0", "$KV.cachesync-out-0._owner")
            self.assertEqual(json.loads(record)["agent"], "second")
            client.put("kitchen.tasks.a", tasks("a"))
            client.put("bath.tasks.a", tasks("a"))
            wait_until((other / "tasks/a.json").exists, what="the file")
            self.assertFalse((cache / "tasks").exists())

    def test_a_home_that_has_sets_to_send_ends_when_another_takes_over(self):
        with Place() as place, Client(place.engine) as client:
            folder = place.folder / "caches"
            names = [f"c{number}" for number in range(40)]
            for name in names:
                (folder / name / "tasks").mkdir(parents=True)
                (folder / name / "tasks/a.json").write_bytes(tasks("a"))
            place.agent(folder, several=True)
            home = place.home("--caches-in", folder)
            wait_until(lambda: all(client.set(name) for name in names), what="the sets")
            home.send_signal(signal.SIGSTOP)
            place.home("--cache", place.cache("bath"), "--take-over")
            for name in names:
                (folder / name / "tasks/a.json").write_bytes(tasks("later"))
            for name in names:
                subprocess.run([AGENT, "wait", "--cache", folder / name], stdout=subprocess.DEVNULL, check=True)
            home.send_signal(signal.SIGCONT)
            self.assertEqual(home.wait(timeout=20), 75)

    def test_a_home_ends_on_a_signal_that_another_thread_of_it_takes(self):
        for _ in range(6):
            with Place() as place:
                home = place.home("--cache", place.cache())
                # The kernel gives it to whichever thread it wakes first.
                for number in [signal.SIGSTOP, signal.SIGTERM, signal.SIGCONT]:
                    home.send_signal(number)
                self.assertEqual(home.wait(timeout=20), 0)

    def test_a_home_with_much_to_write_to_a_slow_disk_ends_when_it_is_told_to(self):
        with Place() as place, Client(place.engine) as client:
            caches = [place.cache(f"c{number}") for number in range(20)]
            for number in range(400):
                client.put(f"c{number % 20}.tasks.k{number}", tasks("a"))
            slow = ["strace", "-D", "-f", "-qq", "-o", "/dev/null", "-e", "trace=fsync", "-e",
                    "inject=fsync:delay_enter=50000"]
            home = place.home(*(word for cache in caches for word in ("--cache", cache)), wrapper=slow, wait=False)
            wait_until(lambda: any((cache / "tasks").exists() for cache in caches), what="the first files")
            home.send_signal(signal.SIGTERM)
            self.assertEqual(home.wait(timeout=10), 0)

    def test_every_message_of_out_is_the_owners(self):
        with Place() as place, Client(place.engine) as client:
            cache = place.cache(sample=True)
            place.agent(cache)
            place.home("--cache", cache)
            wait_until(lambda: client.set("kitchen"), what="the set")
            nonce = json.loads(client.last_from_leader("KV_cachesync-out-0", "$KV.cachesync-out-0._owner")[1])["nonce"]
            headers, _ = client.get("KV_cachesync-out-0", "$KV.cachesync-out-0.kitchen")
            self.assertEqual(headers["Cachesync-Owner"], nonce)
            self.assertIn("Nats-Expected-Last-Sequence", headers)
            self.assertNotIn("Nats-Msg-Id", headers)

    def test_a_home_that_was_killed_goes_on_at_once(self):
        with Place() as place, Client(place.engine) as client:
            cache = place.cache()
            for _ in range(3):
                home = place.home("--cache", cache)
                self.assertIsNone(home.poll())
                place.end(home)


class Faults(unittest.TestCase):
    def test_the_engine_starts_again_empty_or_not(self):
        with Place() as place:
            cache = place.cache(sample=True)
            place.agent(cache)
            home = place.home("--cache", cache)
            place.engine.stop()
            wait_until(lambda: b"cannot be reached" in home.errors.read_bytes(), what="the message")
            before = json.loads((cache / "snapshots/manifest.json").read_bytes())["generation"]
            (cache / "tasks/local.json").write_bytes(tasks("While it was away"))
            wait_until(lambda: json.loads((cache / "snapshots/manifest.json").read_bytes())["generation"] > before)
            place.engine.start()
            with Client(place.engine) as client:
                wait_until(lambda: (s := client.set("kitchen")) and s[0]["generation"] > before, what="the newest set")
                client.put("kitchen.tasks.later", tasks("later"))
                wait_until((cache / "tasks/later.json").exists, what="the file")
            place.engine.wipe()
            place.engine.start()
            place.run("setup", check=True)
            with Client(place.engine) as client:
                wait_until(lambda: client.set("kitchen"), what="the set in the empty engine")
                client.put("kitchen.tasks.later", tasks("after the wipe"))
                wait_until(lambda: (cache / "tasks/later.json").read_bytes() == tasks("after the wipe"))
            self.assertIsNone(home.poll())

    def test_an_engine_that_is_rolled_back_to_an_earlier_run_s_record_keeps_its_home(self):
        with Place() as place:
            cache = place.cache(sample=True)

            def nonce():
                with Client(place.engine) as client:
                    found = client.last_from_leader("KV_cachesync-out-0", "$KV.cachesync-out-0._owner")
                return json.loads(found[1])["nonce"]

            place.end(place.home("--cache", cache))
            earlier = nonce()
            place.engine.stop()
            shutil.copytree(place.engine.folder / "js", place.engine.folder / "backup")
            place.engine.start()
            home = place.home("--cache", cache)
            self.assertNotEqual(nonce(), earlier)
            place.engine.wipe()
            shutil.copytree(place.engine.folder / "backup", place.engine.folder / "js")
            place.engine.start()
            wait_until(lambda: home.poll() is not None or nonce() != earlier, what="the home's record")
            self.assertIsNone(home.poll(), home.errors.read_bytes())

    def test_an_engine_that_falls_silent_is_noticed(self):
        with Place() as place, Client(place.engine) as client:
            cache = place.cache()
            home = place.home("--cache", cache)
            place.engine.process.send_signal(signal.SIGSTOP)
            try:
                wait_until(lambda: b"cannot be reached" in home.errors.read_bytes(), seconds=40, what="the message")
            finally:
                place.engine.process.send_signal(signal.SIGCONT)
            client.put("kitchen.tasks.a", tasks("a"))
            wait_until((cache / "tasks/a.json").exists, what="the file")

    def test_a_set_that_is_too_large_is_not_sent_and_told_of(self):
        with Place(settings="max_payload: 2048\n") as place, Client(place.engine) as client:
            cache = place.cache(sample=True)
            place.agent(cache)
            home = place.home("--cache", cache)
            status = wait_until(lambda: (s := place.status()) and s["problems"] and s, what="the problem")
            self.assertIn("max_payload: 2048", status["problems"][0]["message"])
            self.assertIn(b"max_payload: 2048", home.errors.read_bytes())
            self.assertIsNone(client.set("kitchen"))
            client.put("kitchen.tasks.a", tasks("a"))
            wait_until((cache / "tasks/a.json").exists, what="the file, all the same")

    def test_a_file_that_cannot_be_written_is_tried_again_until_the_engine_has_it_no_more(self):
        with Place() as place, Client(place.engine) as client:
            cache = place.cache()
            for name in ["written", "removed"]:
                (cache / f"tasks/{name}.json").mkdir(parents=True)
            place.home("--cache", cache)
            client.put("kitchen.tasks.written", tasks("written"))
            sequence = client.put("kitchen.tasks.removed", tasks("removed"))
            status = wait_until(lambda: (s := place.status()) and s["unwritten"] == 2 and s, what="the problems")
            self.assertEqual(len(status["problems"]), 2)
            client.request("$JS.API.STREAM.MSG.DELETE.KV_cachesync-in-0", json.dumps({"seq": sequence}).encode())
            (cache / "tasks/written.json").rmdir()
            # The first attempt is 10 s after the failure.
            wait_until(lambda: (s := place.status()) and s["unwritten"] == 0 and not s["problems"], seconds=40,
                       what="their end")
            self.assertEqual((cache / "tasks/written.json").read_bytes(), tasks("written"))
            self.assertTrue((cache / "tasks/removed.json").is_dir())

    def test_a_set_that_the_stream_does_not_take_keeps_no_other_waiting(self):
        with Place() as place, Client(place.engine) as client:
            config = client.stream_info("KV_cachesync-out-0")["config"] | {"max_msg_size": 20_000}
            client.request("$JS.API.STREAM.UPDATE.KV_cachesync-out-0", json.dumps(config).encode())
            large, small = place.cache("large", sample=True), place.cache("small")
            place.agent(large)
            home = place.home("--cache", large, "--cache", small)
            wait_until(lambda: b"message size exceeds" in home.errors.read_bytes(), what="the message")
            (small / "tasks").mkdir()
            (small / "tasks/a.json").write_bytes(tasks("a"))
            place.agent(small)
            wait_until(lambda: client.set("small"), what="the other cache's set")
            self.assertIsNone(client.set("large"))
            status = wait_until(lambda: (s := place.status()) and s["problems"] and s, what="the problem")
            self.assertEqual(len(status["problems"]), 1)
            self.assertIn("cache large: its set cannot be sent", status["problems"][0]["message"])
            client.request("$JS.API.STREAM.UPDATE.KV_cachesync-out-0",
                           json.dumps(config | {"max_msg_size": -1}).encode())
            (large / "tasks/b.json").write_bytes(tasks("b"))
            wait_until(lambda: client.set("large"), what="the set")
            wait_until(lambda: (s := place.status()) and not s["problems"], what="the end of the problem")

    def test_snapshots_that_are_replaced_while_events_are_lost_are_watched(self):
        with Place() as place, Client(place.engine) as client:
            cache = place.cache()
            agent = place.agent(cache)
            home = place.home("--cache", cache)
            wait_until(lambda: client.set("kitchen"), what="the set")
            place.end(agent)
            most = int(Path("/proc/sys/fs/inotify/max_queued_events").read_text())
            home.send_signal(signal.SIGSTOP)
            try:
                # Two names in turn, since the kernel joins equal events.
                for number in range(most // 4 + 100):
                    for name in ["x", "y"]:
                        os.close(os.open(cache / name, os.O_CREAT | os.O_WRONLY))
                        os.unlink(cache / name)
                (cache / "snapshots").rename(place.folder / "old")
                shutil.copytree(place.folder / "old", cache / "snapshots")
            finally:
                home.send_signal(signal.SIGCONT)
            wait_until(place.status, what="that the home goes on")
            generation = client.set("kitchen")[0]["generation"]
            (cache / "tasks").mkdir()
            (cache / "tasks/a.json").write_bytes(tasks("a"))
            place.agent(cache)
            wait_until(lambda: client.set("kitchen")[0]["generation"] > generation, what="the next set")

    def test_a_home_killed_between_the_record_and_the_rename_finishes_it(self):
        with Place() as place, Client(place.engine) as client:
            cache = place.cache()
            # The first rename is that of the nonces, the second that of the file.
            inject = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=renameat,renameat2",
                      "-e", "inject=renameat,renameat2:signal=KILL:when=2"]
            home = place.home("--cache", cache, wrapper=inject)
            client.put("kitchen.tasks.a", tasks("a"))
            home.wait(timeout=20)
            left = [name for name in os.listdir(cache / ".bridge") if name.startswith("new-")]
            self.assertEqual((len(left), (cache / "tasks/a.json").exists()), (1, False))
            place.home("--cache", cache)
            wait_until((cache / "tasks/a.json").exists, what="the file")
            self.assertEqual((cache / "tasks/a.json").read_bytes(), tasks("a"))
            self.assertFalse([name for name in os.listdir(cache / ".bridge") if name.startswith("new-")])

    def test_a_deletion_is_on_disk_before_it_counts_as_kept(self):
        with Place() as place, Client(place.engine) as client:
            cache = place.cache()
            calls = place.folder / "calls"
            place.home("--cache", cache, wrapper=["strace", "-f", "-y", "-qq", "-s", "100", "-o", calls, "-e",
                                                  "trace=renameat,renameat2,fsync,fdatasync"])
            client.put("kitchen.tasks.a", tasks("a"))
            wait_until((cache / "tasks/a.json").exists, what="the file")
            client.delete("kitchen.tasks.a")
            wait_until(lambda: b"gone tasks.a " in (cache / ".bridge/kept").read_bytes(), what="the record")
            wait_until(lambda: re.search(r'"a.json", .*"aside-[^\n]*\n(.*fsync[^\n]*\n)*.*fdatasync[^\n]*/kept>',
                                         calls.read_text()), what="the calls")
            after = calls.read_text().split('"aside-')[1].split("\n", 1)[1]
            self.assertIn(f"<{cache}/tasks>", after.split("/kept>")[0])

    def test_a_file_that_was_moved_aside_comes_back_and_replaces_no_newer_one(self):
        # What some kernels and file systems do not do: links to files of others, and renames that replace nothing.
        for missing in ["linkat:error=EPERM", "renameat2:error=EINVAL"]:
            with self.subTest(missing), Place() as place, Client(place.engine) as client:
                cache = place.cache()
                place.end(place.home("--cache", cache))
                (cache / "tasks").mkdir()
                (cache / "tasks/a.json").write_bytes(tasks("newer"))
                for name in "ab":
                    (cache / f".bridge/aside-{name}").write_bytes(tasks("aside"))
                with open(cache / ".bridge/kept", "a") as kept:
                    kept.write("aside tasks.a aside-a\naside tasks.b aside-b\n")
                place.home("--cache", cache, wrapper=["strace", "-f", "-qq", "-o", "/dev/null", "-e", f"inject={missing}"])
                client.put("kitchen.tasks.end", tasks("end"))
                wait_until((cache / "tasks/end.json").exists, what="the last")
                self.assertEqual((cache / "tasks/a.json").read_bytes(), tasks("newer"))
                self.assertEqual((cache / "tasks/b.json").read_bytes(), tasks("aside"))
                self.assertEqual(sorted(os.listdir(cache / ".bridge")), ["kept", "lock", "owners"])

    def test_deletions_of_files_that_are_not_there_share_their_flushes(self):
        with Place() as place, Client(place.engine) as client:
            cache = place.cache()
            for number in range(400):
                client.delete(f"kitchen.tasks.k{number}")
            client.put("kitchen.tasks.end", tasks("end"))
            calls = place.folder / "calls"
            place.home("--cache", cache, wrapper=["strace", "-f", "-qq", "-o", calls, "-e", "trace=fdatasync"])
            wait_until((cache / "tasks/end.json").exists, what="the last")
            self.assertEqual((cache / ".bridge/kept").read_bytes().count(b"gone "), 400)
            self.assertLess(calls.read_text().count("fdatasync("), 200)

    def test_a_home_that_is_killed_at_random_loses_nothing(self):
        chance = random.Random(7)
        with Place() as place, Client(place.engine) as client:
            cache = place.cache()
            last = {}
            for round_ in range(12):
                home = place.home("--cache", cache)
                for number in range(chance.randrange(5, 60)):
                    key = f"k{chance.randrange(12)}"
                    if chance.random() < 0.2:
                        client.delete(f"kitchen.tasks.{key}")
                        last[key] = None
                    else:
                        last[key] = tasks(f"{round_}-{number}")
                        client.put(f"kitchen.tasks.{key}", last[key])
                place.end(home)
            place.home("--cache", cache)
            client.put("kitchen.tasks.end", tasks("end"))
            last["end"] = tasks("end")
            wait_until((cache / "tasks/end.json").exists, what="the last")
            expected = {f"{key}.json": value for key, value in last.items() if value is not None}
            found = {name: (cache / "tasks" / name).read_bytes() for name in os.listdir(cache / "tasks")}
            self.assertEqual(found, expected)
            self.assertEqual(sorted(os.listdir(cache / ".bridge")), ["kept", "lock", "owners"])

    def test_a_cache_that_is_deleted_is_left_alone_and_one_that_comes_back_is_filled(self):
        with Place() as place, Client(place.engine) as client:
            cache = place.cache()
            place.home("--cache", cache)
            client.put("kitchen.tasks.a", tasks("a"))
            wait_until((cache / "tasks/a.json").exists, what="the file")
            subprocess.run(["rm", "-r", cache], check=True)
            client.put("kitchen.tasks.b", tasks("b"))
            wait_until(lambda: (s := place.status()) and not s["caches"][0]["served"], what="that it is not served")
            self.assertFalse(cache.exists())
            cache.mkdir()
            wait_until(lambda: (cache / "tasks/a.json").exists() and (cache / "tasks/b.json").exists(), what="both")


class Reading(unittest.TestCase):
    def test_begins_anew_at_any_time(self):
        """Each cache that comes has its shard read anew, while what was asked for before still arrives. libnats 3.4.1 aborts
        when its subscription is freed in an instant that no test can choose (nats.c, issue 637): before the bridge waited
        with that, it died in three of four runs of 30 s."""
        shards, end = 8, time.monotonic() + 20
        with Place(shards=shards) as place, Client(place.engine) as client:
            for number in range(shards * 3000):
                client.publish(f"$KV.cachesync-in-{number % shards}.elsewhere.tasks.t{number}", b"[]")
            client.flush()
            caches = place.folder / "caches"
            (caches / "first").mkdir(parents=True)
            home = place.home("--caches-in", caches)
            count = 0
            while time.monotonic() < end and home.poll() is None:
                for count in range(count + 1, count + 25):
                    (caches / f"c{count}").mkdir()
                # As long as the home collects the caches that come before it reads anew.
                time.sleep(0.1)
            self.assertIsNone(home.poll(), home.errors.read_text())
            last = f"c{count}"
            client.put(f"{last}.tasks.a", tasks("a"), shard=shard(last, shards))
            wait_until((caches / last / "tasks/a.json").exists, 60, "a drop into the last cache")


class Memory(unittest.TestCase):
    def test_what_a_burst_of_drops_took_is_given_back(self):
        with Place() as place, Client(place.engine) as client:
            cache = place.cache()
            count, session = 1500, tasks("x" * 12_000)
            for number in range(count):
                client.publish(f"$KV.cachesync-in-0.kitchen.tasks.t{number}", session)
            client.flush()
            home = place.home("--cache", cache)
            folder = cache / "tasks"
            wait_until(lambda: folder.is_dir() and len(list(folder.glob("t*.json"))) == count, 60, "the files")

            def anonymous():
                """KiB, without the program's own file and the libraries'."""
                return int(Path(f"/proc/{home.pid}/status").read_text().split("RssAnon:")[1].split()[0])

            # Measured: 15,900 while they come, 3,300 afterwards.
            wait_until(lambda: anonymous() < 8_000, what="that the memory is given back")


if __name__ == "__main__":
    unittest.main()
