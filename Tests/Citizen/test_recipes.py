"""The recipes that need no bar and no broker, as they stand in docs/recipes: cron and timers, ssh, metrics.

Debian: cron systemd openssh-server prometheus prometheus-node-exporter.
"""

import contextlib
import getpass
import json
import os
import random
import re
import shlex
import socket
import struct
import subprocess
import unittest
import urllib.request
from pathlib import Path

from pages import PAGES, blocks
from recipes import Home, Lines, end, installed, needs
from support import Cache, program, wait_until


def free_port():
    """A port that the kernel gives to no program that asks for any, so that it stays free until it is used."""
    while True:
        with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", random.randrange(20_000, 32_768))) as probe:
            return probe.getsockname()[1]


class Recipes(unittest.TestCase):
    def setUp(self):
        self.cache = Cache()
        self.addCleanup(self.cache.close)
        self.home = self.enterContext(Home(self.cache))

    def succeed(self, command):
        result = self.home.type(command)
        self.assertEqual(result.returncode, 0, result)
        return result.stdout

    def complaints(self, *units):
        """What systemd says of units, other than that their programs are not installed here."""
        result = self.home.type(f"systemd-analyze verify {' '.join(units)}")
        return [
            line for line in result.stderr.splitlines()
            if not re.search(r"Command cachesync\S* is not executable: No such file or directory", line)]


class Pages(unittest.TestCase):
    def test_every_fence_is_understood(self):
        for page in PAGES.glob("*.md"):
            text = page.read_text()
            self.assertEqual(text.count("\n```") % 2, 0, page)
            for info in re.findall(r"(?m)^```(\S.*)$", text):
                self.assertRegex(info, r"^[a-z]+(( run( background)?| file=\S+( mode=\d+)?)( on=\w+)?)?$", page)
            self.assertTrue(blocks(page.name), page)

    def test_scripts_are_shell(self):
        for page in PAGES.glob("*.md"):
            for block in blocks(page.name):
                if block.mode == 0o755:
                    shell = block.text.splitlines()[0].removeprefix("#!")
                    result = subprocess.run([shell, "-n"], input=block.text, capture_output=True, text=True)
                    self.assertEqual((result.returncode, result.stderr), (0, ""), page)


class CronAndTimers(Recipes):
    def test_sync(self):
        [sync] = self.home.follow("cron-and-timers.md")
        self.assertEqual(self.succeed(sync.text), "")
        self.assertEqual(self.cache.snapshot("todays-tasks")["entries"][0]["state"], "current")
        # Beside an agent, too.
        self.cache.start()
        self.assertEqual(self.succeed(sync.text), "")

    @needs("crontab")
    def test_cron(self):
        self.home.follow("cron-and-timers.md")
        self.succeed("crontab -n cachesync.cron")
        line = (self.home.path / "cachesync.cron").read_text()
        # As cron does: with little of an environment.
        little = {name: self.home.environment[name] for name in ("HOME", "PATH", "CACHESYNC_CACHE")}
        result = subprocess.run(
            ["/bin/sh", "-c", line.split(maxsplit=5)[5]], cwd=self.home.path, env=little, capture_output=True)
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, b"", b""))
        self.assertTrue(self.cache.file("snapshots/manifest.json").exists())

    @needs("systemd-analyze")
    def test_units(self):
        self.home.follow("cron-and-timers.md")
        units = ".config/systemd/user"
        self.assertEqual(
            self.complaints(f"{units}/cachesync-sync.service", f"{units}/cachesync-sync.timer"), [])
        next_times = self.succeed("systemd-analyze calendar --base-time='2026-11-21 23:58:00' '*:0/5'")
        self.assertIn("2026-11-22 00:00:00", next_times)


class Prometheus(Recipes):
    @needs("promtool", "prometheus-node-exporter")
    def test_metrics(self):
        [write] = self.home.follow("prometheus.md")
        self.cache.start()
        self.succeed(write.text)
        metrics = self.home.path / "metrics"
        self.assertEqual([file.name for file in metrics.iterdir()], ["cachesync.prom"])
        port = free_port()
        self.home.begin([
            "prometheus-node-exporter", "--collector.disable-defaults", "--collector.textfile",
            f"--collector.textfile.directory={metrics}", f"--web.listen-address=127.0.0.1:{port}"])

        def served():
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=5) as answer:
                    return answer.read().decode()
            except OSError:
                return ""

        cache = f'{{cache="{self.cache.path}"}}'
        wait_until(lambda: f"cachesync_up{cache} 1" in served(), what="the metrics of an agent")
        self.assertIn("node_textfile_scrape_error 0", served())
        self.cache.stop()
        self.home.type(write.text)
        self.assertIn(f"cachesync_up{cache} 0", served())
        self.assertNotIn("cachesync_events_total", served())

    @needs("promtool")
    def test_rules(self):
        self.home.follow("prometheus.md")
        self.assertIn("6 rules found", self.succeed("promtool check rules cachesync.rules.yml"))
        self.cache.start()
        names = set(re.findall(r"(?m)^(cachesync_\w+)", self.cache.run("status", "--prometheus").stdout))
        used = set(re.findall(r"\bcachesync_\w+", (self.home.path / "cachesync.rules.yml").read_text()))
        self.assertEqual(used - names, set())

    @needs("systemd-analyze")
    def test_units(self):
        self.home.follow("prometheus.md")
        self.assertEqual(self.complaints("./cachesync-metrics.service", "./cachesync-metrics.timer"), [])


@needs("sshd", "ssh", "ssh-keygen")
class Ssh(Recipes):
    def setUp(self):
        super().setUp()
        self.cache.start()
        keys = self.home.path / ".ssh"
        keys.mkdir(mode=0o700)
        self.succeed(f"ssh-keygen -q -t ed25519 -N '' -f {keys}/host; ssh-keygen -q -t ed25519 -N '' -f {keys}/own")
        (keys / "authorized_keys").write_bytes((keys / "own.pub").read_bytes())
        port = free_port()
        environment = " ".join(
            f'"{name}={self.home.environment[name]}"' for name in ("HOME", "PATH", "CACHESYNC_CACHE"))
        self.home.write("sshd_config", f"""
ListenAddress 127.0.0.1:{port}
HostKey {keys}/host
AuthorizedKeysFile {keys}/authorized_keys
PidFile none
StrictModes no
UsePAM no
PasswordAuthentication no
SetEnv {environment}
""")
        # `cache` of the page; ssh reads its configuration in the home of the account, not in HOME.
        self.home.write(".ssh/config", f"""
Host cache
  HostName 127.0.0.1
  Port {port}
  User {getpass.getuser()}
  IdentityFile {keys}/own
  StrictHostKeyChecking accept-new
  UserKnownHostsFile {keys}/known_hosts
""")
        self.home.write(".local/bin/ssh", f'#!/bin/sh\nexec {installed("ssh")} -F {keys}/config "$@"\n', 0o755)
        if os.geteuid() == 0:
            os.makedirs("/run/sshd", exist_ok=True)
        self.home.begin([installed("sshd"), "-D", "-e", "-f", str(self.home.path / "sshd_config")])
        wait_until(lambda: self.home.type("ssh cache true").returncode == 0, what="a connection")

    def test_page(self):
        show, watch, drop, restrict, drop_restricted = self.home.follow("ssh.md")
        self.assertIn("6 tasks\n", self.succeed(show.text))

        watching = self.home.begin(watch.text, stdout=subprocess.PIPE)
        lines = Lines(watching.stdout)

        def counts():
            entries = [json.loads(line) for line in lines.text.splitlines(keepends=True) if line.endswith("\n")]
            return [entry["content"]["count"] for entry in entries if entry["kind"] == "todays-tasks"]

        wait_until(lambda: counts() == [6], what="what is published")
        self.assertIn("tasks/phone.json", self.succeed(drop.text))
        self.cache.run("wait", check=True)
        self.assertIn("7 tasks\n", self.succeed(show.text))
        wait_until(lambda: counts() == [6, 7], what="the new task")
        # Nothing stays on the host when the other side goes.
        self.assertEqual(len(list(self.home.programs("cachesyncd"))), 1)
        end(watching)
        wait_until(lambda: not list(self.home.programs("cachesyncd")), what="the end of watch")

        self.succeed(restrict.text)
        phone = "ssh -i ~/.ssh/phone -o IdentitiesOnly=yes -o IdentityFile=none cache"
        (self.home.path / ".ssh/config").write_text(
            re.sub(r"  IdentityFile .*\n", "", (self.home.path / ".ssh/config").read_text()))
        self.cache.file("tasks/phone.json").unlink()
        self.assertIn("tasks/phone.json", self.succeed(drop_restricted.text))
        self.assertIn("7 tasks\n", self.succeed(f"{phone} show"))
        for other in ("", "id", "show; id", "drop tasks; id", "cachesyncd status"):
            result = self.home.type(f"{phone} '{other}'")
            self.assertEqual((result.returncode, result.stdout), (64, ""), result)

    def test_a_wrong_file_says_where(self):
        drop = self.home.follow("ssh.md")[2]
        self.home.write("tasks.json", '{ "tasks": [ { "id": 5 } ] }')
        result = self.home.type(drop.text)
        self.assertEqual(result.returncode, 65, result)
        self.assertIn("1:", result.stderr)


@unittest.skipUnless(
    Path(program()).resolve().with_name("cachesync-pictures").exists(), "no cachesync-pictures beside the program")
class Pictures(Recipes):
    """Of the recipes with pictures, what needs no browser, no address of the machine's and no folder of a web server."""

    def test_status_bar(self):
        line, watch = self.home.follow("status-bar.md")
        self.cache.start()
        self.assertRegex(self.succeed(line.text), r"\A\S.*\n\Z")
        self.home.begin(watch.text)
        bar = json.loads((self.home.path / "waybar.json").read_text())
        picture = self.home.path / bar["image#calories"]["path"].removeprefix("~/")
        wait_until(picture.exists, what="the picture that the bar shows")
        self.assertTrue(picture.read_bytes().startswith(b"\x89PNG"))

    @needs("systemd-analyze", "script")
    def test_shared_calendar(self):
        watch, share, serve = self.home.follow("shared-calendar.md")
        self.assertEqual(self.complaints(".config/systemd/user/cachesync-calendars.service"), [])
        self.cache.start()
        self.home.begin(watch.text)
        calendar = self.home.path / "calendars/meal-plan.ics"
        wait_until(calendar.exists, what="the calendar of meals")
        (self.home.path / ".config/cachesync").mkdir(parents=True)
        address = self.succeed(f"script -qec {shlex.quote(share.text)} /dev/null").strip()
        port = free_port()
        address = address.replace(":8735/", f":{port}/")
        self.home.begin(f"{serve.text.strip()} --listen 127.0.0.1:{port}")

        def shared():
            with contextlib.suppress(OSError), urllib.request.urlopen(address, timeout=10) as answer:
                return answer.read()

        self.assertEqual(wait_until(shared, what="the shared calendar"), calendar.read_bytes())

    def test_e_ink_display(self):
        serve, render = self.home.follow("e-ink-display.md")
        self.assertEqual(self.complaints(".config/systemd/user/cachesync-panels.service"), [])
        self.cache.start()
        # The address with its key is printed on a terminal, which `script` is.
        port = free_port()
        command = serve.text.strip().replace("--listen 0.0.0.0:8735", f"--listen 127.0.0.1:{port}")
        server = self.home.begin(["script", "-qfec", command, "/dev/null"], stdout=subprocess.PIPE)
        lines = Lines(server.stdout)
        found = wait_until(
            lambda: re.search(rf"Panels use http://cache.local:{port}(/[0-9a-f]{{32}})\s", lines.text), what="the address")
        told = json.loads(self.succeed(f"./panel.sh http://127.0.0.1:{port}{found[1]} 94:A9:90:8C:6D:18"))
        self.assertEqual((told["status"], told["special_function"]), (0, "none"))
        self.assertTrue(60 <= told["refresh_rate"] <= 24 * 3600, told)
        with urllib.request.urlopen(told["image_url"], timeout=10) as answer:
            self.assertEqual(struct.unpack(">IIB", answer.read()[16:25]), (800, 480, 1))
        self.succeed(render.text)
        picture = (self.home.path / "screen.png").read_bytes()
        # Width, height and bits of the header.
        self.assertEqual(struct.unpack(">IIB", picture[16:25]), (800, 480, 1))
