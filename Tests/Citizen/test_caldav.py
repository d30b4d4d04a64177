"""The recipe for a CalDAV account, with the real vdirsyncer and a real Radicale on this machine.

Debian: python3-pip. PyPI: vdirsyncer and radicale.
"""

import datetime
import json
import re
import struct
import subprocess
import sys
import unittest
import urllib.error
import urllib.request
from pathlib import Path

from pypi import packages
from recipes import Home, Lines
from support import Cache, program, wait_until
from test_recipes import free_port

PACKAGES = ["vdirsyncer==0.21.0", "radicale==3.9.0"]


class CalDAV(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = packages(*PACKAGES)

    def setUp(self):
        self.cache = Cache(sample=False)
        self.addCleanup(self.cache.close)
        self.home = self.enterContext(Home(self.cache))
        self.home.environment |= {
            "PYTHONPATH": str(self.place), "PATH": f"{self.place}/bin:{self.home.environment['PATH']}",
            "PYTHONDONTWRITEBYTECODE": "1"}
        port = free_port()
        self.url = f"http://127.0.0.1:{port}"
        self.home.begin([
            sys.executable, "-m", "radicale", "--config", "", "--server-hosts", f"127.0.0.1:{port}", "--auth-type", "none",
            "--storage-filesystem-folder", str(self.cache.folder / "radicale")])
        wait_until(self.answers, what="Radicale answers")

    def answers(self):
        try:
            self.request("GET", "/.web/")
            return True
        except (urllib.error.URLError, ConnectionError):
            return False

    def request(self, method, path, body=None, **headers):
        credentials = {"Authorization": "Basic YW5uYTpzZWNyZXQ="}  # anna:secret
        request = urllib.request.Request(
            self.url + path, method=method, data=body and body.encode(),
            headers=credentials | {name.replace("_", "-"): value for name, value in headers.items()})
        with urllib.request.urlopen(request, timeout=10) as answer:
            return answer.read().decode()

    def put(self, name, *lines):
        """Writes an item as a client does."""
        item = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//test//EN", *lines, "END:VCALENDAR", ""]
        self.request("PUT", f"/anna/home/{name}.ics", "\r\n".join(item), Content_Type="text/calendar")

    def follow(self):
        commands = self.home.follow("caldav.md")
        config = self.home.path / ".config/vdirsyncer/config"
        text = config.read_text()
        for old, new in [("https://dav.example.org/", self.url), ("~/.cache/cachesync", str(self.cache.path))]:
            self.assertIn(old, text)
            text = text.replace(old, new)
        config.write_text(text)
        return [command.text for command in commands]

    def succeed(self, command):
        result = self.home.type(command, timeout=60)
        self.assertEqual(result.returncode, 0, result)

    def test_account(self):
        self.request("MKCALENDAR", "/anna/home/")
        todo = ["BEGIN:VTODO", "UID:milk", "DTSTAMP:20261121T080000Z", "SUMMARY:Buy milk"]
        self.put("milk", *todo, "LAST-MODIFIED:20261121T080000Z", "END:VTODO")
        soon = (datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=3)).strftime("%Y%m%dT%H%M%SZ")
        self.put(
            "dentist", "BEGIN:VEVENT", "UID:dentist", "DTSTAMP:20261121T080000Z", f"DTSTART:{soon}", "SUMMARY:Dentist",
            "END:VEVENT")
        discover, sync = self.follow()
        self.cache.start()
        self.succeed(discover)
        self.succeed(sync)

        def shown(kind, member):
            try:
                return self.cache.snapshot(kind)["entries"][0]["content"][member]
            except FileNotFoundError:
                return None

        def titles():
            return [task["title"] for task in shown("todays-tasks", "tasks") or []]

        wait_until(lambda: titles() == ["Buy milk"], what="the task shows")
        wait_until(lambda: shown("next-event", "text") == "Dentist", what="the event shows")
        # A client completes it, and the next copy has that.
        self.put("milk", *todo, "STATUS:COMPLETED", "LAST-MODIFIED:20261121T090000Z", "END:VTODO")
        self.succeed(sync)
        wait_until(lambda: shown("todays-tasks", "tasks") == [], what="the task is done")
        # A client deletes it.
        self.request("DELETE", "/anna/home/milk.ics")
        self.succeed(sync)
        wait_until(lambda: not list(self.cache.path.glob("tasks/account/home/milk*")), what="the file is gone")

    def test_household(self):
        self.request("MKCALENDAR", "/anna/home/")
        self.put("milk", "BEGIN:VTODO", "UID:milk", "DTSTAMP:20261121T080000Z", "SUMMARY:Buy milk", "END:VTODO")
        discover, _ = self.follow()
        self.succeed(discover)
        self.cache.start()
        sync, drop, export, serve = [command.text for command in self.home.follow("household.md")]
        self.home.begin(export)
        self.succeed(sync)
        self.succeed(drop)
        calendars = self.home.path / "calendars"

        def lines(feed):
            file = calendars / f"{feed}.ics"
            return file.read_bytes().decode().splitlines() if file.exists() else []

        wait_until(lambda: "SUMMARY:Buy milk" in lines("tasks"), what="the reminder in a calendar")
        wait_until(lambda: "SUMMARY:Dinner: Roast Vegetables" in lines("meal-plan"), what="the meals in a calendar")
        # Thunderbird shows this one as it is.
        sunday = lines("meal-plan").index("SUMMARY:Dinner: Roast Vegetables")
        start = next(line for line in lines("meal-plan")[sunday:] if line.startswith("DTSTART;VALUE=DATE:"))
        day = datetime.datetime.strptime(start.split(":")[1], "%Y%m%d")
        self.assertEqual(day.strftime("%A"), "Sunday")
        if Path(program()).resolve().with_name("cachesync-pictures").exists():
            self.see_panel(serve)

    def see_panel(self, serve):
        """Asks as the panel in the kitchen."""
        self.home.follow("e-ink-display.md")
        port = free_port()
        command = serve.strip().replace("0.0.0.0:8735", f"127.0.0.1:{port}")
        # `script` is a terminal, on which alone the address is printed.
        terminal = self.home.begin(["script", "-qefc", command, "/dev/null"], stdout=subprocess.PIPE)
        printed = Lines(terminal.stdout)
        pattern = r"Panels use http://\S+?(:\d+/[0-9a-f]+)"
        wait_until(lambda: re.search(pattern, printed.text), what="the panels' address")
        address = "http://127.0.0.1" + re.search(pattern, printed.text).group(1)

        def ask(url, **headers):
            fields = {"ID": "94:A9:90:8C:6D:18"} | {name.replace("_", "-"): value for name, value in headers.items()}
            with urllib.request.urlopen(urllib.request.Request(url, headers=fields), timeout=20) as answer:
                return answer.read()

        token = json.loads(ask(f"{address}/api/setup"))["api_key"]
        display = json.loads(ask(f"{address}/api/display", Access_Token=token, FW_Version="1.6.9"))
        picture = ask(display["image_url"])
        # Width, height and bits of the header.
        self.assertEqual(struct.unpack(">IIB", picture[16:25]), (800, 480, 1))
        self.assertIn(display["refresh_rate"], range(60, 86_400))


if __name__ == "__main__":
    unittest.main()
