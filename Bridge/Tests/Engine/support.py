"""What these tests use: a real engine, an agent, a bridge, and waiting with a deadline."""

import base64
import contextlib
import json
import os
import random
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

import nats

REPOSITORY = Path(__file__).resolve().parents[3]
BRIDGE = os.environ["CACHESYNC_BRIDGE"]
AGENT = os.environ["CACHESYNCD"]
NATS_SERVER = os.environ.get("NATS_SERVER", "nats-server")


def wait_until(condition, seconds=15, what="it"):
    """Looks until something holds, and gives its value; fails when it does not come to hold."""
    end = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise AssertionError(f"{what} did not come to hold within {seconds} s")
        time.sleep(0.01)


def remove_clock(pid):
    """Removes what libfaketime shares between a process that has ended and its children. libfaketime does so itself, but not
    when a signal ends the process, and then it stays until the machine starts anew."""
    for name in (f"faketime_shm_{pid}", f"sem.faketime_sem_{pid}"):
        Path("/dev/shm", name).unlink(missing_ok=True)


def free_port():
    """A port that the kernel gives to no program that asks for any, so that it stays free until it is used."""
    while True:
        with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", random.randrange(20_000, 32_768))) as probe:
            return probe.getsockname()[1]


class Engine:
    """A nats-server on a port of its own, which keeps its port and its files when it is started again."""

    # What a client says of itself when it connects.
    login = {}

    def __init__(self, settings=""):
        self.folder = Path(tempfile.mkdtemp(prefix="cachesync-engine-"))
        self.port = free_port()
        self.url = f"nats://127.0.0.1:{self.port}"
        (self.folder / "conf").write_text(settings)
        self.process = None
        self.start()

    def start(self):
        with open(self.folder / "log", "ab") as log:
            self.process = subprocess.Popen(
                [NATS_SERVER, "-js", "-sd", self.folder / "js", "-a", "127.0.0.1", "-p", str(self.port),
                 "-c", self.folder / "conf"], stdout=log, stderr=log)
        wait_until(self.answers, what="the engine")

    def answers(self):
        try:
            nats.Client(self.port).close()
            return True
        except nats.Refused as refusal:
            # It wants to know who asks.
            return "Authorization Violation" in str(refusal)
        except OSError:
            return False

    def stop(self):
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process = None

    def wipe(self):
        self.stop()
        shutil.rmtree(self.folder / "js")

    def close(self):
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)


class Client(nats.Client):
    """A client of a namespace: what docs/reference/wire.md asks of any language."""

    def __init__(self, engine, user=None, password=None):
        super().__init__(engine.port, user or engine.login.get("user"), password or engine.login.get("pass"))

    def ask(self, subject, payload=b"", headers=None):
        """The answer to a message; fails when there is none."""
        answer = self.request(subject, payload, headers)
        assert answer, f"no answer to {subject}: {self.flush()}"
        return answer

    def put(self, key, payload, shard=0, namespace="cachesync", **headers):
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        answer = json.loads(self.ask(f"$KV.{namespace}-in-{shard}.{key}", payload, headers).payload)
        assert "seq" in answer, answer
        return answer["seq"]

    def delete(self, key, shard=0):
        return self.put(key, b"", shard, **{"KV_Operation": "DEL"})

    def get(self, stream, subject):
        """The headers and the content of a subject's last message; None when there is none."""
        found = self.ask(f"$JS.API.DIRECT.GET.{stream}.{subject}")
        return None if found.status.startswith("404") else (found.headers, found.payload)

    def set(self, cache, shard=0):
        """A cache's newest set: its manifest, and its files by name."""
        found = self.get(f"KV_cachesync-out-{shard}", f"$KV.cachesync-out-{shard}.{cache}")
        if not found:
            return None
        manifest, rest = found[1].split(b"\n", 1)
        manifest, files = json.loads(manifest), {}
        for name in sorted(manifest["files"]):
            size = manifest["files"][name]["bytes"]
            files[name], rest = rest[:size], rest[size:]
        assert rest == b""
        return manifest, files

    def stream_info(self, stream):
        return json.loads(self.ask(f"$JS.API.STREAM.INFO.{stream}").payload)

    def last_from_leader(self, stream, subject):
        answer = json.loads(
            self.ask(f"$JS.API.STREAM.MSG.GET.{stream}", json.dumps({"last_by_subj": subject}).encode()).payload)
        message = answer.get("message")
        return message and (message["seq"], base64.b64decode(message.get("data", "")))


class Place:
    """A folder with caches, an engine, and what runs on them."""

    def __init__(self, shards=1, settings=""):
        self.folder = Path(tempfile.mkdtemp(prefix="cachesync-bridge-"))
        self.engine = self.make_engine(settings)
        self.processes = []
        try:
            self.run("setup", "--shards", str(shards), check=True)
        except BaseException:
            Place.__exit__(self)
            raise

    def make_engine(self, settings):
        return Engine(settings)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in self.processes:
            self.end(process)
        self.engine.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def cache(self, name="kitchen", sample=False):
        path = self.folder / name
        if sample:
            subprocess.run(
                ["sh", REPOSITORY / "scripts/scratch.sh", AGENT, REPOSITORY / "sample-cache", path], check=True)
        else:
            path.mkdir(parents=True)
        return path

    def environment(self):
        path = f"{Path(AGENT).parent}:{os.environ['PATH']}"
        return os.environ | {"CACHESYNC_SERVER": self.engine.url, "PATH": path}

    @staticmethod
    def program():
        return BRIDGE

    def run(self, *words, **more):
        """Runs a command of the bridge to its end."""
        more = {"capture_output": True, "text": True, "timeout": 60} | more
        return subprocess.run([BRIDGE, *words], env=self.environment(), **more)

    def start(self, *words, wrapper=(), output=os.devnull):
        """Starts a command of the bridge, whose messages are in `errors`."""
        errors = self.folder / f"errors-{len(self.processes)}"
        with open(errors, "wb") as messages, open(output, "wb") as lines:
            process = subprocess.Popen(
                [*wrapper, BRIDGE, *words], env=self.environment(), stdout=lines, stderr=messages,
                start_new_session=bool(wrapper))
        process.errors, process.has_group = errors, bool(wrapper)
        self.processes.append(process)
        return process

    def home(self, *words, wait=True, **more):
        process = self.start("home", *words, **more)
        if wait:
            wait_until(lambda: b"home of " in process.errors.read_bytes() or process.poll() is not None,
                       what="the home")
        return process

    def away(self, cache, *words, name="kitchen", wait=True, **more):
        process = self.start("away", "--cache", f"{cache}={name}", *words, **more)
        if wait:
            wait_until(lambda: b"away for " in process.errors.read_bytes() or process.poll() is not None,
                       what="the away")
        return process

    def agent(self, cache, several=False):
        option = "--caches-in" if several else "--cache"
        process = subprocess.Popen([AGENT, "run", option, cache], stderr=subprocess.DEVNULL)
        self.processes.append(process)
        caches = cache.iterdir() if several else [cache]
        for one in caches:
            wait_until(lambda: subprocess.run([AGENT, "wait", "--cache", one], capture_output=True).returncode == 0,
                       what="the agent")
        return process

    def end(self, process):
        if process.poll() is None:
            process.kill()
        process.wait()
        # A bridge outlives the strace that is killed.
        if getattr(process, "has_group", False):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
        remove_clock(process.pid)

    def status(self):
        """What the bridge says of itself; empty when it does not answer in time, as on a machine that is busy."""
        found = self.run("status", "--json")
        return json.loads(found.stdout)["bridges"][0] if found.returncode == 0 else {}


def outputs(cache):
    """The published files by name. One that is removed meanwhile is left out."""
    found = {}
    for file in (Path(cache) / "snapshots").glob("*.json"):
        with contextlib.suppress(FileNotFoundError):
            found[file.name] = file.read_bytes()
    return found


def tasks(title, number=1):
    """A session of the tasks feed with one open task."""
    task = {"id": number, "title": title, "description": None, "completed": False, "dueDate": None,
            "createdAt": "2026-11-19T08:12:44.120Z", "completedAt": None, "labels": []}
    return json.dumps({"lastUpdate": "2026-11-21T13:48:05.417Z", "tasks": [task]}).encode()
