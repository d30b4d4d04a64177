"""Agents as a service manager starts them: with its environment, and with a standard error that can be read."""

import os
import pathlib
import shutil
import signal
import subprocess
import tempfile

from support import REPOSITORY, program, wait_until

# How long a message or an end may take on a machine that is busy with other things.
DEADLINE = 30


def environment(**changes):
    """The environment of the tests without what a service manager may have put there; None removes a variable."""
    result = dict(os.environ)
    for name in ("NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID", "JOURNAL_STREAM", "CACHESYNC_CACHE"):
        result.pop(name, None)
    for name, value in changes.items():
        if value is None:
            result.pop(name, None)
        else:
            result[name] = str(value)
    return result


def run(*arguments, **changes):
    """Runs a command of the program to its end, and returns what it said and its status."""
    return subprocess.run(
        [program(), *map(str, arguments)], env=environment(**changes), stdin=subprocess.DEVNULL, capture_output=True,
        text=True, timeout=DEADLINE)


class Folder:
    """A temporary directory that ends with the test."""

    def __init__(self, test):
        self.path = pathlib.Path(tempfile.mkdtemp(prefix="citizen-"))
        self.path.chmod(0o755)
        test.addCleanup(shutil.rmtree, self.path, ignore_errors=True)

    def sample_cache(self, name="cache"):
        """A copy of the sample cache with its dates moved to today."""
        path = self.path / name
        subprocess.run([REPOSITORY / "scripts/scratch.sh", program(), REPOSITORY / "sample-cache", path], check=True)
        return path

    def empty_cache(self, name="cache"):
        path = self.path / name
        path.mkdir(parents=True)
        return path


class Agent:
    """An agent, which ends with the test. Its standard error goes to a file."""

    count = 0

    def __init__(self, test, *arguments, wrapper=(), copy=None, identity=None, setup=None, **changes):
        """copy: where the program is, other than in CACHESYNCD.
        wrapper: a command before the program's, which must become the program (as `strace -D` does).
        setup: called with the open file of standard error, returns more of the environment."""
        Agent.count += 1
        self.errors_path = pathlib.Path(tempfile.gettempdir()) / f"citizen-{os.getpid()}-{Agent.count}.log"
        with open(self.errors_path, "wb") as errors:
            if setup:
                changes.update(setup(errors))
            self.process = subprocess.Popen(
                [*map(str, wrapper), str(copy or program()), "run", *map(str, arguments)], env=environment(**changes),
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors, **(identity or {}))
        test.addCleanup(self.end)

    @property
    def pid(self):
        return self.process.pid

    @property
    def errors(self):
        return self.errors_path.read_text()

    def await_serving(self):
        wait_until(lambda: "serving" in self.errors or self.process.poll() is not None,
            DEADLINE, "serving")
        if self.process.poll() is not None:
            raise AssertionError(f"the agent ended with {self.process.returncode}: {self.errors}")
        return self

    def signal(self, number):
        self.process.send_signal(number)

    def stop(self):
        """Ends the agent as a service manager does, and returns its exit status."""
        self.signal(signal.SIGTERM)
        return self.process.wait(DEADLINE)

    def end(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.errors_path.unlink(missing_ok=True)
