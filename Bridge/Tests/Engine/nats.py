"""A client of NATS in as few lines as the tests of the engine need: one socket, no threads, nothing beside Python.

After docs.nats.io, "Client protocol". Everything that waits has a deadline.
"""

import collections
import json
import secrets
import socket
import time

SECONDS = 5

Message = collections.namedtuple("Message", "subject reply status headers payload")


class Refused(ConnectionError):
    """The server ended the connection, or did not accept it."""


class Client:
    """A connection as one user or as none, whose answers come to subjects that begin with the user's own prefix."""

    def __init__(self, port, user=None, password=None, tls=None, host="127.0.0.1"):
        self.user = user
        self.inbox = f"{f'_INBOX_{user}' if user else '_INBOX'}.{secrets.token_hex(11)}"
        # What the server said against this connection's acts, oldest first.
        self.errors = []
        self._waiting = {}
        self._pongs = 0
        self._last = 0
        self._buffer = b""
        self._socket = socket.create_connection((host, port), timeout=SECONDS)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            line = self._line(time.monotonic() + SECONDS)
            if line is None:
                raise Refused("the server did not say what it is")
            self.server = json.loads(line.removeprefix(b"INFO "))
            if tls:
                self._socket = tls.wrap_socket(self._socket, server_hostname=host)
            words = {
                "verbose": False, "pedantic": False, "headers": True, "no_responders": True, "lang": "python",
                "version": "0", "protocol": 1, "tls_required": bool(tls)}
            if user is not None:
                words |= {"user": user, "pass": password}
            self._send(b"CONNECT " + json.dumps(words).encode() + b"\r\n")
            self.flush()
            self._answers = self.subscribe(f"{self.inbox}.*")
        except BaseException:
            self.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self._socket.close()

    def subscribe(self, subject, queue=""):
        """Subscribes; its number. Whether the server refused it is known after `flush`."""
        self._last += 1
        self._waiting[self._last] = collections.deque()
        self._send(f"SUB {subject} {queue} {self._last}\r\n".encode())
        return self._last

    def publish(self, subject, payload=b"", headers=None, reply=""):
        if headers is None:
            self._send(f"PUB {subject} {reply} {len(payload)}\r\n".encode() + payload + b"\r\n")
            return
        head = "NATS/1.0\r\n" + "".join(f"{name}: {value}\r\n" for name, value in headers.items()) + "\r\n"
        counts = f"{len(head)} {len(head) + len(payload)}"
        self._send(f"HPUB {subject} {reply} {counts}\r\n{head}".encode() + payload + b"\r\n")

    def send(self, message):
        """Sends a message as another client has written it."""
        self._send(message)

    def request(self, subject, payload=b"", headers=None, seconds=SECONDS):
        """Publishes with a reply subject of its own and waits for the first answer; None when there is none, or when the
        server refuses the publish."""
        self._last += 1
        reply = f"{self.inbox}.{self._last}"
        refusals = len(self.errors)
        self.publish(subject, payload, headers, reply)
        end = time.monotonic() + seconds
        while time.monotonic() < end and len(self.errors) == refusals:
            message = self.next(self._answers, end - time.monotonic(), refusals)
            if message and message.subject == reply:
                return message
        return None

    def next(self, number, seconds=SECONDS, refusals=None):
        """The next message of a subscription; None when none comes in time (or, once there are more refusals than these)."""
        end = time.monotonic() + seconds
        while not self._waiting[number]:
            if refusals is not None and len(self.errors) > refusals:
                return None
            if not self._read(end):
                return None
        return self._waiting[number].popleft()

    def waiting(self, number):
        """What a subscription has got by now."""
        messages = list(self._waiting[number])
        self._waiting[number].clear()
        return messages

    def flush(self):
        """Waits until the server has looked at everything that was sent; what it refused of it since the last time."""
        before = self._pongs
        self._send(b"PING\r\n")
        end = time.monotonic() + SECONDS
        while self._pongs == before:
            if not self._read(end):
                raise Refused("the server did not answer a PING")
        errors, self.errors = self.errors, []
        return errors

    def _send(self, data):
        try:
            self._socket.sendall(data)
        except OSError as error:
            raise Refused("; ".join(self.errors) or str(error)) from error

    def _read(self, end):
        """Takes what comes next from the server; false when nothing comes in time."""
        line = self._line(end)
        if line is None:
            return False
        word, _, rest = line.partition(b" ")
        if word in (b"MSG", b"HMSG"):
            self._take(rest.decode().split(), word == b"HMSG", end)
        elif word == b"PING":
            self._send(b"PONG\r\n")
        elif word == b"PONG":
            self._pongs += 1
        elif word == b"-ERR":
            self.errors.append(rest.decode().strip("'"))
        return True

    def _take(self, words, has_headers, end):
        size = int(words[-1])
        head_size = int(words[-2]) if has_headers else 0
        subject, number = words[0], int(words[1])
        reply = words[2] if len(words) == (5 if has_headers else 4) else ""
        while len(self._buffer) < size + 2:
            if not self._receive(end):
                raise Refused("a message did not come whole")
        data, self._buffer = self._buffer[:size], self._buffer[size + 2:]
        first, *lines = data[:head_size].decode().rstrip("\r\n").split("\r\n")
        headers = {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}
        status = first.removeprefix("NATS/1.0").strip()
        self._waiting[number].append(Message(subject, reply, status, headers, data[head_size:]))

    def _line(self, end):
        while b"\r\n" not in self._buffer:
            if not self._receive(end):
                return None
        line, _, self._buffer = self._buffer.partition(b"\r\n")
        return line

    def _receive(self, end):
        self._socket.settimeout(max(end - time.monotonic(), 0.001))
        try:
            data = self._socket.recv(1 << 16)
        except TimeoutError:
            return False
        except OSError as error:
            raise Refused("; ".join(self.errors) or str(error)) from error
        if not data:
            raise Refused("; ".join(self.errors) or "the server closed the connection")
        self._buffer += data
        return True
