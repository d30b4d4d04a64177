"""What other programs get as JSON and as metrics (pictures.md section 12, data)."""

import hmac
import json
import re
import shlex
import subprocess

from support import CACHESYNCD, PageTests


class Data(PageTests):
    def setUp(self):
        super().setUp()
        self.command("sync")
        self.page = self.serve()

    def printed(self, *words):
        return subprocess.run([CACHESYNCD, *words, "--cache", self.cache], capture_output=True, text=True).stdout

    def get(self, path, **fields):
        return self.page.get(path, key=False, Authorization=f"Bearer {self.page.key}", **fields)

    def test_published_bytes(self):
        for name in ("snapshots/todays-tasks.json", "day-index.json", "manifest.json"):
            status, fields, text = self.get(f"/{name}")
            self.assertEqual((status, fields["Content-Type"]), (200, "application/json"), name)
            self.assertEqual(text, (self.directory / "cache/snapshots" / name.removeprefix("snapshots/")).read_text(), name)

    def test_printed(self):
        self.assertEqual(self.get("/kinds.json")[2], self.printed("kinds", "--json"))
        status, fields, text = self.get("/metrics")
        self.assertEqual((status, fields["Content-Type"]), (200, "text/plain; version=0.0.4; charset=utf-8"))
        self.assertIsNone(fields["ETag"])
        self.assertIn("cachesync_up", text)

    def test_entry(self):
        snapshot = json.loads((self.directory / "cache/snapshots/todays-tasks.json").read_text())
        for entry in snapshot["entries"]:
            status, _, text = self.get(f"/entry/todays-tasks.json?at={entry['date']}")
            found = json.loads(text)
            self.assertEqual((status, found["date"], found["kind"]), (200, entry["date"], "todays-tasks"))
            self.assertEqual(found["content"], entry["content"])
        now = json.loads(self.get("/entry/todays-tasks.json")[2])
        self.assertIn(now["date"], [entry["date"] for entry in snapshot["entries"]])
        self.assertEqual(self.get("/entry/todays-tasks.json?at=soon")[0], 400)

    def test_calendars(self):
        status, fields, text = self.get("/calendars/tasks.ics")
        self.assertEqual((status, fields["Content-Type"]), (200, "text/calendar; charset=utf-8"))
        self.assertEqual(text.replace("\r\n", "\n"), self.printed("export", "tasks"))
        for feed in ("shoes", "nothing"):
            self.assertEqual(self.get(f"/calendars/{feed}.ics")[0], 404, feed)

    def share(self, feed, *words):
        """What `serve --share` prints on a terminal, which `script` is."""
        command = [CACHESYNCD, "serve", "--share", feed, "--key-file", str(self.directory / "key"), "--cache", self.cache, *words]
        result = subprocess.run(
            ["script", "-qec", shlex.join(command), "/dev/null"], capture_output=True, text=True, stdin=subprocess.DEVNULL)
        return result.returncode, result.stdout.strip()

    def test_shared_calendar(self):
        status, address = self.share("tasks", "--listen", f"127.0.0.1:{self.page.port}")
        self.assertEqual(status, 0, address)
        place, own = re.fullmatch(r"(http://127.0.0.1:\d+/calendars/tasks.ics)\?key=([0-9a-f]{32})", address).groups()
        key = (self.directory / "key").read_text().strip()
        self.assertEqual(own, hmac.new(key.encode(), b"calendar:tasks", "sha256").hexdigest()[:32])
        # The address is that of a server with the same key file.
        page = self.serve("--key-file", str(self.directory / "key"), key=key)
        status, fields, text = page.get(f"/calendars/tasks.ics?key={own}", key=False)
        self.assertEqual((status, fields["Content-Type"]), (200, "text/calendar; charset=utf-8"))
        self.assertEqual(page.get("/calendars/tasks.ics", key=False, Authorization=f"Bearer {own}")[2], text)
        for path in ("/", "/calendars/meal-plan.ics", "/manifest.json", "/metrics", "/picture/calories/accessoryInline.txt"):
            self.assertIn(page.get(f"{path}?key={own}", key=False)[0], (401, 403), path)
        self.assertEqual(self.page.get(f"/calendars/tasks.ics?key={own}", key=False)[0], 401, "a server with another key")
        # Another name, such as that of a proxy.
        self.assertIn("http://home.example:9000/calendars/", self.share("tasks", "--allow-host", "home.example:9000")[1])

    def test_shared_calendar_where_others_read(self):
        command = [CACHESYNCD, "serve", "--share", "tasks", "--key-file", str(self.directory / "key"), "--cache", self.cache]
        result = subprocess.run(command, capture_output=True, text=True)
        self.assertEqual(result.stdout, "http://127.0.0.1:8735/calendars/tasks.ics?key=KEY\n")
        self.assertEqual(result.returncode, 0)
        for words in (["--share", "tasks"], ["--share", "shoes", "--key-file", "key"],
                      ["--share", "tasks", "--key-file", "key", "--listen", "unix:/tmp/socket"]):
            wrong = subprocess.run(
                [CACHESYNCD, "serve", *words, "--cache", self.cache], capture_output=True, text=True,
                cwd=self.directory)
            self.assertEqual((wrong.returncode, wrong.stdout), (64, ""), words)

    def test_tags(self):
        for path in ("/calendars/meal-plan.ics", "/kinds.json", "/snapshots/meal-plan.json", "/day-index.json", "/manifest.json", "/entry/meal-plan.json"):
            status, fields, _ = self.get(path)
            self.assertEqual((status, fields["Cache-Control"]), (200, "no-cache"), path)
            self.assertEqual(self.get(path, If_None_Match=fields["ETag"])[::2], (304, ""), path)
            status, _, text = self.page.request("HEAD", path, Authorization=f"Bearer {self.page.key}", key=False)
            self.assertEqual((status, text), (200, ""), path)

    def test_key(self):
        for path in ("/kinds.json", "/entry/meal-plan.json", "/snapshots/meal-plan.json", "/metrics"):
            self.assertEqual(self.page.get(path)[0], 200, path)
            self.assertEqual(self.page.get(f"{path}?key={self.page.key}", key=False)[0], 200, path)
            for fields in ({}, {"Authorization": f"Bearer {'0' * 32}"}, {"Authorization": f"Basic {self.page.key}"}):
                status, answer, _ = self.page.get(path, key=False, **fields)
                self.assertEqual((status, answer["WWW-Authenticate"]), (401, "Bearer"), path)
        # The same token opens pictures.
        self.assertEqual(self.get("/picture/calories/accessoryInline.txt")[0], 200)

    def test_unknown_kinds(self):
        """The advice knows the kinds of the cache, and takes no other published file for one."""
        for name, advice in (("only-carb", "did you mean only-carbs?"), ("day-indx", "see cachesyncd kinds")):
            for directory in ("snapshots", "entry"):
                status, _, text = self.get(f"/{directory}/{name}.json")
                self.assertEqual((status, text), (404, f"the cache has no {name} yet: {advice}\n"), directory)

    def test_nothing_else(self):
        (self.directory / "cache/snapshots/secret.json").write_text("{}")
        for path in ("/snapshots/secret.json", "/snapshots/nothing.json", "/entry/nothing.json", "/snapshots/..%2fcachesync.json",
                     "/cachesync.json", "/tasks/tasks.json", "/snapshots/", "/snapshots/manifest.json"):
            self.assertEqual(self.get(path)[0], 404, path)
