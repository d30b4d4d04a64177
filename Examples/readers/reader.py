#!/usr/bin/env python3
"""reader.py CACHE TIME [KIND...]: prints the entries in force at TIME (RFC 3339, UTC) of kinds that agree, by default of all.
Only Python's standard library is needed."""

import json
import pathlib
import sys
import time


class Changing(Exception):
    """The files never agreed: many publications follow each other, or a published file was changed."""


def agreeing(cache, kinds=()):
    """The generation of a publication, and its snapshots by their kinds. On FUSE and network file systems a file that is just
    being replaced can seem to be missing or cut off, so that is believed only after a second."""
    attempt = 0
    while True:
        attempt += 1
        try:
            return agreeing_now(cache, kinds)
        except (OSError, ValueError, KeyError):
            if attempt > 20 or not (pathlib.Path(cache) / "snapshots").is_dir():
                raise
            time.sleep(0.05)


def agreeing_now(cache, kinds=()):
    snapshots = pathlib.Path(cache) / "snapshots"
    for _ in range(100):
        manifest = json.loads((snapshots / "manifest.json").read_bytes())
        files = {name.removesuffix(".json"): about for name, about in manifest["files"].items()}
        wanted = kinds or sorted(files.keys() - {"day-index"})
        found = {kind: json.loads((snapshots / f"{kind}.json").read_bytes()) for kind in wanted if kind in files}
        if all(found[kind]["generation"] == files[kind]["generation"] for kind in found):
            return manifest["generation"], found
    raise Changing


def entry(snapshot, time):
    """The entry in force: the last one whose date is not later. The dates compare as texts."""
    past = [entry for entry in snapshot["entries"] if entry["date"] <= time]
    return past[-1] if past else snapshot["entries"][0]


def main(cache, time, *kinds):
    try:
        generation, snapshots = agreeing(cache, kinds)
    except (OSError, ValueError, KeyError) as problem:
        sys.exit(f"cannot read the snapshots in {cache}: {problem!r}")
    except Changing:
        sys.exit(f"the snapshots in {cache} do not agree: try cachesyncd sync")
    print(json.dumps({"generation": generation, "entries": {kind: entry(found, time) for kind, found in snapshots.items()}}))


if __name__ == "__main__":
    main(*sys.argv[1:])
