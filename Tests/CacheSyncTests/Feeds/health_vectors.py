#!/usr/bin/env python3
"""Expected numbers for HealthVectorTests: the formulas of feeds.md (health), written a second time.

Run it again from any directory after feeds.md changes (Python 3.9 or later, nothing to install):

    python3 Tests/CacheSyncTests/Feeds/health_vectors.py > Tests/CacheSyncTests/Feeds/health_vectors.json

The output is the same on every machine. It follows the sentences of feeds.md, and shares nothing with the Swift sources: plain
dictionaries, the textbook's formula for least squares, and decimals of 400 digits, so that neither rounding nor order of
summation plays a part. The Swift tests compare to one part in 10^9.
"""

import json
import random
import sys
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal as D, getcontext
from zoneinfo import ZoneInfo

getcontext().prec = 400
WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
BUDGET_TYPES = {"dietaryCalories", "bodyMass", "bodyFatPercentage"}
MACRO_TYPES = BUDGET_TYPES | {"protein", "carbs", "fat"}


# --- feeds.md: health ---------------------------------------------------------------------------------------------------

class Sample:
    """A sample from its short form, a list of type, date, value, id, end and source. The last three may be missing."""

    def __init__(self, path, place, fields, zone):
        self.path, self.place = path, place
        kind, when, value, name, end, source = (fields + [None] * 3)[:6]
        self.kind, self.value = kind, D(str(value))
        self.id = None if name is None else str(name)
        self.date = moment(when)
        self.end = moment(end) if end is not None and moment(end) > self.date else None
        self.source = source or None
        local = self.date.astimezone(zone)
        self.day, self.hour = local.date(), (local.date(), local.hour, local.utcoffset())

    def precedence(self):
        return self.path.encode(), self.place


def moment(text):
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def groups(samples, key):
    found = {}
    for sample in samples:
        found.setdefault(key(sample), []).append(sample)
    return found.values()


def overlap(a, b):
    first, second = (a, b) if a.date <= b.date else (b, a)
    return first.date == second.date or first.end is not None and second.date < first.end


def counting(files, zone):
    """Which samples count, and the warnings. Each rule looks at all pairs, in no clever order."""
    samples = [Sample(path, place, fields, zone) for path in files
               for place, fields in enumerate(files[path].get("samples", []))]
    # Versions: in one file the last, then those that equal the one of the greatest path.
    kept = []
    for versions in groups(samples, lambda s: (s.id, s.kind, s.date)):
        if versions[0].id is not None:
            versions = [max(of_file, key=Sample.precedence) for of_file in groups(versions, lambda s: s.path)]
            newest = max(versions, key=Sample.precedence)
            versions = [s for s in versions if (s.end, s.value) == (newest.end, newest.value)]
        kept += versions
    # Equal samples: those of the file with most of them, of equals the greatest path.
    samples, kept = kept, []
    for equal in groups(samples, lambda s: (s.kind, s.date, s.end, s.value)):
        kept += max(groups(equal, lambda s: s.path), key=lambda of_file: (len(of_file), of_file[0].path.encode()))
    # Sources: in each hour in which two of them overlap.
    left_out, lost = [], {}
    for same in groups(kept, lambda s: (s.kind, s.day)):
        named = [s for s in same if s.source is not None]
        contested = {max(a, b, key=lambda s: s.date).hour for a in named for b in named
                     if a.source != b.source and overlap(a, b)}
        for hour in contested:
            by_source = groups([s for s in named if s.hour == hour], lambda s: s.source)
            best = min(by_source, key=lambda of_source: (-len(of_source), of_source[0].source.encode()))
            for of_source in by_source:
                if of_source is not best:
                    left_out += of_source
                    lost.setdefault(same[0].kind, []).extend((s, best[0].source) for s in of_source)
    warnings = {}
    for kind, pairs in lost.items():
        loser, winner = min(pairs, key=lambda p: (p[0].path.encode(), -p[0].day.toordinal(), p[0].date, p[0].place))
        names = sorted([loser.source, winner], key=str.encode)
        warnings[kind] = {"path": loser.path, "sources": names}
    return [s for s in kept if s not in left_out], warnings


def by_day(samples):
    """type -> local day -> values"""
    days = {}
    for sample in samples:
        days.setdefault(sample.kind, {}).setdefault(sample.day, []).append(sample.value)
    return days


def mean(values):
    return sum(values) / len(values)


def model(days, today, n, fallback):
    """M and its parts over a window of n days; `fallback` is a function, asked only for F."""
    full = [today - timedelta(k) for k in range(n, 0, -1)]
    intake = [(d, sum(days["dietaryCalories"][d])) for d in full if d in days.get("dietaryCalories", {})]
    mass = [(d, mean(days["bodyMass"][d])) for d in full + [today] if d in days.get("bodyMass", {})]
    fat = [mean(days["bodyFatPercentage"][d]) for d in full + [today] if d in days.get("bodyFatPercentage", {})]

    smoothed, previous = None, None
    for d, c in intake:
        a = 1 if previous is None else 1 - D("0.9") ** (d - previous).days
        smoothed = c if smoothed is None else a * c + (1 - a) * smoothed
        previous = d

    raw = D(0)
    if len(mass) >= 2:
        w = [D("0.9") ** (today - d).days for d, _ in mass]
        x = [D((d - today).days) for d, _ in mass]
        y = [m for _, m in mass]
        mx = sum(a * b for a, b in zip(w, x)) / sum(w)
        my = sum(a * b for a, b in zip(w, y)) / sum(w)
        raw = 7 * sum(a * (b - mx) * (c - my) for a, b, c in zip(w, x, y)) / sum(a * (b - mx) ** 2 for a, b in zip(w, x))
    slope = min(max(raw, D(-1)), D("0.75"))

    density = D(7350)
    if fat and mass:
        f = fat[-1] * mass[-1][1]
        p = f / (f + D("10.4"))
        density = 9440 * p + 1816 * (1 - p)

    n_w, n_c = len(mass), len(intake)
    s_w = (mass[-1][0] - mass[0][0]).days if mass else 0
    s_c = (intake[-1][0] - intake[0][0]).days if intake else 0
    q_w = min(D(1), D(n_w) / 7) * min(D(1), D(s_w) / n)
    q_c = min(D(1), D(n_c) / 14) * min(D(1), D(s_c) / n)
    stored = slope * q_w * density / 7
    f = fallback()
    m = f - stored if smoothed is None else smoothed * q_c + f * (1 - q_c) - stored
    return {
        "M": m, "slope": slope, "slopeClamped": slope != raw, "densityEstimated": not (fat and mass),
        "confidence": max(q_w, q_c), "n_w": n_w, "n_c": n_c, "latest": mass[-1][1] if mass else None,
        "isValid": (n_w >= 7 and 2 * s_w >= n) or (n_c >= 14 and 2 * s_c >= n)}


def last_resort(days, today):
    known = [d for d in days.get("bodyMass", {}) if d <= today]
    return 30 * mean(days["bodyMass"][max(known)]) if known else D(2200)


def fallback(days, today):
    for n in (180, 365, 730, 1825, 3650):
        rerun = model(days, today, n, lambda: last_resort(days, today))
        if rerun["n_w"] >= 7 and rerun["n_c"] >= 14:
            return rerun["M"]
    return last_resort(days, today)


def clamp(value, low, high):
    return min(max(value, D(low)), D(high))


def project(case):
    zone = ZoneInfo(case["zone"])
    today = datetime.fromisoformat(case["now"].replace("Z", "+00:00")).astimezone(zone).date()
    samples, warnings = counting(case["files"], zone)
    days = by_day(samples)
    goals, of_goals = {}, set()
    for path in sorted(case["files"], key=lambda p: p.encode()):
        if "goals" in case["files"][path]:
            goals, of_goals = case["files"][path]["goals"], {path}

    def number(value):
        return None if value is None else float(value)

    def eaten(kind):
        return sum(days.get(kind, {}).get(today, []), D(0))

    m = model(days, today, 28, lambda: fallback(days, today))
    base = m["M"] + D(str(goals.get("adjustment", 0)))
    week = [today - timedelta(k) for k in range(7, 0, -1)]
    known = [sum(days["dietaryCalories"][d]) for d in week if d in days.get("dietaryCalories", {})]
    credit = base * len(known) - sum(known)
    first = WEEKDAYS.index(goals.get("firstWeekday", case["firstWeekday"]))
    left = next(k for k in range(1, 8) if (today + timedelta(k)).weekday() == first)
    daily = clamp(credit / left, -500, 500)
    budget = clamp(base + daily, 1000, 6000)
    intake = eaten("dietaryCalories")
    flags = [name for name, is_set in (
        ("slopeClamped", m["slopeClamped"]), ("densityEstimated", m["densityEstimated"]),
        ("maintenanceSuspect", m["M"] < 1000), ("budgetClamped", budget != base + daily),
        ("adjustmentClamped", daily != credit / left)) if is_set]

    macros = []
    for name, kcal in (("protein", 4), ("carbs", 4), ("fat", 9)):
        percent = goals.get("macros", {}).get(name)
        grams = eaten(name)
        target = None if percent is None else base * D(str(percent)) / 100 / kcal
        macros.append({
            "name": name, "grams": number(grams), "budget": number(target),
            "remaining": None if target is None else number(target - grams),
            "progress": None if target is None else number(min(D(1), grams / target)) if target > 0 else 0.0})

    trend = "down" if m["slope"] < D("-0.05") else "up" if m["slope"] > D("0.05") else "flat"
    content = {
        "budget": {
            "intake": number(intake), "budget": number(budget), "base": number(base), "credit": number(credit),
            "dailyAdjustment": number(daily), "daysLeft": left, "remaining": number(budget - intake),
            "progress": number(min(D(1), intake / budget)), "maintenance": number(m["M"]),
            "confidence": number(m["confidence"]), "isValid": m["isValid"], "flags": flags},
        "macros": {"macros": macros},
        "overview": {
            "calories": {"intake": number(intake), "budget": number(budget), "remaining": number(budget - intake)},
            "weight": {"latest": number(m["latest"]), "slopePerWeek": number(m["slope"]), "trend": trend},
            "macros": macros,
            "week": [
                {"date": d.isoformat(), "intake": number(sum(days["dietaryCalories"][d]))
                 if d in days.get("dietaryCalories", {}) else None} for d in week]}}
    kinds = {sample.kind for sample in samples}
    if not kinds & BUDGET_TYPES:
        content["budget"] = dict.fromkeys(content["budget"], 0) | {"isValid": False, "flags": []}
    if not kinds:
        content["macros"] = {"macros": []}
        content["overview"] = {
            "calories": {"intake": 0, "budget": 0, "remaining": 0},
            "weight": {"latest": None, "slopePerWeek": 0, "trend": "flat"}, "macros": [], "week": []}

    def sources(wanted):
        return sorted({s.path for s in samples if s.kind in wanted} | of_goals, key=str.encode)

    return {
        "content": content, "warnings": warnings, "samples": sum(s.day == today for s in samples),
        "sources": {
            "budget": sources(BUDGET_TYPES), "macros": sources(MACRO_TYPES), "overview": sources(MACRO_TYPES)},
        "state": {
            "budget": "current" if kinds & BUDGET_TYPES else "empty",
            "macros": "current" if kinds else "empty", "overview": "current" if kinds else "empty"}}


# --- Cases -----------------------------------------------------------------------------------------------------------

TODAY = date(2026, 11, 21)  # a Saturday
GOALS = {"adjustment": -400, "macros": {"protein": 30, "carbs": 40, "fat": 30}}
dice = random.Random(20261121)


def at(days_ago, hour=12, minute=0, zone="UTC", today=TODAY):
    local = datetime.combine(today - timedelta(days_ago), time(hour, minute), ZoneInfo(zone))
    return local.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def calories(ago, kcal=None, **more):
    return ["dietaryCalories", at(ago, **more), round(dice.uniform(1700, 2900), 1) if kcal is None else kcal]


def mass(ago, kg=None, **more):
    return ["bodyMass", at(ago, **more), round(82 + ago * 0.02 + dice.uniform(-0.6, 0.6), 2) if kg is None else kg]


def fat(ago, share=None, **more):
    return ["bodyFatPercentage", at(ago, **more), round(dice.uniform(0.2, 0.24), 3) if share is None else share]


def case(name, *samples, goals=None, files=None, zone="UTC", now="2026-11-21T18:00:00Z", first="monday"):
    if files is None:
        files = {"health/a.json": {"samples": list(samples)}}
        if goals is not None:
            files["health/a.json"]["goals"] = goals
    return {"name": name, "zone": zone, "now": now, "firstWeekday": first, "files": files}


def spread(make, days, **more):
    return [make(ago, **more) for ago in days]


def cases():
    macros_today = [["protein", at(0), 61.5], ["protein", at(0, 19), 40.25], ["carbs", at(0), 180], ["fat", at(0), 300.5],
                    ["protein", at(1), 999]]
    yield case("nothing at all", goals=GOALS)
    yield case("only protein", ["protein", at(0), 20.5], goals=GOALS)
    yield case("only a sample of next month", calories(-30, 2000))
    yield case("dense", *spread(calories, range(0, 200)), *spread(mass, range(0, 200)), *spread(fat, range(0, 200, 3)),
               *macros_today, goals=GOALS)
    yield case("dense for 28 days", *spread(calories, range(0, 29)), *spread(mass, range(0, 29)), fat(2), *macros_today)
    yield case("dense for 28 days and no fat", *spread(calories, range(0, 29)), *spread(mass, range(0, 29)))
    yield case("sparse", *spread(calories, range(1, 170, 3)), *spread(mass, range(4, 170, 7)), goals=GOALS)
    yield case("gaps", *spread(calories, [1, 2, 3, 15, 16, 27, 28, 29]), *spread(mass, [0, 1, 13, 14, 26, 28, 29]),
               fat(13), goals={"macros": {"fat": 25}})
    yield case("several samples a day", *[calories(k % 20, 500 + k, hour=k % 24) for k in range(90)],
               *[mass(k % 20, 80 + k / 100, hour=k % 23) for k in range(60)],
               *[fat(k % 6, 0.2 + k / 1000, hour=k % 22) for k in range(24)])
    # Single samples: today's intake is not the model's, the weight of today is.
    yield case("a meal today", calories(0, 640))
    yield case("a meal yesterday", calories(1, 2640))
    yield case("a meal 28 days ago", calories(28, 2640))
    yield case("a meal 29 days ago", calories(29, 2640))
    yield case("a weight today", mass(0, 82.4))
    yield case("a weight 28 days ago", mass(28, 82.4), fat(28, 0.2))
    yield case("a weight 29 days ago", mass(29, 82.4), fat(29, 0.2))
    yield case("a weight eleven years ago", mass(4018, 71.3))
    yield case("a weight tomorrow", mass(-1, 71.3), mass(3, 80.1))
    yield case("two weights", mass(10, 82), mass(3, 81.8))
    yield case("two weights on one day", mass(3, 82), mass(3, 81, hour=20))
    yield case("body fat without a weight", fat(3, 0.25), calories(3, 2200))
    yield case("body fat of 0", fat(3, 0), *spread(mass, range(0, 29, 4)))
    yield case("body fat of 1", fat(3, 1), *spread(mass, range(0, 29, 4)))
    yield case("body fat older than the window", fat(29, 0.25), *spread(mass, range(0, 29, 4)))
    yield case("body fat later than the weight", fat(0, 0.25), fat(5, 0.1), *spread(mass, range(1, 29, 4)))
    yield case("zero kcal are intake", calories(1, 0), calories(2, 2000), calories(3, 0))
    # Thresholds of confidence and validity.
    for n, s in ((7, 14), (7, 13), (6, 14), (8, 28)):
        yield case(f"{n} weights over {s} days", *spread(mass, [0, *range(s - n + 2, s + 1)]))
    for n, s in ((14, 14), (14, 13), (13, 14), (15, 27)):
        yield case(f"{n} intakes over {s} days", *spread(calories, [1, *range(s - n + 3, s + 2)]))
    # Clamps and flags.
    yield case("losing fast", *[mass(k, 80 + 0.3 * k) for k in range(20)], *spread(calories, range(1, 28)))
    yield case("gaining fast", *[mass(k, 80 - 0.3 * k) for k in range(20)], *spread(calories, range(1, 28)))
    yield case("just not losing fast", *[mass(k, round(80 + 0.14 * k, 2)) for k in range(20)])
    yield case("just flat", *[mass(k, round(80 + 0.007 * k, 3)) for k in range(20)])
    yield case("just down", *[mass(k, round(80 + 0.0073 * k, 4)) for k in range(20)])
    yield case("just up", *[mass(k, round(80 - 0.0073 * k, 4)) for k in range(20)])
    yield case("eaten nearly nothing", *[calories(k, 300) for k in range(1, 8)], fat(1, 0.2), mass(1, 70))
    yield case("eaten very much", *[calories(k, 7000) for k in range(0, 8)], fat(1, 0.2), mass(1, 70))
    yield case("a low budget", mass(0, 50), calories(0, 5000), goals={"adjustment": -900, "macros": {"protein": 0}})
    yield case("a high budget", mass(0, 150), goals={"adjustment": 2000})
    yield case("a base below 0", mass(0, 50), ["carbs", at(0), 12],
               goals={"adjustment": -2500, "macros": {"carbs": 40, "fat": 0}})
    yield case("suspect", *[mass(k, 40 - 0.3 * k) for k in range(29)], goals={"adjustment": 700})
    yield case("every flag", *[mass(k, 40 - 0.3 * k) for k in range(29)], *[calories(k, 2500) for k in range(1, 8)])
    # Fallbacks through each window: the seventh weight, or the fourteenth intake, lies just inside or just outside.
    for n in (180, 365, 730, 1825, 3650):
        near = spread(mass, range(0, 12, 2)) + spread(calories, range(1, 14))
        yield case(f"a weight {n} days ago", *near, calories(20), mass(n, 90), fat(0, 0.2), fat(n, 0.3))
        yield case(f"a weight {n + 1} days ago", *near, calories(20), mass(n + 1, 90), goals=GOALS)
        yield case(f"an intake {n} days ago", *near, mass(20), calories(n, 3000))
        yield case(f"an intake {n + 1} days ago", *near, mass(20), calories(n + 1, 3000))
        old = range(n - 40, n, 3)
        yield case(f"all of it about {n} days ago", *spread(calories, old), *spread(mass, old), fat(n - 20))
    yield case("years apart", *[mass(k, 70 + k / 500) for k in range(3, 3650, 450)],
               *[calories(k, 2000 + k / 10) for k in range(5, 3650, 250)], fat(0, 0.22))
    # Weeks.
    for word in WEEKDAYS:
        yield case(f"week from {word} by settings", *spread(calories, range(0, 6)), mass(0, 80), first=word)
    yield case("week by goals", *spread(calories, range(0, 6)), mass(0, 80), first="monday",
               goals={"firstWeekday": "saturday"})
    yield case("goals without a week", *spread(calories, range(0, 6)), mass(0, 80), first="wednesday", goals={})
    yield case("a positive adjustment", *spread(calories, range(0, 40)), *spread(mass, range(0, 40)),
               goals={"adjustment": 312.5, "macros": {"protein": 27.5, "fat": 0}})
    # Files.
    shared = {
        "health/a.json": {"samples": [["bodyMass", at(1), 80, "w"], ["dietaryCalories", at(1), 100, "m"],
                                      ["dietaryCalories", at(2), 1900], ["dietaryCalories", at(3), 2100, 7]],
                          "goals": {"adjustment": 1, "macros": {"protein": 10, "carbs": 10}}},
        "health/b/c.json": {"samples": [["bodyMass", at(2), 82, "w"], ["dietaryCalories", at(1), 300, "m"],
                                        ["dietaryCalories", at(1), 400, "m"], ["dietaryCalories", at(3), 2500, "7"]],
                            "goals": {"macros": {"protein": 20}}},
        "health/b.json": {"samples": [["dietaryCalories", at(2), 350.5], ["dietaryCalories", at(1), 800, "m"]]}}
    yield case("the same ids in several files", files=shared)
    # Local days: evening meals in New York are of the next day in UTC; the clock goes back on 2026-11-01.
    new_york = {"zone": "America/New_York"}
    yield case("New York over the end of summer time", *[calories(k, hour=22, **new_york) for k in range(0, 29)],
               *[mass(k, hour=0, minute=30, **new_york) for k in range(0, 29)], fat(20, hour=23, **new_york),
               zone="America/New_York", now="2026-11-22T03:00:00Z")
    march = {"zone": "America/New_York", "today": date(2026, 3, 8)}
    yield case("New York on the day of 23 hours", *[calories(k, hour=23, **march) for k in range(0, 15)],
               *[mass(k, hour=3, **march) for k in range(0, 15)], zone="America/New_York", now="2026-03-09T03:59:59Z")
    # Which samples count.
    lunch = [["protein", at(0), 30, 1], ["protein", at(0), 30, 2], ["fat", at(0), 10]]
    yield case("two apples in one file and in the next", files={
        "health/a.json": {"samples": lunch}, "health/b.json": {"samples": lunch[:1] + lunch[2:]},
        "health/c.json": {"samples": lunch[1:2]}})
    watch = [["carbs", at(0, minute=m), 5, None, at(0, minute=m + 5), "Watch"] for m in range(0, 55, 5)]
    phone = [["carbs", at(0, minute=m), 4, None, None, "Phone"] for m in range(2, 50, 7)]
    yield case("a phone beside a watch", files={
        "health/phone.json": {"samples": phone}, "health/watch.json": {"samples": watch}})
    for number in range(6):
        yield case(f"whatever repeats, {number}", files=overlapping())
    for zone, now, first in (("America/New_York", "2026-11-02T02:00:00Z", "2026-11-01T04:40:00Z"),
                             ("Australia/Lord_Howe", "2026-04-05T12:00:00Z", "2026-04-04T13:20:00Z"),
                             ("Asia/Kathmandu", "2026-11-21T12:00:00Z", "2026-11-20T18:05:00Z")):
        for number in range(3):
            yield case(f"whatever repeats in {zone}, {number}", files=overlapping(moment(first)), zone=zone, now=now)


def overlapping(first=datetime(2026, 11, 21, 11, 30, tzinfo=timezone.utc)):
    """Files that repeat each other: three hours with few dates, values, ids and sources."""
    def text(when):
        return when.strftime("%Y-%m-%dT%H:%M:%SZ")

    def sample():
        when = first + timedelta(minutes=10 * dice.randrange(19))
        end = dice.choice([None, None, when, when - timedelta(minutes=5), when + timedelta(minutes=15)])
        return [dice.choice(["dietaryCalories", "protein", "bodyMass"]), text(when), dice.choice([70, 80.5]),
                dice.choice([None, None, None, 1, "1", 2, "x"]), end and text(end),
                dice.choice([None, "", "Phone", "Phone", "Watch", "Scale", "\u00c9clair", "E\u0301clair"])]

    pool = [sample() for _ in range(40)]
    return {f"health/{name}.json": {"samples": dice.sample(pool, 12) + [sample() for _ in range(4)]}
            for name in ("a", "b", "c/a", "d")}


def main():
    vectors = []
    for vector in cases():
        vector |= project(vector)
        vectors.append(json.dumps(vector, separators=(",", ":"), sort_keys=True))
    sys.stdout.write("[\n" + ",\n".join(vectors) + "\n]\n")


main()
