"""The recipe for dashboards: the real server, curl and jq, and the requests of programs that this machine lacks.

Debian: curl jq.
"""

import json
import re
import unittest
import urllib.request
from pathlib import Path

from pages import blocks
from recipes import Home, needs
from support import Cache, program, wait_until
from test_recipes import free_port

PAGE = "dashboards.md"
# Where each program's own document puts the address and the fields, and the paths of what it shows.
FORMS = {
    "services.yaml": (r"url: (\S+)", r"(Authorization): (.*)", r"field: content\.(\w+)"),
    "glance.yml": (r"url: (\S+)", r"(Authorization): (.*)", r'\.JSON\.\w+ "content\.(\w+)"'),
    "tasks.js": (r'Request\("([^"]+)"\)', r'(Authorization): "([^"]*)"', r"content\.(\w+)"),
}


@unittest.skipUnless(
    (Path(program()).resolve().parent / "cachesync-pictures").exists(), "no cachesync-pictures beside cachesyncd: make deb")
class Dashboards(unittest.TestCase):
    def setUp(self):
        self.cache = Cache()
        self.addCleanup(self.cache.close)
        self.home = self.enterContext(Home(self.cache))
        self.cache.start()
        (self.home.path / ".config/cachesync").mkdir(parents=True)
        self.place = f"127.0.0.1:{free_port()}"
        # The last one is for a frame, which Pictures/Tests/Page/test_proxies.py plays in a browser.
        self.serve, self.prompt, _ = [block.text for block in self.home.follow(PAGE)]
        self.home.begin(f"{self.serve.strip()} --listen {self.place}")
        self.key = self.home.path / ".config/cachesync/key"
        wait_until(lambda: self.home.type(self.moved(self.prompt)).stdout, what="the server answers")

    def moved(self, text):
        self.assertIn("127.0.0.1:8735", text)
        return text.replace("127.0.0.1:8735", self.place)

    @needs("curl", "jq")
    def test_prompt(self):
        content = self.cache.snapshot("todays-tasks")["entries"][0]["content"]
        self.assertEqual(self.home.type(self.moved(self.prompt)).stdout, content["inline"] + "\n")

    def test_requests(self):
        content = self.cache.snapshot("todays-tasks")["entries"][0]["content"]
        files = {block.file: block.text for block in blocks(PAGE) if block.file}
        self.assertEqual(set(files), set(FORMS) | {"frame.html", "picture.html"})
        for name, (address, field, shown) in FORMS.items():
            text = self.moved(files[name]).replace("KEY", self.key.read_text().strip())
            request = urllib.request.Request(
                re.search(address, text)[1], headers={re.search(field, text)[1]: re.search(field, text)[2]})
            with urllib.request.urlopen(request, timeout=10) as answer:
                found = json.load(answer)
            self.assertEqual(found["content"], content, name)
            members = re.findall(shown, text)
            self.assertTrue(members, name)
            for member in members:
                self.assertIn(member, content, name)


if __name__ == "__main__":
    unittest.main()
