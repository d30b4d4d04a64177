"""Standard error in the journal: each line begins with its priority, and a start is one line."""

import os
import pty
import select
import shutil
import signal
import subprocess
import termios
import unittest

from services import DEADLINE, Agent, Folder, environment, run
from support import program, wait_until


def stream(file):
    """What systemd puts into JOURNAL_STREAM for a file that is standard error."""
    about = os.fstat(file.fileno())
    return {"JOURNAL_STREAM": f"{about.st_dev}:{about.st_ino}"}


class Journal(unittest.TestCase):
    def setUp(self):
        self.folder = Folder(self)

    def failing(self, *arguments, in_journal=True):
        """Runs a command that fails, and returns its status and standard error."""
        with open(self.folder.path / "errors", "w+b") as errors:
            changes = stream(errors) if in_journal else {}
            status = subprocess.run(
                [program(), *map(str, arguments)], env=environment(**changes), stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL, stderr=errors, timeout=DEADLINE).returncode
            errors.seek(0)
            return status, errors.read().decode()

    def test_levels(self):
        cache = self.folder.empty_cache()
        agent = Agent(self, "--cache", cache, "--log-level", "debug", setup=stream).await_serving()
        os.rename(cache, self.folder.path / "away")
        wait_until(lambda: "is gone" in agent.errors, DEADLINE, "the agent notices")
        self.assertEqual(agent.stop(), 0)
        lines = agent.errors.splitlines()
        self.assertIn(f"<5>serving {cache}", lines)
        self.assertIn(f"<4>the cache directory is gone; waiting for {cache}", lines)
        self.assertTrue(any(line.startswith("<7>published generation 1: ") for line in lines), lines)
        self.assertTrue(all(line[:3] in ("<7>", "<5>", "<4>") for line in lines), lines)

    def test_a_start_is_one_line_as_any_user(self):
        identity = {}
        copy = shutil.copy(program(), self.folder.path / "cachesyncd")
        cache = self.folder.empty_cache()
        if os.geteuid() == 0:
            identity = {"user": "nobody", "group": "nogroup", "extra_groups": []}
            shutil.chown(cache, "nobody", "nogroup")
        # libdispatch complains to the system's log unless it is told to complain here.
        agent = Agent(
            self, "--cache", cache, copy=copy, identity=identity, setup=stream, LIBDISPATCH_LOG="stderr")
        agent.await_serving()
        agent.signal(signal.SIGHUP)
        self.assertEqual(run("wait", "--sweep", "--cache", cache).returncode, 0)
        self.assertEqual(agent.stop(), 0)
        self.assertEqual(agent.errors, f"<5>serving {cache}\n")

    def test_failures_and_wrong_usage(self):
        none = self.folder.path / "none"
        cases = [
            (66, ["run", "--cache", none]), (66, ["show", "--cache", none]),
            (69, ["status", "--cache", self.folder.path]),
            (64, ["run", "--nonsense"]), (64, ["run", "--time-zone", "Nowhere/City"]), (64, ["show", "nothing"]),
        ]
        for expected, arguments in cases:
            with self.subTest(arguments):
                status, errors = self.failing(*arguments)
                self.assertEqual(status, expected)
                self.assertTrue(errors.endswith("\n"))
                for line in errors.splitlines():
                    self.assertRegex(line, r"\A<3>.")
                    self.assertNotIn("cachesyncd: ", line)
                status, errors = self.failing(*arguments, in_journal=False)
                self.assertEqual(status, expected)
                self.assertNotIn("<3>", errors)

    def test_another_stream_is_no_journal(self):
        cache = self.folder.empty_cache()
        with open(self.folder.path / "other", "wb") as other:
            agent = Agent(self, "--cache", cache, **stream(other)).await_serving()
        agent.stop()
        self.assertEqual(agent.errors, f"cachesyncd: notice: serving {cache}\n")

    def test_only_a_terminal_reads_how_to_stop(self):
        cache = self.folder.empty_cache()
        master, terminal = pty.openpty()
        self.addCleanup(os.close, master)
        process = subprocess.Popen(
            [program(), "run", "--cache", cache], env=environment(), stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=terminal)
        self.addCleanup(process.wait)
        self.addCleanup(process.terminate)
        os.close(terminal)
        # A slow start writes a line about its progress first.
        said = ""
        while f"serving {cache}; stop with ^C" not in said:
            self.assertTrue(select.select([master], [], [], 30)[0], said)
            said += os.read(master, 4096).decode()

    def test_a_stopped_terminal_delays_the_end_no_longer_than_a_hanging_disk(self):
        cache = self.folder.sample_cache()
        master, terminal = pty.openpty()
        self.addCleanup(os.close, master)
        self.addCleanup(os.close, terminal)
        # The start takes long enough to tell of its progress, and is over while the terminal is stopped, as by ^S.
        process = subprocess.Popen(
            ["strace", "-f", "-D", "-o", "/dev/null", "-e", "trace=openat2", "-e",
             "inject=openat2:delay_enter=300000:when=1..10", program(), "run", "--cache", cache], env=environment(),
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=terminal)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        said = ""
        while "so far" not in said:
            self.assertTrue(select.select([master], [], [], 30)[0], said)
            said += os.read(master, 4096).decode()
        termios.tcflow(terminal, termios.TCOOFF)
        wait_until(lambda: (cache / "snapshots/manifest.json").exists(), 30, "the start")
        process.terminate()
        self.assertIn(process.wait(timeout=15), (0, 74))


if __name__ == "__main__":
    unittest.main()
