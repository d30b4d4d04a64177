"""A pool's member: what it does with the caches of the shards that it owns, through takeovers, deaths and losses."""

import datetime
import json
import os
import signal
import subprocess
import tempfile
import time
import unittest
import unittest.mock
from pathlib import Path

from support import AGENT, Client, Place, outputs, tasks, wait_until

OUT = "KV_cachesync-out-0"
INVALID = b'{"tasks": 5}'


class Member:
    """A host of a pool: a directory of caches, an agent, and a bridge."""

    def __init__(self, place, name="one"):
        self.place = place
        self.name = name
        self.folder = place.folder / f"pool-{name}"
        self.folder.mkdir(exist_ok=True)
        self.agent = self.bridge = None
        self.start_agent()
        self.start_bridge()

    def start_agent(self):
        self.agent = subprocess.Popen(
            [AGENT, "run", "--caches-in", self.folder, "--durability", "rename"], stderr=subprocess.DEVNULL)
        self.place.processes.append(self.agent)

    def start_bridge(self):
        self.bridge = self.place.start("pool", "--caches-in", self.folder, "--name", self.name)

    def kill(self):
        """Everything of the host dies at once."""
        self.place.end(self.bridge)
        self.place.end(self.agent)

    def cache(self, name="kitchen"):
        return self.folder / name

    def names(self):
        return sorted(path.name for path in self.folder.iterdir() if path.name not in [".bridge", "="])

    def leaving(self):
        return os.listdir(self.folder / ".bridge/leaving")

    def wait(self, name="kitchen"):
        """Until the agent has published everything that is in a cache."""
        wait_until(lambda: subprocess.run([AGENT, "wait", "--cache", self.cache(name)], capture_output=True).returncode == 0,
                   30, what=f"the agent of {name}")


def shown(cache):
    """What an agent shows of a cache, as a set that it would be."""
    return message(outputs(cache))


def published(client, cache="kitchen"):
    """The content of a cache's set in the engine; None when there is none."""
    found = client.get(OUT, f"$KV.cachesync-out-0.{cache}")
    return found and found[1] or None


def generation(client, cache="kitchen"):
    found = published(client, cache)
    return found and json.loads(found.split(b"\n", 1)[0])["generation"]


def good(client, key):
    """The last good version of a key in the engine; None when there is none."""
    found = client.get(OUT, f"$KV.cachesync-out-0._good.{key}")
    return found and found[1] or None


class Takeover(unittest.TestCase):
    def test_a_set_stays_as_it_was_to_the_byte_and_the_next_generation_follows_a_drop(self):
        with Place() as place, Client(place.engine) as client:
            first = Member(place, "one")
            client.put("kitchen.tasks.a", tasks("0"))
            wait_until(lambda: generation(client), 30, what="the first set")
            for number in range(1, 5):
                client.put("kitchen.tasks.a", tasks(f"Oats {number}"))
                wait_until(lambda: f"Oats {number}".encode() in published(client), what=f"set {number}")
            first.wait()
            wait_until(lambda: published(client) == message(outputs(first.cache())), what="the last set")
            before, last = published(client), generation(client)
            first.kill()
            second = Member(place, "two")
            wait_until(lambda: (second.cache() / "tasks/a.json").exists(), 30, what="the cache")
            second.wait()
            self.assertEqual(message(outputs(second.cache())), before)
            self.assertEqual(published(client), before)
            client.put("kitchen.tasks.a", tasks("Oats next"))
            wait_until(lambda: b"Oats next" in published(client), what="the set after a drop")
            self.assertEqual(generation(client), last + 1)

    def test_files_have_their_producers_times(self):
        """A completed tasks file without lastUpdate is dated by its time."""
        with Place() as place, Client(place.engine) as client:
            client.put("kitchen.tasks.a", tasks("a"), Cachesync_Modified="1500000000123456789")
            client.put("kitchen.tasks.b", tasks("b"), Cachesync_Modified="1500000000123456789")
            member = Member(place)
            wait_until((member.cache() / "tasks/b.json").exists, 30, what="the cache")
            client.put("kitchen.tasks.c", tasks("c"), Cachesync_Modified="1600000000000000001")
            wait_until((member.cache() / "tasks/c.json").exists, what="a later file")
            times = [(member.cache() / f"tasks/{name}.json").stat().st_mtime_ns for name in "abc"]
            self.assertEqual(times, [1500000000123456789, 1500000000123456789, 1600000000000000001])

    def test_keys_that_no_cache_has_are_left_alone(self):
        with Place() as place, Client(place.engine) as client:
            for key in ["kitchen.other.x", "=3D.tasks.x", "kitchen.tasks.=2E=2E.x"]:
                client.put(key, tasks("x"))
            client.put("=5Fhidden.tasks.x", tasks("x"))
            member = Member(place)
            wait_until(lambda: member.names() == ["_hidden"], 30, what="the one cache")
            wait_until(lambda: place.status().get("leftAlone") == 3, what="the count")
            self.assertEqual(os.listdir(member.folder / "=/tasks"), ["question.json"])

    # In memory: for some seconds after other tests deleted thousands of files, ext4 searches long for a place for new ones.
    @unittest.mock.patch.object(tempfile, "tempdir", "/dev/shm")
    def test_a_thousand_caches_come_at_once(self):
        count = 1_000
        with Place() as place, Client(place.engine) as client:
            for number in range(count):
                for name in "abc":
                    client.publish(f"$KV.cachesync-in-0.c{number}.tasks.{name}", tasks(f"{number} {name}"))
            client.flush()
            first = Member(place, "one")
            wait_until(lambda: client.stream_info(OUT)["state"]["messages"] == count + 1, 120, what="all sets")
            first.kill()
            second = Member(place, "two")
            wait_until(lambda: len(second.names()) == count, 60, what="the caches")
            owner = json.loads(client.last_from_leader(OUT, "$KV.cachesync-out-0._owner")[1])
            begin = datetime.datetime.fromisoformat(owner["since"]).timestamp()
            # Nothing comes or goes here after the last of them.
            end = second.folder.stat().st_mtime
            fields = Path(f"/proc/{second.bridge.pid}/stat").read_text().split()
            used = (int(fields[13]) + int(fields[14])) / os.sysconf("SC_CLK_TCK")
            wait_until(lambda: len(list(second.folder.glob("*/.cachesync/socket"))) == count + 1, 120, what="the agent")
            served = time.time()
            print(f"\n{count} caches of 3 files came {end - begin:.2f} s after the claim "
                  f"({used:.2f} s of processor time), and their agent served them after {served - begin:.2f} s")
            self.assertEqual(len(list((second.cache("c7") / "tasks").iterdir())), 3)


def message(files):
    """A set as one message, of the files that it has in a cache."""
    manifest = files["manifest.json"]
    return manifest + b"".join(files[name] for name in sorted(json.loads(manifest)["files"]))


class LastGood(unittest.TestCase):
    def test_what_was_shown_is_shown_after_a_takeover(self):
        with Place() as place, Client(place.engine) as client:
            first = Member(place, "one")
            client.put("kitchen.tasks.a", tasks("Good oats"))
            wait_until(lambda: b"Good oats" in (published(client) or b""), 30, what="the set")
            client.put("kitchen.tasks.a", INVALID)
            wait_until(lambda: (first.cache() / "tasks/a.json").read_bytes() == INVALID, what="the invalid file")
            self.assertEqual(good(client, "kitchen.tasks.a"), tasks("Good oats"))
            first.wait()
            self.assertIn(b"Good oats", shown(first.cache()))
            first.kill()
            second = Member(place, "two")
            file = second.cache() / "tasks/a.json"
            wait_until(lambda: file.exists() and file.read_bytes() == INVALID, 30, what="the invalid file")
            second.wait()
            self.assertIn(b"Good oats", shown(second.cache()))
            self.assertIn(b"tasks/a.json", shown(second.cache()), "the problem is told")
            client.put("kitchen.tasks.a", tasks("Better oats"))
            wait_until(lambda: b"Better oats" in published(client), what="the set")
            wait_until(lambda: good(client, "kitchen.tasks.a") is None, what="the end of the good version")

    def test_invalid_settings_do_not_change_the_zone_in_a_takeover(self):
        with Place() as place, Client(place.engine) as client:
            first = Member(place, "one")
            client.put("kitchen.cachesync", b'{"timeZone": "Pacific/Auckland"}')
            client.put("kitchen.tasks.a", tasks("a"))
            wait_until(lambda: b"Pacific/Auckland" in (published(client) or b""), 30, what="the zone")
            client.put("kitchen.cachesync", b'{"timeZone": "Mars/Base"}')
            settings = first.cache() / "cachesync.json"
            wait_until(lambda: b"Mars" in settings.read_bytes(), what="the invalid settings")
            self.assertEqual(good(client, "kitchen.cachesync"), b'{"timeZone": "Pacific/Auckland"}')
            first.kill()
            second = Member(place, "two")
            settings = second.cache() / "cachesync.json"
            wait_until(lambda: settings.exists() and b"Mars" in settings.read_bytes(), 30, what="the invalid settings")
            second.wait()
            self.assertIn(b"Pacific/Auckland", shown(second.cache()))
            self.assertIn(b"Pacific/Auckland", published(client))
            client.delete("kitchen.cachesync")
            wait_until(lambda: good(client, "kitchen.cachesync") is None, what="the end of the good settings")
            self.assertFalse(settings.exists())


class Losses(unittest.TestCase):
    def filled(self, place, client):
        """A member with two caches, one file of which is deleted, and the sets in the engine."""
        member = Member(place)
        for key in ["kitchen.tasks.a", "kitchen.tasks.b", "study.tasks.a"]:
            client.put(key, tasks(key), Cachesync_Modified="1700000000000000007")
        wait_until(lambda: published(client) and published(client, "study"), 30, what="the sets")
        client.delete("kitchen.tasks.b")
        wait_until(lambda: not (member.cache() / "tasks/b.json").exists(), what="the deletion")
        member.wait()
        wait_until(lambda: published(client) == message(outputs(member.cache())), what="the last set")
        return member

    @staticmethod
    def revive(client, deleted):
        """An `away` that was off when the key was deleted puts back what it had."""
        client.request("$KV.cachesync-in-0.kitchen.tasks.b", tasks("revived"), {
            "Cachesync-Again": str(deleted - 1), "Nats-Expected-Last-Subject-Sequence": "0"})

    def check_restored(self, place, member, versions, deleted, sets):
        """Everything is in the engine again, with the versions that it had, and what was deleted does not come back."""
        with Client(place.engine) as client:
            subject = "$KV.cachesync-in-0."
            for key, version in versions.items():
                headers, payload = wait_until(
                    lambda: client.get("KV_cachesync-in-0", subject + key), 30, what=f"{key} in the engine")
                self.assertEqual(headers["Cachesync-Again"], version)
                self.assertEqual(headers["Cachesync-Modified"], "1700000000000000007")
                self.assertEqual(payload, tasks(key))
            headers, payload = wait_until(
                lambda: (found := client.get("KV_cachesync-in-0", subject + "kitchen.tasks.b"))
                and "KV-Operation" in found[0] and found, 30, what="the deletion in the engine")
            self.assertEqual((headers["Cachesync-Again"], payload), (str(deleted), b""))
            wait_until(lambda: set(member.names()) == {"kitchen", "study"}, 30, what="the caches")
            client.put("study.tasks.z", tasks("z"))
            wait_until((member.cache("study") / "tasks/z.json").exists, what="a later drop")
            self.assertFalse((member.cache() / "tasks/b.json").exists())
            wait_until(lambda: generation(client), 30, what="the set")
            self.assertGreaterEqual(generation(client), sets["kitchen"])
            self.assertEqual((member.cache() / "tasks/a.json").stat().st_mtime_ns, 1700000000000000007)

    def state(self, client):
        versions = {}
        for key in ["kitchen.tasks.a", "study.tasks.a"]:
            versions[key] = str(nanoseconds(client.get("KV_cachesync-in-0", "$KV.cachesync-in-0." + key)[0]))
        deleted = nanoseconds(client.get("KV_cachesync-in-0", "$KV.cachesync-in-0.kitchen.tasks.b")[0])
        return versions, deleted, {name: generation(client, name) for name in ["kitchen", "study"]}

    def wipe(self, place):
        place.engine.wipe()
        place.engine.start()
        place.run("setup", "--shards", "1", check=True)

    def test_an_engine_that_was_wiped_while_a_bridge_was_dead_gets_everything_back(self):
        with Place() as place:
            with Client(place.engine) as client:
                member = self.filled(place, client)
                state = self.state(client)
            member.bridge.send_signal(signal.SIGKILL)
            member.bridge.wait()
            self.wipe(place)
            with Client(place.engine) as client:
                self.revive(client, state[1])
            member.start_bridge()
            self.check_restored(place, member, *state)
            wait_until(lambda: not member.leaving(), 30, what="the end of the copies")

    def test_an_engine_that_was_wiped_while_it_was_served_gets_everything_back(self):
        with Place() as place:
            with Client(place.engine) as client:
                member = self.filled(place, client)
                state = self.state(client)
            before = message(outputs(member.cache()))
            self.wipe(place)
            with Client(place.engine) as client:
                self.revive(client, state[1])
            self.check_restored(place, member, *state)
            with Client(place.engine) as client:
                self.assertEqual(published(client), before)

    def test_an_edited_copy_is_not_put_back(self):
        with Place() as place:
            with Client(place.engine) as client:
                member = self.filled(place, client)
            member.kill()
            (member.cache("study") / "tasks/a.json").write_bytes(tasks("edited"))
            self.wipe(place)
            member.start_agent()
            member.start_bridge()
            wait_until(lambda: member.names() == ["kitchen"], 30, what="the other cache")
            with Client(place.engine) as client:
                self.assertIsNone(client.get("KV_cachesync-in-0", "$KV.cachesync-in-0.study.tasks.a"))

    def test_a_set_that_never_reached_the_engine_is_no_set_of_another_content(self):
        """The engine has generation N, a dead member's copy has N+1: readers never see N+1 with two contents."""
        with Place() as place:
            with Client(place.engine) as client:
                member = self.filled(place, client)
                last = generation(client)
            member.bridge.send_signal(signal.SIGSTOP)
            (member.cache() / "tasks/a.json").write_bytes(tasks("here alone"))
            wait_until(lambda: b"here alone" in shown(member.cache()), what="the set of the agent")
            member.bridge.send_signal(signal.SIGKILL)
            member.bridge.wait()
            seen = {}
            with Client(place.engine) as client:
                bell = client.subscribe("cachesync.set.kitchen")

                def look():
                    content = published(client)
                    number = json.loads(content.split(b"\n", 1)[0])["generation"]
                    self.assertEqual(seen.setdefault(number, content), content, f"generation {number}")
                    return content

                look()
                member.start_bridge()
                wait_until(lambda: look() and (member.cache() / "tasks/a.json").exists(), 30, what="the cache")
                client.put("kitchen.tasks.a", tasks("Oats after"))
                wait_until(lambda: b"Oats after" in look(), 30, what="the set after a drop")
                self.assertGreater(generation(client), last)
                self.assertGreater(len(client.waiting(bell)), 0)


def nanoseconds(headers):
    """The version of a message that a direct get gave."""
    seconds, _, fraction = headers["Nats-Time-Stamp"].removesuffix("Z").partition(".")
    whole = int(subprocess.run(["date", "-u", "-d", seconds + "Z", "+%s"], capture_output=True, text=True, check=True).stdout)
    return whole * 10**9 + int(fraction.ljust(9, "0") or 0)


class Going(unittest.TestCase):
    def test_a_forgotten_cache_goes_and_comes_again_with_a_drop(self):
        with Place() as place, Client(place.engine) as client:
            member = Member(place)
            client.put("kitchen.tasks.a", tasks("a"))
            client.put("study.tasks.a", tasks("a"))
            wait_until(lambda: published(client) and published(client, "study"), 30, what="the sets")
            found = place.run("forget", "kitchen")
            self.assertEqual(found.returncode, 0, found.stderr)
            wait_until(lambda: member.names() == ["study"], 20, what="the end of the cache")
            self.assertIsNone(published(client))
            wait_until(lambda: not member.leaving(), what="the end of the copy")
            client.put("kitchen.tasks.a", tasks("Oats again"))
            wait_until(lambda: b"Oats again" in (published(client) or b""), 20, what="the new set")

    def test_a_cache_whose_last_file_is_deleted_stays_and_shows_nothing(self):
        with Place() as place, Client(place.engine) as client:
            member = Member(place)
            client.put("kitchen.tasks.a", tasks("Oats"))
            wait_until(lambda: b"Oats" in (published(client) or b""), 30, what="the set")
            before = generation(client)
            client.delete("kitchen.tasks.a")
            wait_until(lambda: generation(client) > before, 20, what="the set without it")
            self.assertEqual(member.names(), ["kitchen"])

    def test_what_is_let_go_leaves_no_copy_and_nothing_is_lost(self):
        with Place(shards=4) as place, Client(place.engine) as client:
            names = [f"c{number}" for number in range(40)]
            first = Member(place, "one")
            for name in names:
                place.run("drop", name, "tasks", "--name", "a", input=tasks(name).decode(), check=True)
            wait_until(lambda: first.names() == sorted(names), 60, what="the caches")
            second = Member(place, "two")
            wait_until(lambda: second.names() and sorted(first.names() + second.names()) == sorted(names), 90,
                       what="a division")
            wait_until(lambda: not first.leaving(), 30, what="the end of the copies")
            for member in [first, second]:
                for name in member.names():
                    self.assertEqual((member.cache(name) / "tasks/a.json").read_bytes(), tasks(name))
            kept = (first.folder / ".bridge/kept").read_text().splitlines()
            last = {line.split()[1]: line.split()[:3] for line in kept}
            kept = {key.split(".")[0] for key, words in last.items() if words != ["gone", key, "0"]}
            self.assertEqual(kept, set(first.names()))


class Housekeeping(unittest.TestCase):
    def test_an_intent_that_has_ended_is_deleted_and_no_other_file(self):
        with Place() as place, Client(place.engine) as client:
            member = Member(place)
            at = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(days=9)
            intent = {"id": "i9", "type": "add-task", "at": at.strftime("%Y-%m-%dT%H:%M:%SZ"), "title": "Oats"}
            client.put("kitchen.intents.i9", json.dumps(intent).encode())
            client.put("kitchen.tasks.a", tasks("a"))
            wait_until((member.cache() / "tasks/a.json").exists, 30, what="the cache")

            def last():
                return client.get("KV_cachesync-in-0", "$KV.cachesync-in-0.kitchen.intents.i9")[0].get("KV-Operation")

            wait_until(lambda: last() == "DEL", 60, what="the end of the intent")
            wait_until(lambda: not (member.cache() / "intents/i9.json").exists(), what="the end of the file")
            self.assertEqual((member.cache() / "tasks/a.json").read_bytes(), tasks("a"))


if __name__ == "__main__":
    unittest.main()
