"""Builds the bridge with a fault on purpose, one after another, and lets the checker find each.

  seeded.py [NAME...]

Each file of faults/ is a patch with lines above it: the rule that the checker must see broken, the scenarios that meet the
fault, and the members if they are not a home. It needs root and CACHESYNCD.
"""

import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[3]
FAULTS = Path(__file__).resolve().parent / "faults"
WORK = REPOSITORY / ".build-faults"
TREE = WORK / "tree"
OPTIONS = ["--package-path", TREE / "Bridge", "--scratch-path", WORK / "build", "-c", "release",
           "--product", "cachesync-bridge"]
# What the bridge is built of.
PARTS = ["Package.swift", "Sources", "Tests", "Benchmarks", "Bridge"]


def copy_tree():
    """Makes the copy as the repository is. What did not change is not touched, so that it is not built again."""
    for part in PARTS:
        for folder, folders, files in os.walk(REPOSITORY / part) if (REPOSITORY / part).is_dir() else [
                (REPOSITORY, [], [part])]:
            folders[:] = [name for name in folders if not name.startswith(".")]
            for name in files:
                source = Path(folder) / name
                target = TREE / source.relative_to(REPOSITORY)
                if not target.exists() or target.read_bytes() != source.read_bytes():
                    target.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copyfile(source, target)


def build():
    """Builds the copy; the path of the program."""
    subprocess.run(["swift", "build", "-q", *OPTIONS], check=True)
    found = subprocess.run(["swift", "build", *OPTIONS, "--show-bin-path"], check=True, capture_output=True, text=True)
    return f"{found.stdout.strip()}/cachesync-bridge"


def check(program, scenes, members):
    """Plays scenarios; the exit status, the rules that were broken, and what was said."""
    run = subprocess.run(
        [sys.executable, "-B", FAULTS.parent / "check.py", "--no-chance", "--caches", "40", "--quiet", "20", "--scenes",
         scenes, "--members", members], env=os.environ | {"CACHESYNC_BRIDGE": program}, capture_output=True, text=True)
    return run.returncode, set(re.findall(r"^FAILED (\w+):", run.stdout, re.M)), run.stdout[-3000:] + run.stderr[-3000:]


def about(patch):
    """The rule that a patch breaks, the scenarios that meet it, and the members that play them."""
    told = dict(re.findall(r"^(\w+): (.+)$", patch.read_text(), re.M))
    return told["Rule"], told["Scenes"], told.get("Members", "home")


def is_right_without(patches):
    """Whether the same scenarios break no rule where there is no fault."""
    copy_tree()
    program = build()
    scenes = {}
    for _, names, members in map(about, patches):
        scenes.setdefault(members, set()).add(names)
    return all([is_right_with(program, members, ",".join(sorted(names))) for members, names in scenes.items()])


def is_right_with(program, members, scenes):
    began = time.monotonic()
    status, _, said = check(program, scenes, members)
    print(f"{'right' if status == 0 else 'WRONG'} without a fault, with {members}, after {time.monotonic() - began:.0f} s",
          flush=True)
    if status:
        print(said)
    return status == 0


def finds(patch):
    """Whether the checker sees the rule broken that a patch breaks."""
    rule, scenes, members = about(patch)
    began = time.monotonic()
    copy_tree()
    subprocess.run(["patch", "-s", "-p1", "-d", TREE, "-i", patch], check=True)
    try:
        program = build()
    finally:
        copy_tree()
    built = time.monotonic()
    status, rules, said = check(program, scenes, members)
    is_found = status == 1 and rule in rules
    print(f"{'found' if is_found else 'NOT FOUND'}: {patch.stem}, by the rule {rule} ({', '.join(sorted(rules)) or 'none'} "
          f"broken); built in {built - began:.0f} s, checked in {time.monotonic() - built:.0f} s", flush=True)
    if not is_found:
        print(said)
    return is_found


def main():
    if os.geteuid():
        print("skipped: a network of several hosts needs root")
        return
    names = sys.argv[1:]
    patches = [patch for patch in sorted(FAULTS.glob("*.patch")) if not names or patch.stem in names]
    is_right = is_right_without(patches)
    results = [finds(patch) for patch in patches]
    print(f"{sum(results)} of {len(results)} faults found")
    sys.exit(0 if is_right and results and all(results) else 1)


if __name__ == "__main__":
    main()
