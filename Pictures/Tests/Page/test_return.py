"""The page comes back by itself, whatever ended its connection, and says since when it is not connected."""

import contextlib
import json
import re
import socket
import subprocess
import time

from browsers import chromium, firefox
from faults import FaultyProxy
from support import PageTests, free_port, until


class Return(PageTests):
    """A page behind a proxy that goes wrong."""

    browser = staticmethod(lambda directory: chromium())
    rewrites = {}

    def setUp(self):
        super().setUp()
        self.run_agent_with_one_task()
        self.port = free_port()
        self.proxy = FaultyProxy(self.port, self.rewrites)
        self.addCleanup(self.proxy.refuse)
        self.write_key("0123456789abcdef" * 2)
        self.server = self.run_server()
        self.driver = self.browser(self.directory)
        self.addCleanup(self.driver.quit)

    def run_server(self):
        words = ("serve", "--listen", f"127.0.0.1:{self.port}", "--key-file", str(self.key),
                 "--allow-host", f"127.0.0.1:{self.proxy.port}")
        server = self.start(*words, stdout=subprocess.PIPE)
        server.stdout.readline()
        return server

    def script(self, text):
        return self.driver.execute_script(text)

    def load(self):
        self.driver.get(f"http://127.0.0.1:{self.proxy.port}/?key={self.key.read_text().strip()}")
        until(lambda: self.script("return !lost"), "the page is connected")
        self.script("window.marked = true")

    def is_marked(self):
        return self.script("return window.marked === true")

    def line(self):
        return self.script("return document.getElementById('connection').textContent")

    def shows(self, title):
        return title in self.script("return document.getElementById('card-todays-tasks').textContent")

    def comes_back(self, name, patience=30):
        """What is published is shown, without a reload."""
        title = f"Task {name}"
        self.drop_task("mine", title)
        until(lambda: self.shows(title), f"the page is back after {name}", patience)
        until(lambda: self.line() == "", "it no longer says that it is not connected")
        self.assertTrue(self.is_marked())

    def test_answers(self):
        self.load()
        for status in (502, 403, 404, 503):
            self.proxy.status = status
            before = self.proxy.asked["/events"]
            self.proxy.cut()
            until(lambda: self.proxy.asked["/events"] > before, "it tries again")
            self.proxy.status = None
            self.comes_back(status)

    def test_answers_of_the_stream_alone(self):
        self.load()
        self.proxy.status, self.proxy.paths = 502, "/events"
        self.proxy.cut()
        until(lambda: self.proxy.asked["/manifest.json"], "it asks for the reason")
        self.proxy.status = None
        self.comes_back("502")

    def test_refused_connection(self):
        self.load()
        self.proxy.refuse()
        until(lambda: self.script("return pause >= 4"), "it tries again, and then later")
        self.proxy.listen()
        self.comes_back("refusing")

    def test_half_open_connection(self):
        """Nothing says that it is dead but the silence, which the test makes 70 s long."""
        self.load()
        self.proxy.silent = True
        self.script("heard -= 70001")
        until(lambda: self.script("return lost"), "it sees the silence")
        self.proxy.silent = False
        # The attempts that met the silence wait in vain, too.
        self.script("heard -= 70001")
        self.comes_back("silence")

    def test_at_once(self):
        """When the page is shown, or the browser says that it is online, it does not wait for its next attempt."""
        self.load()
        for event in ("window.dispatchEvent(new Event('online'))", "document.dispatchEvent(new Event('visibilitychange'))"):
            with self.subTest(event):
                self.proxy.status = 502
                self.proxy.cut()
                until(lambda: self.script("return lost"), "it is not connected")
                self.script("clearTimeout(attempt); pause = 60; fail()")
                self.proxy.status = None
                self.script(event)
                until(lambda: self.script("return !lost"), "it is connected")

    def test_back_forward_cache(self):
        self.load()
        self.driver.get("about:blank")
        self.drop_task("mine", "Task of the cache")
        self.driver.back()
        until(lambda: self.shows("Task of the cache"), "the page is back")
        until(lambda: self.script("return !lost"), "it is connected")

    def test_restart_of_the_server(self):
        """Also its buttons work again, which belong to one start."""
        self.load()
        self.stop(self.server)
        until(lambda: self.script("return lost"), "it is not connected")
        old = self.script("return document.querySelector('#card-quick-log input[name=token]').value")
        self.run_server()
        until(lambda: self.script("return document.querySelector('#card-quick-log input[name=token]').value") != old,
              "the cards are from the new server")
        self.script("document.querySelector('#card-quick-log button').click()")
        until(lambda: len(self.intents) == 1, "the intent comes")
        self.comes_back("a restart")

    def test_changed_key(self):
        self.load()
        old = self.key.read_text()
        self.stop(self.server)
        self.key.write_text("f" * 32 + "\n")
        self.server = self.run_server()
        until(lambda: self.line() == "This display needs a new link: open the address that cachesyncd serve prints.",
              "it says what it needs")
        self.stop(self.server)
        self.key.write_text(old)
        self.server = self.run_server()
        self.comes_back("a changed key")

    def test_since_when(self):
        self.load()
        said = self.script("return [alive.today, alive.later]")
        self.proxy.status = 502
        self.proxy.cut()
        until(lambda: self.script("return lost"), "it is not connected")
        self.assertEqual(self.line(), "")
        self.script("lost -= 60000")
        until(lambda: self.line() == said[0], "it says since when")
        self.assertRegex(said[0], r"^Not connected since \d\d:\d\d$")
        self.script("alive.rest = 0")
        until(lambda: self.line() == said[1], "it says since which day")
        day = time.strftime("%a ") + str(int(time.strftime("%d"))) + time.strftime(" %b")
        self.assertRegex(said[1], rf"^Not connected since {day} \d\d:\d\d$")
        self.assertEqual(self.script("return document.getElementById('connection').getAttribute('role')"), "status")
        self.proxy.status = None
        self.script("window.dispatchEvent(new Event('online'))")
        until(lambda: self.line() == "", "the line goes")

    def test_never_connected(self):
        """A proxy that lets the page through, but no stream: it says since when the page is there."""
        self.proxy.status, self.proxy.paths = 502, "/events"
        self.driver.get(f"http://127.0.0.1:{self.proxy.port}/?key={self.key.read_text().strip()}")
        until(lambda: self.proxy.asked["/events"], "it tries")
        self.script("lost -= 60000")
        until(lambda: re.fullmatch(r"Not connected since \d\d:\d\d", self.line()), "it says since when")

    def test_midnight(self):
        """Cut off, the page shows the cards of the new day, and has its buttons again once it is connected."""
        self.load()
        heading = "return document.querySelector('h1').textContent"
        today = self.script(heading)
        self.script("keep()")
        until(lambda: self.script("return keptPage"), "it keeps the next midnight")
        self.proxy.status = 502
        self.proxy.cut()
        until(lambda: self.script("return lost"), "it is not connected")
        self.script("alive.rest = 0")
        until(lambda: self.script(heading) != today, "the day turns")
        tomorrow = time.localtime(time.time() + 86_400)
        self.assertEqual(self.script(heading),
                         f"{time.strftime('%A', tomorrow)}, {tomorrow.tm_mday} {time.strftime('%B', tomorrow)}")
        self.assertEqual(self.script("return document.querySelectorAll('.card button:enabled').length"), 0)
        self.proxy.status = None
        self.script("window.dispatchEvent(new Event('online'))")
        until(lambda: self.script(heading) == today, "the day is right again")
        until(lambda: self.script("return document.querySelectorAll('.card button:enabled').length"), "buttons work")

    def test_what_is_kept_for_midnight(self):
        """It is fetched a minute after loading and after changes, and not again within ten minutes."""
        self.load()
        self.script("keepAfter -= 60000")
        until(lambda: self.script("return keptPage"), "it is kept")
        first = self.script("return keptAt")
        self.comes_back("a change")
        self.assertLessEqual(self.script("return keepAfter - passed()"), 120_000)
        self.script("keepAfter = 0; window.looked = passed()")
        until(lambda: self.script("return passed() > looked + 3000"), "a look later")
        self.assertEqual(self.script("return keptAt"), first)
        self.script("keptAt -= 600000")
        until(lambda: self.script("return keptAt") > first, "it is kept again")

    def test_other_script_or_generation(self):
        for change in ("data.version = 'other'", "data.generation = '999999'", "data.layout = 'other'"):
            with self.subTest(change):
                self.load()
                self.script(change)

                def is_new():
                    self.script("window.marked && window.dispatchEvent(new Event('online'))")
                    time.sleep(1)
                    return not self.is_marked()
                until(is_new, "the page is loaded again", 40)

    def test_no_reload_into_an_error(self):
        """The page does not load again while there is only an error to load."""
        self.load()
        self.proxy.status = 502
        asked = self.proxy.asked["/"]
        self.script("reload()")
        until(lambda: self.proxy.asked["/"] > asked, "it looks whether there is a page")
        time.sleep(1)
        self.assertTrue(self.is_marked())

    def test_without_the_script(self):
        """A browser that cannot run the script loads the page again by itself: here each 2 s in place of 60."""
        self.proxy.rewrites = {b'content="60"': b'content="02"'}
        self.load()
        asked = self.proxy.asked["/"]
        time.sleep(5)
        self.assertEqual(self.proxy.asked["/"], asked)
        self.comes_back("a while")
        colour = "return getComputedStyle(document.querySelector('.card')).marginRight"
        self.assertEqual(self.script(colour), "24px")
        for name, code in (("a syntax error", b"let error 1; "), ("an exception", b"throw 'error'")):
            with self.subTest(name):
                self.proxy.rewrites[b'"use strict";'] = code
                self.driver.get(f"http://127.0.0.1:{self.proxy.port}/")
                asked = self.proxy.asked["/"]
                until(lambda: self.proxy.asked["/"] >= asked + 2, "it loads again and again")
        self.proxy.rewrites = {b'content="60"': b'content="02"'}
        self.proxy.status, self.proxy.paths = 502, "/page.js"
        self.driver.get(f"http://127.0.0.1:{self.proxy.port}/")
        asked = self.proxy.asked["/"]
        until(lambda: self.proxy.asked["/"] >= asked + 2, "it loads again without a file")
        self.proxy.status = None
        until(lambda: self.script("return typeof listen === 'function' && !lost"), "the script runs again")


class ReturnInFirefox(Return):
    browser = staticmethod(firefox)
    # Firefox runs a test's scripts apart from the page's, and the page's policy forbids eval.
    rewrites = {b"script-src 'self'": b"script-src 'self' 'unsafe-eval'"}

    # What does not depend on the browser.
    test_answers_of_the_stream_alone = test_never_connected = test_since_when = test_no_reload_into_an_error = None
    test_other_script_or_generation = test_what_is_kept_for_midnight = test_refused_connection = None

    def script(self, text):
        code = f"JSON.stringify([(() => {{ {text} }})()])"
        # While a document is replaced by another, there is no answer.
        answer = self.driver.execute_script("return window.eval(arguments[0])", code)
        return json.loads(answer)[0] if answer else None


class Words(PageTests):
    """What a browser gets that has no key, or comes when there are too many."""

    def setUp(self):
        super().setUp()
        self.command("sync")

    def test_cookie(self):
        """With a kept key file it lives 400 days, again with each answer. Without one it ends with the browser."""
        key = self.directory / "key"
        key.write_text("0123456789abcdef" * 2 + "\n")
        key.chmod(0o600)
        kept = self.serve("--key-file", str(key), key="0123456789abcdef" * 2)
        long = f"{kept.cookie}; Path=/; HttpOnly; SameSite=Strict; Max-Age=34560000"
        status, fields, _ = kept.get(f"/?key={kept.key}", key=False)
        self.assertEqual((status, fields["Set-Cookie"]), (303, long))
        status, fields, _ = kept.get()
        self.assertEqual((status, fields["Set-Cookie"]), (200, long))
        status, fields, _ = kept.get(If_None_Match=fields["ETag"])
        self.assertEqual((status, fields["Set-Cookie"]), (304, long))
        page = self.serve()
        self.assertEqual(page.get(f"/?key={page.key}", key=False)[1]["Set-Cookie"],
                         f"{page.cookie}; Path=/; HttpOnly; SameSite=Strict")
        self.assertIsNone(page.get()[1]["Set-Cookie"])

    def test_refusal_of_a_page(self):
        page = self.serve()
        status, fields, text = page.get(key=False)
        self.assertEqual((status, fields["Content-Type"]), (403, "text/html; charset=utf-8"))
        self.assertIn("open the address that <code>cachesyncd serve</code> printed", text)
        self.assertIn('<meta http-equiv="refresh" content="60">', text)
        self.assertEqual(page.get("/picture/calories/accessoryInline.svg", key=False)[1]["Content-Type"],
                         "text/plain; charset=utf-8")

    def test_too_many_connections(self):
        """Beyond 128 each gets an answer at once, and those that are connected stay."""
        page = self.serve()
        with contextlib.ExitStack() as stack:
            many = [stack.enter_context(socket.create_connection((page.host, page.port))) for _ in range(128)]
            for connection in many:
                connection.sendall(f"GET /events HTTP/1.1\r\nHost: {page.host}:{page.port}\r\n"
                                   f"Cookie: {page.cookie}\r\n\r\n".encode())
            for connection in many:
                connection.settimeout(20)
                self.assertIn(b" 200 ", connection.recv(20))
            for path, kind in (("/", "text/html"), ("/events", "text/plain")):
                status, fields, _ = page.get(path)
                self.assertEqual((status, fields["Retry-After"]), (503, "10"))
                self.assertIn(kind, fields["Content-Type"])
            many[0].close()
            until(lambda: page.get()[0] == 200, "another gets the place")
