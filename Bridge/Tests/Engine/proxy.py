"""Stands between clients and an engine, and loses what a test wants to be lost."""

import socket
import threading

PASS, LOSE, CUT = "pass", "lose", "cut"


class Proxy:
    """Passes on what clients and the engine say to each other, one line of the protocol with its content after another.

    `rule` gets each line and its content, and says what happens to it: PASS, LOSE, or CUT, which ends the connection instead.
    What comes behind it in the same direction waits until it has said so.
    """

    def __init__(self, port, host="127.0.0.1", listens_at="127.0.0.1"):
        self.rule = lambda line, content: PASS
        self._engine = (host, port)
        self._sockets = []
        self._listener = socket.create_server((listens_at, 0))
        self.port = self._listener.getsockname()[1]
        self.url = f"nats://127.0.0.1:{self.port}"
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._end(self._listener)
        self.cut()

    def once(self, fate, matches):
        """Lets the first line that matches meet its fate; gives an event that tells of it."""
        done = threading.Event()

        def rule(line, content):
            if done.is_set() or not matches(line, content):
                return PASS
            done.set()
            return fate

        self.rule = rule
        return done

    def cut(self):
        """Ends every connection."""
        for end in self._sockets:
            self._end(end)

    @staticmethod
    def _end(end):
        try:
            end.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        end.close()

    def _accept(self):
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            try:
                engine = socket.create_connection(self._engine)
            except OSError:
                client.close()
                continue
            self._sockets += [client, engine]
            for source, target in [(client, engine), (engine, client)]:
                source.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                threading.Thread(target=self._pass, args=(source, target), daemon=True).start()

    def _pass(self, source, target):
        try:
            with source.makefile("rb") as lines:
                while line := lines.readline():
                    words = line.split()
                    has_content = words and words[0] in (b"PUB", b"HPUB", b"MSG", b"HMSG")
                    content = lines.read(int(words[-1]) + 2) if has_content else b""
                    fate = self.rule(line, content)
                    if fate == CUT:
                        break
                    if fate == PASS:
                        target.sendall(line + content)
        except (OSError, ValueError):
            pass
        for end in (source, target):
            self._end(end)
