"""`make bench-pictures`: the goals of pictures.md section 15 that need whole processes, a server, or a browser."""

import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Tests/Page"))
from support import PageTests, until  # noqa: E402
from test_events import Listener  # noqa: E402

from selenium import webdriver  # noqa: E402
from selenium.webdriver.chrome.service import Service  # noqa: E402

# Tells when the browser painted a card that has a text.
PAINTED = """
const [text, done] = arguments;
const look = () => document.body.innerHTML.includes(text)
  ? requestAnimationFrame(() => requestAnimationFrame(() => done(performance.timeOrigin + performance.now())))
  : setTimeout(look, 1);
look();
"""


def line(name, value, goal, unit="ms"):
    missed = ", missed" if value > goal else ""
    print(f"{name:<34}{value:>8.1f} {unit:<5} goal {goal:g} {unit}{missed}", flush=True)


def part(values, share):
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


class Benchmark(PageTests):
    def test(self):
        self.processes()
        self.run_agent()
        page = self.serve()
        self.sizes(page)
        self.browser(page)
        self.listeners(page)
        self.rest(page)

    def processes(self):
        """From the start of cachesyncd to its end."""
        one = ["render", "overview", "--family", "large"]
        every = ["render", "--all", str(self.directory / "pictures")]
        for name, words, goal in [("SVG", one, 60), ("PNG", [*one, "--format", "png"], 75), ("all, SVG", every, 150),
                                  ("all, PNG", [*every, "--format", "png"], 700)]:
            times = []
            for _ in range(11):
                began = time.perf_counter()
                self.command(*words, stdout=subprocess.DEVNULL)
                times.append((time.perf_counter() - began) * 1000)
            line(f"render {name}, median", statistics.median(times), goal)

    def sizes(self, page):
        line("page with every picture", len(page.get()[2].encode()) / 1024, 250, "KiB")
        line("script", len(page.get("/page.js")[2].encode()) / 1024, 14, "KiB")

    def drop(self, title):
        """Puts a task into the cache as an app does, and says when."""
        task = {"tasks": [{"id": "mine", "title": title, "completed": False, "createdAt": "2026-01-01T00:00:00Z",
                           "dueDate": time.strftime("%Y-%m-%dT00:00:01Z", time.gmtime())}]}
        file = self.directory / "cache/tasks/mine.json"
        file.with_suffix(".tmp").write_text(json.dumps(task))
        began = time.time()
        os.rename(file.with_suffix(".tmp"), file)
        return began * 1000

    def browser(self, page):
        options = webdriver.ChromeOptions()
        for option in ("--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1440,4000"):
            options.add_argument(option)
        driver = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
        self.addCleanup(driver.quit)
        driver.set_script_timeout(20)
        driver.get(page.address)
        paints = []
        for _ in range(11):
            driver.get(page.origin)
            paints.append(until(lambda: driver.execute_script(
                "return performance.getEntriesByName('first-contentful-paint')[0]?.startTime"), "a first paint"))
        line("first contentful paint, median", statistics.median(paints), 300)
        time.sleep(1)
        delays = []
        for number in range(40):
            title = f"Drop {number} of {os.getpid()}"
            began = self.drop(title)
            delays.append(driver.execute_async_script(PAINTED, title) - began)
            time.sleep(0.25)
        line("drop to painted, p50", part(delays, 0.5), 60)
        line("drop to painted, p95", part(delays, 0.95), 150)
        # A page that listens wakes the server.
        driver.quit()

    def listeners(self, page):
        before = self.resident(page)
        listeners = [Listener(page) for _ in range(100)]
        for listener in listeners:
            self.addCleanup(listener.close)
        time.sleep(1)
        each = (self.resident(page) - before) / len(listeners)
        title = f"For all of {os.getpid()}"

        def arrivals():
            return [next((at for at, data in listener.events if title in data), None) for listener in listeners]

        self.drop(title)
        until(lambda: all(arrivals()), "all listeners have the card")
        times = arrivals()
        line("100 listeners, from first to last", (max(times) - min(times)) * 1000, 100)
        line("a listener, resident", each, 20, "KiB")
        for listener in listeners:
            listener.close()

    def rest(self, page):
        names = re.findall(r'id="([a-z-]+)"', page.get()[2])
        for kind in names:
            for family in ("systemSmall", "systemMedium", "systemLarge", "accessoryCircular", "accessoryRectangular"):
                page.get(f"/picture/{kind}/{family}.svg")
        line("resident after drawing everything", self.resident(page) / 1024, 45, "MiB")
        # The last that wakes it is the time limit of a question to the agent, 20 s later.
        time.sleep(25)
        before = self.switches(page)
        time.sleep(60)
        line("wake-ups in 60 s without clients", self.switches(page) - before, 120, "")

    def resident(self, page):
        """KiB of the server's memory."""
        status = pathlib.Path(f"/proc/{page.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", status)[1])

    def switches(self, page):
        """How often the server's threads were woken."""
        return sum(int(re.search(r"\nvoluntary_ctxt_switches:\s+(\d+)", (task / "status").read_text())[1])
                   for task in pathlib.Path(f"/proc/{page.process.pid}/task").iterdir())


if __name__ == "__main__":
    unittest.main()
