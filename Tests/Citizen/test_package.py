"""The packages: what lintian says, what they hold, and that `make install` gives the same."""

import gzip
import os
import re
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

import built
from support import REPOSITORY

# Only a package has these.
OF_PACKAGES = re.compile(r"share/doc/[^/]+/(changelog\.gz|copyright)|share/lintian/.*")

# packaging.md section 1, below the prefix.
PROMISED = {
    "bin/cachesyncd",
    "lib/systemd/user/cachesyncd.service",
    "lib/systemd/system/cachesyncd@.service",
    "lib/systemd/user/cachesync-fetch@.service",
    "lib/systemd/user/cachesync-fetch@.timer",
    "lib/systemd/system/cachesync-fetch@.service",
    "lib/systemd/system/cachesync-fetch@.timer",
    "lib/sysusers.d/cachesyncd.conf",
    "share/man/man1/cachesyncd.1",
    "share/cachesync/schemas/session-tasks.schema.json",
    "share/cachesync/schemas/snapshot-calendar.schema.json",
    "share/cachesync/schemas/day-index.schema.json",
    "share/man/man5/cachesync.5",
    "share/bash-completion/completions/cachesyncd",
    "share/zsh/vendor-completions/_cachesyncd",
    "share/fish/vendor_completions.d/cachesyncd.fish",
    "share/doc/cachesyncd/reference/contract.md",
    "share/doc/cachesyncd/reference/feeds.md",
    "share/doc/cachesyncd/reference/packaging.md",
    "share/doc/cachesyncd/examples/sample-cache/cachedTasks.json",
    "bin/cachesync-pictures",
    "lib/systemd/user/cachesync-page.service",
    "lib/systemd/system/cachesync-page@.service",
    "bin/cachesync-bridge",
    "lib/systemd/user/cachesync-home.service",
    "lib/systemd/system/cachesync-home@.service",
    "share/man/man1/cachesync-bridge.1",
    "share/bash-completion/completions/cachesync-bridge",
    "share/zsh/vendor-completions/_cachesync-bridge",
    "share/fish/vendor_completions.d/cachesync-bridge.fish",
    "share/doc/cachesync-bridge/README.md",
    "share/doc/cachesync-bridge/examples/nats-server.conf",
}

PROGRAMS = ("cachesyncd", "cachesync-pictures", "cachesync-bridge")


def files(root):
    """What lies below a directory, with what is compressed unpacked."""
    found = {}
    for path in root.rglob("*"):
        name = str(path.relative_to(root))
        if path.is_dir() or OF_PACKAGES.fullmatch(name):
            continue
        if name.endswith(".gz"):
            found[name.removesuffix(".gz")] = (gzip.decompress(path.read_bytes()), 0o644)
        else:
            found[name] = (path.read_bytes(), path.stat().st_mode & 0o7777)
    return found


class PackageTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.directory.cleanup)
        cls.unpacked = Path(cls.directory.name, "unpacked")
        cls.packages = [built.package(name) for name in PROGRAMS]
        for package in cls.packages:
            subprocess.run(["dpkg-deb", "-x", package, cls.unpacked], check=True)

    def field(self, package, name):
        return subprocess.run(
            ["dpkg-deb", "-f", package, name], check=True, capture_output=True, text=True).stdout.strip()

    def test_lintian(self):
        # Root is not among those it is meant for.
        root = ["--allow-root"] if os.geteuid() == 0 else []
        done = subprocess.run(
            ["lintian", *root, "--fail-on", "error,warning", "--info", *self.packages], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertNotRegex(done.stdout, r"(?m)^[EW]:")

    def test_files(self):
        self.assertLessEqual(PROMISED, set(files(self.unpacked / "usr")))
        self.assertEqual([each.name for each in self.unpacked.iterdir()], ["usr"], "no configuration files")
        for recipe in (REPOSITORY / "docs/recipes").glob("*.md"):
            self.assertTrue((self.unpacked / "usr/share/doc/cachesyncd/recipes" / recipe.name).exists(), recipe.name)

    def test_install_gives_the_same(self):
        staged = Path(self.directory.name, "staged")
        built.make("install", f"DESTDIR={staged}", "PREFIX=/usr", "ZSH_FUNCTIONS=share/zsh/vendor-completions")
        ours, theirs = files(staged / "usr"), files(self.unpacked / "usr")
        self.assertEqual(set(ours), set(theirs))
        self.assertEqual([name for name in ours if ours[name] != theirs[name]], [])

    def test_uninstall_leaves_nothing(self):
        staged = Path(self.directory.name, "removed")
        built.make("install", f"DESTDIR={staged}")
        self.assertIn("bin/cachesyncd", files(staged / "usr/local"))
        self.assertIn("share/zsh/site-functions/_cachesyncd", files(staged / "usr/local"))
        beside = staged / "usr/local/bin/somebody-elses"
        beside.touch()
        built.make("uninstall", f"DESTDIR={staged}")
        left = [path for path in staged.rglob("*") if not path.is_dir()]
        self.assertEqual(left, [beside])
        self.assertEqual([path for path in staged.rglob("*cachesync*")], [])

    def test_a_package_holds_its_own_files_alone(self):
        for package, others in zip(self.packages, (
                ("pictures", "page", "bridge", "home"), ("bridge", "home"), ("pictures", "page"))):
            names = subprocess.run(["dpkg-deb", "-c", package], check=True, capture_output=True, text=True).stdout
            for other in others:
                self.assertNotIn(f"cachesync-{other}", names, package.name)

    def test_needs_no_runtime_of_swift(self):
        for package in self.packages:
            needs = self.field(package, "Depends")
            self.assertIn("libc6", needs)
            self.assertNotIn("swift", needs.lower())
        self.assertRegex(self.field(self.packages[0], "Depends"), "libinotifytools0.*tzdata")
        bridge = self.field(self.packages[2], "Depends")
        self.assertRegex(bridge, r"libnats3.*cachesyncd \(= ")
        self.assertNotIn("libinotifytools", bridge)
        # What the packages' fields cannot say: a library that no package has.
        for program in PROGRAMS:
            libraries = subprocess.run(
                ["readelf", "-d", self.unpacked / "usr/bin" / program], check=True, capture_output=True, text=True).stdout
            self.assertNotIn("libswift", libraries)

    def test_a_release_is_the_same_twice(self):
        """What `make dist` packs has the same bytes at any time, in any zone and with any umask."""
        found = []
        for mask, zone in (("022", "UTC"), ("077", "Asia/Tokyo")):
            release = Path(self.directory.name, f"release-{mask}")
            subprocess.run(["sh", "-c", f"umask {mask} && scripts/dist.sh {release} 2>&1"], cwd=REPOSITORY, check=True,
                           env=os.environ | {"TZ": zone}, capture_output=True)
            found.append({path.name: path.read_bytes() for path in release.iterdir()})
            time.sleep(1)
        self.assertEqual(found[0], found[1])
        version = self.field(self.packages[0], "Version")
        archive = f"cachesyncd-{version}-linux-{os.uname().machine}"
        self.assertEqual(
            set(found[0]), {each.name for each in self.packages} | {f"{archive}.tar.gz", "SHA256SUMS", "NOTES.md"})
        subprocess.run(["sha256sum", "--quiet", "--strict", "-c", "SHA256SUMS"], cwd=release, check=True)
        self.assertEqual((release / "SHA256SUMS").read_text().count("\n"), 4)
        notes = (release / "NOTES.md").read_text()
        self.assertTrue(notes.startswith(f"## [{version}] - "), notes)
        self.assertNotIn("\n## ", notes)
        self.assertIn(notes, (REPOSITORY / "CHANGELOG.md").read_text())
        subprocess.run(["tar", "-xzf", f"{archive}.tar.gz"], cwd=release, check=True)
        printed = subprocess.run([release / archive / "cachesyncd", "--version"], check=True, capture_output=True, text=True)
        self.assertEqual(printed.stdout.strip(), version)

    def test_one_version(self):
        programs = {subprocess.run(
            [self.unpacked / "usr/bin" / name, "--version"], check=True, capture_output=True, text=True).stdout.strip()
            for name in ("cachesyncd", "cachesync-bridge")}
        self.assertEqual(len(programs), 1, programs)
        program = programs.pop()
        changelog = (REPOSITORY / "debian/changelog").read_text()
        self.assertEqual(re.match(r"cachesyncd \(([^)]+)\)", changelog)[1], program)
        for package in self.packages:
            self.assertEqual(self.field(package, "Version"), program)
        for page in (REPOSITORY / "docs/man").glob("cachesync*"):
            operating_system = re.search(r"(?m)^\.Os (.*)$", page.read_text())
            self.assertIsNotNone(operating_system, f"{page.name} names no version: .Os CacheSync {program}")
            self.assertIn(program, operating_system[1], page.name)


if __name__ == "__main__":
    unittest.main()
