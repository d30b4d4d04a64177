"""Which requests the server answers, with requests as they come over the wire (pictures.md section 13)."""

import contextlib
import itertools
import os
import re
import socket
import stat
import subprocess
import threading
import time

from support import CACHESYNCD, Page, PageTests, until

FORM = re.compile(r'form-add-task.*?name="token" value="(\w{32})"', re.S)


def machine_address(family):
    """The address of this machine from which it would reach others; None without a way to them."""
    with socket.socket(family, socket.SOCK_DGRAM) as way, contextlib.suppress(OSError):
        way.connect(("192.0.2.1" if family == socket.AF_INET else "2001:db8::1", 9))
        return way.getsockname()[0]


def can_bind(address):
    with contextlib.suppress(OSError), socket.create_server((address, 0), family=socket.AF_INET6):
        return True


class Refusals(PageTests):
    def setUp(self):
        super().setUp()
        self.remove_intents()
        self.command("sync")
        self.page = self.serve()

    def status(self, *lines, cookie=True):
        fields = [f"Cookie: {self.page.cookie}"] if cookie else []
        answer = self.page.raw("\r\n".join([*lines, *fields, "Connection: close", "", ""]))
        return int(answer.split(" ")[1]) if answer else None

    def test_end_with_a_client_that_reads_nothing(self):
        """What a client does not take keeps the server from ending for a few seconds only."""
        with socket.create_connection((self.page.host, self.page.port)) as connection:
            head = f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{self.page.port}\r\nCookie: {self.page.cookie}\r\n\r\n"
            connection.settimeout(1)
            # Until neither side's buffers take more.
            with contextlib.suppress(TimeoutError):
                while True:
                    connection.sendall(head.encode() * 100)
            self.assertEqual(self.stop(self.page.process), 0)

    def test_key(self):
        host = f"Host: 127.0.0.1:{self.page.port}"
        self.assertEqual(self.status("GET / HTTP/1.1", host), 200)
        self.assertEqual(self.status("GET / HTTP/1.1", host, cookie=False), 403)
        for path in ("/page.css", "/page.js", "/events", "/picture/calories/accessoryInline.svg", "/nothing"):
            self.assertEqual(self.status(f"GET {path} HTTP/1.1", host, cookie=False), 403, path)
        wrong = ("0" if self.page.key[0] != "0" else "1") + self.page.key[1:]
        self.assertEqual(self.status(f"GET /?key={wrong} HTTP/1.1", host, cookie=False), 403)
        self.assertEqual(self.status(f"GET /?key={self.page.key}0 HTTP/1.1", host, cookie=False), 403)

    def test_key_becomes_a_cookie_and_leaves_the_address(self):
        status, fields, text = self.page.get(f"/?at=2026-11-24T12:00:00Z&key={self.page.key}", key=False)
        self.assertEqual((status, fields["Location"]), (303, "./?at=2026-11-24T12:00:00Z"))
        self.assertEqual(fields["Set-Cookie"], f"{self.page.cookie}; Path=/; HttpOnly; SameSite=Strict")
        # An address of an earlier start, in a browser that has the key, must not take it away.
        status, fields, text = self.page.get(f"/?key={'0' * 32}")
        self.assertEqual((status, fields["Location"]), (303, "./"))
        self.assertEqual(fields["Set-Cookie"], f"{self.page.cookie}; Path=/; HttpOnly; SameSite=Strict")
        status, fields, text = self.page.get(f"/picture/calories/accessoryInline.txt?key={self.page.key}", key=False)
        self.assertEqual((status, fields["Set-Cookie"]), (200, None))

    def test_host(self):
        port = self.page.port
        for name in (f"localhost:{port}", f"LOCALHOST:{port}", f"[::1]:{port}"):
            self.assertEqual(self.status("GET / HTTP/1.1", f"Host: {name}"), 200, name)
        for name in ("evil.example", f"evil.example:{port}", "127.0.0.1", "127.0.0.1:1", f"127.0.0.1.:{port}", ""):
            self.assertEqual(self.status("GET / HTTP/1.1", f"Host: {name}"), 421, name)
        self.assertEqual(self.status("GET / HTTP/1.0"), 421)
        twice = (f"Host: 127.0.0.1:{port}", f"Host: 127.0.0.1:{port}")
        self.assertIn(self.status("GET / HTTP/1.1", *twice), (400, 421))
        self.assertIn(self.status("GET / HTTP/1.1", f"Host: 127.0.0.1:{port}", "Host: evil.example"), (400, 421))

    def test_allowed_host(self):
        page = self.serve("--allow-host", "shelf.example")
        for name, status in (("shelf.example", 200), (f"shelf.example:{page.port}", 200), ("other.example", 421)):
            self.assertEqual(page.get(Host=name)[0], status, name)

    def test_listened_address(self):
        """The address that serve prints is one that it answers to."""
        page = self.serve(listen="127.0.0.2:0")
        self.assertEqual(page.host, "127.0.0.2")
        self.assertEqual(page.get()[0], 200)
        token = FORM.search(page.get()[2])[1]
        self.assertEqual(page.post("/intents/add-task", f"token={token}&action=0&title=Beans")[0], 303)

    def test_all_addresses(self):
        """serve prints each address that others can reach, and the allowed name. It answers to the one that was reached."""
        for listen, families in (("0.0.0.0", (socket.AF_INET,)), ("[::]", (socket.AF_INET, socket.AF_INET6))):
            own = [address for family in families if (address := machine_address(family))]
            if listen == "[::]" and not can_bind("::"):
                continue
            process = self.start("serve", "--listen", f"{listen}:0", "--allow-host", "shelf.example", stdout=subprocess.PIPE)
            lines = []
            while "shelf.example" not in "".join(lines[-1:]):
                lines.append(process.stdout.readline())
            places = [re.fullmatch(r"The page is at http://(.*):(\d+)/\?key=(\w+)\n", line).groups() for line in lines]
            _, port, key = places[0]
            for address in own:
                name = f"[{address}]" if ":" in address else address
                self.assertIn((name, port, key), places)
                page = Page(process, f"http://{address}:{port}/?key={key}")
                self.assertEqual(page.get()[0], 200, address)
                token = FORM.search(page.get()[2])[1]
                body = f"token={token}&action=0&title=Beans"
                for origin, status in (("http://evil.example", 403), (f"http://{name}:{port}", 303)):
                    self.assertEqual(page.post("/intents/add-task", body, Origin=origin)[0], status, (address, origin))
                self.assertEqual(page.get(Host=f"evil.example:{port}")[0], 421)
                # It is not a name of every connection.
                page.host = "127.0.0.1"
                self.assertEqual(page.get(Host=f"{name}:{port}")[0], 421)
            if own:
                self.assertFalse({"127.0.0.1", "[::1]"} & {place[0] for place in places}, places)
            self.stop(process)

    def test_proxy_with_tls(self):
        """It passes the allowed name on, and the browser's origin begins with https."""
        page = self.serve("--allow-host", "shelf.example")
        token = FORM.search(page.get()[2])[1]
        body = f"token={token}&action=0&title=Beans"
        for host, origin, status in (
                ("shelf.example", "https://other.example", 403), ("shelf.example", "https://shelf.example:1", 403),
                (f"127.0.0.1:{page.port}", "https://shelf.example", 403), ("shelf.example", "https://shelf.example", 303)):
            self.assertEqual(page.post("/intents/add-task", body, Host=host, Origin=origin)[0], status, (host, origin))

    def test_origin_token_and_form(self):
        token = FORM.search(self.page.get()[2])[1]
        body = f"token={token}&action=0&title=Beans"
        for origin in ("http://evil.example", "null", "https://127.0.0.1", f"http://localhost:{self.page.port}"):
            self.assertEqual(self.page.post("/intents/add-task", body, Origin=origin)[0], 403, origin)
        self.assertEqual(self.page.request(
            "POST", "/intents/add-task", body, Content_Type="application/x-www-form-urlencoded")[0], 403)
        self.assertEqual(self.page.post("/intents/add-task", body, Content_Type="text/plain")[0], 403)
        self.assertEqual(self.page.post("/intents/add-task", body, key=False)[0], 403)
        self.assertEqual(self.page.post("/intents/add-task", f"token={'0' * 32}&action=0&title=Beans")[0], 403)
        self.assertEqual(self.page.post("/intents/add-task", f"token={token}&action=1&title=Beans")[0], 403)
        self.assertEqual(self.page.post("/intents/end-session", f"token={token}&action=0")[0], 403)
        self.assertEqual(self.page.post("/intents/nothing", body)[0], 404)
        self.assertEqual(self.page.post("/intents/add-task", body + "s" * 4096)[0], 413)
        self.assertEqual(self.intents, [])
        status, fields, _ = self.page.post("/intents/add-task", body)
        self.assertEqual((status, fields["Location"]), (303, "../#form-add-task"))
        self.assertEqual(len(self.intents), 1)

    def test_token_of_an_earlier_server(self):
        token = FORM.search(self.page.get()[2])[1]
        later = self.serve()
        self.assertEqual(later.post("/intents/add-task", f"token={token}&action=0&title=Beans")[0], 403)

    def test_pressing_twice_counts_once(self):
        token = FORM.search(self.page.get()[2])[1]
        for _ in range(2):
            self.assertEqual(self.page.post("/intents/add-task", f"token={token}&action=0&title=Beans+%26+more")[0], 303)
        self.assertEqual(len(self.intents), 1)
        self.assertIn('"Beans & more"', self.intents[0].read_text())
        self.assertNotEqual(FORM.search(self.page.get()[2])[1], token)

    def test_used_form_with_another_text(self):
        """It drops nothing and says so, since what is typed there would be lost."""
        token = FORM.search(self.page.get()[2])[1]
        for title, status in (("Beans", 303), ("Rice", 403), ("Beans", 303)):
            self.assertEqual(self.page.post("/intents/add-task", f"token={token}&action=0&title={title}")[0], status)
        self.assertEqual(len(self.intents), 1)
        self.assertIn('"Beans"', self.intents[0].read_text())

    def test_methods_paths_and_queries(self):
        for method in ("PUT", "DELETE", "OPTIONS", "PATCH", "POST"):
            self.assertEqual(self.page.request(method, "/")[0], 405, method)
            # The method is looked at before anything is read or computed.
            self.assertEqual(self.page.request(method, "/?at=noon")[0], 405, method)
        self.assertEqual(self.page.get("/intents/add-task")[0], 405)
        for path in ("/nothing", "/picture/calories/systemLarge.svg", "/picture/nothing/systemLarge.svg", "/picture/",
                     "/picture/calories/accessoryInline.gif", "/../etc/passwd", "//"):
            self.assertEqual(self.page.get(path)[0], 404, path)
        for path in ("/?at=noon", "/?at=2026-11-31", "/?step=x", "/?step=1", "/?appearance=pink", "/events?since=x",
                     "/picture/calories/accessoryInline.svg?appearance=pink", "/screen.png?size=1",
                     "/picture/calories/accessoryInline.svg?tint=x",
                     "/picture/calories/accessoryInline.svg?tint=%2330b0c7",
                     "/picture/calories/accessoryInline.svg?background=pink",
                     "/picture/calories/accessoryInline.svg?redacted=perhaps",
                     "/picture/calories/accessoryInline.txt?redacted",
                     "/picture/calories/accessoryInline.svg?at=noon", "/picture/calories/accessoryInline.svg?bits=1"):
            self.assertEqual(self.page.get(path)[0], 400, path)

    def test_methods_of_every_path(self):
        """With the key, wherever it is, a method that a path does not take is 405. Without it, it is as for GET."""
        pages = ("/", "/page.css", "/page.js", "/events", "/screen.png", "/picture/calories/accessoryInline.svg", "/nothing")
        data = ("/kinds.json", "/metrics", "/manifest.json", "/day-index.json", "/snapshots/calories.json",
                "/entry/calories.json", "/calendars/tasks.ics", "/calendars/nothing.ics")
        bearer = {"Authorization": f"Bearer {self.page.key}"}
        for path, missing in [(path, 403) for path in pages] + [(path, 401) for path in data]:
            for method in ("POST", "PUT", "DELETE", "OPTIONS", "PATCH"):
                def status(path=path, method=method, **fields):
                    return self.page.request(method, path, "title=Beans", **fields)[0]
                self.assertEqual(status(), 405, (method, path))
                self.assertEqual(self.page.request(method, path)[1]["Allow"], "GET, HEAD", (method, path))
                self.assertEqual(status(key=False, **bearer), 405, (method, path))
                self.assertEqual(status(f"{path}?key={self.page.key}", key=False), 405, (method, path))
                self.assertEqual(status(key=False), missing, (method, path))
                self.assertEqual(status(f"{path}?key={'0' * 32}", key=False), missing, (method, path))
        for method in ("GET", "HEAD", "PUT", "DELETE", "OPTIONS", "PATCH"):
            status, fields, _ = self.page.request(method, "/intents/add-task")
            self.assertEqual((status, fields["Allow"]), (405, "POST"), method)
        # The button needs the cookie: a link with the key must not press it.
        for fields in (bearer, {}):
            self.assertEqual(self.page.post(f"/intents/add-task?key={self.page.key}", "", key=False, **fields)[0], 403)
        self.assertEqual(self.intents, [])

    def test_fields_of_every_response(self):
        for path in ("/", "/page.css", "/page.js", "/nothing", "/picture/calories/accessoryInline.svg"):
            _, fields, _ = self.page.get(path)
            self.assertEqual(fields["X-Content-Type-Options"], "nosniff", path)
            self.assertEqual(fields["Cache-Control"], "no-cache", path)
            self.assertTrue(fields["Content-Security-Policy"].startswith("default-src 'none';"), path)

    def test_entity_tags(self):
        for path in ("/", "/page.css", "/picture/calories/accessoryInline.svg"):
            status, fields, text = self.page.get(path)
            tag = fields["ETag"]
            self.assertEqual((status, tag[0], tag[-1]), (200, '"', '"'))
            status, fields, rest = self.page.get(path, If_None_Match=f'"other", {tag}')
            self.assertEqual((status, fields["ETag"], rest), (304, tag, ""))
            status, fields, rest = self.page.request("HEAD", path)
            self.assertEqual((status, fields["ETag"], fields["Content-Length"], rest),
                             (200, tag, str(len(text.encode())), ""))

    def test_long_heads(self):
        host = f"Host: 127.0.0.1:{self.page.port}"
        self.assertEqual(self.status("GET / HTTP/1.1", host, "X-Long: " + "x" * 4_000), 200)
        for lines in (("GET / HTTP/1.1", host, "X-Long: " + "x" * (1 << 20)),
                      ("GET / HTTP/1.1", host, *[f"X-{n}: {'x' * 1000}" for n in range(1_000)]),
                      ("GET /" + "x" * (1 << 20) + " HTTP/1.1", host)):
            self.assertIn(self.status(*lines), (400, 414, 431, None))
        self.assertEqual(self.page.get()[0], 200)

    def test_no_request(self):
        for text in ("\r\n\r\n", "GET\r\n\r\n", "\x16\x03\x01\x02\x00", "GET / HTTP/9.9\r\n\r\n"):
            self.assertNotIn(" 200 ", self.page.raw(text, timeout=1)[:20], text)
        self.assertEqual(self.page.get()[0], 200)

    def test_slow_clients(self):
        """200 clients that send a byte each second are cut off after 10 s, and others get their turn."""
        begin = time.monotonic()
        with contextlib.ExitStack() as stack:
            slow = [stack.enter_context(socket.create_connection((self.page.host, self.page.port))) for _ in range(200)]
            ended = threading.Event()
            sender = threading.Thread(target=self.send_slowly, args=(slow, ended))
            stack.callback(sender.join)
            stack.callback(ended.set)
            sender.start()
            # Those beyond 128 are told to come again.
            until(lambda: self.page.get()[0] == 200, "others get their turn")
            self.assertLess(time.monotonic() - begin, 19)
            ended.set()
            sender.join()
            closed = 0
            for connection in slow:
                connection.settimeout(0.01)
                try:
                    closed += connection.recv(1) == b""
                except TimeoutError:
                    pass
                except ConnectionError:
                    closed += 1
            self.assertGreater(closed, 100)

    @staticmethod
    def send_slowly(connections, ended):
        """Each sends a byte of a request's head once a second."""
        for byte in itertools.chain(b"GET / HTTP/1.1\r\nX: ", itertools.repeat(ord("x"))):
            for connection in connections:
                with contextlib.suppress(ConnectionError):
                    connection.sendall(bytes([byte]))
            if ended.wait(1):
                return

    def test_slow_body(self):
        head = "\r\n".join(["POST /intents/add-task HTTP/1.1", f"Host: 127.0.0.1:{self.page.port}",
                            f"Cookie: {self.page.cookie}", f"Origin: {self.page.origin}", "Content-Length: 100",
                            "Content-Type: application/x-www-form-urlencoded", "", ""])
        with socket.create_connection((self.page.host, self.page.port), timeout=15) as connection:
            connection.sendall(head.encode())
            begin = time.monotonic()
            connection.settimeout(0.5)
            with contextlib.suppress(ConnectionError):
                while time.monotonic() - begin < 15:
                    connection.sendall(b"x")
                    with contextlib.suppress(TimeoutError):
                        answer = connection.recv(1000)
                        self.assertIn(b" 408 ", answer + b" 408 " * (not answer))
                        break
            self.assertTrue(9 < time.monotonic() - begin < 12)


class Starting(PageTests):
    def failure(self, *words):
        done = subprocess.run([CACHESYNCD, "serve", *words], capture_output=True, text=True, timeout=20)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertTrue(done.stderr.startswith("cachesyncd: "), done.stderr)
        return done.returncode

    def test_exit_status(self):
        self.assertEqual(self.failure("--cache", str(self.directory / "nothing")), 66)
        page = self.serve()
        self.assertEqual(self.failure("--cache", self.cache, "--listen", f"127.0.0.1:{page.port}"), 75)
        key = self.directory / "key"
        key.write_text("short\n")
        key.chmod(0o600)
        self.assertEqual(self.failure("--cache", self.cache, "--key-file", str(key)), 78)
        key.chmod(0o644)
        self.assertEqual(self.failure("--cache", self.cache, "--key-file", str(key)), 77)
        (self.directory / "cache/cachesync.json").write_text('{"timeZone": "Mars/Olympus"}')
        self.assertEqual(self.failure("--cache", self.cache), 78)

    def test_allowed_host_on_a_unix_socket(self):
        words = ("--listen", f"unix:{self.directory}/page.sock", "--allow-host", "shelf.example")
        done = subprocess.run([CACHESYNCD, "serve", *words], capture_output=True, text=True, timeout=20)
        self.assertEqual(done.returncode, 64)
        self.assertIn("--allow-host", done.stderr)

    def test_empty_cache(self):
        page = self.serve()
        status, _, text = page.get()
        self.assertEqual(status, 200)
        self.assertIn("Nothing is published here yet", text)

    def test_key_file(self):
        """A kept key is the same after a restart, and is written to no log."""
        key = self.directory / "key"
        words = [CACHESYNCD, "serve", "--cache", self.cache, "--listen", "127.0.0.1:0", "--key-file", str(key)]
        for _ in range(2):
            with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
                line = process.stdout.readline()
                port = int(re.search(r"127.0.0.1:(\d+)", line)[1])
                text = key.read_text().strip()
                self.assertRegex(text, "^[0-9a-f]{32}$")
                self.assertEqual(stat.S_IMODE(os.stat(key).st_mode), 0o600)
                with contextlib.closing(__import__("http.client").client.HTTPConnection("127.0.0.1", port)) as connection:
                    connection.request("GET", f"/?key={text}")
                    self.assertEqual(connection.getresponse().status, 303)
                process.terminate()
                self.assertNotIn(text, line + process.stdout.read())
                self.assertEqual(process.wait(20), 0)

    def test_paths_of_any_bytes(self):
        """A socket and a key file in a directory whose name is not UTF-8, and with such names themselves."""
        directory = os.fsencode(self.directory) + b"/d\xff"
        os.mkdir(directory)
        path = directory + b"/s\xfe"
        process = self.start("serve", "--listen", b"unix:" + path, stdout=subprocess.PIPE)
        self.assertEqual(process.stdout.readline(), f"The page is at unix:{self.directory}/d\\xff/s\\xfe\n")
        self.assertEqual(os.listdir(directory), [b"s\xfe"])
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(10)
            connection.connect(path)
            connection.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            self.assertIn(b"HTTP/1.1 200", connection.recv(100))
        self.assertEqual(self.stop(process), 0)
        self.assertEqual(os.listdir(directory), [])
        process = self.start("serve", "--listen", "127.0.0.1:0", "--key-file", directory + b"/k\xfe", stdout=subprocess.PIPE)
        self.assertIn("d\\xff/k\\xfe", process.stdout.readline())
        self.assertEqual(self.stop(process), 0)
        self.assertEqual(os.listdir(directory), [b"k\xfe"])

    def test_unix_socket(self):
        """It needs no key, is for its owner alone, replaces a socket without a server, and is removed at the end."""
        path = self.directory / "page.sock"
        with contextlib.closing(socket.socket(socket.AF_UNIX)) as left:
            left.bind(str(path))
        process = self.start("serve", "--listen", f"unix:{path}", stdout=subprocess.PIPE)
        self.assertEqual(process.stdout.readline(), f"The page is at unix:{path}\n")
        self.assertEqual(stat.S_IMODE(os.stat(path).st_mode), 0o600)
        self.assertEqual(self.failure("--cache", self.cache, "--listen", f"unix:{path}"), 75)
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(10)
            connection.connect(str(path))
            connection.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            self.assertIn(b"HTTP/1.1 200", connection.recv(100))
        self.assertEqual(self.stop(process), 0)
        self.assertFalse(path.exists())
