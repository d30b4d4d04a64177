"""What several of these tests use: the program, caches of their own with today's dates, and waiting with a deadline."""

import datetime
import json
import os
import shutil
import subprocess
import tempfile
import threading
import time
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]


def program():
    """The program that is tested."""
    return os.environ["CACHESYNCD"]


def wait_for(condition, seconds=30):
    """Looks until something holds; its value then, or the last one when it does not come to hold."""
    end = time.monotonic() + seconds
    while True:
        value = condition()
        if value or time.monotonic() > end:
            return value
        time.sleep(0.005)


def wait_until(condition, seconds=30, what="it"):
    """The same, and fails when it does not come to hold."""
    value = wait_for(condition, seconds)
    if not value:
        raise AssertionError(f"{what} did not come to hold within {seconds} s")
    return value


def task(title):
    """A session with one task that is due today, which stands among the first."""
    today = datetime.date.today().isoformat()
    return json.dumps({"tasks": [
        {"id": title, "title": title, "completed": False, "createdAt": f"{today}T00:00:00Z", "dueDate": today}]})


class Cache:
    """A cache in a folder of its own, a copy of sample-cache whose dates are moved to today, or an empty one."""

    def __init__(self, sample=True, name="cache"):
        self.folder = Path(tempfile.mkdtemp(prefix="cachesync-"))
        self.path = self.folder / name
        self.agent = None
        if sample:
            script = REPOSITORY / "scripts/scratch.sh"
            subprocess.run(["sh", script, program(), REPOSITORY / "sample-cache", self.path], check=True)
        else:
            self.path.mkdir()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def file(self, name):
        return self.path / name

    def put(self, name, text):
        """Puts a file in place by a rename, as producers and agents do."""
        target = self.file(name)
        target.parent.mkdir(parents=True, exist_ok=True)
        temporary = self.folder / f".{threading.get_ident()}-{name.replace('/', '-')}"
        temporary.write_text(text)
        temporary.rename(target)

    def snapshot(self, kind):
        return json.loads(self.file(f"snapshots/{kind}.json").read_bytes())

    def run(self, *words, **more):
        """Runs a command on this cache to its end."""
        more = {"capture_output": True, "text": True, "timeout": 60} | more
        return subprocess.run([program(), *words, "--cache", self.path], **more)

    def start(self, *words, **more):
        """Starts an agent, and returns when it has published."""
        self.agent = subprocess.Popen(
            [program(), "run", *words, "--cache", self.path], stderr=subprocess.DEVNULL, **more)
        wait_until(lambda: self.run("wait").returncode == 0, what="the first publication")
        return self.agent

    def stop(self):
        """Ends the agent, if there is one; one that is stopped too."""
        if self.agent and self.agent.poll() is None:
            self.agent.kill()
            self.agent.wait()
        self.agent = None

    def drop(self, feed, text, name="dropped"):
        """Drops a session and returns when it is published."""
        return self.run("drop", feed, "-", "--name", name, "--wait", input=text, check=True)
