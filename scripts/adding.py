#!/usr/bin/env python3
"""adding.py: does in a copy of the package what the article AddingAFeed and the guide to adding a language say: it adds the
feed and the language, types the commands, and runs the test. Prints what differs."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

PROJECT = pathlib.Path(__file__).resolve().parent.parent
GUIDE = "docs/guide/adding-a-language.md"
ARTICLE = "Sources/CacheSync/CacheSync.docc/AddingAFeed.md"


BUILD = ("--disable-build-manifest-caching",)
TEST = """import CacheSync
import Testing

@Suite struct WaterTests {{
  @Test func article() throws {{
{body}
  }}
}}
"""


def blocks(text, language):
    """The article's blocks in a language."""
    return [block.strip("\n") for block in re.findall(rf"```{language}\n(.*?)```", text, re.S)]


def indented(code):
    return "\n".join(f"    {line}" for line in code.splitlines())


def insert(file, before, lines):
    text = file.read_text()
    assert before in text, f"{file} has no {before!r}"
    file.write_text(text.replace(before, lines + "\n" + before, 1))


def apply(article, sources):
    session, feed, phrases, kind, registry, _ = blocks(article, "swift")
    feeds, words = sources / "CacheSyncFeeds/Feeds", sources / "CacheSyncValues/Words"
    folder = feeds / "Water"
    folder.mkdir()
    for name, code in [("WaterSession", session), ("WaterFeed", feed), ("WaterKind", kind)]:
        (folder / f"{name}.swift").write_text(code + "\n")
    insert(words / "Phrase.swift", "\n  // MARK: Tasks", phrases)
    # The line before the new one is there already.
    known, new = registry.splitlines()
    insert(feeds / "FeedRegistry.swift", "    ]\n    intents", new)
    assert known.strip() in (feeds / "FeedRegistry.swift").read_text(), known


def add_language(guide, place):
    """Catalan, with the English texts that it begins with: what the guide shows is that it compiles, and that dates are
    Catalan."""
    sys.path.insert(0, str(PROJECT / "Tests/Citizen"))
    from pypi import packages

    line, commands, embedded, _, template = re.findall(r"(?m)^```\n(.*?)```", guide, re.S)[:5]
    insert(place / "scripts/cldr.py", "]\n# What a language", "    " + line.strip())
    install, run_it, _ = commands.splitlines()
    babel = packages(install.removeprefix("pip3 install "))
    (place / "Tests/CacheSyncTests/Words").mkdir()
    run(*run_it.split(), cwd=place, env=os.environ | {"PYTHONPATH": str(babel)})
    words = place / "Sources/CacheSyncValues/Words"
    insert(words / "LanguageTag.swift", "\n  /// Its words.", '  /// Catalan.\n  case catalan = "ca"')
    insert(words / "LanguageTag.swift", "    case .italian: .oneAndMillions", "    case .catalan: .oneAndMillions")
    files, row = embedded.strip("\n").rsplit("\n", 1)
    insert(place / "Sources/CLanguages/languages.c", "\nstruct clanguages_data", files)
    insert(place / "Sources/CLanguages/languages.c", '  LANGUAGE("de", de)', row)
    run("sh", "-c", template, cwd=place)


def copy(place):
    """The package without tests, other than what the article's test uses."""
    for name in ("Package.swift", "Sources", "Makefile", "Benchmarks", "scripts", "Tests/Helpers", "Tests/CacheSyncTests/Support",
                 "Tests/CacheSyncTests/Views/KindViewTests.swift", "Tests/CacheSyncTests/Feeds/Nutrition/NutritionFixtures.swift"):
        source = PROJECT / name
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, place / name, ignore=shutil.ignore_patterns("*.docc"))
        else:
            shutil.copy(source, place / name)
    for target in re.findall(r'testTarget\(\s*name: "(\w+)"', (PROJECT / "Package.swift").read_text()):
        (place / "Tests" / target).mkdir(exist_ok=True)
        (place / "Tests" / target / "Empty.swift").write_text("// The package needs a source.\n")


def run(*words, **more):
    """Runs a program, and ends this one with its output if it fails."""
    result = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **more)
    if result.returncode:
        sys.exit(f"{' '.join(map(str, words))} ended with {result.returncode}:\n{result.stdout}")
    return result.stdout


def try_it(console, place):
    """Types the commands of the article's console, and compares what they print."""
    cache = place / "cache"
    cache.mkdir()
    environment = os.environ | {"TZ": "UTC"}
    for command, expected in re.findall(r"(?m)^\$ (.*)\n((?:(?!\$ ).*\n?)*)", console + "\n"):
        if command.startswith("swift "):
            run(*command.split(), *BUILD, cwd=place)
            continue
        found = run("sh", "-c", command.replace("DIR", str(cache)), cwd=place, env=environment)
        if found.strip() != expected.strip():
            sys.exit(f"{ARTICLE}: '{command}' prints\n{found}\nand not\n{expected}")


def main():
    text = (PROJECT / ARTICLE).read_text()
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder)
        copy(place)
        add_language((PROJECT / GUIDE).read_text(), place)
        apply(text, place / "Sources")
        [console] = blocks(text, "console")
        try_it(console, place)
        (place / "cache/cachesync.json").write_text('{ "locale": "ca" }')
        shown = run(".build/debug/cachesyncd", "show", "--cache", "cache", "--at", "2026-11-21T12:00:00Z", cwd=place)
        if "dissabte, 21 de novembre" not in shown:
            sys.exit(f"{GUIDE}: the new language shows\n{shown}")
        test = TEST.format(body=indented(blocks(text, "swift")[-1]))
        (place / "Tests/CacheSyncTests/WaterTests.swift").write_text(test)
        print(run("swift", "test", *BUILD, "--filter", "WaterTests|KindViewTests.ownTrees", cwd=place).splitlines()[-1])


if __name__ == "__main__":
    main()
