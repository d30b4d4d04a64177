#!/usr/bin/env python3
"""readers.py: runs the readers of Examples/readers against their vectors, each for which the machine has the language. Prints what
differs, and what is skipped. Then each meets files in the middle of their replacement, as on FUSE, and must read them again."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

# Of Debian's libgoogle-gson-java and librust-serde-json-dev.
GSON = pathlib.Path("/usr/share/java/gson.jar")
CRATES = pathlib.Path("/usr/share/cargo/registry")
READERS = pathlib.Path(__file__).resolve().parent.parent / "Examples/readers"


def programs(work):
    """The command of each reader, or the program that it lacks."""
    yield "reader.py", "python3", ["python3", "-B", READERS / "reader.py"]
    yield "reader.mjs", "node", ["node", READERS / "reader.mjs"]
    yield "reader.sh", "jq", ["sh", READERS / "reader.sh"]
    if shutil.which("go"):
        subprocess.run(["go", "build", "-o", work / "go-reader", READERS / "reader.go"], check=True)
    yield "reader.go", "go", [work / "go-reader"]
    if GSON.exists() and shutil.which("javac"):
        subprocess.run(["javac", "-d", work / "java", "-cp", GSON, READERS / "Reader.java"], check=True)
    yield "Reader.java", "javac" if GSON.exists() else str(GSON), ["java", "-cp", f"{work / 'java'}:{GSON}", "Reader"]
    if CRATES.exists() and shutil.which("cargo"):
        subprocess.run(["cargo", "build", "--quiet", "--offline", "--manifest-path", READERS / "rust/Cargo.toml", "--target-dir",
                        work / "rust", "--config", "source.crates-io.replace-with='debian'",
                        "--config", f"source.debian.directory='{CRATES}'"], check=True)
        (READERS / "rust/Cargo.lock").unlink(missing_ok=True)
    yield "rust", "cargo" if CRATES.exists() else "librust-serde-json-dev", [work / "rust/debug/reader"]


def answer(command, vector, cache):
    put(cache, vector)
    result = subprocess.run([*command, cache, vector["time"], *vector["kinds"]], capture_output=True, text=True, timeout=60)
    if result.returncode == 0:
        return json.loads(result.stdout)
    lines = result.stderr.splitlines()
    return None if result.returncode == 1 and len(lines) == 1 and str(cache) in lines[0] else result


def put(cache, vector):
    shutil.rmtree(cache, ignore_errors=True)
    (cache / "snapshots").mkdir(parents=True)
    for name, content in vector["files"].items():
        (cache / "snapshots" / name).write_text(content if isinstance(content, str) else json.dumps(content))


def answer_in_gap(command, vector, cache, name, is_cut):
    """What a reader prints that meets NAME cut off, or else missing. The file is whole only after it was looked at: what is read
    first is a pipe, whose other end tells that the reader has opened it."""
    put(cache, vector)
    place = cache / "snapshots" / name
    piped = place if is_cut else cache / "snapshots/manifest.json"
    text = piped.read_text()
    piped.rename(cache / "whole")
    if not is_cut:
        place.rename(cache / "missing")
    os.mkfifo(piped)
    reader = subprocess.Popen([*command, cache, vector["time"], *vector["kinds"]], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    with open(piped, "w") as pipe:
        (cache / "whole").rename(piped)
        pipe.write(text[:len(text) // 2] if is_cut else text)
    if not is_cut:
        time.sleep(0.2)
        (cache / "missing").rename(place)
    out, _ = reader.communicate(timeout=60)
    return json.loads(out) if reader.returncode == 0 else None


def main():
    vectors = json.loads((READERS / "vectors.json").read_text())
    wrong = 0
    with tempfile.TemporaryDirectory() as place:
        work = pathlib.Path(place)
        for name, needed, command in programs(work):
            if not shutil.which(needed):
                print(f"{name}: skipped, because there is no {needed}")
                continue
            failed = 0
            gaps = [("manifest.json", True), ("task-count.json", True), ("task-count.json", False)]
            for vector in vectors:
                found = answer(command, vector, work / "cache")
                if found != vector["expected"]:
                    failed += 1
                    print(f"{name}: {vector['name']}: {found}, expected {vector['expected']}", file=sys.stderr)
            for file, is_cut in gaps:
                found = answer_in_gap(command, vectors[0], work / "cache", file, is_cut)
                if found != vectors[0]["expected"]:
                    failed += 1
                    print(f"{name}: {file} {'cut off' if is_cut else 'missing'} for a moment: {found}", file=sys.stderr)
            print(f"{name}: {len(vectors) + len(gaps) - failed} of {len(vectors) + len(gaps)}, {len(vectors)} vectors and {len(gaps)} gaps")
            wrong += failed
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
