"""The page behind nginx and Apache, as the recipe has them: with TLS, below a path, with compression (pictures.md section 13).

PAGE_INTERRUPTIONS=20 plays twenty interruptions at random in place of three; PAGE_SEED repeats those of a run."""

import contextlib
import gzip
import http.client
import json
import os
import random
import re
import signal
import ssl
import subprocess
import threading
import time

from browsers import chromium
from proxies import Apache, Nginx
from support import PATIENCE, PageTests, free_port, until
from test_refusals import FORM

KEY = "0123456789abcdef" * 2


class Behind:
    """What holds behind each proxy."""

    def setUp(self):
        super().setUp()
        self.run_agent_with_one_task()
        self.write_key(KEY)
        (self.directory / "panels.json").write_text(json.dumps(
            {"panels": {"94:A9:90:8C:6D:18": {"widgets": ["todays-tasks:medium"]}}}))
        self.port, self.target = free_port(), free_port()
        self.name = f"wall.example:{self.port}"
        self.server = self.run_server()
        directory = self.directory / "proxy"
        directory.mkdir()
        self.proxy = self.kind(directory, self.port, self.target)
        self.addCleanup(self.proxy.stop)
        self.proxy.start()

    def run_server(self):
        server = self.start("serve", "--listen", f"127.0.0.1:{self.target}", "--key-file", str(self.key),
                            "--allow-host", self.name, "--trust-proxy", "127.0.0.1",
                            "--panels", str(self.directory / "panels.json"), stdout=subprocess.PIPE)
        server.stdout.readline()
        return server

    def connect(self):
        context = ssl._create_unverified_context()
        connection = http.client.HTTPSConnection("127.0.0.1", self.port, timeout=PATIENCE, context=context)
        self.addCleanup(connection.close)
        return connection

    def request(self, method, path, body=None, key=True, **fields):
        headers = {"Host": self.name} | {name.replace("_", "-"): value for name, value in fields.items()}
        if key:
            headers["Cookie"] = f"cachesync-{self.target}={KEY}"
        connection = self.connect()
        connection.request(method, f"/wall{path}", body, headers)
        response = connection.getresponse()
        return response.status, response.headers, response.read()

    def test_page_button_and_picture(self):
        status, fields, _ = self.request("GET", f"/?key={KEY}", key=False)
        self.assertEqual((status, fields["Location"]), (303, "./"))
        self.assertTrue(fields["Set-Cookie"].endswith("; Max-Age=34560000; Secure"), fields["Set-Cookie"])
        text = self.request("GET", "/")[2].decode()
        # Nothing on it begins at the proxy's root.
        self.assertEqual(re.findall(r'(?:href|src|action|formaction|data-\w+)="/[^"]*"', text), [])
        for path in ("/page.css", "/page.js", "/picture/todays-tasks/systemMedium.svg", "/entry/todays-tasks.json"):
            self.assertEqual(self.request("GET", path)[0], 200, path)
        body = f"token={FORM.search(text)[1]}&action=0&title=Beans"
        form = {"Content_Type": "application/x-www-form-urlencoded"}
        for origin, status in ((f"https://{self.name}", 303), ("https://wall.example", 403), ("https://evil.example", 403)):
            answer, fields, _ = self.request("POST", "/intents/add-task", body, Origin=origin, **form)
            self.assertEqual(answer, status, origin)
        self.assertEqual(len(self.intents), 1)
        self.assertEqual(self.request("GET", "/", Host="evil.example")[0], 421)

    def test_panel(self):
        """It gets addresses that lead through the proxy, whatever it says of itself."""
        own = subprocess.run(["python3", "-c", "import hmac, sys; print(hmac.new(sys.argv[1].encode(), b'panels', 'sha256')"
                              ".hexdigest()[:32])", KEY], capture_output=True, text=True, check=True).stdout.strip()
        status, _, body = self.request("GET", f"/{own}/api/setup", key=False, ID="94:A9:90:8C:6D:18", FW_Version="1.6.0",
                                       X_Forwarded_Proto="http", X_Forwarded_Prefix="/evil")
        self.assertEqual(status, 200, body)
        address = json.loads(body)["image_url"]
        self.assertTrue(address.startswith(f"https://{self.name}/wall/{own}/picture/"), address)
        status, fields, _ = self.request("GET", address.removeprefix(f"https://{self.name}/wall"), key=False)
        self.assertEqual((status, fields["Content-Type"].split("/")[0]), (200, "image"))

    def test_compression_and_tags(self):
        """A compressed page has another tag, with which it is not sent again. An event arrives within a second."""
        status, fields, body = self.request("GET", "/", Accept_Encoding="gzip")
        self.assertEqual(fields["Content-Encoding"], "gzip")
        self.assertIn(b"card-todays-tasks", gzip.decompress(body))
        status = self.request("GET", "/", Accept_Encoding="gzip", If_None_Match=fields["ETag"])[0]
        self.assertEqual(status, 304, fields["ETag"])
        connection = self.connect()
        connection.request("GET", "/wall/events", headers={
            "Host": self.name, "Cookie": f"cachesync-{self.target}={KEY}", "Accept-Encoding": "gzip"})
        response = connection.getresponse()
        self.assertEqual((response.status, response.headers["Cache-Control"]), (200, "no-cache, no-transform"))
        arrived, pieces = threading.Event(), []

        def read():
            # nginx compresses the stream nevertheless.
            unpacked = gzip.zlib.decompressobj(31) if response.headers["Content-Encoding"] == "gzip" else None
            with contextlib.suppress(OSError, ValueError, AttributeError, http.client.HTTPException):
                while piece := response.read1(65536):
                    pieces.append(unpacked.decompress(piece) if unpacked else piece)
                    if b"Quickly" in b"".join(pieces):
                        arrived.set()
        threading.Thread(target=read, daemon=True).start()
        until(lambda: b"event: alive" in b"".join(pieces), "the first events come")
        self.drop_task("mine", "Quickly")
        self.assertTrue(arrived.wait(1), "the event comes within a second")

    def open(self):
        self.driver = chromium(f"--host-resolver-rules=MAP wall.example 127.0.0.1", "--ignore-certificate-errors")
        self.addCleanup(self.driver.quit)
        self.driver.get(f"https://{self.name}/wall/?key={KEY}")
        until(lambda: self.script("return !lost"), "the page is connected")
        self.script("window.marked = true")

    def script(self, text):
        return self.driver.execute_script(text)

    def test_browser(self):
        """An event, a button, another moment."""
        self.open()
        self.assertEqual(self.driver.current_url, f"https://{self.name}/wall/")
        self.drop_task("mine", "Try the page")
        until(lambda: "Try the page" in self.script("return document.body.textContent"), "the card changes")
        self.script("document.querySelector('#card-quick-log button').click()")
        until(lambda: len(self.intents) == 1, "the intent comes")
        self.script("document.querySelectorAll('.days a')[8].click()")
        until(lambda: self.script("return document.querySelectorAll('.banner').length"), "the banner comes")
        self.assertTrue(self.driver.current_url.startswith(f"https://{self.name}/wall/?at="), self.driver.current_url)
        self.script("document.querySelector('.banner a').click()")
        until(lambda: not self.script("return document.querySelectorAll('.banner').length"), "the banner goes")
        self.assertTrue(self.script("return window.marked"))

    def test_interruptions(self):
        self.open()
        count = int(os.environ.get("PAGE_INTERRUPTIONS", 3))
        seed = os.environ.get("PAGE_SEED") or str(random.randrange(1 << 32))
        chance = random.Random(seed)
        longest = 3 if count < 20 else 100
        for number in range(count):
            what = chance.choice(["the server stops", "the server is killed", "the proxy is killed", "the server hangs",
                                  "the proxy hangs"])
            seconds = chance.uniform(0.2, longest)
            with self.subTest(what, number=number, seconds=seconds, seed=seed):
                if what == "the server stops" or what == "the server is killed":
                    self.stop(self.server, signal.SIGTERM if what == "the server stops" else signal.SIGKILL)
                    time.sleep(seconds)
                    self.server = self.run_server()
                elif what == "the proxy is killed":
                    self.proxy.stop()
                    time.sleep(seconds)
                    self.proxy.start()
                else:
                    hanging = self.server.send_signal if what == "the server hangs" else self.proxy.signal
                    hanging(signal.SIGSTOP)
                    time.sleep(seconds)
                    hanging(signal.SIGCONT)
                self.drop_task("mine", f"Task {number}")
                # A proxy's own patience may end before, and the next attempt is then up to a minute away.
                until(lambda: f"Task {number}" in self.script("return document.body.textContent"), "the page is back", 150)
                self.assertEqual(self.script("return document.getElementById('connection').textContent"), "")
                self.assertTrue(self.script("return window.marked"))


class BehindNginx(Behind, PageTests):
    kind = Nginx


class BehindApache(Behind, PageTests):
    kind = Apache


class InAFrame(PageTests):
    """A dashboard of another site shows the page, or a picture."""

    def setUp(self):
        super().setUp()
        self.remove_intents()
        self.run_agent()
        directory = self.directory / "dashboard"
        directory.mkdir()
        port = free_port()
        server = subprocess.Popen(["python3", "-m", "http.server", "-b", "127.0.0.1", "-d", str(directory), str(port)],
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(self.stop, server)
        self.origin = f"http://localhost:{port}"
        self.index = directory / "index.html"
        self.driver = chromium()
        self.addCleanup(self.driver.quit)

    def show(self, page, name):
        from proxies import PROJECT, block
        html = block(name, PROJECT / "docs/recipes/dashboards.md")
        self.index.write_text(html.replace("8735", str(page.port)).replace("KEY", page.key))
        until(lambda: self.loads(), "the dashboard is there")

    def loads(self):
        with contextlib.suppress(Exception):
            self.driver.get(f"{self.origin}/index.html")
            return self.driver.title is not None and "localhost" in self.driver.current_url

    def test_page(self):
        page = self.serve("--allow-frame", self.origin)
        status, fields, text = page.get(f"/?key={page.key}", key=False)
        self.assertEqual((status, fields["Referrer-Policy"]), (200, "no-referrer"))
        self.assertIn(f"frame-ancestors {self.origin}", fields["Content-Security-Policy"])
        self.assertIn(f'action="./intents/add-task?key={page.key}"', text)
        # Without a cookie there is no choice of colours.
        self.assertNotIn("data-appearance=\"dark\"", text)
        self.show(page, "frame.html")
        self.driver.switch_to.frame(0)
        until(lambda: self.driver.execute_script("return typeof lost === 'undefined' || !lost") and
              self.driver.execute_script("return stream && stream.readyState") == 1, "the page in the frame is connected")
        before = self.driver.execute_script("return document.getElementById('card-calories').textContent")
        self.driver.execute_script("document.querySelector('#card-quick-log button').click()")
        until(lambda: len(self.intents) == 1, "the intent comes")
        until(lambda: self.driver.execute_script("return document.getElementById('card-calories').textContent") != before,
              "the event comes")
        self.driver.execute_script("document.querySelectorAll('.days a')[8].click()")
        until(lambda: self.driver.execute_script("return document.querySelectorAll('.banner').length"), "the banner comes")

    def test_picture(self):
        page = self.serve()
        self.show(page, "picture.html")
        until(lambda: self.driver.execute_script("return document.querySelector('img').naturalWidth"), "the picture is there")
        # With the cookie alone another page gets none, and the page is in no frame.
        fields = page.get("/picture/todays-tasks/systemLarge.svg")[1]
        self.assertEqual(fields["Cross-Origin-Resource-Policy"], "same-origin")
        self.assertIn("frame-ancestors 'none'", page.get()[1]["Content-Security-Policy"])

    def test_wrong_origins(self):
        from support import CACHESYNCD
        for words in (("--allow-frame", "*"), ("--allow-frame", "https://a/b"), ("--trust-proxy", "everyone")):
            done = subprocess.run([CACHESYNCD, "serve", "--cache", self.cache, *words], capture_output=True, timeout=PATIENCE)
            self.assertEqual(done.returncode, 64, words)
