"""calls.py AGENT [--filter TEXT] [--save]: counts what the agent asks of the kernel for one drop, with strace, and compares with
thresholds.json. Exit status 1: it asks for more. Times differ from machine to machine, these figures do not."""

import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

from renames import Renames

THRESHOLDS = pathlib.Path(__file__).parent / "thresholds.json"
DROPS = 40
# Longer than any publication, and less than the gap between two drops, in seconds.
PAUSE = 0.015


def counts(agent, durability):
    """How many calls each drop needs."""
    with tempfile.TemporaryDirectory() as directory:
        cache, trace = pathlib.Path(directory) / "cache", pathlib.Path(directory) / "trace"
        (cache / "meal-plan-cache").mkdir(parents=True)
        sample = json.loads(pathlib.Path("sample-cache/meal-plan-cache/latest-session.json").read_text())

        def drop(number):
            sample["id"] = f"drop {number}"
            (cache / "next").write_text(json.dumps(sample))
            (cache / "next").rename(cache / "meal-plan-cache/latest-session.json")

        drop(0)
        process = subprocess.Popen([agent, "run", "--cache", cache, "--durability", durability, "--log-level", "error"])
        try:
            while not (cache / "snapshots/manifest.json").exists():
                time.sleep(0.02)
            time.sleep(1.5)
            strace = subprocess.Popen(["strace", "-f", "-ttt", "-o", trace, "-p", str(process.pid)], stderr=subprocess.PIPE)
            strace.stderr.readline()
            renames = Renames(cache / "snapshots")
            for number in range(1, DROPS + 1):
                drop(number)
                renames.wait(b"manifest.json")
                time.sleep(4 * PAUSE)
            strace.terminate()
            strace.wait()
        finally:
            process.terminate()
            process.wait()
        drops, last = [], 0.0
        for line in trace.read_text(errors="replace").splitlines():
            _, when, call = line.split(None, 2)
            if call.startswith(("<...", "+++", "---")):
                continue
            if float(when) - last > PAUSE:
                drops.append([])
            last = float(when)
            drops[-1].append(call)
    return [len(drop) for drop in drops if any("manifest.json" in call and "rename" in call for call in drop)]


def main():
    agent, *options = sys.argv[1:]
    thresholds = json.loads(THRESHOLDS.read_text())
    text = options[options.index("--filter") + 1] if "--filter" in options else ""
    more = []
    for durability in ("rename", "flush"):
        name = f"calls/{durability}"
        if text not in name:
            continue
        found = statistics.median_low(counts(agent, durability))
        print(f"{name:24}{found:12}{thresholds.get(name, '-'):>24}")
        if found > thresholds.get(name, found):
            more.append(name)
        thresholds[name] = found
    if "--save" in options:
        THRESHOLDS.write_text("{\n" + ",\n".join(f'  "{name}": {thresholds[name]}' for name in sorted(thresholds)) + "\n}\n")
    elif more:
        sys.exit(f"more calls than thresholds.json allows: {', '.join(more)}")


main()
