#!/usr/bin/env python3
"""functions.py AGENT SAMPLE-CACHE: prints the functions that lone drops and starts run: first those of drops into all feeds,
then those of fewer, feeds with the same ones together, and last those of starts alone.

`make release` gives the list, scripts/functions.txt, to the linker, which puts them side by side: a lone drop is slow because
what it runs is spread over the whole program, and no longer in the processor's caches. AGENT is a release build that is not
stripped. Needs perf, and the right to use it."""

import bisect
import collections
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

STARTS, DROPS = 10, 200
TITLE = re.compile(r'("(?:title|name)" *: *")')


def record(program, sample, place, durability):
    """The function of each sample in one run of the agent, which begins with nothing, and the feed of the drop; "": the start."""
    cache, data = place / "cache", place / "perf.data"
    shutil.copytree(sample, cache)
    agent = subprocess.Popen(["perf", "record", "-q", "-F", "20000", "-k", "CLOCK_MONOTONIC", "-o", data, program, "run", "--cache", cache,
                              "--log-level", "error", "--durability", durability])
    while not (cache / "snapshots/manifest.json").exists():
        if agent.poll() is not None:
            sys.exit("functions.py: perf or the agent ended; perf needs root, or kernel.perf_event_paranoid at most 1")
        time.sleep(0.02)
    texts = {path: path.read_text() for path in sorted(cache.glob("*/*.json")) if path.parent.name != "snapshots"}
    sessions = [path for path, text in texts.items() if TITLE.search(text)]
    begins, feeds = [], []
    for drop in range(DROPS):
        path = sessions[drop % len(sessions)]
        temporary = path.with_name("." + path.name + ".tmp")
        # Another title, so that something is published.
        temporary.write_text(TITLE.sub(rf"\g<1>{drop} ", texts[path], count=1))
        begins.append(time.monotonic())
        feeds.append(path.parent.name)
        temporary.rename(path)
        time.sleep(0.025)
    subprocess.run(["pkill", "-TERM", "-P", str(agent.pid)], check=True)
    agent.wait()
    samples = subprocess.run(["perf", "script", "--no-demangle", "-F", "time,ip,sym,dso", "-i", data],
                             check=True, capture_output=True, text=True).stdout
    for line in samples.splitlines():
        when, _, symbol, where = line.split(None, 3)
        if where.endswith(f"/{pathlib.Path(program).name})") and re.fullmatch(r"[$\w.]+", symbol):
            yield symbol, (["", *feeds])[bisect.bisect(begins, float(when.rstrip(":")))]


def main():
    program, sample = sys.argv[1:]
    counts, feeds = collections.Counter(), collections.defaultdict(set)
    for start in range(STARTS):
        with tempfile.TemporaryDirectory() as place:
            for symbol, feed in record(program, sample, pathlib.Path(place), ["rename", "flush"][start % 2]):
                counts[symbol] += 1
                feeds[symbol] |= {feed} - {""}
    print("\n".join(sorted(counts, key=lambda name: (-len(feeds[name]), sorted(feeds[name]), -counts[name]))))


main()
