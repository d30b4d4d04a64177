"""`make bench-bridge`: what drops, caches and midnights cost, and the promises of docs/reference/wire.md section 8.

Real engine, agents and bridges on one machine. Absolute times mean little on a shared one; the ratios and slopes do.
"""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "Tests/Engine"), str(ROOT.parent / "Benchmarks")]
from renames import Renames  # noqa: E402
from support import AGENT, BRIDGE, Client, Place, wait_until  # noqa: E402

SESSION = (ROOT.parent / "sample-cache/meal-plan-cache/latest-session.json").read_bytes()
TICKS = os.sysconf("SC_CLK_TCK")


def line(name, value, unit, goal=None, least=None):
    missed = ", missed" if goal is not None and (value > goal or least is not None and value < least) else ""
    text = f"{name:<62}{value:>10.2f} {unit}"
    least = f"{least:g} to " if least is not None else ""
    print(text + (f"   goal {least}{goal:g}{missed}" if goal is not None else ""), flush=True)


def shard(token, count):
    """FNV-1a of 32 bits (wire.md section 1)."""
    value = 2166136261
    for byte in token.encode():
        value = ((value ^ byte) * 16777619) & 0xFFFFFFFF
    return value % count


class Cost:
    """The processor time and resident memory of a process."""

    def __init__(self, process):
        self.pid = process.pid
        self.mark()

    def mark(self):
        self.before = self.seconds()

    def seconds(self):
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS

    def spent(self):
        return self.seconds() - self.before

    def resident(self):
        """MiB."""
        text = Path(f"/proc/{self.pid}/status").read_text()
        return int(text.split("VmRSS:")[1].split()[0]) / 1024


def plan(number):
    """A meal plan of 12 kB, each different from the one before: every meal's name begins with its number."""
    return SESSION.replace(b'"meal_name": "', f'"meal_name": "{number:04} '.encode())


def drop(directory, data):
    temporary = directory / ".new"
    temporary.write_bytes(data)
    temporary.rename(directory / "latest-session.json")


def median_of_drops(count, drop_one, heard):
    times = []
    for number in range(count):
        # Beyond the pace of 10 ms: a lone drop.
        time.sleep(0.03)
        began = time.perf_counter()
        drop_one(number)
        heard()
        times.append((time.perf_counter() - began) * 1000)
    return statistics.median(times)


def latency(count):
    """From a drop on one host to the file on another, beside the agent's own time and the engine's."""
    with Place() as place, Client(place.engine) as client:
        kitchen = place.cache("kitchen")
        (kitchen / "meal-plan-cache").mkdir()
        subprocess.run([AGENT, "sync", "--cache", kitchen], check=True, capture_output=True)
        place.agent(kitchen)
        own = Renames(kitchen / "snapshots")
        drop(kitchen / "meal-plan-cache", plan(0))
        own.wait(b"manifest.json")
        agent = median_of_drops(
            count, lambda number: drop(kitchen / "meal-plan-cache", plan(number + 1)),
            lambda: own.wait(b"manifest.json"))
        number = client.subscribe("bench.delivery")
        delivery = median_of_drops(
            count, lambda _: client.publish("bench.delivery", SESSION), lambda: client.next(number))
        place.home("--cache", kitchen)
        desk, wall = place.cache("desk"), place.cache("wall")
        (desk / "meal-plan-cache").mkdir()
        for cache, name in [(desk, "a"), (wall, "b")]:
            place.away(cache, name="kitchen")
        wait_until((wall / "snapshots/manifest.json").exists, what="the first set")
        shown = Renames(wall / "snapshots")
        whole = median_of_drops(
            count, lambda number: drop(desk / "meal-plan-cache", plan(number + 500)),
            lambda: shown.wait(b"manifest.json"))
    line("drop to snapshot beside the agent, p50", agent, "ms")
    line("publish to delivery of 12 kB in the engine, p50", delivery, "ms")
    line("drop on one host to snapshot on another, p50", whole, "ms", agent + 3 * delivery)


def subject(name, shards):
    return f"$KV.cachesync-in-{shard(name, shards)}.{name}.meal-plan-cache.latest-session"


def put_all(client, names, shards, number):
    """A session for each cache; returns when the engine has a new set of each."""
    bells = client.subscribe("cachesync.set.*")
    client.flush()
    for name in names:
        client.publish(subject(name, shards), plan(number))
    hear_all(client, bells, names)


def hear_all(client, bells, names):
    missing = set(names)
    while missing:
        message = client.next(bells, 120)
        assert message, f"no set of {len(missing)} caches"
        missing.discard(message.subject.rpartition(".")[2])


class Many:
    """A directory with many caches, an agent and a home on it, and a client."""

    def __init__(self, place, count, shards, environment={}):
        self.count, self.shards = count, shards
        self.folder = place.folder / "caches"
        self.names = [f"c{number:06}" for number in range(count)]
        for name in self.names:
            (self.folder / name).mkdir(parents=True)
        self.agent = subprocess.Popen(
            [AGENT, "run", "--caches-in", self.folder, "--durability", "rename"], stderr=subprocess.DEVNULL,
            env=os.environ | environment)
        place.processes.append(self.agent)
        self.bridge = place.home("--caches-in", self.folder)
        self.engine = place.engine.process
        self.costs = {name: Cost(process) for name, process in
                      [("agent", self.agent), ("bridge", self.bridge), ("engine", self.engine)]}

    def spent(self):
        return {name: cost.spent() for name, cost in self.costs.items()}

    def mark(self):
        for cost in self.costs.values():
            cost.mark()


def stored(client, shards):
    """The bytes that the engine keeps."""
    return sum(client.stream_info(f"KV_cachesync-{direction}-{k}")["state"]["bytes"]
               for direction in ("in", "out") for k in range(shards))


def slopes(counts, shards=4):
    """What a cache, and a drop, cost each of the three programs."""
    rows = []
    for count in counts:
        with Place(shards=shards) as place, Client(place.engine) as client:
            many = Many(place, count, shards)
            many.mark()
            began = time.perf_counter()
            put_all(client, many.names, shards, 0)
            first = time.perf_counter() - began
            many.mark()
            began = time.perf_counter()
            put_all(client, many.names, shards, 1)
            seconds = time.perf_counter() - began
            spent = many.spent()
            # The engine keeps what it wrote in memory for some seconds.
            time.sleep(20)
            rows.append((count, {name: cost.resident() for name, cost in many.costs.items()}, stored(client, shards)))
            print(f"{count} caches: filled in {first:.1f} s; a drop in each shows after {seconds:.1f} s")
            for name, value in spent.items():
                line(f"  processor time of the {name} for a drop", value / count * 1000, "ms")
            for name, value in rows[-1][1].items():
                line(f"  resident memory of the {name}", value, "MiB")
    (low, small, few), (high, large, much) = rows[0], rows[-1]
    for name in small:
        line(f"slope of the {name}'s memory", (large[name] - small[name]) / (high - low) * 1024, "KiB a cache",
             1 if name == "bridge" else None)
    line("slope of the engine's store, a session and a set", (much - few) / (high - low) / 1024, "KiB a cache")


def midnight(count, shards=4, lead=60):
    """From the agent's midnight until the engine has every set. Its clock is set so that midnight comes soon."""
    now = time.time()
    day = time.strftime("%Y-%m-%d", time.gmtime(now))
    # As faketime(1) sets it, whose own process would stand between.
    library = subprocess.run(
        ["faketime", "@0", "sh", "-c", "echo $LD_PRELOAD"], capture_output=True, text=True, check=True).stdout.strip()
    start = f"@{day} {time.strftime('%H:%M:%S', time.gmtime(86400 - lead))}"
    clock = {"TZ": "UTC", "LD_PRELOAD": library, "FAKETIME": start, "FAKETIME_DONT_FAKE_MONOTONIC": "1"}
    with Place(shards=shards) as place, Client(place.engine) as client:
        started = time.time()
        many = Many(place, count, shards, clock)
        put_all(client, many.names, shards, 0)
        rest = started + lead - time.time()
        assert rest > 1, f"{count} caches took too long to fill for midnight {lead} s after the start"
        bells = client.subscribe("cachesync.set.*")
        client.flush()
        time.sleep(max(0, rest - 0.5))
        client.waiting(bells)
        many.mark()
        hear_all(client, bells, many.names)
        seconds = time.time() - started - lead
        line(f"midnight of {count} caches until the engine has all sets", seconds, "s", 5 * count / 10_000)
        for name, value in many.spent().items():
            if name != "agent":
                line(f"  processor time of the {name} for a set", value / count * 1000, "ms")


class Members:
    """A pool: several agents, each with a bridge, that share all caches of a namespace."""

    def __init__(self, place, count, shards):
        self.place, self.shards = place, shards
        self.agents, self.bridges = {}, {}
        for name in [f"m{number}" for number in range(count)]:
            folder = place.folder / name
            folder.mkdir()
            self.bridges[name] = place.start("pool", "--caches-in", folder, "--name", name)
            self.agents[name] = subprocess.Popen(
                [AGENT, "run", "--caches-in", folder, "--durability", "rename"], stderr=subprocess.DEVNULL)
            place.processes.append(self.agents[name])

    def owners(self, client):
        """The member that has each shard; None where it has none."""
        found = []
        for number in range(self.shards):
            record = client.last_from_leader(f"KV_cachesync-out-{number}", f"$KV.cachesync-out-{number}._owner")
            owner = json.loads(record[1]) if record else {}
            found.append(owner.get("agent") if owner.get("nonce") else None)
        return found

    def is_spread(self, client):
        owners = self.owners(client)
        return None not in owners and set(owners) == set(self.bridges)


def takeover(count, agents=4, shards=16):
    """From kill -9 of a member's bridge and agent until its caches take drops again, for each cache."""
    with Place(shards=shards) as place, Client(place.engine) as client:
        members = Members(place, agents, shards)
        wait_until(lambda: members.is_spread(client), 60, "every member's share")
        names = [f"c{number:06}" for number in range(count)]
        put_all(client, names, shards, 0)
        owners = members.owners(client)
        lost = max(members.bridges, key=owners.count)
        names = [name for name in names if owners[shard(name, shards)] == lost]
        bells = client.subscribe("cachesync.set.*")
        client.flush()
        cost = {name: Cost(process) for name, process in members.bridges.items() if name != lost}
        for process in [members.agents[lost], members.bridges[lost]]:
            place.end(process)
        began = time.perf_counter()
        for name in names:
            client.publish(subject(name, shards), plan(1))
        times = {}
        while len(times) < len(names):
            message = client.next(bells, 120)
            assert message, f"no set of {len(names) - len(times)} caches"
            name = message.subject.rpartition(".")[2]
            if owners[shard(name, shards)] == lost and name != "_owner":
                times.setdefault(name, time.perf_counter() - began)
        times = sorted(times.values())
        line(f"takeover of {len(names)} of {count} caches: first", times[0], "s")
        line("  95 of 100", times[len(times) * 95 // 100 - 1], "s", 5)
        line("  last", times[-1], "s")
        line("  processor time of the other bridges for a cache",
             sum(one.spent() for one in cost.values()) / len(names) * 1000, "ms")
        for name, one in cost.items():
            line(f"  resident memory of the bridge {name}", one.resident(), "MiB")


def share(agents, count, rounds, shards=16):
    """The processor time of a pool's agents, and of their bridges, for one publication, beyond what they take when nothing is
    dropped: milliseconds."""
    with Place(shards=shards) as place, Client(place.engine) as client:
        members = Members(place, agents, shards)
        wait_until(lambda: members.is_spread(client), 60, "every member's share")
        names = [f"c{number:06}" for number in range(count)]
        # Twice: shards may still go to the members that should have them.
        for number in range(2):
            put_all(client, names, shards, number)
        costs = {name: [Cost(process) for process in processes.values()]
                 for name, processes in [("agents", members.agents), ("bridges", members.bridges)]}
        time.sleep(10)
        idle = {name: sum(cost.spent() for cost in some) / 10 for name, some in costs.items()}
        for cost in costs["agents"] + costs["bridges"]:
            cost.mark()
        began = time.perf_counter()
        for number in range(rounds):
            put_all(client, names, shards, number + 2)
        seconds = time.perf_counter() - began
        return {name: (sum(cost.spent() for cost in some) - idle[name] * seconds) / count / rounds * 1000
                for name, some in costs.items()}


def scaling(count, rounds=4, agents=4):
    """What a publication costs when more agents share the caches."""
    alone, together = share(1, count, rounds), share(agents, count, rounds)
    for name in alone:
        line(f"processor time of one of the {name} for a publication", alone[name], "ms")
        line(f"  of {agents} that share {count} caches", together[name], "ms")
    line("  ratio of both together", sum(together.values()) / sum(alone.values()), "", 1.15, 0.85)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--drops", type=int, default=200)
    parser.add_argument("--caches", type=int, nargs="+", default=[100, 1000, 2000])
    parser.add_argument("--only", choices=["latency", "slopes", "midnight", "takeover", "scaling"])
    arguments = parser.parse_args()
    if arguments.only in (None, "latency"):
        latency(arguments.drops)
    if arguments.only in (None, "slopes"):
        slopes(arguments.caches)
    if arguments.only in (None, "midnight"):
        if shutil.which("faketime"):
            midnight(arguments.caches[-1])
        else:
            print("midnight: faketime is not installed")
    if arguments.only in (None, "takeover"):
        takeover(arguments.caches[-1])
    if arguments.only in (None, "scaling"):
        scaling(arguments.caches[-1])


if __name__ == "__main__":
    main()
