#!/usr/bin/env python3
"""functions.py AGENT SAMPLE-CACHE: prints the functions that lone drops and starts run, the most frequent first.

`make release` gives the list, scripts/functions.txt, to the linker, which puts them side by side: a lone drop is slow because
what it runs is spread over the whole program, and no longer in the processor's caches. AGENT is a release build that is not
stripped. Needs perf, and the right to use it."""

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
    """Counts the samples of each function in one run of the agent, which begins with nothing."""
    cache, data = place / "cache", place / "perf.data"
    shutil.copytree(sample, cache)
    agent = subprocess.Popen(["perf", "record", "-q", "-F", "20000", "-o", data, program, "run", "--cache", cache,
                              "--log-level", "error", "--durability", durability])
    while not (cache / "snapshots/manifest.json").exists():
        if agent.poll() is not None:
            sys.exit("functions.py: perf or the agent ended; perf needs root, or kernel.perf_event_paranoid at most 1")
        time.sleep(0.02)
    texts = {path: path.read_text() for path in sorted(cache.glob("*/*.json")) if path.parent.name != "snapshots"}
    sessions = [path for path, text in texts.items() if TITLE.search(text)]
    for drop in range(DROPS):
        path = sessions[drop % len(sessions)]
        temporary = path.with_name("." + path.name + ".tmp")
        # Another title, so that something is published.
        temporary.write_text(TITLE.sub(rf"\g<1>{drop} ", texts[path], count=1))
        temporary.rename(path)
        time.sleep(0.025)
    subprocess.run(["pkill", "-TERM", "-P", str(agent.pid)], check=True)
    agent.wait()
    samples = subprocess.run(["perf", "script", "--no-demangle", "-F", "ip,sym,dso", "-i", data],
                             check=True, capture_output=True, text=True).stdout
    for line in samples.splitlines():
        _, symbol, where = line.split(None, 2)
        if where.endswith(f"/{pathlib.Path(program).name})") and re.fullmatch(r"[$\w.]+", symbol):
            yield symbol


def main():
    program, sample = sys.argv[1:]
    counts = collections.Counter()
    for start in range(STARTS):
        with tempfile.TemporaryDirectory() as place:
            counts.update(record(program, sample, pathlib.Path(place), ["rename", "flush"][start % 2]))
    print("\n".join(symbol for symbol, _ in counts.most_common()))


main()
