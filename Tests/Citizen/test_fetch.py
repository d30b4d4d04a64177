"""cachesync-fetch@.service with a real server: the words of its ExecStart, as the service manager makes them."""

import http.server
import os
import re
import subprocess
import threading
import unittest

from support import REPOSITORY, Cache, program

SYSTEM = REPOSITORY / "packaging/systemd/cachesync-fetch@.service"
USER = REPOSITORY / "packaging/systemd/user/cachesync-fetch@.service"
BINS = '{"bins":[{"type":"Paper","date":"2026-12-01"}]}'
DEFINITION = """{"version":1,"items":{"each":"$.bins[*]","fields":{"title":"@.type"},"start":"@.date"},
  "kinds":{"bins":{"show":"all","items":{"title":"{title}"}}}}"""


def script(unit):
    """The text that /bin/sh -ec gets, before its specifiers are replaced."""
    [text] = re.findall(r"(?ms)^ExecStart=/bin/sh -ec '(.*?)'$", unit.read_text().replace("\\\n", ""))
    return text.replace("$$", "$")


class Source(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        server = self.server
        server.asked.append(dict(self.headers))
        tag = f'"{hash(server.body)}"'
        same = self.headers["If-None-Match"] == tag
        self.send_response(304 if same and server.status == 200 else server.status)
        self.send_header("ETag", tag)
        if not same:
            self.send_header("Content-Length", str(len(server.body) + server.lacking))
        self.end_headers()
        if not same:
            self.wfile.write(server.body.encode())

    def log_message(self, *words):
        pass


class FetchTests(unittest.TestCase):
    def setUp(self):
        self.cache = Cache(sample=False)
        self.addCleanup(self.cache.close)
        (self.cache.path / "feeds").mkdir()
        (self.cache.path / "feeds/bins.json").write_text(DEFINITION)
        (self.cache.folder / "cachesync").mkdir()
        (self.cache.folder / "cachesync/fetch-town").touch()
        (self.cache.folder / "state").mkdir()
        os.utime(self.cache.folder / "cachesync/fetch-town", (0, 0))
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Source)
        self.server.status, self.server.body, self.server.lacking, self.server.asked = 200, BINS, 0, []
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)
        self.file = self.cache.path / "bins/town.json"

    def fetch(self):
        """The exit status."""
        words = script(USER).replace("%i", "town").replace("%E", str(self.cache.folder)).replace("%%", "%")
        environment = dict(
            os.environ, STATE_DIRECTORY=str(self.cache.folder / "state"), CACHESYNC_CACHE=str(self.cache.path),
            FEED="bins", URL=f"http://127.0.0.1:{self.server.server_port}/", HEADERS="X-Token: secret\nX-Other: 2")
        done = subprocess.run(
            ["/bin/sh", "-ec", words.replace("/usr/bin/cachesyncd", program())], env=environment, capture_output=True)
        return done.returncode

    def test_both_units_do_the_same(self):
        self.assertEqual(script(SYSTEM), script(USER))

    def test_drops_what_is_new(self):
        self.assertEqual(self.fetch(), 0)
        self.assertEqual(self.file.read_text(), BINS)
        self.assertEqual([self.server.asked[0][name] for name in ("X-Token", "X-Other")], ["secret", "2"])
        before = self.file.stat().st_ino
        self.assertEqual(self.fetch(), 0)
        self.assertIn("If-None-Match", self.server.asked[1])
        self.assertEqual(self.file.stat().st_ino, before)
        self.server.body = BINS.replace("Paper", "Glass")
        self.assertEqual(self.fetch(), 0)
        self.assertEqual(self.file.read_text(), self.server.body)

    def test_fetches_again_what_is_removed(self):
        self.fetch()
        self.file.unlink()
        self.assertEqual(self.fetch(), 0)
        self.assertEqual(self.file.read_text(), BINS)

    def test_fetches_again_what_is_configured_anew(self):
        self.fetch()
        os.utime(self.cache.folder / "cachesync/fetch-town")
        os.utime(self.cache.folder / "state/town", (1, 1))
        self.assertEqual(self.fetch(), 0)
        self.assertEqual(self.server.asked[1]["If-None-Match"], '""')

    def test_a_failure_drops_nothing(self):
        self.fetch()
        for status, body, lacking in ((500, BINS + " ", 0), (200, BINS + " ", 9), (200, "<html>", 0), (200, "", 0)):
            self.server.status, self.server.body, self.server.lacking = status, body, lacking
            self.assertNotEqual(self.fetch(), 0, body)
            self.assertEqual(self.file.read_text(), BINS)
        # What was refused, or broke off, is not taken for what was dropped, although curl had its tag.
        for body in (BINS + " ", BINS + "\n"):
            self.server.body, self.server.lacking = body, 9
            self.assertNotEqual(self.fetch(), 0, body)
            self.server.lacking = 0
            self.assertEqual(self.fetch(), 0, body)
            self.assertEqual(self.file.read_text(), body)

    def test_fetches_again_what_is_removed_after_a_refusal(self):
        self.fetch()
        self.server.body = "<html>"
        self.assertNotEqual(self.fetch(), 0)
        self.server.body = BINS
        self.file.unlink()
        self.assertEqual(self.fetch(), 0)
        self.assertEqual(self.file.read_text(), BINS)


if __name__ == "__main__":
    unittest.main()
