"""A proxy that goes wrong when a test says so, and says what came through."""

import collections
import contextlib
import re
import socket
import threading


class FaultyProxy:
    """Passes requests on to a page, one for each connection.

    status: answers with it instead. paths: the beginning of the paths that are concerned.
    silent: passes nothing more on, in open connections too, as when a cable is pulled.
    rewrites: what is replaced in answers, with texts of the same length.
    always: the same in every test."""

    def __init__(self, port, always):
        self.target, self.always = port, always
        self.status, self.paths, self.silent, self.rewrites = None, "/", False, {}
        self.asked = collections.Counter()
        self.open = set()
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        threading.Thread(target=self.accept, args=(self.socket,), daemon=True).start()

    def accept(self, listening):
        with contextlib.suppress(OSError):
            while True:
                threading.Thread(target=self.serve, args=(listening.accept()[0],), daemon=True).start()

    def serve(self, client):
        self.open.add(client)
        with client, contextlib.suppress(OSError):
            head = b""
            while b"\r\n\r\n" not in head:
                if not (piece := client.recv(65536)):
                    return
                head += piece
            path = head.split(b" ", 2)[1].decode()
            self.asked[path.split("?")[0]] += 1
            if self.silent:
                client.recv(1)
            elif self.status and path.startswith(self.paths):
                client.sendall(f"HTTP/1.1 {self.status} Wrong\r\nContent-Length: 5\r\nConnection: close\r\n\r\nwrong".encode())
            else:
                self.forward(client, head, path)
        self.open.discard(client)

    @staticmethod
    def end(connection):
        # Closing alone would leave the connection to a thread that reads it.
        with contextlib.suppress(OSError):
            connection.shutdown(socket.SHUT_RDWR)

    def forward(self, client, head, path):
        with socket.create_connection(("127.0.0.1", self.target)) as server:
            self.open.add(server)
            # Without conditions, so that what is rewritten comes again.
            head = re.sub(rb"(?im)^(connection|if-none-match):.*\r\n", b"", head)
            server.sendall(head.replace(b"\r\n", b"\r\nConnection: close\r\n", 1))
            threading.Thread(target=self.pump, args=(client, server), daemon=True).start()
            whole = b""
            with contextlib.suppress(OSError):
                while piece := server.recv(65536):
                    if self.silent:
                        client.recv(1)
                        break
                    if path.startswith("/events"):
                        client.sendall(piece)
                    else:
                        whole += piece
            for old, new in (self.always | self.rewrites).items():
                whole = whole.replace(old, new)
            client.sendall(whole)
            self.open.discard(server)
            self.end(client)

    @staticmethod
    def pump(source, sink):
        with contextlib.suppress(OSError):
            while piece := source.recv(65536):
                sink.sendall(piece)

    def cut(self):
        """Ends what is open."""
        for connection in list(self.open):
            self.end(connection)

    def refuse(self):
        """Connections are refused until listen()."""
        # A thread that waits in accept() keeps the socket open.
        with contextlib.suppress(OSError):
            self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()
        self.cut()

    def listen(self):
        self.socket = socket.create_server(("127.0.0.1", self.port))
        threading.Thread(target=self.accept, args=(self.socket,), daemon=True).start()
