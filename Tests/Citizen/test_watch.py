"""`watch`: --now, formats, commands, and what it keeps while its reader does not read."""

import datetime
import json
import os
import random
import re
import signal
import subprocess
import tempfile
import threading
import time
import unittest

from support import REPOSITORY, Cache, program, wait_for

# In the order of the table.
with open(REPOSITORY / "docs/reference/kinds.md") as kinds:
    KINDS = re.findall(r"^\| ([a-z-]+) \| [^|]+ \| [\w.]+ \| (?:system|accessory)", kinds.read(), re.MULTILINE)


def moment(seconds):
    """RFC 3339, so many seconds from now."""
    date = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=seconds)
    return date.isoformat(timespec="microseconds").replace("+00:00", "Z")


def entry(content, date="2026-01-01T00:00:00Z", state="current"):
    return {"content": content, "date": date, "state": state}


def publish(cache, kind, generation, entries=None):
    """Puts a snapshot in place as an agent does."""
    document = {
        "deepLink": "cafe://dashboard", "entries": entries or [entry({"count": generation, "text": f"{generation}"})],
        "families": [], "generation": generation, "kind": kind, "publishedAt": "2026-01-01T00:00:00Z",
        "timeZone": "UTC", "widgetKind": "Widget",
    }
    cache.put(f"snapshots/{kind}.json", json.dumps(document, separators=(",", ":")) + "\n")


class Watch:
    """A running `watch`, with its output in files."""

    def __init__(self, cache, *arguments, **options):
        self.output_file = tempfile.TemporaryFile()
        self.error_file = tempfile.TemporaryFile()
        options = {"stdout": self.output_file, "stderr": self.error_file} | options
        self.process = subprocess.Popen([program(), "watch", "--cache", cache.path, *arguments], **options)

    def close(self):
        self.process.kill()
        self.process.wait()
        self.output_file.close()
        self.error_file.close()

    @staticmethod
    def text(file):
        return os.pread(file.fileno(), 1 << 24, 0).decode()

    @property
    def output(self):
        return self.text(self.output_file)

    @property
    def errors(self):
        return self.text(self.error_file)

    def is_listening(self):
        """Whether it waits in the kernel, and so has its watches."""
        with open(f"/proc/{self.process.pid}/wchan") as file:
            return "poll" in file.read()


class WatchTests(unittest.TestCase):
    def cache(self, sample=False):
        cache = Cache(sample)
        self.addCleanup(cache.close)
        return cache

    def watch(self, cache, *arguments, **options):
        watch = Watch(cache, *arguments, **options)
        self.addCleanup(watch.close)
        return watch


class CommandTests(WatchTests):
    # Says when it begins and ends, and takes 0 to 50 ms.
    SCRIPT = """
echo "begin $CACHESYNC_GENERATION" >> "$0"
n=$((CACHESYNC_GENERATION * 37 % 51)); [ $n -lt 10 ] && n=0$n
[ $n = 00 ] || sleep 0.0$n
echo "end $CACHESYNC_GENERATION" >> "$0"
"""

    def log(self, cache, name):
        with open(os.path.join(cache.folder, name)) as file:
            return file.read().splitlines()

    def last_line(self, cache, name):
        with open(os.path.join(cache.folder, name), "rb") as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - 64))
            return file.read().decode().rpartition("\n")[0].rpartition("\n")[2]

    def storms(self, cache, kind, count, drop, last):
        """Runs storms of drops on a kind, and gives what went wrong."""
        chance = random.Random(kind)
        log = os.path.join(cache.folder, kind)
        open(log, "w").close()
        watch = Watch(cache, kind, "--", "/bin/sh", "-c", self.SCRIPT, log)
        try:
            if not wait_for(watch.is_listening):
                return ["watch does not listen"]
            for storm in range(count):
                for _ in range(chance.randint(1, 20)):
                    drop()
                    if chance.random() < 0.3:
                        time.sleep(chance.random() * 0.02)
                generation = last()
                if not wait_for(lambda: self.last_line(cache, kind) == f"end {generation}", 20):
                    return [f"storm {storm}: {generation} was not run last: {self.log(cache, kind)[-3:]}"]
            words = [line.split() for line in self.log(cache, kind)]
            for begin, end in zip(words[::2], words[1::2]):
                if begin[0] != "begin" or end[0] != "end" or begin[1] != end[1]:
                    return [f"two at once: {begin} {end}"]
            generations = [int(word[1]) for word in words[::2]]
            if generations != sorted(set(generations)):
                return ["a generation was run twice, or after a newer one"]
            return [] if watch.errors == "" and watch.output == "" else [watch.errors + watch.output]
        finally:
            watch.close()

    def test_the_last_publication_is_always_run_and_never_two_at_once(self):
        """1,000 storms of 1 to 20 drops: 18 caches whose snapshots the test publishes, two with an agent."""
        found = []

        def of_snapshots(kind):
            cache = self.cache()
            generation = 0

            def drop():
                nonlocal generation
                generation += 1
                publish(cache, kind, generation)

            found.extend(self.storms(cache, kind, 50, drop, lambda: generation))

        def of_sessions(kind):
            cache = self.cache()
            cache.start("--durability", "rename")
            number = 0

            def drop():
                nonlocal number
                number += 1
                task = {"id": 1, "title": f"Task {number}", "completed": False, "createdAt": "2026-01-01T00:00:00Z"}
                cache.put("tasks/today.json", json.dumps([task]))

            def last():
                cache.run("wait")
                return cache.snapshot(kind)["generation"]

            found.extend(self.storms(cache, kind, 50, drop, last))

        def trying(storms, *arguments):
            try:
                storms(*arguments)
            except Exception as error:
                found.append(error)

        threads = [threading.Thread(target=trying, args=(of_snapshots, kind)) for kind in KINDS if kind != "todays-tasks"]
        # Both have the titles of tasks.
        threads += [threading.Thread(target=trying, args=(of_sessions, "todays-tasks")) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(found, [])

    def test_a_command_gets_the_line_and_the_environment_and_its_output_passes_through(self):
        cache = self.cache()
        publish(cache, "task-count", 7, [entry({"count": 3, "text": "<3> tasks"}, state="stale")])
        script = 'cat; echo "$CACHESYNC_CACHE $CACHESYNC_KIND $CACHESYNC_GENERATION $CACHESYNC_STATE $1"; echo oh >&2'
        watch = self.watch(cache, "--now", "--format", "line", "--", "sh", "-c", script, "sh", "--now *")
        wanted = f"<3> tasks\n{cache.path} task-count 7 stale --now *\n"
        self.assertTrue(wait_for(lambda: watch.output == wanted and watch.errors == "oh\n"), watch.output + watch.errors)
        # Without a shell, in a process group of its own, with the signals as a program expects them.
        script = "import os, signal; print(os.getpid() == os.getpgid(0), signal.getsignal(signal.SIGPIPE), signal." \
            "pthread_sigmask(signal.SIG_BLOCK, []), os.listdir('/proc/self/fd'))"
        watch = self.watch(cache, "--now", "--", "python3", "-c", script.replace("signal.getsignal(signal.SIGPIPE)", "''"))
        self.assertTrue(wait_for(lambda: watch.output.startswith("True ")), watch.output)
        self.assertIn("set() ['0', '1', '2', '3']", watch.output)
        watch = self.watch(cache, "--now", "--", "grep", "SigIgn", "/proc/self/status")
        # SIGPIPE is the 13th; the test's own process ignores it.
        self.assertTrue(wait_for(lambda: "SigIgn" in watch.output), watch.output)
        self.assertEqual(int(watch.output.split()[1], 16) & 1 << 12, 0)

    def test_an_equal_line_runs_no_command(self):
        cache = self.cache()
        for generation in (1, 2):
            publish(cache, "task-count", generation, [entry({"count": 3, "text": "3 tasks"})])
        watch = self.watch(cache, "task-count", "--now", "--format", "line", "--", "cat")
        self.assertTrue(wait_for(lambda: watch.output == "3 tasks\n"))
        publish(cache, "task-count", 3, [entry({"count": 3, "text": "3 tasks"})])
        publish(cache, "task-count", 4, [entry({"count": 4, "text": "4 tasks"})])
        self.assertTrue(wait_for(lambda: watch.output == "3 tasks\n4 tasks\n"), watch.output)

    def test_a_command_that_does_not_read_holds_up_nothing(self):
        cache = self.cache()
        large = [entry({"count": 1, "text": "x" * 3_000_000})]
        publish(cache, "task-count", 1, large)
        publish(cache, "meal-plan", 2)
        watch = self.watch(cache, "--now", "--", "sh", "-c", "echo $CACHESYNC_KIND")
        self.assertTrue(wait_for(lambda: watch.output == "meal-plan\ntask-count\n"), watch.output)
        publish(cache, "task-count", 3)
        self.assertTrue(wait_for(lambda: watch.output.count("task-count") == 2), watch.output)
        self.assertEqual(watch.errors, "")
        size = os.path.getsize(cache.file("snapshots/task-count.json"))
        watch = self.watch(cache, "task-count", "--now", "--", "wc", "-c")
        self.assertTrue(wait_for(lambda: watch.output.strip() == f"{size}"), watch.output)
        publish(cache, "task-count", 4, large)
        size = os.path.getsize(cache.file("snapshots/task-count.json"))
        self.assertTrue(wait_for(lambda: watch.output.split()[1:] == [f"{size}"]), watch.output)

    def test_a_failing_or_missing_command_is_one_warning_each_time_and_watch_goes_on(self):
        cases = [
            (["sh", "-c", "exit 3"], r"sh for task-count, generation \d failed: status 3"),
            (["sh", "-c", "kill -9 $$"], r"sh for task-count, generation \d failed: signal 9"),
            (["no-such-program"], r"cannot run no-such-program .*No such file.* \(status 127\)"),
            (["/etc/passwd"], r"cannot run /etc/passwd .*Permission denied \(status 126\)"),
        ]
        for command, words in cases:
            cache = self.cache()
            watch = self.watch(cache, "--now", "--", *command)
            for generation in (1, 2):
                publish(cache, "task-count", generation)
                self.assertTrue(wait_for(lambda: watch.errors.count("\n") == generation), watch.errors)
            for line in watch.errors.splitlines():
                self.assertRegex(line, "^cachesyncd: warning: " + words + "$")
            self.assertIsNone(watch.process.poll())

    def is_running(self, marker):
        found = subprocess.run(["ps", "-eo", "stat,args"], capture_output=True, text=True).stdout
        return [line for line in found.splitlines() if marker in line and line[0] != "Z" and "watch" not in line]

    def test_a_command_that_takes_too_long_is_ended_with_all_of_its_group(self):
        cache = self.cache()
        number = f"1{os.getpid()}.5"
        # The second ignores the signal, so it is killed 5 s later; the command itself ends at once.
        script = f'echo $CACHESYNC_GENERATION; [ $CACHESYNC_GENERATION = 2 ] || {{ sleep {number} & sleep {number}; }}'
        stubborn = f'echo $CACHESYNC_GENERATION; [ $CACHESYNC_GENERATION = 2 ] || {{ trap "" TERM; sleep {number}9; }}'
        publish(cache, "task-count", 1)
        begin = time.monotonic()
        watches = [
            self.watch(cache, "--now", "--timeout", "0.3", "--", "sh", "-c", text) for text in (script, stubborn)]
        for watch in watches:
            self.assertTrue(wait_for(lambda: watch.output == "1\n"), watch.output)
        publish(cache, "task-count", 2)
        for watch, signal_number in zip(watches, (15, 9)):
            self.assertTrue(wait_for(lambda: watch.output == "1\n2\n"), watch.output + watch.errors)
            self.assertRegex(watch.errors, rf"^cachesyncd: warning: .* and was ended: signal {signal_number}\n$")
        self.assertGreater(time.monotonic() - begin, 5)
        self.assertEqual(self.is_running(number), [])

    def test_a_signal_ends_the_command_too(self):
        # Where this runs in the background of a shell, or under nohup, some are ignored, and so they are by what it starts.
        for number in (signal.SIGINT, signal.SIGHUP):
            self.addCleanup(signal.signal, number, signal.signal(number, signal.SIG_DFL))
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            cache = self.cache()
            publish(cache, "task-count", 1)
            length = f"1{os.getpid()}.{int(number)}"
            watch = self.watch(cache, "--now", "--", "sh", "-c", f"sleep {length} & sleep {length}")
            self.assertTrue(wait_for(lambda: len(self.is_running(f"sleep {length}")) == 3))
            watch.process.send_signal(number)
            self.assertEqual(watch.process.wait(timeout=15), -number)
            self.assertEqual(self.is_running(f"sleep {length}"), [])
            self.assertEqual(watch.errors, "")
        idle = self.watch(self.cache(), "--", "true")
        self.assertTrue(wait_for(idle.is_listening))
        idle.process.terminate()
        self.assertEqual(idle.process.wait(timeout=15), -signal.SIGTERM)

    def test_a_command_and_its_end_are_noticed_whatever_signals_the_program_was_started_with(self):
        blocked = {signal.SIGCHLD, signal.SIGTERM}
        before = signal.pthread_sigmask(signal.SIG_BLOCK, blocked)
        self.addCleanup(signal.pthread_sigmask, signal.SIG_SETMASK, before)
        cache = self.cache()
        publish(cache, "task-count", 1)
        watch = self.watch(cache, "--now", "--timeout", "60", "--", "sh", "-c", "echo $CACHESYNC_GENERATION")
        self.assertTrue(wait_for(lambda: watch.output == "1\n"), watch.output + watch.errors)
        # The second runs only once the first is known to have ended.
        publish(cache, "task-count", 2)
        self.assertTrue(wait_for(lambda: watch.output == "1\n2\n"), watch.output + watch.errors)
        watch.process.terminate()
        self.assertEqual(watch.process.wait(timeout=15), -signal.SIGTERM)

    def test_what_is_missing_after_the_dashes_is_wrong_usage(self):
        cache = self.cache()
        for words in (["--"], ["task-count", "--"], ["task-count", "cat"], ["--timeout", "1"], ["--", ""],
                      ["--timeout", "0", "--", "cat"], ["--timeout", "nan", "--", "cat"]):
            command = [program(), "watch", "--cache", cache.path, *words]
            found = subprocess.run(command, capture_output=True, text=True, timeout=30)
            self.assertEqual(found.returncode, 64, words)
            self.assertEqual(found.stdout, "")


class NowTests(WatchTests):
    def test_the_test_knows_the_kinds_of_the_feeds(self):
        listed = subprocess.run([program(), "kinds", "--json"], capture_output=True, check=True, env={})
        self.assertEqual(set(KINDS), {kind["kind"] for kind in json.loads(listed.stdout)["kinds"]})

    def test_a_thousand_starts_amid_publications_miss_no_kind_and_tell_none_twice(self):
        cache = self.cache()
        published = {}
        for generation, kind in enumerate(KINDS, start=1):
            publish(cache, kind, generation)
            published[kind] = generation
        is_over = threading.Event()

        def publications():
            generation = len(KINDS)
            while not is_over.is_set():
                generation += 1
                kind = random.choice(KINDS)
                publish(cache, kind, generation)
                published[kind] = generation
                time.sleep(0.002)

        found = []
        starts = iter(range(1000))
        lock = threading.Lock()

        def start():
            at_least = dict(published)
            process = subprocess.Popen(
                [program(), "watch", "--now", "--cache", cache.path], stdout=subprocess.PIPE)
            told = {}
            limit = threading.Timer(20, process.kill)
            limit.start()
            try:
                for number, line in enumerate(process.stdout):
                    snapshot = json.loads(line)
                    kind, generation = snapshot["kind"], snapshot["generation"]
                    if number < len(KINDS) and kind != KINDS[number]:
                        return f"line {number} is of {kind}"
                    if generation <= told.get(kind, at_least[kind] - 1):
                        return f"{kind} {generation} after {told.get(kind)}"
                    told[kind] = generation
                    if number == len(KINDS) - 1:
                        at_least = dict(published)
                    if number >= len(KINDS) - 1 and all(told[kind] >= at_least[kind] for kind in KINDS):
                        return None
                return f"it ended: {set(KINDS) - set(told)}"
            finally:
                limit.cancel()
                process.kill()
                process.wait()
                process.stdout.close()

        def worker():
            while not found:
                with lock:
                    if next(starts, None) is None:
                        return
                if problem := start():
                    found.append(problem)

        publisher = threading.Thread(target=publications)
        publisher.start()
        workers = [threading.Thread(target=worker) for _ in range(4)]
        for thread in workers:
            thread.start()
        for thread in workers:
            thread.join()
        is_over.set()
        publisher.join()
        self.assertEqual(found, [])

    def test_a_kind_that_is_not_published_yet_is_told_when_it_is(self):
        cache = self.cache()
        publish(cache, "task-count", 1)
        watch = self.watch(cache, "--now", "--format", "line")
        self.assertTrue(wait_for(lambda: watch.output == "1\n"))
        publish(cache, "completed-today", 2)
        self.assertTrue(wait_for(lambda: watch.output == "1\n2\n"), watch.output)

    def test_the_next_entry_shows_on_its_date_with_the_agent_killed(self):
        cache = self.cache(sample=True)
        cache.start("--durability", "rename")
        cache.stop()
        begin = time.time()
        entries = [entry({"text": text}, moment(seconds)) for text, seconds in (("one", -60), ("two", 6), ("three", 7))]
        publish(cache, "task-count", 1_000_000, entries)
        watches = [self.watch(cache, "task-count", "--format", format, *more) for format, more in (
            ("line", ["--now"]), ("line", []), ("waybar", []), ("entry", ["--", "cat"]), ("json", ["--now"]))]
        self.assertTrue(wait_for(lambda: watches[0].output == "one\n"))
        self.assertTrue(wait_for(
            lambda: all(watch.output.count("\n") >= count for watch, count in zip(watches, (3, 2, 2, 2))), seconds=30))
        self.assertGreater(time.time() - begin, 6.9)
        self.assertEqual(watches[0].output, "one\ntwo\nthree\n")
        self.assertEqual(watches[1].output, "two\nthree\n")
        self.assertEqual([json.loads(line)["text"] for line in watches[2].output.splitlines()], ["two", "three"])
        told = [json.loads(line) for line in watches[3].output.splitlines()]
        self.assertEqual([line["content"]["text"] for line in told], ["two", "three"])
        self.assertEqual(watches[4].output.count("\n"), 1)


class ReaderTests(WatchTests):
    def peak(self, watch):
        """The most memory that it has had, in MiB."""
        with open(f"/proc/{watch.process.pid}/status") as file:
            return int(re.search(r"VmHWM:\s+(\d+)", file.read()).group(1)) / 1024

    def test_while_its_reader_does_not_read_it_keeps_the_newest_of_each_kind_and_little_memory(self):
        cache = self.cache()
        watches = [
            self.watch(cache, "--format", format, stdout=subprocess.PIPE) for format in ("json", "waybar")]
        command = self.watch(cache, "--", "sh", "-c", "read line; sleep 5")
        self.assertTrue(wait_for(lambda: all(watch.is_listening() for watch in watches + [command])))
        newest = {}
        text = "x" * 3000
        for generation in range(1, 20_001):
            kind = KINDS[generation % len(KINDS)]
            publish(cache, kind, generation, [entry({"text": f"{text}{generation}"})])
            newest[kind] = generation
        for watch in watches + [command]:
            self.assertLess(self.peak(watch), 40)
        last = {}
        limit = threading.Timer(20, watches[0].process.kill)
        limit.start()
        for line in watches[0].process.stdout:
            snapshot = json.loads(line)
            last[snapshot["kind"]] = snapshot["generation"]
            if last == newest:
                break
        limit.cancel()
        self.assertEqual(last, newest)
        self.assertLess(self.peak(watches[0]), 40)
        for watch in watches:
            watch.process.stdout.close()

    def test_it_ends_when_its_reader_goes_away(self):
        watch = self.watch(self.cache(), stdout=subprocess.PIPE)
        self.assertTrue(wait_for(watch.is_listening))
        watch.process.stdout.close()
        self.assertEqual(watch.process.wait(timeout=5), 0)


if __name__ == "__main__":
    unittest.main()
