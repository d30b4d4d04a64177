"""An away, with the rights that the published configuration gives it: what is dropped there reaches home, what home's agent
publishes is shown there, and faults lose nothing."""

import contextlib
import json
import os
import random
import shutil
import signal
import subprocess
import threading
import time
import unittest

from proxy import LOSE, PASS, Proxy
from server import CONFIGURATION, replaced
from support import AGENT, Client, Engine, Place, tasks, wait_until

# The cache whose keys the published user `other` may read and write.
NAME = "other"
IN = "KV_cachesync-in-0"


class PublishedEngine(Engine):
    """The published configuration, of which only the address and the directory differ."""

    login = {"user": "owner", "pass": "change-me-owner"}


class Sites(Place):
    """A home where an agent runs, and a directory where none does, with an engine between them."""

    def make_engine(self, settings):
        text = replaced(CONFIGURATION.read_text(), 'listen: "127.0.0.1:4222"', "")
        return PublishedEngine(replaced(text, 'store_dir: "/var/lib/nats"', "") + settings)

    def credentials(self, words):
        user = NAME if words[0] == "away" else "owner"
        file = self.folder / f"credentials-{user}"
        # Once: a command that was started may be reading it.
        if not file.exists():
            file.write_text(f"{user}:change-me-{user}\n")
            file.chmod(0o600)
        return [*words, "--credentials", file, *(["--shards", "1"] if words[0] == "away" else [])]

    def run(self, *words, **more):
        return super().run(*self.credentials(words), **more)

    def start(self, *words, **more):
        return super().start(*self.credentials(words), **more)

    def away(self, cache, *words, name=NAME, **more):
        return super().away(cache, *words, name=name, **more)

    def both(self, agent=False, sample=False):
        """Starts a home, and gives its cache and a directory for an away."""
        home, away = self.cache("home", sample=sample), self.cache("away")
        if agent:
            self.agent(home)
        self.home("--cache", f"{home}={NAME}")
        return home, away


def drop(cache, path, content):
    """As a producer should: whole from the first moment."""
    file = cache / path
    file.parent.mkdir(parents=True, exist_ok=True)
    temporary = file.with_name(f".{file.name}.new")
    temporary.write_bytes(content)
    temporary.rename(file)
    return file


def found(client, key):
    """The engine's message of a key: its headers and content."""
    return client.get(IN, f"$KV.cachesync-in-0.{NAME}.{key}")


def sequence(client, key):
    return int(found(client, key)[0]["Nats-Sequence"])


def is_deleted(client, key):
    return (message := found(client, key)) and message[0].get("KV-Operation") == "DEL"


def put(client, key, content, **headers):
    return client.put(f"{NAME}.{key}", content, **headers)


def record(cache):
    """What an away has written down, a list of words for each line."""
    file = cache / ".bridge/kept"
    return [line.split() for line in file.read_text().splitlines()] if file.exists() else []


def kept(cache):
    """What an away agreed on with the engine, by key: the words of its last line."""
    return {words[1]: words for words in record(cache) if words[0] != "sent"}


def noted(cache):
    """The keys of which an away has sent something, and not agreed on it yet."""
    return [key for key, kind in {words[1]: words[0] for words in record(cache)}.items() if kind == "sent"]


def is_acknowledgement(line, content):
    return line.startswith(b"MSG ") and f'"stream":"{IN}"'.encode() in content and b'"seq":' in content


def session_files(cache):
    found = {}
    for path in cache.glob("tasks/**/*.json"):
        # A bridge may delete it meanwhile.
        with contextlib.suppress(FileNotFoundError):
            found[str(path.relative_to(cache))] = path.read_bytes()
    return found


def snapshots(cache):
    return {path.name: path.read_bytes() for path in (cache / "snapshots").glob("*.json")}


def generation(cache):
    return json.loads((cache / "snapshots/manifest.json").read_bytes())["generation"]


def are_whole(cache):
    """Whether every file that the manifest names is there, of the generation that it names, and no other."""
    files = snapshots(cache)
    manifest = json.loads(files.pop("manifest.json"))
    named = {name: about["generation"] for name, about in manifest["files"].items()}
    return named == {name: json.loads(content)["generation"] for name, content in files.items()}


class Flow(unittest.TestCase):
    def test_a_drop_shows_at_home_and_home_s_snapshots_arrive_byte_for_byte(self):
        with Sites() as sites:
            home, away = sites.both(agent=True, sample=True)
            sites.away(away)
            wait_until(lambda: (away / "snapshots/manifest.json").exists(), what="the first set")
            for number, path in enumerate(["tasks/new.json", "tasks/below/a b.json", "tasks/ü=.json"]):
                file = drop(away, path, tasks(f"Oats {number}", number + 7))
                wait_until((home / path).exists, what=path)
                self.assertEqual((home / path).read_bytes(), file.read_bytes())
                self.assertEqual((home / path).stat().st_mtime_ns, file.stat().st_mtime_ns)
            subprocess.run([AGENT, "wait", "--cache", home], stdout=subprocess.DEVNULL, check=True)
            expected = snapshots(home)
            self.assertIn(b"Oats 2", expected["todays-tasks.json"])
            wait_until(lambda: snapshots(away) == expected, what="the set")
            for name in expected:
                subprocess.run(["cmp", home / "snapshots" / name, away / "snapshots" / name], check=True)

    def test_a_write_in_place_a_write_that_is_no_json_a_directory_and_settings_are_sent(self):
        with Sites() as sites:
            home, away = sites.both()
            sites.away(away)
            (away / "tasks").mkdir()
            (away / "tasks/a.json").write_bytes(tasks("in place"))
            (away / "tasks/half.json").write_bytes(b'{"tasks": [')
            (away / "cachesync.json").write_bytes(b'{"timeZone": "UTC"}')
            (away / "tasks/.hidden.json").write_bytes(tasks("half-written work"))
            (away / "notes.json").write_bytes(tasks("of no feed"))
            os.mkfifo(away / "tasks/fifo.json")
            whole = sites.folder / "whole"
            (whole / "deep").mkdir(parents=True)
            (whole / "deep/b.json").write_bytes(tasks("in a directory"))
            whole.rename(away / "tasks/moved")
            for path in ["tasks/a.json", "tasks/half.json", "cachesync.json", "tasks/moved/deep/b.json"]:
                wait_until(lambda: (home / path).exists() and (home / path).read_bytes() == (away / path).read_bytes(),
                           what=path)
            (away / "tasks/moved").rename(away / "tasks/again")
            wait_until((home / "tasks/again/deep/b.json").exists, what="the file in the moved directory")
            wait_until(lambda: not (home / "tasks/moved/deep/b.json").exists(), what="its absence where it was")
            (away / "tasks/again/deep/c.json").write_bytes(tasks("later"))
            wait_until((home / "tasks/again/deep/c.json").exists, what="a file in the moved directory")
            self.assertFalse((home / "notes.json").exists() or (home / "tasks/.hidden.json").exists())
            self.assertFalse((home / "tasks/fifo.json").exists())

    def test_a_deletion_and_a_rename(self):
        with Sites() as sites, Client(sites.engine) as client:
            home, away = sites.both()
            sites.away(away)
            for key in "abc":
                drop(away, f"tasks/{key}.json", tasks(key))
            wait_until(lambda: len(session_files(home)) == 3, what="the files")
            wait_until(lambda: len(kept(away)) == 3, what="the records")
            (away / "tasks/a.json").unlink()
            wait_until(lambda: "tasks/a.json" not in session_files(home), what="the deletion")
            (away / "tasks/b.json").rename(away / "tasks/d.json")
            wait_until(lambda: session_files(home) == session_files(away), what="the rename")
            self.assertLess(sequence(client, "tasks.d"), sequence(client, "tasks.b"), "the put comes before the deletion")
            # A file that comes back in time was not away.
            before = sequence(client, "tasks.c")
            (away / "tasks/c.json").rename(away / "tasks/c.json~")
            (away / "tasks/c.json~").rename(away / "tasks/c.json")
            drop(away, "tasks/end.json", tasks("end"))
            wait_until((home / "tasks/end.json").exists, what="the last")
            self.assertEqual(sequence(client, "tasks.c"), before)
            for key in ["tasks.a", "tasks.d"]:
                self.assertNotIn("Nats-Msg-Id", found(client, key)[0])

    def test_a_file_larger_than_the_engine_takes_is_told_of_and_stops_no_other(self):
        with Sites(settings="\nmax_payload: 4096\n") as sites:
            home, away = sites.both()
            process = sites.away(away)
            drop(away, "tasks/large.json", tasks("x" * 5000))
            # Its content alone would fit: the limit is about the headers too.
            drop(away, "tasks/full.json", tasks("x" * (4090 - len(tasks("")))))
            wait_until(lambda: b"large.json of" in process.errors.read_bytes(), what="the message")
            wait_until(lambda: b"full.json of 4090 bytes" in process.errors.read_bytes(), what="the other message")
            self.assertIn(b"max_payload: 4096", process.errors.read_bytes())
            drop(away, "tasks/small.json", tasks("small"))
            wait_until((home / "tasks/small.json").exists, what="the small file")
            drop(away, "tasks/large.json", tasks("small now"))
            wait_until((home / "tasks/large.json").exists, what="the file that is small now")
            self.assertIn(b"over: cache other: tasks/large.json", process.errors.read_bytes())

    def test_status_shows_an_away_that_may_hear_of_it(self):
        with Place() as place:
            home, away = place.cache("home"), place.cache("away")
            place.home("--cache", f"{home}=kitchen")
            place.away(away)

            def told():
                report = json.loads(place.run("status", "--json").stdout)
                return [bridge["role"] for bridge in report["bridges"]] == ["away", "home"] and report["bridges"][0]

            status = wait_until(told, what="both bridges")
            self.assertEqual(status["problems"], [])
            self.assertEqual([(c["cache"], c["served"], c["unsent"]) for c in status["caches"]], [("kitchen", True, 0)])


class Offline(unittest.TestCase):
    def test_what_is_done_without_an_engine_is_sent_when_there_is_one(self):
        with Sites() as sites, Client(sites.engine) as client:
            home, away = sites.both()
            process = sites.away(away)
            for key in ["kept", "edited", "deleted", "taken"]:
                drop(away, f"tasks/{key}.json", tasks(key))
            wait_until(lambda: len(kept(away)) == 4, what="the records")
            put(client, "tasks.taken", tasks("another's"))
            sites.engine.stop()
            wait_until(lambda: b"cannot be reached" in process.errors.read_bytes(), what="the message")
            drop(away, "tasks/edited.json", tasks("edited offline"))
            drop(away, "tasks/new.json", tasks("new offline"))
            (away / "tasks/deleted.json").unlink()
            sites.end(process)
            # Also by an away that begins without an engine.
            process = sites.away(away)
            drop(away, "tasks/newer.json", tasks("newer"))
            wait_until(lambda: b"cannot be reached" in process.errors.read_bytes(), what="the message at the start")
            sites.engine.start()
            expected = {f"tasks/{key}.json": tasks(text) for key, text in {
                "kept": "kept", "edited": "edited offline", "new": "new offline", "newer": "newer",
                "taken": "another's"}.items()}
            wait_until(lambda: session_files(home) == expected, seconds=30, what="home's files")
            self.assertEqual(session_files(away)["tasks/taken.json"], tasks("taken"), "files come from producers alone")

    def test_a_set_that_was_published_meanwhile_is_shown(self):
        with Sites() as sites:
            home, away = sites.both(agent=True)
            process = sites.away(away)
            wait_until(lambda: (away / "snapshots/manifest.json").exists(), what="the first set")
            sites.end(process)
            drop(home, "tasks/a.json", tasks("meanwhile"))
            subprocess.run([AGENT, "wait", "--cache", home], stdout=subprocess.DEVNULL, check=True)
            sites.away(away)
            wait_until(lambda: snapshots(away) == snapshots(home), what="the set")


class OtherWriters(unittest.TestCase):
    def test_what_another_client_wrote_later_is_neither_replaced_nor_deleted(self):
        with Sites() as sites, Client(sites.engine) as client:
            home, away = sites.both()
            process = sites.away(away)
            for key in ["deleted", "edited", "still"]:
                drop(away, f"tasks/{key}.json", tasks(key))
            wait_until(lambda: len(kept(away)) == 3, what="the records")
            for key in ["deleted", "edited", "still"]:
                put(client, f"tasks.{key}", tasks(f"another's {key}"))
            sites.end(process)
            sites.away(away)
            (away / "tasks/deleted.json").unlink()
            drop(away, "tasks/edited.json", tasks("edited here"))
            drop(away, "tasks/end.json", tasks("end"))
            wait_until(lambda: kept(away)["tasks.deleted"][0] == "gone", what="that the file is not ours")
            wait_until(lambda: session_files(home) == {
                "tasks/deleted.json": tasks("another's deleted"), "tasks/edited.json": tasks("edited here"),
                "tasks/still.json": tasks("another's still"), "tasks/end.json": tasks("end")}, what="home's files")


class Faults(unittest.TestCase):
    def test_an_engine_that_was_wiped_gets_everything_back_and_nothing_deleted(self):
        with Sites() as sites, Client(sites.engine) as client:
            home, away = sites.both()
            process = sites.away(away)
            for key in ["same", "taken", "deleted", "elsewhere"]:
                drop(away, f"tasks/{key}.json", tasks(key))
            wait_until(lambda: len(kept(away)) == 4 and len(session_files(home)) == 4, what="the records")
            client.delete(f"{NAME}.tasks.elsewhere")
            (away / "tasks/deleted.json").unlink()
            wait_until(lambda: kept(away)["tasks.deleted"][0] == "gone", what="the deletion")
            sites.engine.stop()
            sites.engine.start()
            wait_until(lambda: kept(away)["tasks.elsewhere"][0] == "left", what="the deletion elsewhere")
            wait_until(lambda: sorted(session_files(home)) == ["tasks/same.json", "tasks/taken.json"], what="home's files")
            versions = {key: words[2] for key, words in kept(away).items()}
            sites.end(process)
            process = sites.away(away)
            with Client(sites.engine) as client:
                own = sequence(client, "tasks.taken")
            process.send_signal(signal.SIGSTOP)
            sites.engine.wipe()
            sites.engine.start()
            with Client(sites.engine) as client:
                sites.run("setup", check=True)
                # The sequences come again: another client's message has the number that the away's had.
                while put(client, "tasks.taken", tasks("another's")) < own:
                    pass
                self.assertEqual(sequence(client, "tasks.taken"), own)
                process.send_signal(signal.SIGCONT)
                wait_until(lambda: found(client, "tasks.same"), what="the file that is put back")
                headers, content = found(client, "tasks.same")
                self.assertEqual((headers["Cachesync-Again"], content), (versions["tasks.same"], tasks("same")))
                for key in ["tasks.deleted", "tasks.elsewhere"]:
                    wait_until(lambda: is_deleted(client, key), what=f"the deletion of {key}")
                    self.assertEqual(found(client, key)[0]["Cachesync-Again"], versions[key])
                drop(away, "tasks/end.json", tasks("end"))
                expected = {"tasks/same.json": tasks("same"), "tasks/taken.json": tasks("another's"),
                            "tasks/end.json": tasks("end")}
                wait_until(lambda: session_files(home) == expected, what="home's files")
                # It is another's now, whatever its number is.
                (away / "tasks/taken.json").unlink()
                wait_until(lambda: kept(away)["tasks.taken"][0] == "gone", what="that the file is not ours")
                self.assertEqual(found(client, "tasks.taken")[1], tasks("another's"))
            self.assertIsNone(process.poll())

    def test_a_home_that_is_made_anew_is_shown_though_its_generations_begin_again(self):
        with Sites() as sites:
            home, away = sites.both()
            agent = sites.agent(home)
            process = sites.away(away)
            for number in range(5):
                drop(home, "tasks/a.json", tasks(f"{number}"))
                subprocess.run([AGENT, "wait", "--cache", home], stdout=subprocess.DEVNULL, check=True)
            wait_until(lambda: snapshots(away) == snapshots(home), what="the set")
            before = generation(away)
            agent.send_signal(signal.SIGTERM)
            agent.wait()
            sites.end(process)
            shutil.rmtree(home)
            home.mkdir()
            sites.agent(home)
            process = sites.away(away)
            wait_until(lambda: generation(away) < before, seconds=60, what="the new home's set")
            wait_until(lambda: snapshots(away) == snapshots(home), what="all of it")
            self.assertTrue(are_whole(away))

    def test_an_away_that_is_killed_at_random_loses_nothing(self):
        chance = random.Random(11)
        with Sites() as sites:
            home, away = sites.both()
            for round_ in range(10):
                process = sites.away(away)
                for number in range(chance.randrange(5, 60)):
                    path = f"tasks/k{chance.randrange(12)}.json"
                    if chance.random() < 0.2:
                        (away / path).unlink(missing_ok=True)
                    else:
                        drop(away, path, tasks(f"{round_}-{number}"))
                sites.end(process)
            sites.away(away)
            drop(away, "tasks/end.json", tasks("end"))
            wait_until(lambda: session_files(home) == session_files(away), seconds=30, what="home's files")

    # What an away sends of a key, and what is done with the file before it can know what became of that. The deletion is
    # first, since it waits for puts that are under way.
    UNHEARD = [
        ("deleted", None, tasks("deleted")), ("new", tasks("new"), None), ("edited", tasks("edited here"), None),
        ("restored", tasks("edited here too"), tasks("restored")),
    ]

    def begin_unheard(self, sites, *words):
        home, away = sites.both()
        process = sites.away(away, *words)
        for key in ["deleted", "edited", "restored"]:
            drop(away, f"tasks/{key}.json", tasks(key))
        wait_until(lambda: len(kept(away)) == 3, what="the records")
        return home, away, process

    @staticmethod
    def change(away, key, content):
        if content is None:
            (away / f"tasks/{key}.json").unlink()
        else:
            drop(away, f"tasks/{key}.json", content)

    def send_unheard(self, away, client, key, content):
        """Changes a file, and returns when the engine has it so."""
        before = found(client, f"tasks.{key}")
        self.change(away, key, content)
        wait_until(lambda: found(client, f"tasks.{key}") != before, what=f"{key} in the engine")

    def test_what_the_engine_took_is_known_again_when_its_answer_was_lost(self):
        for ending in ["killed", "cut off"]:
            with self.subTest(ending), Sites() as sites, Client(sites.engine) as client, Proxy(sites.engine.port) as proxy:
                home, away, process = self.begin_unheard(sites, "--server", proxy.url)
                proxy.rule = lambda line, content: LOSE if is_acknowledgement(line, content) else PASS
                for key, content, _ in self.UNHEARD:
                    self.send_unheard(away, client, key, content)
                if ending == "killed":
                    sites.end(process)
                for key, _, content in self.UNHEARD:
                    self.change(away, key, content)
                if ending == "killed":
                    sites.away(away)
                else:
                    proxy.rule = lambda line, content: PASS
                    proxy.cut()
                drop(away, "tasks/end.json", tasks("end"))
                expected = {f"tasks/{key}.json": tasks(key) for key in ["deleted", "restored", "end"]}
                self.assertEqual(session_files(away), expected)
                wait_until(lambda: session_files(home) == expected, what="home's files")

    def test_what_arrives_after_what_was_sent_later_is_refused(self):
        with Sites() as sites, Client(sites.engine) as client, Proxy(sites.engine.port) as proxy:
            home, away, _ = self.begin_unheard(sites, "--server", proxy.url)
            delayed = {}

            def delay(line, content):
                words = line.split()
                if words[0] != b"HPUB" or not words[1].startswith(b"$KV."):
                    return PASS
                delayed[words[1].decode().rpartition(".")[2]] = line + content
                return LOSE

            proxy.rule = delay
            for key, content, _ in self.UNHEARD:
                self.change(away, key, content)
                wait_until(lambda: key in delayed, what=f"the message of {key}")
            proxy.rule = lambda line, content: PASS
            for key, _, content in self.UNHEARD:
                self.change(away, key, content)
            expected = {f"tasks/{key}.json": tasks(key) for key in ["deleted", "restored"]}
            wait_until(lambda: session_files(home) == expected and not noted(away), seconds=30, what="home's files")
            before = {key: found(client, f"tasks.{key}") for key in delayed}
            for message in delayed.values():
                client.send(message)
            client.flush()
            self.assertEqual({key: found(client, f"tasks.{key}") for key in delayed}, before)
            drop(away, "tasks/end.json", tasks("end"))
            expected["tasks/end.json"] = tasks("end")
            wait_until(lambda: (home / "tasks/end.json").exists(), what="the last file")
            self.assertEqual(session_files(home), expected)

    def test_what_the_engine_took_is_known_again_by_the_next_away_when_one_dies_before_it_keeps_that(self):
        with Sites() as sites, Client(sites.engine) as client:
            home, away, process = self.begin_unheard(sites)
            # The note of what is about to be sent is the first write, and what became of it the second.
            inject = ["strace", "-f", "-qq", "-o", "/dev/null", "-P", away / ".bridge/kept", "-e", "trace=write", "-e",
                      "inject=write:signal=KILL:when=2"]
            for key, content, then in self.UNHEARD:
                sites.end(process)
                process = sites.away(away, wrapper=inject)
                self.send_unheard(away, client, key, content)
                process.wait(timeout=30)
                self.change(away, key, then)
                process = sites.away(away)
                wait_until(lambda: session_files(home) == session_files(away) and not noted(away), what=f"{key} at home")
            drop(away, "tasks/end.json", tasks("end"))
            wait_until(lambda: session_files(home) == session_files(away), what="all of it at home")
            self.assertEqual(sorted(session_files(home)), [f"tasks/{key}.json" for key in ["deleted", "end", "restored"]])

    def test_a_disk_that_takes_no_note_stops_no_drop(self):
        with Sites() as sites:
            home, away = sites.both()
            full = ["strace", "-D", "-f", "-qq", "-o", "/dev/null", "-P", away / ".bridge/kept", "-e", "trace=write",
                    "-e", "inject=write:error=ENOSPC"]
            process = sites.away(away, wrapper=full)
            drop(away, "tasks/a.json", tasks("a"))
            wait_until((home / "tasks/a.json").exists, what="the file")
            wait_until(lambda: b"cannot keep" in process.errors.read_bytes(), what="the message")

    def test_an_away_killed_between_the_renames_of_a_set_finishes_it_without_an_engine(self):
        with Sites() as sites:
            home, away = sites.both(agent=True, sample=True)
            # The first rename is that of all, then one for each file.
            inject = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=renameat,renameat2",
                      "-e", "inject=renameat,renameat2:signal=KILL:when=6"]
            process = sites.away(away, wrapper=inject, wait=False)
            process.wait(timeout=30)
            there = snapshots(away)
            self.assertTrue(0 < len(there) < len(snapshots(home)) and "manifest.json" not in there, list(there))
            sites.engine.stop()
            sites.away(away)
            wait_until(lambda: snapshots(away) == snapshots(home), what="the set")
            self.assertEqual([name for name in os.listdir(away / ".bridge") if name.startswith("set")], [])

    def test_a_reader_that_polls_never_sees_a_manifest_before_its_files(self):
        with Sites() as sites:
            home, away = sites.both(agent=True, sample=True)
            # -D: the process that is ended is the away, and not strace.
            slow = ["strace", "-D", "-f", "-qq", "-o", "/dev/null", "-e", "trace=renameat,renameat2,unlinkat",
                    "-e", "inject=renameat,renameat2,unlinkat:delay_exit=10000"]
            sites.away(away, wrapper=slow)
            wait_until(lambda: (away / "snapshots/manifest.json").exists(), what="the first set")
            mistakes, looks, is_over = [], [], threading.Event()

            def read():
                seen = {}
                while not is_over.is_set():
                    manifest = json.loads((away / "snapshots/manifest.json").read_bytes())
                    for name, about in manifest["files"].items():
                        try:
                            there = json.loads((away / "snapshots" / name).read_bytes())["generation"]
                        except (FileNotFoundError, ValueError) as error:
                            mistakes.append((name, error))
                            continue
                        if there < max(about["generation"], seen.get(name, 0)):
                            mistakes.append((name, there, about["generation"]))
                        seen[name] = there
                    looks.append(manifest["generation"])

            reader = threading.Thread(target=read)
            reader.start()
            try:
                for number in range(8):
                    drop(home, "tasks/new.json", tasks(f"Oats {number}"))
                    drop(home, f"events/{number}.json", b"[]")
                    subprocess.run([AGENT, "wait", "--cache", home], stdout=subprocess.DEVNULL, check=True)
                    wait_until(lambda: generation(away) == generation(home), what="the set")
            finally:
                is_over.set()
                reader.join()
            self.assertEqual(mistakes, [])
            self.assertGreater(len(set(looks)), 5)
            wait_until(lambda: are_whole(away), what="the last set, whole")

    def test_a_directory_that_is_deleted_deletes_nothing_and_one_that_comes_back_is_filled(self):
        with Sites() as sites, Client(sites.engine) as client:
            home, away = sites.both(agent=True)
            process = sites.away(away)
            drop(away, "tasks/a.json", tasks("a"))
            wait_until(lambda: (home / "tasks/a.json").exists() and kept(away), what="the file")
            # Nothing is on its way any more: a set that is written at this very moment is in the way of `rm -r`.
            subprocess.run([AGENT, "wait", "--cache", home], stdout=subprocess.DEVNULL, check=True)
            wait_until(lambda: generation(away) == generation(home) and are_whole(away), what="the set")
            subprocess.run(["rm", "-r", away], check=True)
            wait_until(lambda: b"is not served" in process.errors.read_bytes(), what="the message")
            self.assertFalse(away.exists())
            away.mkdir()
            wait_until(lambda: (away / "snapshots/manifest.json").exists(), what="the set again")
            drop(away, "tasks/b.json", tasks("b"))
            wait_until((home / "tasks/b.json").exists, what="the next file")
            self.assertFalse(is_deleted(client, "tasks.a"))


class Full(unittest.TestCase):
    def test_a_full_shard_refuses_files_and_takes_them_once_there_is_space(self):
        small = ("--namespace", "small")
        with Place() as place, Client(place.engine) as client:
            place.run("setup", *small, "--max-bytes", "64K", check=True)
            home, away = place.cache("home"), place.cache("away")
            place.agent(home)
            place.home("--cache", f"{home}=kitchen", *small)
            filling = [f"other.tasks.{number}" for number in range(6)]
            for key in filling:
                client.put(key, tasks("x" * 10_000), namespace="small")
            process = place.away(away, *small)
            drop(away, "tasks/a.json", tasks("a" * 10_000))
            wait_until(lambda: b"cannot send tasks/a.json" in process.errors.read_bytes(), what="the message")
            refused = place.run("drop", "kitchen", "tasks", "--name", "b", *small, input=tasks("b" * 10_000).decode())
            self.assertEqual((refused.returncode, refused.stderr.count("\n")), (74, 1), refused.stderr)
            self.assertIn("maximum bytes exceeded", refused.stderr)
            # Sets are in a stream of their own.
            drop(home, "tasks/local.json", tasks("local"))
            wait_until(lambda: b"local" in snapshots(away).get("todays-tasks.json", b""), what="the set")
            self.assertFalse((home / "tasks/a.json").exists())
            for key in filling[:2]:
                client.put(key, b"", namespace="small", KV_Operation="DEL")
            wait_until((home / "tasks/a.json").exists, seconds=60, what="the file")
            wait_until(lambda: b"over: " in process.errors.read_bytes(), what="the end of the trouble")


class Locks(unittest.TestCase):
    def test_a_cache_has_one_of_an_agent_and_an_away(self):
        with Sites() as sites:
            home, away = sites.both()
            served = sites.cache("served")
            sites.agent(served)
            for cache, reason in [(served, "an agent holds"), (home, "another bridge has")]:
                refused = sites.run("away", "--cache", f"{cache}={NAME}")
                self.assertEqual((refused.returncode, refused.stderr.count("\n")), (75, 1), refused.stderr)
                self.assertIn(reason, refused.stderr)
            process = sites.away(away)
            second = sites.run("away", "--cache", f"{away}={NAME}")
            self.assertEqual((second.returncode, second.stderr.count("\n")), (75, 1), second.stderr)
            for command, status in [("run", 75), ("wait", 69), ("status", 69), ("sync", 69)]:
                begun = time.monotonic()
                asked = subprocess.run([AGENT, command, "--cache", away], capture_output=True, text=True, timeout=20)
                self.assertEqual((asked.returncode, asked.stderr.count("\n")), (status, 1), (command, asked.stderr))
                self.assertIn("a bridge holds", asked.stderr)
                self.assertLess(time.monotonic() - begun, 5, command)
            dropped = subprocess.run([AGENT, "drop", "tasks", "--name", "x", "--cache", away], input=tasks("x"),
                                     capture_output=True)
            self.assertEqual(dropped.returncode, 0, dropped.stderr)
            wait_until((home / "tasks/x.json").exists, what="what cachesyncd dropped")
            # What is said of a bridge ends with it, also when it is killed.
            sites.end(process)
            asked = subprocess.run([AGENT, "wait", "--cache", away], capture_output=True, text=True)
            self.assertIn("no agent holds", asked.stderr)
            synced = subprocess.run([AGENT, "sync", "--cache", away], capture_output=True)
            self.assertEqual(synced.returncode, 0, synced.stderr)

    def test_usage(self):
        with Sites() as sites:
            cache = sites.cache("away")
            for words, status in [
                ([], 64), (["--cache", cache], 64), (["--cache", f"{cache}=.x"], 64), (["--cache", "=x"], 64),
                (["--cache", f"{sites.folder}/none=x"], 66), (["--cache", f"{cache}=a", "--cache", f"{cache}=a"], 64),
            ]:
                run = sites.run("away", *words)
                self.assertEqual(run.returncode, status, (words, run.stderr))


if __name__ == "__main__":
    unittest.main()
