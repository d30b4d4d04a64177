"""Talking to the service manager: the messages to NOTIFY_SOCKET, in their order."""

import contextlib
import mmap
import os
import pathlib
import re
import signal
import socket
import subprocess
import time
import unittest

from services import DEADLINE, Agent, Folder, run
from support import wait_until


class NotifySocket:
    """What a service manager listens on."""

    def __init__(self, test, name):
        self.name = str(name)
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        test.addCleanup(self.socket.close)
        self.socket.bind("\0" + self.name[1:] if self.name.startswith("@") else self.name)

    def next(self, seconds=DEADLINE):
        self.socket.settimeout(seconds)
        return self.socket.recv(65536).decode()

    def rest(self):
        """The messages that are there already."""
        messages = []
        self.socket.setblocking(False)
        try:
            while True:
                messages.append(self.socket.recv(65536).decode())
        except BlockingIOError:
            return messages


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = Folder(self)
        self.socket = NotifySocket(self, self.folder.path / "notify")

    def agent(self, *arguments, **options):
        return Agent(self, *arguments, NOTIFY_SOCKET=options.pop("name", self.socket.name), **options)

    def expect(self, *messages):
        for message in messages:
            self.assertEqual(self.socket.next(), message)


class Sequence(Case):
    def check_sequence(self):
        cache = self.folder.sample_cache()
        agent = self.agent("--cache", cache)
        self.expect(f"READY=1\nSTATUS=serving {cache}")
        self.assertTrue((cache / "snapshots/manifest.json").exists(), "ready means published")
        before = time.monotonic_ns() // 1000
        agent.signal(signal.SIGHUP)
        reloading = self.socket.next()
        self.assertRegex(reloading, r"\ARELOADING=1\nMONOTONIC_USEC=[0-9]+\Z")
        self.assertTrue(before <= int(reloading.split("=")[-1]) <= time.monotonic_ns() // 1000)
        self.expect("READY=1")
        self.assertEqual(agent.stop(), 0)
        self.assertEqual(self.socket.rest(), ["STOPPING=1"])

    def test_path(self):
        self.check_sequence()

    def test_abstract_name(self):
        self.socket = NotifySocket(self, f"@citizen-{os.getpid()}")
        self.check_sequence()

    def test_reload_ends_when_it_is_published(self):
        cache = self.folder.sample_cache()
        agent = self.agent("--cache", cache)
        self.expect(f"READY=1\nSTATUS=serving {cache}")
        path = cache / "cachedTasks.json"
        # A write through a memory map gives no event before the file is closed, so only the reload can find it.
        with open(path, "r+b") as file, mmap.mmap(file.fileno(), 0) as memory:
            place = re.search(rb'"title"\s*:\s*"([^"]{4})', memory).start(1)
            memory[place : place + 4] = b"Zqxj"
            memory.flush()
            agent.signal(signal.SIGHUP)
            self.assertIn("RELOADING=1", self.socket.next())
            self.expect("READY=1")
            published = [p.read_text() for p in (cache / "snapshots").glob("*.json")]
            self.assertTrue(any("Zqxj" in text for text in published))

    def test_interrupt_is_an_end_too(self):
        cache = self.folder.empty_cache()
        agent = self.agent("--cache", cache)
        self.expect(f"READY=1\nSTATUS=serving {cache}")
        agent.signal(signal.SIGINT)
        self.expect("STOPPING=1")
        self.assertEqual(agent.process.wait(DEADLINE), 0)

    def test_no_cache_is_never_ready(self):
        agent = self.agent("--cache", self.folder.path / "none")
        self.assertEqual(agent.process.wait(DEADLINE), 66)
        self.assertEqual(self.socket.rest(), [])


class Status(Case):
    def test_one_cache(self):
        cache = self.folder.sample_cache()
        agent = self.agent("--cache", cache)
        self.expect(f"READY=1\nSTATUS=serving {cache}")
        # A reload and a sweep change no words, so they say none.
        self.assertEqual(run("wait", "--sweep", "--cache", cache).returncode, 0)
        os.rename(cache, self.folder.path / "away")
        self.expect(f"STATUS=waiting for {cache}")
        os.rename(self.folder.path / "away", cache)
        self.expect(f"STATUS=serving {cache}")
        # A link in its place is refused, also to root.
        os.rename(cache / "snapshots", self.folder.path / "snapshots")
        os.symlink(self.folder.path / "snapshots", cache / "snapshots")
        (cache / "shoes").mkdir(exist_ok=True)
        (cache / "shoes/x.json").write_text("[]")
        self.expect(f"STATUS=serving {cache}; not writable")
        os.unlink(cache / "snapshots")
        # A reload tries again at once, and its end means that it worked.
        agent.signal(signal.SIGHUP)
        messages = [self.socket.next() for _ in range(3)]
        self.assertIn(f"STATUS=serving {cache}", messages)
        self.assertEqual(messages[2], "READY=1")
        self.assertTrue((cache / "snapshots/manifest.json").exists())

    def test_caches_come_and_go(self):
        (self.folder.path / "caches/a").mkdir(parents=True)
        agent = self.agent("--caches-in", self.folder.path / "caches")
        self.expect(f"READY=1\nSTATUS=serving {self.folder.path}/caches/a")
        (self.folder.path / "caches/b").mkdir()
        wait_until(lambda: self.socket.next() == "STATUS=serving 2 caches", DEADLINE, "two caches are served")
        os.rename(self.folder.path / "caches/b", self.folder.path / "b")
        only = f"STATUS=serving {self.folder.path}/caches/a"
        wait_until(lambda: self.socket.next() == only, DEADLINE, "one cache is served")
        self.assertEqual(agent.stop(), 0)

    def test_polling(self):
        cache = self.folder.empty_cache()
        # As at the limit of watches.
        self.agent(
            "--cache", cache, wrapper=["strace", "-f", "-D", "-o", "/dev/null", "-e", "trace=inotify_add_watch", "-e",
                                       "inject=inotify_add_watch:error=ENOSPC"])
        self.expect(f"READY=1\nSTATUS=serving {cache}; polling")


class Watchdog(Case):
    def test_short_period(self):
        cache = self.folder.empty_cache()
        self.agent("--cache", cache, WATCHDOG_USEC=2_000_000)
        self.expect(f"READY=1\nSTATUS=serving {cache}", "WATCHDOG=1", "WATCHDOG=1", "WATCHDOG=1")

    def test_each_sweep(self):
        cache = self.folder.empty_cache()
        agent = self.agent(
            "--cache", cache, WATCHDOG_USEC=2_700_000_000,
            wrapper=["sh", "-c", 'WATCHDOG_PID=$$ exec "$@"', "sh"])
        self.expect(f"READY=1\nSTATUS=serving {cache}")
        for _ in range(2):
            self.assertEqual(run("wait", "--sweep", "--cache", cache).returncode, 0)
            self.expect("WATCHDOG=1")
        self.assertEqual(run("wait", "--cache", cache).returncode, 0)
        agent.signal(signal.SIGHUP)
        self.assertIn("RELOADING=1", self.socket.next())
        self.expect("WATCHDOG=1", "READY=1")
        agent.stop()
        self.expect("STOPPING=1")

    def test_not_meant_for_the_agent(self):
        others = {"WATCHDOG_USEC": 2_000_000, "WATCHDOG_PID": 1}
        for changes in [others, {"WATCHDOG_USEC": 0}, {"WATCHDOG_USEC": "x"}, {}]:
            with self.subTest(changes):
                cache = self.folder.empty_cache(f"cache{len(str(changes))}")
                agent = self.agent("--cache", cache, **changes)
                self.expect(f"READY=1\nSTATUS=serving {cache}")
                self.assertEqual(run("wait", "--sweep", "--cache", cache).returncode, 0)
                agent.stop()
                self.expect("STOPPING=1")

    def test_long_period_adds_no_wake_up(self):
        """Twelve seconds stand for the contract's minute: what wakes it more often than the sweep shows."""
        plain = Agent(self, "--cache", self.folder.empty_cache("plain")).await_serving()
        watched = self.agent("--cache", self.folder.empty_cache("watched"), WATCHDOG_USEC=2_700_000_000).await_serving()
        agents = (plain, watched)
        # The last good versions are saved a second after the first publication.
        rest = {}

        def is_still():
            now = tuple(wake_ups(agent.pid) for agent in agents)
            if rest.get("value") != now:
                rest.update(value=now, since=time.monotonic())
            return time.monotonic() - rest["since"] > 2

        wait_until(is_still, DEADLINE, "both agents are idle")
        before = [wake_ups(agent.pid) for agent in agents]
        time.sleep(12)
        after = [wake_ups(agent.pid) for agent in agents]
        self.assertEqual([b - a for a, b in zip(before, after)], [0, 0])


def wake_ups(pid):
    """How often the threads of a process went to sleep. A thread that waits for the disk may end meanwhile."""
    count = 0
    for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            status = (task / "status").read_text()
            count += int(re.search(r"^voluntary_ctxt_switches:\s*(\d+)", status, re.M)[1])
    return count


class SlowStart(Case):
    def slow_agent(self, cache, count):
        # Each of so many openings of a file takes 0.7 s longer.
        return self.agent(
            "--cache", cache, wrapper=["strace", "-f", "-D", "-o", "/dev/null", "-e", "trace=openat2", "-e",
                                       f"inject=openat2:delay_enter=700000:when=1..{count}"])

    def test_it_asks_for_time(self):
        cache = self.folder.sample_cache()
        self.slow_agent(cache, 26)
        for _ in range(2):
            message = self.socket.next()
            self.assertRegex(message, r"\AEXTEND_TIMEOUT_USEC=60000000\nSTATUS=reading session files: [0-9]+ so far\Z")
        self.expect(f"READY=1\nSTATUS=serving {cache}")

    def test_reload_and_end_during_it(self):
        agent = self.slow_agent(self.folder.sample_cache(), 1000)
        cache = self.folder.path / "cache"
        wait_until(lambda: run("status", "--cache", cache).returncode != 69, DEADLINE, "it has begun")
        # The end of the reload is not the end of the start.
        agent.signal(signal.SIGHUP)
        agent.signal(signal.SIGTERM)
        self.assertEqual(agent.process.wait(DEADLINE), 0)
        self.assertEqual(self.socket.rest(), ["STOPPING=1"])


    @unittest.skipIf(os.geteuid() != 0, "only root may mount")
    def test_a_disk_that_hangs_keeps_no_other_cache_from_being_ready(self):
        cache, other = self.folder.sample_cache(), self.folder.empty_cache("other")
        subprocess.run(["mount", "-t", "tmpfs", "tmpfs", other], check=True)
        self.addCleanup(subprocess.run, ["umount", "-l", other])
        # The lock of the cache on the other disk can be had after half a minute.
        self.agent(
            "--cache", cache, "--cache", other,
            wrapper=["strace", "-f", "-D", "-o", "/dev/null", "-P", other / ".cachesync/lock", "-e", "trace=flock", "-e",
                     "inject=flock:delay_enter=25000000:when=1"])
        self.assertIn("EXTEND_TIMEOUT_USEC", self.socket.next())
        messages = [self.socket.next() for _ in range(2)]
        self.assertIn("READY=1\nSTATUS=serving 1 cache; waiting for 1", messages)
        while "STATUS=serving 2 caches" != (message := self.socket.next()):
            self.assertIn("EXTEND_TIMEOUT_USEC", message)


class Silence(Case):
    def calls(self, cache, **changes):
        """The system calls of sockets over start, sweep, reload and end."""
        trace = self.folder.path / f"trace-{len(os.listdir(self.folder.path))}"
        agent = Agent(
            self, "--cache", cache, wrapper=["strace", "-f", "-D", "-o", trace, "-e", "trace=%net"], **changes)
        agent.await_serving()
        run("wait", "--sweep", "--cache", cache)
        agent.signal(signal.SIGHUP)
        run("wait", "--sweep", "--cache", cache)
        self.assertEqual(agent.stop(), 0)
        # The tracer writes on for a moment.
        wait_until(lambda: "exited with 0" in trace.read_text(), DEADLINE, "the trace is whole")
        text = trace.read_text()
        return [re.sub(r"^\d+ +", "", line) for line in text.splitlines() if "(" in line and "resumed" not in line]

    def test_no_socket_without_a_service_manager(self):
        cache = self.folder.empty_cache()
        names = lambda calls: sorted(call.split("(")[0] for call in calls)
        with_manager = self.calls(cache, NOTIFY_SOCKET=self.socket.name, WATCHDOG_USEC=2_700_000_000)
        self.assertEqual(sum("SOCK_DGRAM" in call for call in with_manager), 1)
        without = self.calls(cache, WATCHDOG_USEC=2_700_000_000)
        self.assertFalse([call for call in without if "SOCK_DGRAM" in call])
        told = len(self.socket.rest())
        self.assertGreater(told, 4)
        difference = names(with_manager)
        for name in names(without):
            difference.remove(name)
        self.assertEqual(difference, ["sendto"] * told + ["socket"])
        for name in ["", "relative/path", "vsock:2:1"]:
            with self.subTest(name):
                calls = self.calls(cache, NOTIFY_SOCKET=name, WATCHDOG_USEC=2_700_000_000)
                self.assertEqual(names(calls), names(without))

    def test_a_service_manager_that_does_not_listen(self):
        full = NotifySocket(self, self.folder.path / "full")
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
            sender.setblocking(False)
            with self.assertRaises(BlockingIOError):
                while True:
                    sender.sendto(b"X=1", full.name)
        for name in [full.name, "/nonexistent/socket", "@nonexistent", "@", "/" + "x" * 200]:
            with self.subTest(name):
                cache = self.folder.empty_cache(f"cache{len(name)}")
                agent = self.agent("--cache", cache, name=name).await_serving()
                self.assertEqual(agent.stop(), 0)
                self.assertEqual(agent.errors, f"cachesyncd: notice: serving {cache}\n")


if __name__ == "__main__":
    unittest.main()
