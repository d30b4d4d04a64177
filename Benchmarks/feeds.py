"""`make bench-feeds`: feeds with a definition and calendars against the goals of docs/reference/definitions.md section 9.

Real agents on one machine. Absolute times mean little on a shared one, so what can be is measured beside something else, in
turns. It exits 0 whatever the figures are: tests never assert times.
"""

import argparse
import contextlib
import datetime
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from renames import Renames

ROOT = Path(__file__).resolve().parents[1]
AGENT = os.environ.get("CACHESYNCD", str(ROOT / ".build/release/cachesyncd"))
SESSION = (ROOT / "sample-cache/meal-plan-cache/latest-session.json").read_bytes()
MOMENT = "2026-11-22T12:00:00Z"


def line(name, value, unit, goal=None, least=False):
    text = f"{name:<58}{value:>10.2f} {unit:<6}"
    if goal is not None:
        is_met = value >= goal if least else value <= goal
        text += f" goal {'≥' if least else '≤'} {goal:g}: {'met' if is_met else 'missed'}"
    print(text, flush=True)


# MARK: Agents and caches


@contextlib.contextmanager
def folder():
    path = Path(tempfile.mkdtemp(prefix="cachesync-bench-"))
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


def wait_until(is_so, seconds=120, pause=0.05, what="what was waited for"):
    end = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > end:
            sys.exit(f"feeds.py: {what} did not come within {seconds} s")
        time.sleep(pause)


@contextlib.contextmanager
def agent(*arguments):
    process = subprocess.Popen([AGENT, "run", "--log-level", "error", *map(str, arguments)])
    try:
        yield process
    finally:
        process.terminate()
        process.wait()


def put(path, data):
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.parent / ".new"
    temporary.write_bytes(data if isinstance(data, bytes) else json.dumps(data, separators=(",", ":")).encode())
    temporary.rename(path)


def sync(cache, *arguments, seconds=60):
    """One cold pass: seconds, seconds of processor time, MiB, and whether it ended."""

    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))

    shutil.rmtree(cache / "snapshots", ignore_errors=True)
    shutil.rmtree(cache / ".cachesync", ignore_errors=True)
    began = time.perf_counter()
    process = subprocess.Popen(
        [AGENT, "sync", "--cache", cache, "--time-zone", "UTC", "--at", MOMENT, "--durability", "rename"],
        preexec_fn=limit, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = status
    return time.perf_counter() - began, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, status == 0


def processor_time(pid):
    """Seconds, of all threads."""
    total = 0
    for task in os.listdir(f"/proc/{pid}/task"):
        with contextlib.suppress(OSError):
            total += int(Path(f"/proc/{pid}/task/{task}/schedstat").read_text().split()[0])
    return total / 1e9


def anonymous(pid):
    """KiB."""
    return int(Path(f"/proc/{pid}/status").read_text().split("RssAnon:")[1].split()[0])


def zone_with_midnight_in(lead):
    """A zone whose midnight comes soon, at a full minute: its name, and the midnight."""
    target = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=lead + 60)
    target = target.replace(second=0, microsecond=0)
    east = -(target.hour * 60 + target.minute)
    if east < -11 * 60:
        east += 24 * 60
    return f"GMT{'+' if east >= 0 else '-'}{abs(east) // 60:02}:{abs(east) % 60:02}", target.timestamp()


# MARK: What `feed new` guesses


def found_items(definition, sample, zone):
    """The items that a definition finds in the week after some moments, by start and place."""
    definition = json.loads(definition.read_text())
    name = sample.stem
    definition["kinds"] = {name: {"show": "coming", "limit": 50, "items": {"title": "{index}"}}}
    with folder() as place:
        path = place / f"{name}.json"
        path.write_text(json.dumps(definition))
        found = []
        for moment in ["2026-11-22T12:00:00Z", "2026-11-22T21:30:00Z", "2026-11-30T00:00:00Z"]:
            shown = subprocess.run(
                [AGENT, "feed", "test", path, sample, "--at", moment, "--time-zone", zone, "--json"],
                capture_output=True, text=True)
            if shown.returncode != 0:
                return None
            items = json.loads(shown.stdout)[name]["entries"][0]["content"]["items"]
            found.append([(item["start"], item["title"]) for item in items])
        return found


def guesses():
    """A guess is right when it finds the same items at the same times as the definition that section 8 gives."""
    right = []
    for name, zone in [("bins", "Europe/London"), ("meds", "Europe/Berlin"), ("school", "Europe/Berlin"),
                       ("power", "Europe/Berlin"), ("weather", "Europe/Berlin")]:
        sample = ROOT / f"Examples/feeds/samples/{name}.json"
        with folder() as cache:
            subprocess.run([AGENT, "feed", "new", name, sample, "--cache", cache], capture_output=True, check=True)
            guess = found_items(cache / f"feeds/{name}.json", sample, zone)
        if guess is not None and guess == found_items(ROOT / f"Examples/feeds/{name}.json", sample, zone):
            right.append(name)
    line(f"samples of 5 that `feed new` reads right ({', '.join(right)})", len(right), "", 2.5, least=True)


# MARK: One drop


def plan(number):
    """A meal plan of 12 kB, each different from the one before."""
    return SESSION.replace(b'"meal_name": "', f'"meal_name": "{number:04} '.encode())


# What the built-in feed makes of a meal plan, more or less.
MEALS = {
    "version": 1, "use": "newest",
    "items": {
        "each": "$.plan[*]",
        "fields": {"title": "@.meal_name", "track": "@.meal_track", "day": "@.day_index"},
        "start": {"day": "2026-11-16", "plus": "P{day}D"}, "repeats": "FREQ=WEEKLY"},
    "kinds": {"mine": {"show": "today", "limit": 50, "order": ["track"], "content": {"text": "{count} meals"},
                       "items": {"title": "{title}", "detail": "{track}"}}}}


def drops(count):
    for durability in ["rename", "flush"]:
        for words, gap in [("alone", 0.03), ("paced, 4 ms apart", 0.004)]:
            with folder() as declared, folder() as built_in:
                put(declared / "feeds/mine.json", MEALS)
                places = {"declared": declared / "mine/a.json", "built-in": built_in / "meal-plan/a.json"}
                times = {name: [] for name in places}
                for path in places.values():
                    put(path, plan(0))
                with contextlib.ExitStack() as stack:
                    readers = {}
                    for name, path in places.items():
                        cache = path.parent.parent
                        stack.enter_context(agent("--cache", cache, "--time-zone", "UTC", "--durability", durability))
                        wait_until((cache / "snapshots/manifest.json").exists)
                        readers[name] = Renames(cache / "snapshots")
                    time.sleep(1)
                    for number in range(count):
                        for name, path in places.items():
                            time.sleep(gap)
                            began = time.perf_counter()
                            put(path, plan(number % 9_000 + 1))
                            readers[name].wait(b"manifest.json")
                            times[name].append((time.perf_counter() - began) * 1e6)
            medians = {name: statistics.median(found) for name, found in times.items()}
            late = {name: statistics.quantiles(found, n=100)[98] for name, found in times.items()}
            print(f"drop to publish, {durability}, {words}: declared p50 {medians['declared']:.0f} µs, p99 "
                  f"{late['declared']:.0f}; built-in {medians['built-in']:.0f}, {late['built-in']:.0f}")
            ratio = statistics.median(a / b for a, b in zip(times["declared"], times["built-in"]))
            line("  declared to built-in, median of pairs", ratio, "", 2)
            line("  p99 to p99", late["declared"] / late["built-in"], "")


def cold(rounds=15):
    """The floor is the processor time of `sync` on an empty cache."""
    with folder() as empty, folder() as declared, folder() as built_in:
        put(declared / "feeds/mine.json", MEALS)
        put(declared / "mine/a.json", SESSION)
        put(built_in / "meal-plan/a.json", SESSION)
        used = {cache: min(sync(cache)[1] for _ in range(rounds)) * 1000 for cache in [empty, declared, built_in]}
    print(f"processor time of sync: empty cache {used[empty]:.1f} ms, built-in {used[built_in]:.1f} ms")
    line(f"a file of {len(SESSION) / 1000:.1f} kB and its definition, cold", used[declared], "ms")
    line("  to the empty cache", used[declared] / used[empty], "", 3)


# MARK: Many caches


def many(low, high, lead):
    many_of("built-in", "meal-plan", low, high, lead)
    many_of("declared", "mine", low, high, lead, midnight_goal=1, memory_goal=16)


def many_of(name, feed, low, high, lead, midnight_goal=None, memory_goal=None):
    with folder() as place:
        definitions, caches = place / "definitions", place / "caches"
        put(definitions / "mine.json", MEALS)
        memory = {}
        for count in [low, high]:
            for number in range(count):
                if not (caches / f"c{number}").exists():
                    put(caches / f"c{number}/{feed}/a.json", SESSION)
            zone, midnight = zone_with_midnight_in(lead)
            with agent("--caches-in", caches, "--feeds", definitions, "--time-zone", zone,
                       "--durability", "flush") as process:
                manifests = [caches / f"c{number}/snapshots/manifest.json" for number in range(count)]
                wait_until(lambda: all(path.exists() for path in manifests), what=f"{count} caches' snapshots")
                time.sleep(3)
                memory[count] = anonymous(process.pid)
                if count == high:
                    if time.time() > midnight:
                        return print("many caches: getting ready took past midnight; try --lead 60")
                    wait_until(lambda: all(path.stat().st_mtime >= midnight for path in manifests),
                               seconds=midnight - time.time() + 60, what="midnight in all caches")
                    line(f"midnight of {count} caches, {name}, to the last rename",
                         max(path.stat().st_mtime for path in manifests) - midnight, "s", midnight_goal)
        line(f"anonymous memory of a further cache, {name}, {low} to {high}",
             (memory[high] - memory[low]) / (high - low), "KiB", memory_goal)


# MARK: The worst definitions


FIRST = 1795132800  # 2026-11-20T00:00:00Z
MEBIBYTES = 16


def items(count, step, length, **more):
    return [{"s": FIRST + k * step, "e": FIRST + k * step + length, "t": "a", "n": k % 7, **more} for k in range(count)]


def filled(document, size=MEBIBYTES << 20):
    """With so much beside it that the file is as large as a file may be: many values that no path looks at."""
    short = size - len(json.dumps(document, separators=(",", ":"))) - 20
    return {**document, "pad": [0] * (max(0, short) // 2)}


def definition(kinds, count=1, **more):
    rules = {"each": "$.i[*]", "fields": {"title": "@.t", "n": "@.n"},
             "start": {"at": "@.s", "as": "unix"}, "end": {"at": "@.e", "as": "unix"}}
    names = ["x"] + [f"x-k{number}" for number in range(1, count)]
    return {"version": 1, "items": {**rules, **more}, "kinds": {
        name: (kinds(number) if callable(kinds) else kinds) for number, name in enumerate(names)}}


def value_kind(show, **more):
    return {"show": show, "template": "value", "content": {"value": "a"}, **more}


ALL_SECONDS = ",".join(map(str, range(60)))
OPERATIONS = [{"count": True}, {"sum": "n"}, {"mean": "n"}, {"min": "n"}, {"max": "n"}, {"least": "n", "give": "start"},
              {"greatest": "n", "give": "end"}, {"share": [{"field": "n", "above": 2}]}, {"list": "title"}]


def values(count, *shows, where=()):
    return {f"v{k}": {**OPERATIONS[k % len(OPERATIONS)], "of": shows[k % len(shows)],
                      **({"where": list(where)} if where else {})} for k in range(count)}


def worst_cases():
    """Costly definitions, by what they strain: found by hand, part by part of the format."""
    yield "boundaries at which nothing changes", definition(
        lambda k: value_kind("now", within=31, values=values(4, "now", "coming", "next", "nextDay")), 16
    ), filled({"i": items(10_000, 60, 60)})
    yield "values over every show", definition(
        lambda k: value_kind("coming", within=31, hours=list(range(24)), values=values(
            4, "coming", "next", "now", "nextDay", where=[{"field": "n", "in": [1, 2, 3, 4, 5]}])), 16
    ), filled({"i": items(10_000, 240, 3_600)})
    yield "64 values with conditions", definition(
        value_kind("coming", within=31, hours=list(range(24)), values=values(
            64, "coming", "next", where=[{"any": [{"field": "n", "is": 9}, {"field": "n", "above": -1}]}]))
    ), filled({"i": items(10_000, 60, 60)})
    yield "rules that never give anything", definition(
        {"show": "today", "items": {"title": "{title}"}},
        repeats=f"FREQ=SECONDLY;BYSECOND={ALL_SECONDS};BYSETPOS=2"), filled({"i": items(10_000, 1, 60)})
    yield "rules that give as much as they may", definition(
        lambda k: {"show": "due", "within": 1 + k, "items": {"title": "{title}"}, "order": ["-n", "title"]}, 16,
        repeats="FREQ=HOURLY"), filled({"i": items(10_000, 1, 60)})
    yield "a series of each item from 1970, with COUNT", definition(
        lambda k: {"show": "coming", "within": 16 + k, "items": {"title": "{title}"}}, 16,
        start={"day": "1970-01-01"}, end={"day": "1970-01-02"}, repeats="FREQ=MONTHLY;BYDAY=-1FR;COUNT=5000"
    ), filled({"i": items(10_000, 1, 60)})
    yield "order by 64 fields", definition(
        lambda k: {"show": "all", "order": [f"f{n}" for n in range(62)] + ["-n"], "items": {"title": "{title}"}}, 16,
        fields={"title": "@.t", "n": "@.n", **{f"f{n}": "@.t" for n in range(62)}}
    ), filled({"i": items(10_000, 60, 60, p="x" * 40)})
    yield "64 fields of texts with long maps", definition(
        {"show": "today", "items": {"title": "{title}"}},
        fields={"title": {"from": "@.t", "map": {str(n): n for n in range(1_000)}},
                **{f"f{n}": {"from": [f"@.q{n}", "^^.z", "@.p"], "else": "none"} for n in range(63)}},
        id="{key}{index}{n0}".replace("{n0}", "{f0}")
    ), {"i": items(10_000, 60, 60, p="x" * 1_600)}
    yield "50 items of 64 texts", definition(
        {"show": "coming", "limit": 50, "hours": list(range(24)), "items": {
            "title": "{title}", **{f"a{n}": "{title} {start:d MMM} " * 8 for n in range(63)}}}
    ), filled({"i": items(10_000, 60, 60)})
    yield "10,000 exceptions of each", definition(
        {"show": "today", "items": {"title": "{title}"}}, repeats="FREQ=DAILY", except_=None,
    ) | {}, filled({"i": items(10_000, 1, 60), "x": [f"2026-{1 + n % 12:02}-{1 + n % 28:02}" for n in range(10_000)]})
    yield "a search for a text in a text of megabytes", definition(
        {"show": "today", "items": {"title": "{n}"}},
        fields={"title": "$.t", "n": "@.n"}, where=[{"field": "title", "has": "ab" * 50 + "c"}]
    ), {"i": items(10_000, 60, 60), "t": "ab" * (7 << 20)}
    yield "a file of numbers alone", definition(
        {"show": "all", "template": "value", "content": {"value": "{count}"}},
        fields={"all": "$.pad", "n": "@.n"}), filled({"i": items(10, 60, 60)})


def worst(names):
    for name, made, document in worst_cases():
        if names and name not in names:
            continue
        rules = made["items"]
        if "except_" in rules:
            del rules["except_"]
            rules["except"] = "$.x[*]"
        data = json.dumps(document, separators=(",", ":")).encode()
        with folder() as cache:
            put(cache / "feeds/x.json", made)
            put(cache / "x/a.json", data)
            checked = subprocess.run([AGENT, "check", "--cache", cache, "feeds/x.json"], capture_output=True, text=True)
            if checked.returncode != 0:
                sys.exit(f"feeds.py: {name}: {checked.stdout}{checked.stderr}")
            _, used, memory, is_done = sync(cache)
        line(name, used, "s" if is_done else "s, cut", 2)
        line("  memory to the file", memory / (len(data) / (1 << 20)), "", 10)


def neighbour(count):
    """A drop in one cache while another reads the worst that there is."""
    _, made, document = next(worst_cases())
    with folder() as place:
        put(place / "worst/feeds/x.json", made)
        put(place / "good/meal-plan/a.json", plan(0))
        data = json.dumps(document, separators=(",", ":")).encode()
        with agent("--caches-in", place, "--time-zone", "UTC", "--durability", "rename"):
            manifest = place / "good/snapshots/manifest.json"
            wait_until(manifest.exists)
            reader = Renames(place / "good/snapshots")
            times = {}
            for words in ["alone", "beside the worst"]:
                times[words] = []
                for number in range(count):
                    if words != "alone" and number % 10 == 0:
                        put(place / "worst/x/a.json", data[:-1] + b" " * (number // 10) + b"}")
                    time.sleep(0.03)
                    began = time.perf_counter()
                    put(place / "good/meal-plan/a.json", plan(count * len(times) + number + 1))
                    reader.wait(b"manifest.json")
                    times[words].append((time.perf_counter() - began) * 1000)
    for words, found in times.items():
        print(f"a drop {words}: p50 {statistics.median(found):.2f} ms, greatest {max(found):.2f} ms")
    line("a drop in one cache beside the worst in another, p50", statistics.median(times["beside the worst"])
         / statistics.median(times["alone"]), "")


# MARK: Calendars


def event(number, rule=None, start="20261120T090000Z"):
    repeats = f"RRULE:{rule}\r\n" if rule else ""
    return (f"BEGIN:VEVENT\r\nUID:e{number}@example.org\r\nDTSTAMP:20260101T000000Z\r\nDTSTART:{start}\r\n"
            f"DURATION:PT1H\r\nSUMMARY:Event {number}\r\n{repeats}END:VEVENT\r\n")


def calendar(*events):
    return ("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//bench//EN\r\n" + "".join(events) + "END:VCALENDAR\r\n").encode()


def directory(count=10_000):
    with folder() as cache:
        (cache / "events").mkdir()
        for number in range(count):
            start = f"202611{1 + number % 28:02}T{number % 24:02}0000Z"
            (cache / f"events/e{number}.ics").write_bytes(calendar(event(number, start=start)))
        found = [sync(cache)[:2] for _ in range(3)]
    line(f"{count} calendars of one event, cold", min(found)[0], "s", 1)
    line("  processor time", min(used for _, used in found), "s")


def largest(most=16 << 20):
    """The memory of the calendars that need most of it, each as large as a file may be."""

    def text(*parts, repeat):
        room, lines = most - sum(map(len, parts)) - 100, []
        for number in range(50_000):
            lines.append(repeat(number))
            room -= len(lines[-1])
            if room < 0:
                lines.pop()
                break
        return calendar(*parts[:1], *lines, *parts[1:])

    words = "x" * 200
    dates = ",".join(["20261124"] * 1_000)
    shapes = {
        "daily series": lambda: text(repeat=lambda number: event(f"{number}{words}", "FREQ=DAILY")),
        "dates of one event": lambda: text(
            "BEGIN:VEVENT\r\nUID:a\r\nDTSTART:20261101\r\n", "END:VEVENT\r\n", repeat=lambda _: f"RDATE:{dates}\r\n"),
        "to-dos, each a step of the next": lambda: text(
            repeat=lambda number: f"BEGIN:VTODO\r\nUID:{number}\r\nRELATED-TO:{number + 1}\r\nSUMMARY:{words}\r\n"
            f"LAST-MODIFIED:20261101T{number // 3600 % 24:02}{number // 60 % 60:02}{number % 60:02}Z\r\nEND:VTODO\r\n"),
        "dates that cannot be read": lambda: text(
            "BEGIN:VEVENT\r\nUID:a\r\nDTSTART:20261101\r\n", "END:VEVENT\r\n",
            repeat=lambda number: "EXDATE:" + ",".join(str(number * 1_000 + each) for each in range(1_000)) + "\r\n")}
    for name, make in shapes.items():
        with folder() as cache:
            data = make()
            put(cache / "events/a.ics", data)
            _, used, memory, _ = sync(cache)
        line(f"{len(data) / (1 << 20):.0f} MiB of {name}, memory to the file", memory / (len(data) / (1 << 20)), "", 20)
        line("  processor time", used, "s")


def series(lead, count=10_000):
    """The processor time of one midnight, with as many series of each kind."""
    rules = {
        "daily": "FREQ=DAILY", "weekly": "FREQ=WEEKLY;BYDAY=MO,TH", "monthly": "FREQ=MONTHLY;BYDAY=-1FR",
        "yearly with COUNT": "FREQ=YEARLY;COUNT=60", "daily with COUNT": "FREQ=DAILY;COUNT=20000",
        "monthly with COUNT": "FREQ=MONTHLY;BYDAY=-1FR;COUNT=900"}
    with contextlib.ExitStack() as stack:
        zone, midnight = zone_with_midnight_in(lead)
        agents = {}
        for name, rule in rules.items():
            cache = stack.enter_context(folder())
            start = "19800115T090000Z" if "COUNT" in name else "20260105T090000Z"
            put(cache / "events/a.ics", calendar(*(event(number, rule, start) for number in range(count))))
            process = stack.enter_context(agent("--cache", cache, "--time-zone", zone, "--durability", "rename"))
            agents[name] = (cache / "snapshots/manifest.json", process)
        for name, (manifest, _) in agents.items():
            wait_until(manifest.exists, what=f"the first snapshot of {name}")
        time.sleep(max(0, midnight - time.time() - 3))
        if time.time() > midnight:
            return print("series: getting ready took past midnight; try --lead 60")
        before = {name: processor_time(process.pid) for name, (_, process) in agents.items()}
        wait_until(lambda: all(manifest.stat().st_mtime >= midnight for manifest, _ in agents.values()),
                   seconds=midnight - time.time() + 60, what="midnight of all series")
        time.sleep(2)
        for name, (_, process) in agents.items():
            line(f"midnight of {count} series, {name}", (processor_time(process.pid) - before[name]) * 1000, "ms", 50)


def main():
    parts = ["guesses", "drops", "cold", "many", "worst", "neighbour", "directory", "largest", "series"]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=parts, nargs="+", default=parts)
    parser.add_argument("--drops", type=int, default=300)
    parser.add_argument("--caches", type=int, nargs=2, default=[200, 2_000])
    parser.add_argument("--lead", type=int, default=25, help="seconds to get ready for a midnight, or up to 60 more")
    parser.add_argument("--case", action="append", help="only these of the worst definitions")
    arguments = parser.parse_args()
    runs = {
        "guesses": guesses, "drops": lambda: drops(arguments.drops), "cold": cold,
        "many": lambda: many(*arguments.caches, arguments.lead), "worst": lambda: worst(arguments.case),
        "neighbour": lambda: neighbour(min(arguments.drops, 50)), "directory": directory, "largest": largest,
        "series": lambda: series(arguments.lead)}
    for name in parts:
        if name in arguments.only:
            runs[name]()


if __name__ == "__main__":
    main()
