"""The commands in docs/guide, typed as they are there. (ReadmeTests types the two guides that show what commands print.)

Debian: jq procps python3-pip rsync. PyPI: check-jsonschema.
"""

import contextlib
import json
import shlex
import subprocess
import time
import unittest
from pathlib import Path

from pages import blocks
from pypi import packages
from recipes import Home, needs
from support import REPOSITORY, Cache, program, task, wait_until
from test_recipes import free_port

GUIDES = REPOSITORY / "docs/guide"
TYPED_ELSEWHERE = {"your-language.md", "your-own-feed.md"}


def commands(page):
    """The lines of a page's blocks that are typed, without comments. Not those that change a limit of the machine."""
    for block in blocks(page):
        for line in block.text.splitlines():
            if line.startswith(("cachesyncd ", "jq ", "check-jsonschema ", "sysctl ")) and " -w " not in line:
                yield line.split("  #")[0].strip()


def is_endless(command):
    return command.startswith(("cachesyncd run", "cachesyncd serve")) or "--watch" in command


@unittest.skipUnless(
    Path(program()).resolve().with_name("cachesync-pictures").exists(), "no cachesync-pictures beside the program")
class Guides(unittest.TestCase):
    @needs("jq", "sysctl")
    def test_commands(self):
        checker = packages("check-jsonschema==0.39.0")
        count = 0
        for page in sorted(GUIDES.glob("*.md")):
            if page.name in TYPED_ELSEWHERE:
                continue
            with self.subTest(page.name), contextlib.closing(Cache()) as cache, Home(cache) as home:
                home.environment |= {
                    "CACHE": str(cache.path), "PYTHONPATH": str(checker), "PYTHONDONTWRITEBYTECODE": "1",
                    "PATH": f"{checker}/bin:{home.environment['PATH']}"}
                for name in ("today.json", "input.json"):
                    home.write(name, task("Typed"))
                home.write(".config/cachesync/.keep", "")
                (home.path / "caches/one").mkdir(parents=True)
                cache.start()
                for command in commands(page):
                    count += 1
                    command = command.replace("/srv/caches", str(home.path / "caches"))
                    if is_endless(command):
                        self.begin(home, command)
                        continue
                    result = home.type(command, timeout=120)
                    self.assertEqual((result.returncode, result.stderr), (0, ""), command)
        self.assertGreaterEqual(count, 19)

    @needs("rsync")
    def test_backup(self):
        """What the guide to backups copies is all that another directory needs to show the same."""
        [copy] = [block.text for block in blocks(GUIDES / "backup.md") if block.text.startswith("rsync ")]
        with contextlib.closing(Cache()) as cache, Home(cache) as home:
            for name, text in (("widgets/ours", '{"kind": "task-count"}'), ("screens/kitchen", '{"widgets": ["ours"]}')):
                cache.put(f"{name}.json", text)
            cache.start()
            backup = home.path / "backup"
            copy = copy.replace("~/.cache/cachesync/", f"{cache.path}/").replace("/media/backup/cachesync/", f"{backup}/")
            self.assertEqual(home.type(copy).returncode, 0)
            self.assertFalse((backup / "snapshots").exists() or (backup / ".cachesync").exists())
            for words in (["show", "--json", "--at", "2030-01-01T12:00:00Z"], ["screens", "--json"]):
                shown = [subprocess.run([program(), *words, "--cache", path], capture_output=True, check=True).stdout
                         for path in (cache.path, backup)]
                self.assertEqual(shown[0], shown[1])

    def test_editors(self):
        """The schemas that an editor's settings name are those that are installed."""
        [settings] = [block.text for block in blocks(GUIDES / "producers.md") if "json.schemas" in block.text]
        with contextlib.closing(Cache()) as cache:
            listed = cache.run("schema", "--list").stdout.splitlines()
        installed = {f"{words.replace(' ', '-')}.schema.json" for words in listed}
        for entry in json.loads(settings)["json.schemas"]:
            self.assertIn(entry["url"].removeprefix("file:///usr/share/cachesync/schemas/"), installed)

    def begin(self, home, command):
        """Starts a program that goes on, and waits for what it is there for."""
        if " serve " in command:
            command += f" --listen 127.0.0.1:{free_port()}"
        process = home.begin(command)
        effects = {"serve": ".config/cachesync/key", "run": "caches/one/snapshots/manifest.json", "render": "pictures/*.svg"}
        effect = effects[command.split()[1]]
        wait_until(lambda: list(home.path.glob(effect)) or process.poll() is not None, what=f"{effect} of {command}")
        self.assertIsNone(process.poll(), command)


class Mirror(unittest.TestCase):
    @needs("rsync")
    def test_two_publications_of_a_second(self):
        """The mirror gets the second of two publications that have the same size and the same second."""
        [command] = [
            line for block in blocks(GUIDES / "producers.md") for line in block.text.splitlines() if line.startswith("rsync ")]
        with contextlib.closing(Cache(sample=False)) as cache:
            original = cache.file("snapshots/todays-tasks.json")

            def mirrored(command, name):
                """Publishes twice, and mirrors after each. What the mirror has, and whether the two were of one second."""
                target = cache.folder / name
                target.mkdir()
                command = command.replace("$CACHE", str(cache.path)).replace("wall:cachesync", str(target))
                abouts = []
                time.sleep(1 - time.time() % 1)
                for title in ("first", "other"):
                    cache.put("tasks/a.json", task(title))
                    cache.run("sync")
                    subprocess.run(shlex.split(command), check=True)
                    about = original.stat()
                    abouts.append((about.st_size, int(about.st_mtime)))
                return (target / "snapshots/todays-tasks.json").read_bytes(), abouts[0] == abouts[1]

            def tried(command, name):
                """The same, until the two publications were of one second."""
                for attempt in range(20):
                    found, is_one_second = mirrored(command, f"{name}{attempt}")
                    if is_one_second:
                        return found
                self.fail("no two publications within a second")

            self.assertEqual(tried(command, "right"), original.read_bytes())
            without = tried(command.replace("--modify-window=-1 ", ""), "wrong")
            self.assertNotEqual(without, original.read_bytes(), "rsync's default is right now: the guide may say less")


if __name__ == "__main__":
    unittest.main()
