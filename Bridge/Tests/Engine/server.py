"""Real engines for tests: a nats-server with the published configuration, on loopback, with a directory of its own."""

import base64
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

from nats import SECONDS, Client

CONFIGURATION = Path(__file__).resolve().parents[2] / "engine/nats-server.conf"
IN, OUT = "KV_cachesync-in-0", "KV_cachesync-out-0"


def programs():
    """The servers that are tested: the one that is installed, and those that NATS_SERVERS names, with : between them."""
    installed = shutil.which("nats-server", path=f"{os.environ['PATH']}:/usr/sbin")
    named = os.environ.get("NATS_SERVERS", "").split(":")
    return [path for path in [installed, *named] if path]


def replaced(text, old, new):
    """A configuration with one thing in it written otherwise; fails when it is not there exactly once."""
    if text.count(old) != 1:
        raise AssertionError(f"{old!r} stands {text.count(old)} times in the configuration")
    return text.replace(old, new)


class Server:
    """A running server. What differs from the file: the port, which the server chooses, and the store's directory."""

    def __init__(self, program, text=None):
        self.folder = Path(tempfile.mkdtemp(prefix="cachesync-engine-"))
        self._process = None
        self._log = self.folder / "log"
        try:
            text = replaced(text or CONFIGURATION.read_text(), '"/var/lib/nats"', f'"{self.folder}/store"')
            (self.folder / "nats-server.conf").write_text(text)
            words = ["-c", self.folder / "nats-server.conf", "-a", "127.0.0.1", "-p", "-1", "--ports_file_dir", self.folder]
            with open(self._log, "wb") as log:
                self._process = subprocess.Popen([program, *words], stdin=subprocess.DEVNULL, stdout=log, stderr=log)
            self.port = self._found_port()
        except BaseException:
            self.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        if self._process and self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
            try:
                self._process.wait(SECONDS)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def client(self, user, **more):
        """A connection as one of the users of the file."""
        return Client(self.port, user, f"change-me-{user}", **more)

    def log(self):
        return self._log.read_text()

    def _found_port(self):
        """The server writes its ports to a file once it listens."""
        end = time.monotonic() + SECONDS
        while time.monotonic() < end and self._process.poll() is None:
            for file in self.folder.glob("*.ports"):
                try:
                    ports = json.loads(file.read_text())
                except ValueError:
                    continue
                return int((ports.get("nats") or ports["tls"])[0].rsplit(":", 1)[1])
            time.sleep(0.005)
        raise AssertionError(f"nats-server did not start:\n{self.log()}")


class Owner:
    """What the owner asks of JetStream."""

    def __init__(self, client):
        self.client = client

    def ask(self, name, body=None):
        answer = self.client.request(f"$JS.API.{name}", json.dumps(body).encode() if body else b"")
        if answer is None:
            raise AssertionError(f"no answer to {name}: {self.client.flush()}")
        return json.loads(answer.payload)

    def make_streams(self):
        """The two streams of a shard (BRIDGE: what is in the engine)."""
        for name in (IN, OUT):
            prefix = f"$KV.{name.removeprefix('KV_')}."
            stream = {
                "name": name, "subjects": [f"{prefix}>"], "retention": "limits", "storage": "file", "discard": "new",
                "max_msgs_per_subject": 1, "num_replicas": 1, "allow_direct": True, "deny_purge": True,
                "allow_rollup_hdrs": False}
            if name == OUT:
                stream["republish"] = {"src": f"{prefix}*", "dest": "cachesync.set.{{wildcard(1)}}", "headers_only": True}
            answer = self.ask(f"STREAM.CREATE.{name}", stream)
            if "error" in answer:
                raise AssertionError(answer["error"])

    def put(self, subject, payload, headers=None):
        """Puts and returns the acknowledgement, or the error."""
        return json.loads(self.client.request(subject, payload, headers).payload)

    def everything(self):
        """All that is in the engine: the streams with their configurations, their consumers, and every message."""
        found = {"names": self.ask("STREAM.NAMES")["streams"]}
        for name in found["names"]:
            info = self.ask(f"STREAM.INFO.{name}")
            messages = {}
            for sequence in range(info["state"]["first_seq"], info["state"]["last_seq"] + 1):
                message = self.ask(f"STREAM.MSG.GET.{name}", {"seq": sequence}).get("message")
                if message:
                    headers, data = (base64.b64decode(message.get(part, "")) for part in ("hdrs", "data"))
                    messages[message["subject"]] = (sequence, message["time"], headers, data)
            found[name] = {
                "created": info["created"], "config": info["config"], "messages": messages,
                "last": info["state"]["last_seq"], "consumers": info["state"]["consumer_count"]}
        return found
