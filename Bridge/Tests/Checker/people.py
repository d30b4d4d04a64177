"""Who uses the caches of a check: producers by wire and by files, readers by wire, by files and by date, and a recorder. Each
writes down what it did and saw."""

import collections
import contextlib
import json
import random
import re
import threading
import time
from datetime import datetime, timezone

import nats
from judgement import (
    Dated, Defect, Look, Stored, Write, digest, files_of, in_force, look_at_files, read_set, schedule)
from world import run_in, shard

# How long a copy of a message that was never answered may still arrive: longer than any fault lasts.
LATE_SECONDS = 30


class History:
    """What happened, in the order in which it was seen."""

    def __init__(self):
        self.looks, self.defects, self.stored, self.dated = [], [], [], []
        self.writes = collections.defaultdict(list)
        # When the schedule of a cache's clock begins, by cache and number.
        self.bases = {}
        # Valid versions that readers saw before a version that is not valid.
        self.good = {}
        self.numbers = collections.Counter()
        self.lock = threading.Lock()

    def number(self, cache, key):
        with self.lock:
            self.numbers[cache, key] += 1
            return self.numbers[cache, key]


def instant(seconds):
    return datetime.fromtimestamp(seconds, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def seconds(text):
    return datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=timezone.utc).timestamp()


def path_of(key):
    return f"events/{key}.json" if key == "clock" else f"tasks/{key}.json"


def content_of(key, number, base=None):
    """A version of a session file. It has no date of its own, so its modification time counts; one of a negative number is not
    valid."""
    if key == "clock":
        events = [{"id": str(at), "title": title, "startTime": instant(start), "endTime": instant(start + 1), "location": None}
                  for at, (title, start) in enumerate(schedule(number, base))]
        return json.dumps(events).encode()
    task = {"id": "pair" if key.startswith("pair") else key, "title": f"{key} {number}", "description": None,
            "completed": False, "dueDate": None, "createdAt": "2026-11-19T08:12:44.120Z", "completedAt": None, "labels": []}
    return json.dumps([task]).encode() if number > 0 else json.dumps([task]).encode()[:-1]


def number_of(content):
    """The number of a file's version; 0 of one that no producer wrote."""
    found = re.search(rb'"title": "[a-z0-9]+ (-?\d+)', content)
    return int(found[1]) if found else 0


class Gate:
    """Lets producers through, unless a scenario needs the engine for itself."""

    def __init__(self):
        self.is_open, self.is_over = True, False
        self.busy = 0
        self.changed = threading.Condition()

    def __enter__(self):
        with self.changed:
            self.changed.wait_for(lambda: self.is_open or self.is_over)
            self.busy += 1

    def __exit__(self, *_):
        with self.changed:
            self.busy -= 1
            self.changed.notify_all()

    @contextlib.contextmanager
    def closed(self, patience=60):
        with self.changed:
            self.is_open = False
            if not self.changed.wait_for(lambda: self.busy == 0, patience):
                raise AssertionError("the producers did not come to an end")
        try:
            yield
        finally:
            with self.changed:
                self.is_open = True
                self.changed.notify_all()

    def end(self):
        with self.changed:
            self.is_over = True
            self.changed.notify_all()


class WireProducer:
    """Puts and deletes keys as wire.md section 6 has it."""

    def __init__(self, world, history, name):
        self.world, self.history, self.name = world, history, name
        self.client = None

    def disconnect(self):
        if self.client:
            self.client.close()
        self.client = None

    def put(self, cache, key, number, modified=None, base=None):
        """Puts a version, or deletes the key when there is none, until the engine has it; gives up after a minute."""
        began = time.monotonic()
        modified = modified or time.time_ns()
        content = b"" if number is None else content_of(key, number, base)
        headers = {"KV-Operation": "DEL"} if number is None else {"Cachesync-Modified": modified}
        order, late_until = None, None
        while order is None and time.monotonic() < began + 60:
            sent = False
            try:
                if not self.client:
                    self.client, self.epoch = self.world.connect(), self.world.epoch
                if late_until and number is not None:
                    order = self.found(cache, key, content)
                if order is None:
                    sent = True
                    order = self.attempt(cache, key, content, headers)
            except OSError:
                self.disconnect()
            if order is None:
                late_until = time.monotonic() + LATE_SECONDS if sent else late_until
                time.sleep(0.2)
        self.history.writes[cache].append(Write(
            cache, key, number, self.name, "wire", order, modified, began, late_until))
        return order

    def subject(self, cache, key):
        token = path_of(key).removesuffix(".json").replace("/", ".")
        return f"$KV.cachesync-in-{shard(cache, self.world.shards)}.{cache}.{token}"

    def attempt(self, cache, key, content, headers):
        """The epoch and sequence that a message got; None: it was refused."""
        answer = self.client.request(self.subject(cache, key), content, headers, seconds=3)
        if answer is None:
            raise nats.Refused("no acknowledgement")
        # Without a leader there is an error, or nothing that hears it.
        told = json.loads(answer.payload) if answer.payload else {}
        return (self.epoch, told["seq"]) if "seq" in told else None

    def found(self, cache, key, content=None):
        """The epoch and sequence of a key's message, if it has this content."""
        found = self.client.last(f"KV_cachesync-in-{shard(cache, self.world.shards)}", self.subject(cache, key))
        return (self.epoch, int(found[0]["Nats-Sequence"])) if found and found[1] == content else None


class FileProducer:
    """Writes and deletes files in the directories of aways."""

    def __init__(self, world, history, name):
        self.world, self.history, self.name = world, history, name

    def drop(self, host, cache, key, number, order=None, modified=None):
        file = self.world.directory_of_away(host, cache) / path_of(key)
        began = time.monotonic()
        if number is None:
            file.unlink(missing_ok=True)
        else:
            file.parent.mkdir(exist_ok=True)
            temporary = file.with_name(f".{file.name}.new")
            temporary.write_bytes(content_of(key, number))
            temporary.rename(file)
        self.history.writes[cache].append(Write(
            cache, key, number, self.name, "away", order or (0, self.history.number(cache, f"{key} order")),
            modified or (file.stat().st_mtime_ns if number is not None else 0), began))


class WireReader:
    """Keeps up with all caches as wire.md section 4 has it: at each bell, and sometimes without one."""

    PATIENCE = 30

    def __init__(self, world, history, name, host):
        self.world, self.history, self.name = world, history, name
        self.shown, self.doubtful = {}, {}
        # The newest set of the caches that readers by date follow.
        self.messages = {}
        self.digests = {}
        run_in(world, host, self.run, name)

    def run(self):
        while True:
            try:
                with self.world.connect() as client:
                    self.follow(client)
            except OSError:
                time.sleep(0.2)

    def follow(self, client):
        bell = client.subscribe("cachesync.set.*")
        pending = set(self.world.caches + self.world.scenes)
        began, rounds = time.monotonic(), [2, 30, 60, 90, 300]
        while True:
            for message in client.waiting(bell):
                pending.add(message.subject.rsplit(".", 1)[1])
            now = time.monotonic()
            if rounds and now - began > rounds[0]:
                rounds.pop(0)
                pending |= set(self.world.caches + self.world.scenes)
            pending |= {cache for cache, (_, since) in self.doubtful.items() if now - since > self.PATIENCE}
            pending.discard("_owner")
            if pending:
                self.ask(client, pending.pop())
            else:
                message = client.next(bell, 0.2)
                if message:
                    pending.add(message.subject.rsplit(".", 1)[1])

    def ask(self, client, cache):
        at = shard(cache, self.world.shards)
        found = client.last(f"KV_cachesync-out-{at}", f"$KV.cachesync-out-{at}.{cache}")
        if not found:
            return
        headers, message = found
        generation, defect = read_set(message)
        if defect:
            self.history.defects.append(Defect(self.name, cache, defect))
            return
        place, now = (int(headers["Nats-Sequence"]), generation), time.monotonic()
        shown = self.shown.get(cache)
        if place == shown:
            self.doubtful.pop(cache, None)
            return
        if shown and place[0] <= shown[0] and place[1] <= shown[1]:
            if self.doubtful.get(cache, (None,))[0] != place:
                self.doubtful[cache] = (place, now)
            if now - self.doubtful[cache][1] < self.PATIENCE:
                return
        self.doubtful.pop(cache, None)
        self.shown[cache] = place
        if cache in self.world.clocks:
            self.messages[cache] = message
        self.digests[cache] = digest(message)
        self.history.looks.append(Look(self.name, cache, generation, self.digests[cache]))


class FileReader:
    """Reads what an away shows, as contract.md section 5 has it."""

    def __init__(self, world, history, host):
        self.world, self.history, self.host, self.name = world, history, host, f"files on {host}"
        self.messages = {}
        threading.Thread(target=self.run, name=self.name, daemon=True).start()

    def run(self):
        manifests = {}
        while True:
            for cache in self.world.away_caches[self.host]:
                snapshots = self.world.directory_of_away(self.host, cache) / "snapshots"
                with contextlib.suppress(FileNotFoundError):
                    manifest = (snapshots / "manifest.json").read_bytes()
                    if manifests.get(cache) != manifest and self.look(cache, snapshots, manifest):
                        manifests[cache] = manifest
            time.sleep(0.02)

    def look(self, cache, snapshots, manifest):
        try:
            files = {name: self.content(snapshots / name) for name in json.loads(manifest)["files"]}
        except ValueError:
            self.history.defects.append(Defect(self.name, cache, "its manifest is no JSON"))
            return True
        message, defect = look_at_files(manifest, files, (snapshots / "manifest.json").read_bytes())
        if defect:
            self.history.defects.append(Defect(self.name, cache, defect))
        if message is None:
            return defect is not None
        if cache in self.world.clocks:
            self.messages[cache] = message
        self.history.looks.append(Look(self.name, cache, json.loads(manifest)["generation"], digest(message)))
        return True

    @staticmethod
    def content(file):
        try:
            return file.read_bytes()
        except FileNotFoundError:
            return None


class DateReader:
    """Takes from the sets that other readers have, however old they are, what is in force now."""

    def __init__(self, history, readers):
        self.history, self.readers = history, readers
        threading.Thread(target=self.run, name="by date", daemon=True).start()

    def run(self):
        while True:
            for reader in self.readers:
                for cache, message in list(reader.messages.items()):
                    self.look(reader.name, cache, message, time.time())
            time.sleep(0.25)

    def look(self, name, cache, message, moment):
        file = files_of(message).get("next-event.json")
        snapshot = json.loads(file) if file else {}
        entries = snapshot.get("entries", [])
        titles = [entry["content"]["event"]["title"] for entry in entries if entry["content"].get("event")]
        policy = snapshot.get("policy", {})
        if not titles or "date" in policy and seconds(policy["date"]) <= moment:
            return
        entry = in_force(entries, moment, seconds)
        if entry:
            self.history.dated.append(
                Dated(f"by date of {name}", cache, moment, int(titles[0].split()[1]), entry["content"]["text"]))


class Recorder:
    """Writes down who wrote every message of `out`: each rings a bell that tells it, and what was there before is read."""

    def __init__(self, world, history):
        self.world, self.history = world, history
        self.rounds = 0
        run_in(world, "judge", self.run, "recorder")

    def run(self):
        while True:
            try:
                with self.world.connect() as client:
                    self.follow(client, self.world.epoch)
            except OSError:
                time.sleep(0.05)

    def follow(self, client, epoch):
        bell = client.subscribe("cachesync.set.*")
        client.flush()
        consumers = {}
        for at in range(self.world.shards):
            name, inbox = f"KV_cachesync-out-{at}", f"{client.inbox}.record.{at}"
            consumers[at] = client.subscribe(inbox)
            answer = client.ask(f"CONSUMER.CREATE.{name}", {"stream_name": name, "config": {
                "deliver_subject": inbox, "deliver_policy": "all", "ack_policy": "none", "replay_policy": "instant",
                "headers_only": True, "mem_storage": True, "num_replicas": 1}})
            if "error" in answer:
                time.sleep(0.2)
                raise nats.Refused(str(answer["error"]))
        while True:
            message = client.next(bell, 0.1)
            bells = ([message] if message else []) + client.waiting(bell)
            for message in bells:
                name, sequence = message.headers["Nats-Stream"], int(message.headers["Nats-Sequence"])
                self.note(epoch, int(name.rsplit("-", 1)[1]), sequence, message.headers["Nats-Subject"], message.headers)
            for at, number in consumers.items():
                for message in client.waiting(number):
                    if message.reply.startswith("$JS.ACK."):
                        self.note(epoch, at, int(message.reply.split(".")[-4]), message.subject, message.headers)
            if time.monotonic() - getattr(self, "asked", 0) > 1:
                # A server that stands still says nothing.
                self.asked = time.monotonic()
                client.flush()
                self.rounds += 1

    def note(self, epoch, at, sequence, subject, headers):
        self.history.stored.append(Stored(
            epoch, at, sequence, subject.split(".", 2)[2], headers.get("Cachesync-Owner", "")))


class Crowd:
    """Producers that write to random keys at a steady rate, until they are told to stop."""

    def __init__(self, world, history, seed, rate, count=16):
        self.world, self.history, self.gate = world, history, Gate()
        self.pause = count / rate
        self.threads = []
        for at in range(count):
            chance = random.Random(f"{seed} producer {at}")
            # A quarter of them have files only.
            if at % 4 == 3:
                body = self.file_body(chance, at // 4)
                self.threads.append(threading.Thread(target=body, daemon=True))
                self.threads[-1].start()
            else:
                host = ["p1", "p2"][at % 2]
                self.threads.append(run_in(world, host, self.wire_body(chance, at), f"producer {at}"))

    def rest(self, chance):
        time.sleep(chance.uniform(0, 2 * self.pause))

    def wire_body(self, chance, at):
        producer = WireProducer(self.world, self.history, f"producer {at}")

        def run():
            while not self.gate.is_over:
                self.rest(chance)
                with self.gate:
                    if not self.gate.is_over:
                        self.write(producer, chance)

        return run

    def write(self, producer, chance):
        if chance.random() < 0.03:
            cache = chance.choice(self.world.clocks)
            return self.set_clock(producer, cache)
        cache, key = chance.choice(self.world.caches), chance.choice(["k0", "k1", "k2", "pair0", "pair1"])
        number = self.history.number(cache, key) if chance.random() > 0.12 else None
        # Of a pair the order of the files' times is not the order of their arrival.
        age = chance.randrange(3_600) if key.startswith("pair") else 0
        return producer.put(cache, key, number, modified=time.time_ns() - age * 10**9)

    def set_clock(self, producer, cache):
        number, base = self.history.number(cache, "clock"), int(time.time())
        self.history.bases[cache, number] = base
        return producer.put(cache, "clock", number, base=base)

    def file_body(self, chance, at):
        producer = FileProducer(self.world, self.history, f"files {at}")
        places = [(host, cache) for host in self.world.away_hosts for cache in self.world.away_caches[host]
                  if cache in self.world.caches][at::4]

        def run():
            while not self.gate.is_over:
                self.rest(chance)
                with self.gate:
                    if places and not self.gate.is_over:
                        host, cache = chance.choice(places)
                        is_there = (self.world.directory_of_away(host, cache) / path_of("f0")).exists()
                        is_deletion = is_there and chance.random() < 0.15
                        producer.drop(host, cache, "f0", None if is_deletion else self.history.number(cache, "f0"))

        return run

    def stop(self):
        self.gate.end()
        for thread in self.threads:
            thread.join(90)
