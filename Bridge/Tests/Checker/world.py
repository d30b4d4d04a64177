"""The hosts of a check: engines, homes with their agents, aways, and who produces and reads, each in a network of its own."""

import contextlib
import ctypes
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Engine"))

import nats  # noqa: E402
from hosts import Network  # noqa: E402
from judgement import End  # noqa: E402
from proxy import LOSE, PASS, Proxy  # noqa: E402
from support import remove_clock, wait_until  # noqa: E402

NAMESPACE = "cachesync"
FAKETIME = next(
    (path for path in [
        "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1", "/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1"]
     if Path(path).exists()), None)
# What a network namespace is called to setns(2).
CLONE_NEWNET = 0x40000000


def say(text):
    print(f"{time.strftime('%H:%M:%S')} {text}", flush=True)


def shard(token, count):
    """FNV-1a of 32 bits."""
    value = 2166136261
    for byte in token.encode():
        value = ((value ^ byte) * 16777619) & 0xFFFFFFFF
    return value % count


def enter(space):
    """Moves this thread to a host's network: what it connects from now on is seen as that host's."""
    with open(f"/run/netns/{space}") as file:
        if ctypes.CDLL(None, use_errno=True).setns(file.fileno(), CLONE_NEWNET):
            raise OSError(ctypes.get_errno(), f"cannot enter {space}")


class Program:
    """A program under test on a host, which faults stop, kill and start again."""

    def __init__(self, world, host, name, words, environment=None):
        self.world, self.host, self.name, self.words = world, world.network[host], name, words
        self.environment = self.host.environment | (environment or {})
        self.log = self.host.home / f"{name}.log"
        self.process = None
        self.is_paused = False
        # Whether it is to run: what ends by itself meanwhile is a failure.
        self.is_wanted = False

    def start(self, wrapper=()):
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                self.host.words([*wrapper, *map(str, self.words)]), cwd=self.host.home, env=self.environment,
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)
        self.is_paused, self.is_wanted = False, True

    @property
    def runs(self):
        return self.process is not None and self.process.poll() is None

    def signal(self, number):
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.process.pid, number)

    def pause(self):
        self.signal(signal.SIGSTOP)
        self.is_paused = True

    def go_on(self):
        self.signal(signal.SIGCONT)
        self.is_paused = False

    def kill(self):
        self.is_wanted = False
        if self.process:
            self.signal(signal.SIGKILL)
            self.process.wait()
            remove_clock(self.process.pid)

    def said(self):
        with contextlib.suppress(FileNotFoundError):
            lines = self.log.read_text(errors="replace").splitlines()
            return lines[-1] if lines else ""
        return ""

    def look(self):
        """Tells of it, and starts it again, when it ended by itself."""
        if self.is_wanted and not self.runs:
            self.world.ends.append(End(f"{self.name} on {self.host.name}", self.process.returncode, self.said()))
            say(f"{self.name} on {self.host.name} ended with {self.process.returncode}: {self.said()}")
            remove_clock(self.process.pid)
            self.start()


class Connection(nats.Client):
    """A client of the namespace with a deadline of its own for every question."""

    def last(self, stream, subject):
        """The headers and the content of a subject's last message; None: there is none. Raises when there is no answer."""
        found = self.request(f"$JS.API.DIRECT.GET.{stream}.{subject}", seconds=3)
        if found is None or found.status.startswith(("503", "408")):
            raise nats.Refused(f"no answer about {subject}")
        return None if found.status.startswith("404") else (found.headers, found.payload)

    def ask(self, name, body=None):
        answer = self.request(f"$JS.API.{name}", json.dumps(body).encode() if body else b"", seconds=3)
        if answer is None:
            raise nats.Refused(f"no answer to {name}")
        return json.loads(answer.payload)


class World:
    """Everything that a check starts, and what became of it."""

    def __init__(self, options):
        self.options = options
        self.shards = options.shards
        self.epoch = 0
        self.ends = []
        self.engine_hosts = [f"e{number}" for number in range(1, options.servers + 1)]
        member_count = int(options.members.partition("=")[2] or 2)
        self.member_hosts = [f"m{number}" for number in range(1, member_count + 1)]
        self.away_hosts = ["a1", "a2"]
        self.people_hosts = ["p1", "p2", "r1", "r2"]
        # The host named judge writes down what happens, and is never cut off.
        names = [*self.engine_hosts, *self.member_hosts, *self.away_hosts, *self.people_hosts, "judge"]
        self.network = Network(*names)
        self.addresses = {name: f"10.98.7.{at}" for at, name in enumerate(names, 1)}
        self.caches = [f"c{number}" for number in range(options.caches)]
        # The caches whose schedules readers by date follow.
        self.clocks = self.caches[:min(8, len(self.caches))]
        # What scenarios use, beside what producers write at random.
        self.scenes = [f"scene{number}" for number in range(24)]
        self.away_caches = {
            host: self.caches[at::len(self.away_hosts) * 2][:8] + [self.scenes[at]]
            for at, host in enumerate(self.away_hosts)}
        self.clock_files = {}
        self.servers = [self.server(host) for host in self.engine_hosts]
        self.aways = {host: self.away(host) for host in self.away_hosts}
        self.members = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for program in self.programs:
            program.kill()
        self.network.__exit__()

    @property
    def programs(self):
        return self.servers + (self.members.programs if self.members else []) + list(self.aways.values())

    def directory_of_away(self, host, cache):
        return self.network[host].home / cache

    # MARK: Engines

    def server(self, host):
        folder = self.network[host].home
        text = f'server_name: {host}\nlisten: "0.0.0.0:4222"\njetstream {{ store_dir: "{folder}/store" }}\n'
        if self.options.servers > 1:
            routes = ", ".join(f'"nats://{other}:6222"' for other in self.engine_hosts if other != host)
            text += f'cluster {{ name: checker, listen: "0.0.0.0:6222", routes: [ {routes} ] }}\n'
        (folder / "nats-server.conf").write_text(text)
        return Program(self, host, "engine", [self.options.nats_server, "-c", folder / "nats-server.conf"])

    def urls(self):
        return [word for host in self.engine_hosts for word in ("--server", f"nats://{host}:4222")]

    def connect(self, at=None):
        """A connection of this thread's host to an engine; to any that answers when none is named."""
        hosts = [at] if at else sorted(self.engine_hosts, key=lambda _: os.urandom(4))
        for host in hosts:
            try:
                return Connection(4222, host=self.addresses[host])
            except OSError as error:
                reason = error
        raise reason

    def make_streams(self):
        def is_made():
            return self.network[self.member_hosts[0]].run([
                "cachesync-bridge", "setup", "--shards", str(self.shards), "--replicas", str(self.options.servers),
                *self.urls()]).returncode == 0

        wait_until(is_made, seconds=60, what="the streams")

    def wipe(self):
        """Takes everything from the engine, which then counts anew."""
        for server in self.servers:
            server.kill()
        for host in self.engine_hosts:
            shutil.rmtree(self.network[host].home / "store", ignore_errors=True)
        self.epoch += 1
        for server in self.servers:
            server.start()
        self.make_streams()

    # MARK: Hosts

    def clock_of(self, host):
        """What makes a host's programs read their wall clock from a file."""
        if not FAKETIME:
            return {}
        file = self.clock_files.setdefault(host, self.network[host].home / "clock")
        if not file.exists():
            file.write_text("+0\n")
        return {"LD_PRELOAD": FAKETIME, "FAKETIME_TIMESTAMP_FILE": str(file), "FAKETIME_CACHE_DURATION": "1",
                "FAKETIME_DONT_FAKE_MONOTONIC": "1", "NO_FAKE_STAT": "1"}

    def set_clock(self, host, offset):
        temporary = self.clock_files[host].with_suffix(".new")
        temporary.write_text(f"{offset:+d}\n")
        temporary.rename(self.clock_files[host])

    def lose(self, source, target):
        """Loses all that one host sends to another: the address belongs to no card any more."""
        subprocess.run(["ip", "-n", self.network[source].space, "neigh", "replace", self.addresses[target], "lladdr",
                        "02:00:00:00:00:01", "dev", "net", "nud", "permanent"], check=True)

    def heal(self, source, target):
        subprocess.run(["ip", "-n", self.network[source].space, "neigh", "del", self.addresses[target], "dev", "net"],
                       capture_output=True)

    def away(self, host):
        words = ["cachesync-bridge", "away", "--shards", self.shards, "--name", host, *self.urls()]
        for cache in self.away_caches[host]:
            directory = self.directory_of_away(host, cache)
            directory.mkdir()
            words += ["--cache", f"{directory}={cache}"]
        # The clock of one of them is set at times.
        return Program(self, host, "away", words, self.clock_of(host) if host == "a1" else {})

    # MARK: Starting

    def start(self):
        for server in self.servers:
            server.start()
        self.make_streams()
        self.members = Pool(self) if self.options.members.startswith("pool") else Homes(self)
        self.members.start()
        for away in self.aways.values():
            away.start()

    def look_at_programs(self):
        for program in self.programs:
            program.look()


class Homes:
    """An agent and a home beside it. When their host is gone, another host goes on with a copy of the caches."""

    def __init__(self, world):
        self.world = world
        self.count = 0
        self.at = 0
        self.place(0)

    def place(self, at):
        """Names a host, and a directory there that was never used."""
        self.at, self.count = at, self.count + 1
        self.host = self.world.member_hosts[at]
        self.folder = self.world.network[self.host].home / f"caches-{self.count}"
        clock = self.world.clock_of(self.host) if at == 0 else {}
        self.agent = Program(self.world, self.host, "agent",
                             ["cachesyncd", "run", "--caches-in", self.folder, "--durability", "rename"], clock)
        self.home = Program(self.world, self.host, "home", [], clock)

    @property
    def programs(self):
        return [self.agent, self.home]

    @property
    def bridges(self):
        return [self.home]

    @property
    def agents(self):
        return [self.agent]

    def start(self):
        for cache in self.world.caches + self.world.scenes:
            (self.folder / cache).mkdir(parents=True)
        self.agent.start()
        self.start_home()

    def start_home(self, *words, servers=None):
        """Starts the home, or starts it again, and waits until it is the owner; later it starts without these words."""
        self.home.kill()
        mark = len(self.home.log.read_text()) if self.home.log.exists() else 0
        usual = ["cachesync-bridge", "home", "--caches-in", self.folder, "--name", f"{self.host}-{self.count}"]
        self.home.words = [*usual, *(servers or self.world.urls()), *words]
        self.home.start()
        wait_until(lambda: "home of " in self.home.log.read_text()[mark:], seconds=120, what="the home")
        self.home.words = [*usual, *self.world.urls()]

    def directory(self, cache):
        return self.folder / cache

    def take_over(self, late=()):
        """The other host goes on while this one stands still. Then this one continues, its agent first, which publishes what
        is dropped into `late` caches, so that its bridge has something to say before it can know.
        """
        agent, home, old = self.agent, self.home, self.folder
        home.pause()
        agent.pause()
        home.is_wanted = agent.is_wanted = False
        self.place(1 - self.at)
        shutil.copytree(old, self.folder, symlinks=True,
                        ignore=lambda folder, names: {"socket", "lock", "owners"} & set(names))
        self.agent.start()
        self.start_home("--take-over")

        def generation(cache):
            manifest = old / cache / "snapshots/manifest.json"
            return json.loads(manifest.read_bytes())["generation"] if manifest.exists() else 0

        before = {cache: generation(cache) for cache in late}
        for cache in late:
            (old / cache / "tasks").mkdir(exist_ok=True)
            (old / cache / "tasks/late.json").write_text('[{"id": "late", "title": "late", "completed": false, '
                                                         '"createdAt": "2026-11-19T08:12:44Z"}]')
        agent.go_on()
        wait_until(lambda: all(generation(cache) > before[cache] for cache in late), seconds=60, what="the late sets")
        home.go_on()
        self.await_end(home)
        agent.kill()
        shutil.rmtree(old)

    def await_end(self, home):
        """Waits until a home that was replaced ends, as it should."""
        try:
            status = home.process.wait(30)
        except subprocess.TimeoutExpired:
            status = None
        home.kill()
        if status != 75:
            self.world.ends.append(End(f"the home on {home.host.name} that was replaced", status, home.said()))

    def overtake(self, cache, publish, claim):
        """Another bridge takes the shard of a cache while the cache's set is on its way to the engine. The set comes behind
        the other's record, and the home hears of it by the refusal alone: the bell that would tell it is lost.

        - publish: makes the agent publish the cache.
        - claim: writes the other's record.
        """
        at = shard(cache, self.world.shards)
        put = f"HPUB $KV.{NAMESPACE}-out-{at}.{cache} ".encode()
        is_under_way, is_claimed = threading.Event(), threading.Event()

        def rule(line, content):
            if line.startswith(put):
                is_under_way.set()
                is_claimed.wait(60)
            return LOSE if line.startswith(f"HMSG {NAMESPACE}.set._owner ".encode()) else PASS

        with Proxy(4222, self.world.addresses[self.world.engine_hosts[0]], "0.0.0.0") as proxy:
            self.start_home(servers=["--server", f"nats://judge:{proxy.port}"])
            self.home.is_wanted = False
            proxy.rule = rule
            publish()
            try:
                wait_until(is_under_way.is_set, seconds=60, what="a set that is under way")
                claim(at)
            finally:
                is_claimed.set()
            self.await_end(self.home)
        self.start_home("--take-over")


class Pool:
    """Agents on several hosts that share all caches."""

    def __init__(self, world):
        self.world = world
        self.folders, self.agents, self.bridges = {}, [], []
        self.client, self.asked, self.owners = None, 0, {}
        for host in world.member_hosts:
            folder = self.folders[host] = world.network[host].home / "pool"
            clock = world.clock_of(host) if host == world.member_hosts[0] else {}
            self.agents.append(Program(world, host, "agent", [
                "cachesyncd", "run", "--caches-in", folder, "--durability", "rename"], clock))
            self.bridges.append(Program(world, host, "pool", [
                "cachesync-bridge", "pool", "--caches-in", folder, "--name", host, *world.urls()], clock))

    @property
    def programs(self):
        return self.agents + self.bridges

    def start(self):
        for folder in self.folders.values():
            folder.mkdir()
        for program in self.bridges + self.agents:
            program.start()

    def hosts(self):
        """The host of each shard's owner, as the owners' records have it; asked for twice a second at most."""
        if time.monotonic() - self.asked > 0.5:
            try:
                self.client = self.client or self.world.connect()
                for at in range(self.world.shards):
                    found = self.client.last(f"KV_cachesync-out-{at}", f"$KV.cachesync-out-{at}._owner")
                    self.owners[at] = json.loads(found[1]).get("agent") if found else None
                self.asked = time.monotonic()
            except (OSError, ValueError):
                self.client = None
        return self.owners

    def directory(self, cache):
        """Where the cache is. A member that lost it may have a copy still."""
        host = self.hosts().get(shard(cache, self.world.shards))
        return (self.folders[host] if host else self.world.network.folder / "nowhere") / cache

    def owner(self, cache):
        """The bridge and the agent that have a cache; none while it goes from one to another."""
        folder = self.directory(cache).parent
        for agent, bridge in zip(self.agents, self.bridges):
            if folder == self.folders[bridge.host.name]:
                return bridge, agent
        return None


def run_in(world, host, body, name):
    """Starts a thread on a host."""

    def run():
        enter(world.network[host].space)
        body()

    thread = threading.Thread(target=run, name=name, daemon=True)
    thread.start()
    return thread
