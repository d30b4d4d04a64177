#!/usr/bin/env python3
"""first-programs.py: builds the programs of the articles YourFirstReader and YourFirstWriter in a package outside the repository,
and lets the one show what the other wrote. It also loads the manifest as where there is no Glibc. Prints what differs."""

import pathlib
import re
import subprocess
import sys
import tempfile

PROJECT = pathlib.Path(__file__).resolve().parent.parent
ARTICLES = PROJECT / "Sources/CacheSync/CacheSync.docc"
SHARED = ("--scratch-path", PROJECT / ".build", "--disable-build-manifest-caching")


def run(*words):
    result = subprocess.run(list(map(str, words)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if result.returncode:
        sys.exit(f"{' '.join(map(str, words))} ended with {result.returncode}:\n{result.stdout}")
    return result.stdout


def blocks(article, language):
    return re.findall(rf"```{language}\n(.*?)```", (ARTICLES / f"{article}.md").read_text(), re.S)


def shown(article):
    """What the article's console prints, without the command."""
    return blocks(article, "console")[0].split("\n", 1)[1]


def package(place, name, manifest, program):
    (place / "Sources" / name).mkdir(parents=True)
    (place / "Package.swift").write_text(manifest.replace("FirstReader", name).replace("/home/me/cachesync", str(PROJECT)))
    (place / "Sources" / name / "main.swift").write_text(program)
    run("swift", "build", "--package-path", place, *SHARED)


def compare(name, found, expected):
    if found != expected:
        sys.exit(f"{name} prints\n{found}\nand not\n{expected}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder)
        (place / "Manifest").mkdir()
        manifest = (PROJECT / "Package.swift").read_text()
        (place / "Manifest/Package.swift").write_text(manifest.replace("canImport(Glibc)", "canImport(NoGlibc)"))
        run("swift", "package", "--package-path", place / "Manifest", "dump-package")
        manifest, reader = blocks("YourFirstReader", "swift")
        [writer] = blocks("YourFirstWriter", "swift")
        package(place / "FirstReader", "FirstReader", manifest, reader)
        package(place / "FirstWriter", "FirstWriter", manifest, writer)
        run("swift", "build", "--package-path", PROJECT, *SHARED, "--product", "cachesyncd")
        programs, cache = PROJECT / ".build/debug", place / "cache"
        cache.mkdir()
        compare("FirstWriter", run(programs / "FirstWriter", cache, "Buy milk", "Ring the bakery"), shown("YourFirstWriter"))
        run(programs / "cachesyncd", "sync", "--cache", cache)
        expected = shown("YourFirstReader")
        # By lines: into a pipe, a program that goes on writes only what fills a buffer.
        with subprocess.Popen(["stdbuf", "-oL", programs / "FirstReader", cache], stdout=subprocess.PIPE, text=True) as reader:
            try:
                compare("FirstReader", "".join(reader.stdout.readline() for _ in expected.splitlines()), expected)
            finally:
                reader.kill()
    print("FirstReader shows what FirstWriter wrote")


if __name__ == "__main__":
    main()
