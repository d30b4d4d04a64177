"""The bridge and an engine with TLS: whom it trusts, and what it never says without it."""

import json
import os
import re
import shutil
import socket
import subprocess
import tempfile
import threading
import unittest
from pathlib import Path

from server import CONFIGURATION, Server, programs, replaced
from support import BRIDGE

SECRET = "change-me-owner"


def make_certificates(folder, name="engine", names="DNS:localhost"):
    """An authority, and a server's certificate that it signed: ca.pem, server.pem and server.key."""

    def openssl(*words):
        subprocess.run(["openssl", *words], cwd=folder, check=True, capture_output=True, timeout=10)

    folder.mkdir()
    key = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
    openssl("req", "-x509", *key, "-keyout", "ca.key", "-out", "ca.pem", "-subj", f"/CN=Authority of {name}", "-days", "2")
    openssl("req", *key, "-keyout", "server.key", "-out", "server.csr", "-subj", f"/CN={name}")
    (folder / "names").write_text(f"subjectAltName={names}\n")
    openssl("x509", "-req", "-in", "server.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial",
            "-out", "server.pem", "-days", "2", "-extfile", "names")


class Listener:
    """Takes connections as an engine without TLS does, and keeps what it is told."""

    def __init__(self):
        self.told = []
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()

    def _serve(self):
        info = {"server_id": "x", "version": "2.9.10", "proto": 1, "headers": True, "max_payload": 1 << 20}
        while True:
            try:
                client, _ = self._socket.accept()
            except OSError:
                return
            with client:
                client.settimeout(5)
                try:
                    client.sendall(b"INFO " + json.dumps(info).encode() + b"\r\n")
                    while data := client.recv(65536):
                        self.told.append(data)
                        if b"PING" in data:
                            client.sendall(b"PONG\r\n")
                except OSError:
                    pass


class TLS(unittest.TestCase):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.credentials = self.folder / "credentials"
        self.credentials.write_text(f"owner:{SECRET}\n")
        self.credentials.chmod(0o600)

    def setup(self, *servers, authority=None):
        words = [word for server in servers for word in ("--server", server)]
        if authority:
            # Paths may be any bytes.
            odd = os.fsencode(authority) + b"\xff"
            if authority.exists():
                shutil.copy(authority, odd)
            words += ["--tls-ca", odd]
        return subprocess.run(
            [BRIDGE, "setup", *words, "--credentials", self.credentials], capture_output=True, text=True, timeout=60)

    @unittest.skipUnless(programs() and shutil.which("openssl"), "no nats-server, or no openssl, is installed")
    def test_the_right_authority_and_name_are_needed(self):
        for name, names in [("engine", "DNS:localhost"), ("foreign", "DNS:localhost"), ("elsewhere", "DNS:engine.example")]:
            make_certificates(self.folder / name, name, names)

        def server(name):
            text = re.sub(r"^#tls \{\n(#.*\n)*?#\}\n", lambda block: re.sub("^#", "", block.group(), flags=re.MULTILINE),
                          CONFIGURATION.read_text(), flags=re.MULTILINE)
            for file in ("server.pem", "server.key"):
                text = replaced(text, f'"/etc/nats/{file}"', f'"{self.folder}/{name}/{file}"')
            return self.enterContext(Server(programs()[0], text))

        engine, elsewhere = server("engine"), server("elsewhere")
        authority = self.folder / "engine/ca.pem"
        for url, authority, status, words in [
            (f"nats://localhost:{engine.port}", authority, 0, ""),
            (f"tls://localhost:{engine.port}", authority, 0, ""),
            (f"tls://localhost:{engine.port}", self.folder / "foreign/ca.pem", 69, "certificate"),
            (f"tls://localhost:{engine.port}", None, 69, "certificate"),
            (f"tls://localhost:{elsewhere.port}", self.folder / "elsewhere/ca.pem", 69, "ostname"),
            (f"tls://localhost:{engine.port}", self.folder / "none.pem", 69, "none.pem"),
        ]:
            found = self.setup(url, authority=authority)
            self.assertEqual(found.returncode, status, (url, authority, found.stderr))
            self.assertIn(words, found.stderr, (url, authority))

    def test_a_server_without_tls_gets_no_password(self):
        with Listener() as listener, Listener() as other:
            found = self.setup(f"tls://localhost:{listener.port}")
            self.assertEqual((found.returncode, listener.told), (69, []), found.stderr)
            # One that wants TLS is enough, since a server tells of others.
            found = self.setup(f"nats://localhost:{listener.port}", f"TLS://localhost:{other.port}")
            self.assertEqual((found.returncode, listener.told, other.told), (69, [], []), found.stderr)

    def test_a_password_in_a_url_is_refused_and_not_repeated(self):
        for url in ["nats://me:secret@host:4222", "nats://me:secret@", "nats://me:secret@host:port"]:
            found = self.setup(url)
            self.assertEqual(found.returncode, 64)
            self.assertIn("--credentials", found.stderr)
            self.assertNotIn("secret", found.stderr)
        self.assertEqual(self.setup("ssl://host:4222").returncode, 64)


if __name__ == "__main__":
    unittest.main()
