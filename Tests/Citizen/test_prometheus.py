"""`status --prometheus`, as Prometheus' own tools read it.

Debian: prometheus (promtool), prometheus-node-exporter.
"""

import concurrent.futures
import os
import re
import signal
import subprocess
import time
import unittest
import urllib.request

from recipes import Lines
from support import Cache, program, task, wait_until

FAMILIES = {
    "gauge": [
        "up", "hearing", "writable", "generation", "watches", "polled_directories", "problems", "unclaimed_files",
        "start_time_seconds", "last_publication_timestamp_seconds", "next_boundary_timestamp_seconds", "build_info"],
    "counter": [
        "events_total", "batches_total", "overflows_total", "rescans_total", "publications_total",
        "rejected_files_total", "retries_total"],
    "histogram": ["publication_duration_seconds"],
}


def promtool(text):
    """What promtool says of metrics, and with which status."""
    result = subprocess.run(["promtool", "check", "metrics"], input=text, capture_output=True, text=True, timeout=30)
    return result.stdout + result.stderr, result.returncode


def samples(text):
    """The samples that stand there, by name and labels."""
    return dict(line.rsplit(" ", 1) for line in text.splitlines() if line and not line.startswith("#"))


class Prometheus(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        # A name that needs every escape that a label has.
        cls.cache = Cache(name='a "quoted" \\ cache')
        cls.addClassCleanup(cls.cache.__exit__)
        cls.cache.start()

    def metrics(self, *words):
        return self.cache.run("status", "--prometheus", *words)

    def test_promtool_has_nothing_to_say(self):
        with Cache(sample=False) as down:
            for caches in ([], ["--cache", down.path], ["--cache", down.folder / "none"], ["--caches-in", down.folder]):
                result = self.metrics(*caches)
                self.assertEqual(promtool(result.stdout), ("", 0), result)

    def test_odd_names_of_caches(self):
        with Cache(sample=False) as place:
            folder = os.fsencode(place.folder / "many")
            # A name that is not UTF-8 and one that looks like how that is written, in both forms of one letter, and others.
            names = [b"\xff", rb"\xff", rb"\x5cxff", "é".encode(), b"e\xcc\x81", b'a"b', b"a\nb", b"a\rb", b"a\tb", b"a{b}=,", b"#"]
            for name in names:
                os.makedirs(os.path.join(folder, name))
            result = subprocess.run([program(), "status", "--prometheus", "--caches-in", folder], capture_output=True, timeout=60)
            text = result.stdout.decode()
            self.assertEqual(promtool(text), ("", 0), text)
            # All that is known of a cache without an agent.
            found = [line for line in text.split("\n") if line.startswith("cachesync_up{")]
            self.assertEqual(len(set(found)), len(names), text)

    def test_every_family_is_there(self):
        text = self.metrics().stdout
        for kind, names in FAMILIES.items():
            for name in names:
                self.assertIn(f"\n# TYPE cachesync_{name} {kind}\n", "\n" + text)
                self.assertRegex(text, rf"(?m)^# HELP cachesync_{name} \w")
        self.assertEqual(text.count("# TYPE "), sum(map(len, FAMILIES.values())))
        for line in text.splitlines():
            if not line.startswith("#"):
                self.assertRegex(line, r'^cachesync_\w+\{cache="[^"]*(\\"[^"]*)*"(,\w+="[^"]*")?\} [0-9.e+-]+$')

    def test_counts_go_up(self):
        def publications():
            found = samples(self.metrics().stdout)
            return {key.split("{")[0]: float(value) for key, value in found.items() if "_bucket" not in key}

        before = publications()
        self.cache.drop("tasks", task("One more"))
        after = publications()
        self.assertGreater(after["cachesync_publications_total"], before["cachesync_publications_total"])
        self.assertEqual(
            after["cachesync_publication_duration_seconds_count"], after["cachesync_publications_total"])
        self.assertGreater(
            after["cachesync_publication_duration_seconds_sum"], before["cachesync_publication_duration_seconds_sum"])
        # A publication here takes milliseconds; hours would mean that two clocks were mixed.
        self.assertLess(after["cachesync_publication_duration_seconds_sum"], 3600)
        self.assertLess(abs(after["cachesync_last_publication_timestamp_seconds"] - time.time()), 3600)
        self.assertLessEqual(after["cachesync_start_time_seconds"], time.time())
        self.assertGreater(after["cachesync_next_boundary_timestamp_seconds"], time.time() - 60)

    def test_node_exporter_serves_them(self):
        with Cache(sample=False) as place:
            self.rewrite(place.folder)
            exporter = subprocess.Popen(
                ["prometheus-node-exporter", "--collector.disable-defaults", "--collector.textfile",
                 f"--collector.textfile.directory={place.folder}", "--web.listen-address=127.0.0.1:0"],
                stderr=subprocess.PIPE)
            try:
                messages = Lines(exporter.stderr)
                # It says which port the kernel gave it.
                port = wait_until(
                    lambda: re.search(r"address=127\.0\.0\.1:([1-9]\d*)", messages.text), what="the exporter's port")[1]
                with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=20) as answer:
                    text = answer.read().decode()
            finally:
                exporter.kill()
                exporter.wait()
        self.assertIn("\nnode_textfile_scrape_error 0\n", text)
        served, given = samples(text), samples(self.metrics().stdout)
        self.assertEqual({key for key in served if key.startswith("cachesync_")}, set(given))

    def rewrite(self, folder, times=1):
        """As cron would: into a new file, then renamed. The status is status's own, which cron does not ask for."""
        script = """
            i=0
            while [ $i -lt "$4" ]; do
                "$1" status --prometheus --cache "$2" >"$3/cachesync.prom.$$" && mv "$3/cachesync.prom.$$" "$3/cachesync.prom" || exit 1
                i=$((i + 1))
            done
            """
        subprocess.run(
            ["sh", "-c", script, "sh", program(), self.cache.path, folder, str(times)], check=True, timeout=120)

    def test_a_reader_beside_rewrites_sees_no_half_file(self):
        with Cache(sample=False) as place:
            file = place.folder / "cachesync.prom"
            self.rewrite(place.folder)
            names = set(samples(file.read_text()))
            reads, seen = 0, set()
            writer = concurrent.futures.ThreadPoolExecutor().submit(self.rewrite, place.folder, 1000)
            while not writer.done():
                text = file.read_text()
                reads += 1
                if text not in seen:
                    seen.add(text)
                    self.assertTrue(text.endswith("\n"))
                    self.assertEqual(set(samples(text)), names)
            writer.result()
            self.assertGreater(reads, 1000)
            self.assertGreater(len(seen), 100, "each status asks the kernel for an event, which is counted")

    def test_an_agent_that_is_down(self):
        with Cache() as cache:
            result = cache.run("status", "--prometheus")
            self.assertEqual(result.returncode, 69)
            self.assertEqual(samples(result.stdout), {f'cachesync_up{{cache="{cache.path}"}}': "0"})
            self.assertEqual(promtool(result.stdout), ("", 0))

    def test_an_agent_that_does_not_answer(self):
        with Cache() as cache:
            agent = cache.start()
            agent.send_signal(signal.SIGSTOP)
            result = cache.run("status", "--prometheus")
            self.assertEqual(result.returncode, 70)
            label = f'{{cache="{cache.path}"}}'
            self.assertEqual(
                samples(result.stdout), {f"cachesync_up{label}": "1", f"cachesync_hearing{label}": "0"})
            self.assertEqual(promtool(result.stdout), ("", 0))
            agent.send_signal(signal.SIGCONT)
            wait_until(lambda: cache.run("status").returncode == 0, what="the agent answers again")


if __name__ == "__main__":
    unittest.main()
