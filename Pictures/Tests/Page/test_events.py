"""What open pages are told, without a browser."""

import contextlib
import json
import shutil
import socket
import subprocess
import threading
import time

from support import PATIENCE, PageTests, until

# A busy machine needs longer for a hundred connections than for one.
SLOW = 200


class Listener:
    """A connection to /events, and the events that came."""

    def __init__(self, page, since=None, last=None, reads=True, patience=PATIENCE, path=None):
        self.events, self.alive, self.identifier = [], [], None
        self.connection = socket.socket(socket.AF_UNIX if path else socket.AF_INET)
        self.connection.settimeout(patience)
        self.connection.connect(str(path) if path else (page.host, page.port))
        host = "localhost" if path else f"{page.host}:{page.port}"
        query = "" if since is None else f"?since={since}"
        fields = "" if last is None else f"Last-Event-ID: {last}\r\n"
        self.connection.sendall(f"GET /events{query} HTTP/1.1\r\nHost: {host}\r\n"
                                f"Cookie: {page.cookie}\r\n{fields}\r\n".encode())
        if reads:
            self.begin()

    def begin(self):
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        stream = self.connection.makefile("rb")
        try:
            while stream.readline() != b"\r\n":
                pass
            rest = b""
            while size := int(stream.readline(), 16):
                rest += stream.read(size)
                stream.readline()
                while b"\n\n" in rest:
                    block, rest = rest.split(b"\n\n", 1)
                    self.take(block.decode())
        except (OSError, ValueError):
            pass

    def take(self, block):
        data = "\n".join(line[6:] for line in block.split("\n") if line.startswith("data: "))
        if block.startswith("event: alive\n") or "\nevent: alive\n" in block:
            self.alive.append(json.loads(data))
        elif data:
            self.events.append((time.monotonic(), data))
        for line in block.split("\n"):
            if line.startswith("id: "):
                self.identifier = int(line[4:])

    def cards(self):
        return [data.split('id="', 1)[1].split('"', 1)[0] for _, data in self.events if data.startswith("<article")]

    def close(self):
        # Closing alone would leave the connection to the thread that reads it.
        with contextlib.suppress(OSError):
            self.connection.shutdown(socket.SHUT_RDWR)
        self.connection.close()


class Events(PageTests):
    def setUp(self):
        super().setUp()
        # The task of these tests is the only one, so that the cards show it.
        shutil.rmtree(self.directory / "cache/tasks")
        (self.directory / "cache/cachedTasks.json").unlink()
        self.run_agent()
        self.page = self.serve()

    def listen(self, *words, **options):
        listener = Listener(self.page, *words, **options)
        self.addCleanup(listener.close)
        return listener

    def generation(self):
        return int(self.page.get()[2].split('data-generation="', 1)[1].split('"', 1)[0])

    def test_only_what_changed(self):
        listener = self.listen(self.generation())
        until(lambda: listener.identifier, "the generation comes")
        self.assertEqual(listener.events, [])
        self.drop_task("mine", "Try the page")
        until(lambda: "card-todays-tasks" in listener.cards(), "the card comes")
        until(lambda: listener.identifier == self.generation(), "the generation comes after the cards")
        self.assertNotIn("card-meal-plan", listener.cards())
        self.assertTrue(any("Try the page" in data for _, data in listener.events))

    def test_everything_newer(self):
        before = self.generation()
        self.drop_task("mine", "Try the page")
        for listener in (self.listen(before), self.listen(0, last=before)):
            until(lambda: listener.identifier, "the generation comes")
            self.assertIn("card-todays-tasks", listener.cards())
            self.assertNotIn("card-meal-plan", listener.cards())
        listener = self.listen()
        until(lambda: listener.identifier, "the generation comes")
        self.assertIn("card-meal-plan", listener.cards())

    def test_ten_a_second_and_the_newest_last(self):
        listener = self.listen(self.generation())
        until(lambda: listener.identifier, "the generation comes")
        begin = time.monotonic()
        for number in range(40):
            self.drop_task("mine", f"Task {number}")
        seconds = time.monotonic() - begin
        until(lambda: "Task 39" in "".join(data for _, data in listener.events), "the last one comes")
        count = listener.cards().count("card-todays-tasks")
        self.assertLessEqual(count, 10 * (seconds + 0.2) + 1)
        newest = [data for _, data in listener.events if 'id="card-todays-tasks"' in data][-1]
        self.assertIn("Task 39", newest)

    def test_a_listener_that_does_not_read(self):
        """It loses events, and no other listener does; when it reads at last, it gets the newest."""
        # The kernel keeps megabytes for a TCP connection of this machine, and 208 KiB for a unix socket: what is sent here is
        # more, so that the server's writes wait.
        path = self.directory / "page.sock"
        self.start("serve", "--listen", f"unix:{path}", stdout=subprocess.PIPE).stdout.readline()
        silent = self.listen(0, reads=False, path=path)
        listener = self.listen(self.generation(), path=path)
        until(lambda: listener.identifier, "the generation comes")
        number = sent = 0
        while sent < 500_000:
            number += 1
            self.drop_task("mine", f"Task {number} {'of many ' * 30}")
            until(lambda: any(f"Task {number} " in data for _, data in listener.events[-9:]), "each one comes")
            sent = sum(len(data) for _, data in listener.events)
        silent.begin()
        until(lambda: any(f"Task {number} " in data for _, data in silent.events), "the newest comes")
        self.assertLess(silent.cards().count("card-todays-tasks"), number)

    def test_a_hundred_listeners(self):
        """All have a change that was published once."""
        generation = self.generation()
        listeners = [self.listen(generation, patience=SLOW) for _ in range(100)]
        until(lambda: all(listener.identifier for listener in listeners), "all listen", SLOW)
        self.drop_task("mine", "Try the page")
        until(lambda: all("card-todays-tasks" in listener.cards() for listener in listeners), "all have it", SLOW)
        self.assertEqual({listener.cards().count("card-todays-tasks") for listener in listeners}, {1})

    def test_alive(self):
        """At once, and then each 25 s, so that a connection that has died shows."""
        listener = self.listen(self.generation(), patience=60)
        until(lambda: listener.alive, "the event comes")
        page = self.page.get()[2]
        said = listener.alive[0]
        self.assertEqual(said["generation"], self.generation())
        for name in ("version", "layout"):
            self.assertIn(f'data-{name}="{said[name]}"', page)
        self.assertRegex(said["today"], r"^Not connected since \d\d:\d\d$")
        until(lambda: len(listener.alive) > 1, "it comes again", patience=60)
        self.assertEqual(listener.events, [])

    def test_page_of_another_server(self):
        """Its buttons no longer count, so it gets all cards."""
        listener = self.listen(f"{self.generation()}&server=other")
        until(lambda: listener.identifier, "the generation comes")
        self.assertIn("card-meal-plan", listener.cards())

    def test_for_proxies(self):
        """They pass events on at once."""
        answer = self.page.raw(f"GET /events HTTP/1.1\r\nHost: {self.page.host}:{self.page.port}\r\n"
                               f"Cookie: {self.page.cookie}\r\n\r\n", timeout=1).lower()
        self.assertIn("\r\nx-accel-buffering: no\r\n", answer)
        self.assertIn("\r\ncache-control: no-cache, no-transform\r\n", answer)

    def test_end(self):
        """The server ends also while a page listens."""
        listener = self.listen(0)
        until(lambda: listener.identifier, "the generation comes")
        self.assertEqual(self.stop(self.page.process), 0)
