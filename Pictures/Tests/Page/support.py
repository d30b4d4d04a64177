"""An agent and a page of its own for each test, and what talks to them."""

import contextlib
import http.client
import os
import pathlib
import random
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import unittest

PROJECT = pathlib.Path(__file__).resolve().parents[3]
# The folder that holds cachesyncd and cachesync-pictures.
PROGRAMS = pathlib.Path(os.environ["CACHESYNC_PROGRAMS"])
# The days of the sample cache and of the agent are those of one zone.
os.environ["TZ"] = "UTC"
CACHESYNCD = str(PROGRAMS / "cachesyncd")
PATIENCE = 20


def until(condition, what, patience=PATIENCE):
    """Waits until the condition holds, and fails when it never does."""
    end = time.monotonic() + patience
    while time.monotonic() < end:
        if result := condition():
            return result
        time.sleep(0.02)
    raise AssertionError(f"never: {what}")


def free_port():
    """A port that the kernel gives to no program that asks for any, so that it stays free until it is used."""
    while True:
        with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", random.randrange(20_000, 32_768))) as probe:
            return probe.getsockname()[1]


class Page:
    """A served page and its address."""

    def __init__(self, process, address):
        self.process = process
        self.host, self.port, self.key = re.fullmatch(r"http://(.+):(\d+)/\?key=(\w+)", address).groups()
        self.port = int(self.port)
        self.address = address
        self.origin = f"http://{self.host}:{self.port}"

    @property
    def cookie(self):
        return f"cachesync-{self.port}={self.key}"

    def request(self, method, path, body=None, key=True, **fields):
        """The response's status, fields and text. Fields' names are written with underscores."""
        headers = {name.replace("_", "-"): value for name, value in fields.items()}
        if key:
            headers.setdefault("Cookie", self.cookie)
        connection = http.client.HTTPConnection(self.host, self.port, timeout=PATIENCE)
        with contextlib.closing(connection):
            connection.request(method, path, body, headers)
            response = connection.getresponse()
            return response.status, response.headers, response.read().decode()

    def get(self, path="/", **fields):
        return self.request("GET", path, **fields)

    def post(self, path, body, **fields):
        fields.setdefault("Origin", self.origin)
        fields.setdefault("Content_Type", "application/x-www-form-urlencoded")
        return self.request("POST", path, body, **fields)

    def raw(self, text, timeout=PATIENCE):
        """What comes back for exactly these bytes, until the server closes or is silent for the timeout."""
        answer = b""
        with socket.create_connection((self.host, self.port), timeout=timeout) as connection:
            with contextlib.suppress(ConnectionError, TimeoutError):
                connection.sendall(text.encode())
            with contextlib.suppress(ConnectionError, TimeoutError):
                while piece := connection.recv(65536):
                    answer += piece
        return answer.decode(errors="replace")


class PageTests(unittest.TestCase):
    """Each test has a copy of the sample cache with its dates moved to today."""

    def setUp(self):
        directory = tempfile.mkdtemp(prefix="cachesync-page-")
        self.addCleanup(shutil.rmtree, directory, ignore_errors=True)
        self.directory = pathlib.Path(directory)
        self.cache = str(self.directory / "cache")
        subprocess.run([PROJECT / "scripts/scratch.sh", CACHESYNCD, PROJECT / "sample-cache", self.cache], check=True)

    def start(self, *words, **options):
        process = subprocess.Popen([CACHESYNCD, *words, "--cache", self.cache], text=True, **options)
        self.addCleanup(self.stop, process)
        return process

    def stop(self, process, how=signal.SIGTERM):
        if process.poll() is None:
            process.send_signal(how)
        status = process.wait(PATIENCE)
        for stream in (process.stdout, process.stderr):
            if stream:
                stream.close()
        return status

    def command(self, *words, **options):
        return subprocess.run([CACHESYNCD, *words, "--cache", self.cache], check=True, text=True, **options)

    def run_agent(self):
        agent = self.start("run")
        # An agent that has not taken its lock yet is none.
        until(lambda: subprocess.run([CACHESYNCD, "wait", "--cache", self.cache], capture_output=True).returncode == 0,
              "the agent publishes")
        return agent

    def run_agent_with_one_task(self):
        """The cards show the task of these tests alone."""
        self.remove_intents()
        shutil.rmtree(self.directory / "cache/tasks")
        (self.directory / "cache/cachedTasks.json").unlink()
        self.run_agent()
        self.drop_task("mine", "First task")

    def write_key(self, key):
        self.key = self.directory / "key"
        self.key.write_text(f"{key}\n")
        self.key.chmod(0o600)

    def serve(self, *words, listen="127.0.0.1:0", key=None):
        """A running page.

        key: the key of a file, which is printed on terminals only."""
        process = self.start("serve", "--listen", listen, *words, stdout=subprocess.PIPE)
        line = process.stdout.readline().strip()
        return Page(process, re.sub("key=KEY, .*", f"key={key}", line.removeprefix("The page is at ")))

    def drop_task(self, name, title):
        task = f'{{"tasks": [{{"id": "{name}", "title": "{title}", "completed": false, "createdAt": "{now()}"}}]}}'
        self.command("drop", "tasks", "-", "--name", name, "--wait", input=task, stdout=subprocess.DEVNULL)

    def remove_intents(self):
        for intent in self.intents:
            intent.unlink()

    @property
    def intents(self):
        return sorted((self.directory / "cache/intents").glob("*.json"))


def now():
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
