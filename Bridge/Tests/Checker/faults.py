"""What goes wrong in a check: faults at random, and scenarios that meet what chance would meet too seldom."""

import contextlib
import json
import time

from judgement import Write
from people import FileProducer, WireProducer, content_of, instant, number_of
from world import enter, say, wait_until


class Faults:
    """Faults at random, at most two at a time, each with its end."""

    def __init__(self, world, chance):
        self.world, self.chance = world, chance
        # What ends later: when, what it is called, what it is about, and how.
        self.active = []
        self.counts = {}

    def kinds(self):
        yield from ["kill bridge"] * 3 + ["stop bridge"] * 2 + ["kill agent", "stop agent", "kill server", "stop server"]
        yield from ["partition"] * 2 + ["one-way loss"] * 2 + ["kill away at a rename"] * 2
        if self.world.clock_files:
            yield "clock"

    def begin(self):
        """Begins a fault; what it is about has no other."""
        world, chance = self.world, self.chance
        kind = chance.choice(list(self.kinds()))
        seconds = chance.uniform(0.3, 5)
        taken = [about for _, _, about, _ in self.active]
        if kind in ["partition", "one-way loss"]:
            hosts = world.engine_hosts + world.member_hosts + world.away_hosts + world.people_hosts
            source, target = chance.sample(hosts, 2)
            if chance.random() < 0.8:
                target = chance.choice([host for host in world.engine_hosts if host != source] or [target])
            pairs = [(source, target), (target, source)][:2 if kind == "partition" else chance.choice([1, 1])]
            if kind == "one-way loss" and chance.random() < 0.5:
                pairs = [(target, source)]
            if any(pair in taken for pair in pairs):
                return
            for at, pair in enumerate(pairs):
                world.lose(*pair)
                self.add(kind if at == 0 else None, seconds, pair, lambda pair=pair: world.heal(*pair))
        elif kind == "clock":
            host, offset = chance.choice(sorted(world.clock_files)), chance.choice([-7200, -30, 30, 7200])
            if host in taken:
                return
            world.set_clock(host, offset)
            self.add(kind, seconds, host, lambda: world.set_clock(host, 0))
        else:
            program = chance.choice(self.programs(kind))
            if program in taken or not program.runs:
                return
            if kind.startswith("stop"):
                program.pause()
                self.add(kind, seconds, program, program.go_on)
            elif kind == "kill away at a rename":
                self.kill_at_a_rename(program, chance.randrange(2, 40))
                self.add(kind, max(seconds, 2), program, lambda: self.restart(program))
            else:
                program.kill()
                self.add(kind, seconds / 3, program, program.start)

    def programs(self, kind):
        world = self.world
        if kind.endswith("server"):
            return world.servers
        if kind.endswith("agent"):
            return world.members.agents
        return list(world.aways.values()) if kind.endswith("rename") else world.members.bridges + list(world.aways.values())

    @staticmethod
    def kill_at_a_rename(program, count):
        """Starts it again so that it dies right before one of its next renames."""
        program.kill()
        program.start(wrapper=["strace", "-D", "-f", "-qq", "-o", "/dev/null", "-e", "trace=renameat,renameat2", "-e",
                               f"inject=renameat,renameat2:signal=KILL:when={count}"])
        program.is_wanted = False

    @staticmethod
    def restart(program):
        program.kill()
        program.start()

    def add(self, kind, seconds, about, end):
        self.active.append((time.monotonic() + seconds, kind, about, end))
        if kind:
            self.counts[kind] = self.counts.get(kind, 0) + 1

    def end_what_is_due(self, everything=False):
        for fault in list(self.active):
            if everything or fault[0] <= time.monotonic():
                self.active.remove(fault)
                fault[3]()

    def run(self, until):
        """Lets things go wrong until a time."""
        due = time.monotonic()
        while time.monotonic() < until:
            if time.monotonic() >= due and len(self.active) < 2:
                self.begin()
                due = time.monotonic() + self.chance.uniform(0.1, 1.5)
            self.end_what_is_due()
            self.world.look_at_programs()
            time.sleep(0.05)

    def end(self):
        self.end_what_is_due(everything=True)
        self.world.look_at_programs()

    def told(self):
        return ", ".join(f"{count} × {kind}" for kind, count in sorted(self.counts.items()))


class Scenes:
    """Scenarios, each in caches of its own. All other faults are over when one is played."""

    def __init__(self, world, history, crowd, unsettled):
        self.world, self.history, self.crowd, self.unsettled = world, history, crowd, unsettled
        self.wire = WireProducer(world, history, "scenario")
        self.files = FileProducer(world, history, "scenario's files")
        # Those that an away has are for the scenarios that need one.
        self.unused = iter(world.scenes[len(world.away_hosts):])
        enter(world.network["judge"].space)

    def names(self):
        """All that can be played with these members. A pool's directories are the bridges' own: nothing is edited there."""
        return ["times", "blind", "renames", "good", *(
            ["stopped_owner"] if self.is_pool else ["edited", "takeover", "busy_takeover", "overtaken"]), "wipe"]

    @property
    def is_pool(self):
        return hasattr(self.world.members, "owner")

    def play(self, name):
        began = time.monotonic()
        getattr(self, name)()
        say(f"scenario {name}: {time.monotonic() - began:.1f} s")

    def put(self, cache, key, number=True, **more):
        """Puts the next version of a key; the number of it, and where it stands."""
        number = self.history.number(cache, key) if number is True else number
        return number, self.wire.put(cache, key, number, **more)

    def has(self, cache, key, number):
        with contextlib.suppress(OSError):
            return number_of((self.world.members.directory(cache) / f"tasks/{key}.json").read_bytes()) == number
        return number is None

    def shows(self, cache, text):
        with contextlib.suppress(OSError):
            return text in (self.world.members.directory(cache) / "snapshots/todays-tasks.json").read_text()
        return False

    def times(self):
        """A file that was modified earlier arrives later."""
        cache, now = next(self.unused), time.time_ns()
        self.put(cache, "pair0", modified=now)
        number, _ = self.put(cache, "pair1", modified=now - 3_600 * 10**9)
        wait_until(lambda: self.has(cache, "pair1", number), 60, "the later file")

    def edited(self):
        """A file that was edited at home is deleted elsewhere."""
        cache = next(self.unused)
        number, order = self.put(cache, "k0")
        wait_until(lambda: self.has(cache, "k0", number) and self.is_kept(cache, "k0"), 60, "the file")
        number, began = self.history.number(cache, "k0"), time.monotonic()
        (self.world.members.directory(cache) / "tasks/k0.json").write_bytes(content_of("k0", number))
        self.history.writes[cache].append(Write(
            cache, "k0", number, "home", "home", (order[0], order[1] + 0.5), time.time_ns(), began))
        self.put(cache, "k0", None)
        number, _ = self.put(cache, "k1")
        wait_until(lambda: self.has(cache, "k1", number), 60, "the file that came later")

    def is_kept(self, cache, key):
        with contextlib.suppress(OSError):
            return f" tasks.{key} " in (self.world.members.directory(cache) / ".bridge/kept").read_text()
        return False

    def blind(self):
        """An away deletes a file of which another producer has put a newer version."""
        host = self.world.away_hosts[0]
        cache = self.world.away_caches[host][-1]
        number = self.history.number(cache, "k0")
        place = self.drop_and_wait(host, cache, "k0", number)
        number, _ = self.put(cache, "k0")
        wait_until(lambda: self.has(cache, "k0", number), 60, "the newer version")
        self.files.drop(host, cache, "k0", None, order=(place[0], float("inf")))
        # What is sent later than the deletion tells that the deletion is over.
        self.drop_and_wait(host, cache, "k1", self.history.number(cache, "k1"))
        wait_until(lambda: " tasks.k0 " not in self.kept_by(host, cache), 30, "that the file is not the away's")

    def kept_by(self, host, cache):
        """What an away agreed on with the engine about keys that it has a file of, a line each."""
        file = self.world.directory_of_away(host, cache) / ".bridge/kept"
        lines = file.read_text().splitlines() if file.exists() else []
        last = {line.split()[1]: line for line in lines if len(line.split()) > 2 and not line.startswith("sent ")}
        return "\n".join(line for line in last.values() if not line.startswith("gone"))

    def drop_and_wait(self, host, cache, key, number):
        """Drops a file into an away's directory; the epoch and sequence that it got."""
        file = self.world.directory_of_away(host, cache) / f"tasks/{key}.json"
        file.parent.mkdir(exist_ok=True)
        content = content_of(key, number)

        def place():
            try:
                if not self.wire.client:
                    self.wire.client, self.wire.epoch = self.world.connect(), self.world.epoch
                return self.wire.found(cache, key, content)
            except OSError:
                self.wire.disconnect()

        temporary = file.with_name(f".{file.name}.new")
        temporary.write_bytes(content)
        began = time.monotonic()
        temporary.rename(file)
        found = wait_until(place, 60, f"{key} of {cache} in the engine")
        self.history.writes[cache].append(Write(
            cache, key, number, self.files.name, "away", found, file.stat().st_mtime_ns, began))
        wait_until(lambda: f" tasks.{key} " in self.kept_by(host, cache), 30, "the away's record")
        return found

    def renames(self):
        """An away dies at each of the renames of a set in turn, and readers look at what it left."""
        host = self.world.away_hosts[-1]
        cache, away = self.world.away_caches[host][-1], self.world.aways[host]
        snapshots = self.world.directory_of_away(host, cache) / "snapshots"
        self.put(cache, "k0")
        wait_until(lambda: (snapshots / "manifest.json").exists(), 60, "the first set")
        for count in range(2, 5):
            away.kill()
            number, _ = self.put(cache, "k0")
            wait_until(lambda: self.shows(cache, f"k0 {number}"), 60, "the set at home")
            # The first rename of a set is that of all of it.
            Faults.kill_at_a_rename(away, count)
            wait_until(lambda: not away.runs, 30, "the death of the away")
            time.sleep(0.2)
        Faults.restart(away)

    def takeover(self):
        """The host of a home stands still, another one takes over, and then the first one goes on. Between the two nothing is
        written but the record of the second one."""
        with self.crowd.gate.closed():
            self.settle()
            self.world.members.take_over(late=self.world.caches[-4:])

    def busy_takeover(self):
        """The same while producers write."""
        self.world.members.take_over(late=self.world.caches[-4:])

    def overtaken(self):
        """A home's set reaches the engine behind another bridge's record."""
        cache = next(self.unused)

        def claim(at):
            stream = f"KV_cachesync-out-{at}"
            last = self.wire.client.ask(f"STREAM.INFO.{stream}")["state"]["last_seq"]
            record = {"agent": "overtaker", "since": instant(time.time()), "nonce": "overtaker"}
            answer = self.wire.client.request(
                f"$KV.cachesync-out-{at}._owner", json.dumps(record).encode(),
                {"Cachesync-Owner": "overtaker", "Nats-Expected-Last-Sequence": last})
            assert answer and b'"seq"' in answer.payload, f"the other's record was refused: {answer}"

        self.world.members.overtake(cache, lambda: self.put(cache, "k0"), claim)

    def good(self):
        """A valid version that readers saw is followed by one that is not, and the agent ends."""
        cache = next(self.unused)
        number, _ = self.put(cache, "k0")
        wait_until(lambda: self.shows(cache, f"k0 {number}"), 60, "the valid version")
        self.history.good[cache, "k0"] = number
        # Keeping a good version may lag its publication by a second (contract.md section 6).
        time.sleep(2)
        bad = -self.history.number(cache, "k0")
        self.put(cache, "k0", bad)
        wait_until(lambda: self.has(cache, "k0", bad), 60, "the version that is not valid")
        if self.is_pool:
            owner = wait_until(lambda: self.world.members.owner(cache), 60, "the owner")
            for program in owner:
                program.kill()
            try:
                wait_until(lambda: (new := self.world.members.owner(cache)) and new != owner, 60, "the new owner")
            finally:
                for program in owner:
                    program.start()
        else:
            for agent in self.world.members.agents:
                agent.kill()
                agent.start()

    def stopped_owner(self):
        """A member of a pool stands still until others have its shards, and then goes on while its agent publishes."""
        cache = next(self.unused)
        number, _ = self.put(cache, "k0")
        wait_until(lambda: self.shows(cache, f"k0 {number}"), 60, "the first version")
        bridge, _ = wait_until(lambda: self.world.members.owner(cache), 60, "the owner")
        folder = self.world.members.directory(cache)
        bridge.pause()
        try:
            others = [self.world.members.folders[other.host.name] for other in self.world.members.bridges if other != bridge]
            wait_until(lambda: any((other / cache).is_dir() for other in others), 60, "the new owner")
            self.put(cache, "k0")
            # What its agent publishes now is refused.
            (folder / "tasks/late.json").write_bytes(content_of("late", 1))
            time.sleep(1)
        finally:
            bridge.go_on()

    def wipe(self):
        """The engine loses everything, and gives the same sequences to other versions."""
        world, cache = self.world, next(self.unused)
        with self.crowd.gate.closed():
            # So that there are sequences before the key's for other keys to take.
            for key in ["k1", "k2"]:
                self.put(cache, key)
            number, order = self.put(cache, "k0")
            wait_until(lambda: self.has(cache, "k0", number), 60, "the file")
            self.settle()
            world.wipe()
            self.wire.disconnect()
            if not self.wire.client:
                self.wire.client, self.wire.epoch = world.connect(), world.epoch
            # Others' keys, up to the sequence before.
            at = self.wire.subject(cache, "k0").split(".")[1]
            for filler in range(50_000):
                answer = self.wire.client.request(f"$KV.{at}.elsewhere.tasks.filler", b"[]")
                if b'"seq"' not in (answer.payload if answer else b""):
                    time.sleep(0.1)
                    continue
                if int(answer.payload.split(b'"seq":')[1].split(b",")[0].rstrip(b"}")) >= order[1] - 1:
                    break
            number, again = self.put(cache, "k0")
            say(f"the sequence of {cache}'s key was {order[1]}, and is {again[1]}")

    def settle(self):
        """Waits until home has all that the engine acknowledged, and the engine what home published."""
        wait_until(self.is_settled, 90, "that home has everything")

    def is_settled(self):
        try:
            if not self.wire.client:
                self.wire.client, self.wire.epoch = self.world.connect(), self.world.epoch
            return not self.unsettled(self.wire.client)
        except OSError:
            self.wire.disconnect()
            return False
