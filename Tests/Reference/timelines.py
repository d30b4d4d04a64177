#!/usr/bin/env python3
"""Makes random caches and says what readers must see: which entry is in force at a moment, since when, in which state.

Knows feeds.md and contract.md and nothing of the library. TimelineRuleTests runs it and reads one JSON document from it.
Run: python3 timelines.py SEED ROUNDS

Every date in the caches, every staleAfter and every offset of the zones is a whole quarter of an hour, so content and
state change at whole quarters only. A zone's days are found by asking zoneinfo for its offset quarter by quarter.
"""
import datetime
import functools
import json
import random
import sys
import zoneinfo

QUARTER = 900
HOUR = 3600
DAY = 86400
UTC = datetime.timezone.utc
EPOCH = datetime.date(1970, 1, 1).toordinal()

# Zones with a day on which something odd happens: (zone, date).
PLACES = [
    ("UTC", "2026-11-21"),
    ("Asia/Kathmandu", "2026-11-21"),
    ("America/New_York", "2026-03-08"),
    ("America/New_York", "2026-11-01"),
    ("America/Havana", "2026-03-08"),  # the day begins at 01:00
    ("America/Havana", "2026-11-01"),  # 00:00 comes twice
    ("Atlantic/Azores", "2026-03-29"),
    ("Atlantic/Azores", "2026-10-25"),
    ("Australia/Lord_Howe", "2026-04-05"),  # half an hour
    ("Australia/Lord_Howe", "2026-10-04"),
    ("Africa/Cairo", "2026-04-24"),
    ("Africa/Cairo", "2026-10-29"),
    ("America/Santiago", "2026-04-05"),
    ("America/Santiago", "2026-09-06"),
    ("Pacific/Apia", "2011-12-29"),  # the eve of a day that was skipped
]


def seconds(text):
    return int(datetime.datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp())


def rfc3339(second):
    return datetime.datetime.fromtimestamp(second, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


class Zone:
    """The local days around an anchor."""

    def __init__(self, name, anchor):
        zone = zoneinfo.ZoneInfo(name)
        self.first, self.last = anchor - 20 * DAY, anchor + 30 * DAY
        offsets = [
            int(datetime.datetime.fromtimestamp(second, zone).utcoffset().total_seconds())
            for second in range(self.first, self.last, QUARTER)
        ]
        self.walls = [self.first + index * QUARTER + offset for index, offset in enumerate(offsets)]
        self.changes = [
            self.first + index * QUARTER for index in range(1, len(offsets)) if offsets[index] != offsets[index - 1]
        ]
        # The furthest wall time shown so far: an instant is the first with a wall time or a later one.
        self.firsts = {}
        reached = self.walls[0]
        for index, wall in enumerate(self.walls):
            while reached <= wall:
                self.firsts[reached] = self.first + index * QUARTER
                reached += QUARTER
        # (first instant, day number) of the days that exist: one that was skipped starts where the next one does.
        begin, end = self.walls[0] // DAY + 2, self.walls[-1] // DAY - 1
        self.days = [
            (self.firsts[day * DAY], day)
            for day in range(begin, end)
            if self.firsts[day * DAY] < self.firsts[(day + 1) * DAY]
        ]
        self.midnights = [start for start, _ in self.days]

    def day(self, second):
        return [day for start, day in self.days if start <= second][-1]

    def hour(self, day, hour):
        return self.firsts[day * DAY + hour * HOUR]

    def week_later(self, second):
        """7 local days later at the same wall time: the first time that it is shown, or what follows it when skipped."""
        return self.firsts[self.walls[(second - self.first) // QUARTER] + 7 * DAY]


def name(day):
    return datetime.date.fromordinal(day + EPOCH).isoformat()


class Cache:
    """One random cache: its files as text and, beside that, as records."""

    def __init__(self, rng, place):
        self.rng = rng
        self.zone_name, date = place
        self.anchor = seconds(date) + 12 * HOUR
        self.zone = Zone(self.zone_name, self.anchor)
        ages = [QUARTER, HOUR, 5 * HOUR, 12 * HOUR, DAY, 26 * HOUR, 2 * DAY, 3 * DAY]
        self.stale_after = rng.choice(ages + [None])
        self.files = []
        self.plans, self.nutrition, self.samples, self.lists = [], [], [], {"tasks": [], "events": [], "shoes": []}
        self.unusable = set()
        # By kind of record and id: what besides the id makes records of several files versions of one thing.
        self.marks = {}
        self.intents = []
        self.make_plans()
        self.make_nutrition()
        self.make_health()
        self.make_tasks()
        self.make_events()
        self.make_shoes()
        self.make_intents()

    def moment(self, first, last):
        """A quarter of an hour between two numbers of days from the anchor on."""
        return self.anchor + self.rng.randrange(int(first * 96), int(last * 96)) * QUARTER

    def write(self, path, document, unusable=False):
        self.files.append({"path": path, "text": json.dumps(document), "isUnusable": unusable})

    def make_plans(self):
        for number in range(self.rng.randrange(4)):
            plan = {"id": f"p{number}", "updated": self.moment(-3, 3), "week": None, "final": self.rng.random() < 0.9}
            if self.rng.random() < 0.5:
                plan["week"] = self.zone.day(self.anchor) + self.rng.randrange(-8, 6)
            entries = [
                {"day_index": day, "meal_type": "dinner", "meal_id": f"m{day}", "meal_name": "Meal"} for day in range(7)
            ]
            document = {"id": plan["id"], "plan": entries, "is_finalized": plan["final"]}
            document["created_at"] = document["updated_at"] = rfc3339(plan["updated"])
            if plan["week"] is not None:
                document["week_start"] = name(plan["week"])
            self.write(f"meal-plan/{number}.json", document)
            self.plans.append(plan)

    def make_nutrition(self):
        for number in range(self.rng.randrange(3)):
            session = {"updated": self.moment(-3, 2), "calories": 100 * self.rng.randrange(30), "number": number}
            session["foods"] = self.rng.random() < 0.7
            food = {"id": "f", "name": "F", "calories": 10, "protein": 1, "carbs": 1, "fat": 1, "defaultQuantity": 1}
            document = {"lastUpdated": rfc3339(session["updated"]), "trackingMode": "full"}
            document["recentFoods"] = [food | {"unit": "g"}] if session["foods"] else []
            document["todayNutrition"] = {"calories": session["calories"], "protein": 1, "carbs": 2, "fat": 3}
            document["goals"] = {"calorieTarget": 2000, "proteinTarget": 1, "carbsTarget": 1, "fatTarget": 1}
            self.write(f"nutrition/{number}.json", document)
            self.nutrition.append(session)

    def make_health(self):
        for number in range(self.rng.randrange(3)):
            samples = []
            for _ in range(self.rng.randrange(1, 6)):
                kind = self.rng.choice(["dietaryCalories", "protein", "bodyMass"])
                samples.append({"type": kind, "date": self.moment(-5, 2)})
            self.write(
                f"health/{number}.json",
                {"samples": [sample | {"date": rfc3339(sample["date"]), "value": 50} for sample in samples]},
            )
            self.samples += samples

    def mark(self, record, first, last):
        return self.marks.setdefault(record, self.moment(first, last))

    def dated(self, feed, key, records, member):
        """Writes one list of a feed, with its date or without."""
        number = len(self.lists[feed])
        date = self.moment(-3, 2) if self.rng.random() < 0.85 else None
        document = {member: records}
        if date is not None:
            document[key] = rfc3339(date)
        unusable = feed == "events" and self.rng.random() < 0.15
        self.write(f"{feed}/{number}.json", document, unusable)
        # A file without a date has the modification time in place of it: 2000-01-01 for all.
        self.lists[feed].append({"date": date, "rank": (date or seconds("2000-01-01"), number), "records": records})
        if unusable:
            self.unusable.add(feed)

    def make_tasks(self):
        for _ in range(self.rng.randrange(3)):
            records = []
            for number in range(self.rng.randrange(6)):
                task = {"id": self.rng.randrange(8), "title": f"t{number}", "completed": self.rng.random() < 0.3}
                task["createdAt"] = rfc3339(self.mark(("task", task["id"]), -3, 3) + 5)
                if self.rng.random() < 0.8:
                    task["dueDate"] = rfc3339(self.moment(-2, 8))
                if self.rng.random() < 0.5:
                    task["completedAt"] = rfc3339(self.moment(-2, 3))
                records.append(task)
            self.dated("tasks", "lastUpdate", records, "tasks")

    def make_events(self):
        for _ in range(self.rng.randrange(3)):
            records = []
            for number in range(self.rng.randrange(9)):
                start = self.moment(-2, 10)
                identifier = self.rng.randrange(12)
                event = {"id": identifier, "title": f"e{identifier % 5}", "startTime": rfc3339(start)}
                event["endTime"] = rfc3339(start + self.rng.randrange(8) * QUARTER)
                records.append(event)
            self.dated("events", "lastUpdate", records, "events")

    def make_shoes(self):
        for _ in range(self.rng.randrange(3)):
            sessions = []
            for number in range(self.rng.randrange(6)):
                start = self.mark(("session", number), -10, 2)
                session = {"id": number, "shoeId": f"s{number % 3}", "start": rfc3339(start), "steps": 900, "distance": 1}
                if self.rng.random() < 0.8:
                    session["end"] = rfc3339(start + self.rng.randrange(90) * QUARTER)
                sessions.append(session)
            self.dated("shoes", "lastUpdated", sessions, "sessions")
            if self.rng.random() < 0.8:
                shoes = [{"id": f"s{number}", "name": f"S{number}"} for number in range(3)]
                document = json.loads(self.files[-1]["text"]) | {"shoes": shoes}
                self.files[-1]["text"] = json.dumps(document)

    def make_intents(self):
        types = ["log-food", "add-task", "complete-task"] + (["select-shoe"] if self.rng.random() < 0.5 else [])
        for number in range(self.rng.randrange(8)):
            intent = {"id": f"i{number}", "type": self.rng.choice(types), "at": self.moment(-9, 1)}
            if intent["type"] == "log-food":
                intent["foodId"] = "f"
            elif intent["type"] == "add-task":
                intent["title"] = f"a{number}"
                intent["dueDate"] = rfc3339(self.moment(-2, 8)) if self.rng.random() < 0.5 else None
            elif intent["type"] == "complete-task":
                intent["taskId"] = self.rng.choice([self.rng.randrange(8), f"intent:i{self.rng.randrange(8)}"])
            else:
                intent["shoeId"] = f"s{self.rng.randrange(3)}"
            self.write(f"intents/{number}.json", intent | {"at": rfc3339(intent["at"])})
            self.intents.append(intent)

    # What readers see at a moment: (state, content), content shortened to what tells one from another.

    def aged(self, moment, newest, content):
        is_old = self.stale_after is not None and newest is not None and newest + self.stale_after <= moment
        return ("stale" if is_old else "current", content)

    def meal_plan(self, moment):
        day = self.zone.day(moment)
        content = f"{name(day)} {(day + 3) % 7}"  # 1970-01-01 was a Thursday
        applying = [
            (plan["week"] is not None, plan["updated"], plan["id"])
            for plan in self.plans
            if plan["final"] and (plan["week"] is None or plan["week"] <= day < plan["week"] + 7)
        ]
        if not applying:
            return ("empty", content + " None")
        _, updated, identifier = max(applying)
        return self.aged(moment, updated, f"{content} {identifier}")

    def in_force(self, types, moment, newest):
        found = [
            intent
            for intent in self.intents
            if intent["type"] in types and moment < intent["at"] + 168 * HOUR and not (newest and newest > intent["at"])
        ]
        return sorted(found, key=lambda intent: (intent["at"], intent["id"]))

    def eaten(self, moment, quick_log=False):
        if not self.nutrition:
            return ("empty", "0" if not quick_log else "none")
        session = max(self.nutrition, key=lambda session: (session["updated"], session["number"]))
        day = self.zone.day(moment)
        is_today = self.zone.day(session["updated"]) >= day
        logged = [
            intent
            for intent in self.in_force(["log-food"], moment, session["updated"])
            if session["foods"] and self.zone.day(intent["at"]) == day
        ]
        calories = (session["calories"] if is_today else 0) + 10 * len(logged)
        content = ("foods" if session["foods"] else "none") if quick_log else str(calories)
        if quick_log and not session["foods"]:
            return ("empty", content)
        if not is_today and not logged and not quick_log:
            return ("placeholder", content)
        return self.aged(moment, session["updated"], content)

    def health(self, moment, types):
        if not any(sample["type"] in types for sample in self.samples):
            return ("empty", None)
        day = self.zone.day(moment)
        dates = [
            sample["date"] for sample in self.samples if sample["type"] in types and self.zone.day(sample["date"]) <= day
        ]
        return self.aged(moment, max(dates, default=None), None)

    def newest_written(self, feed):
        return max((file["date"] for file in self.lists[feed] if file["date"] is not None), default=None)

    def union(self, feed):
        records = {}
        for file in sorted(self.lists[feed], key=lambda file: file["rank"]):
            records |= {record["id"]: record for record in file["records"]}
        return records

    @functools.cache
    def tasks(self, moment):
        """The state, and the tasks by id."""
        newest = max((file["rank"][0] for file in self.lists["tasks"]), default=None)
        tasks = self.union("tasks")
        adds = False
        for intent in self.in_force(["add-task", "complete-task"], moment, newest):
            if intent["type"] == "add-task":
                identifier = f"intent:{intent['id']}"
                task = {"id": identifier, "title": intent["title"], "completed": False, "dueDate": intent["dueDate"]}
                tasks[identifier] = task
                adds = True
            elif intent["taskId"] in tasks:
                done = {"completed": True, "completedAt": rfc3339(intent["at"])}
                tasks[intent["taskId"]] = tasks[intent["taskId"]] | done
        if not self.lists["tasks"] and not adds:
            return ("empty", {})
        return self.aged(moment, self.newest_written("tasks"), tasks)

    def is_on(self, text, moment):
        return self.zone.day(seconds(text[:-1])) == self.zone.day(moment)

    def due(self, moment):
        _, tasks = self.tasks(moment)
        due = [
            task
            for task in tasks.values()
            if not task["completed"] and (not task.get("dueDate") or self.is_on(task["dueDate"], moment))
        ]
        # RFC 3339 in UTC and whole seconds sorts as text.
        return sorted(due, key=lambda task: (task.get("dueDate") or "9", task["title"], len(str(task["id"])), str(task["id"])))

    def overdue(self, moment):
        _, tasks = self.tasks(moment)
        late = [
            task
            for task in tasks.values()
            if not task["completed"] and task.get("dueDate") and self.zone.day(seconds(task["dueDate"][:-1])) < self.zone.day(moment)
        ]
        return sorted(late, key=lambda task: (task["dueDate"], task["title"], len(str(task["id"])), str(task["id"])))

    def done(self, moment):
        _, tasks = self.tasks(moment)
        return sum(
            task["completed"] and self.is_on(task.get("completedAt") or task["createdAt"], moment)
            for task in tasks.values()
        )

    def tasks_kind(self, kind, moment):
        state, _ = self.tasks(moment)
        due, late, done = self.due(moment), self.overdue(moment), self.done(moment)
        content = {
            "todays-tasks": f"{len(due)} {','.join(str(task['id']) for task in due[:5])} "
            f"{len(late)} {','.join(str(task['id']) for task in late[:5])} {done}",
            "task-count": f"{len(due)} {len(late)}",
            "completed-today": f"{done}",
            "task-progress": f"{done} {done + len(due) + len(late)}",
        }
        return (state, content[kind])

    def events(self, kind, moment):
        last = self.zone.week_later(moment)
        events = [
            event for event in self.union("events").values() if moment < seconds(event["startTime"][:-1]) <= last
        ]
        events.sort(key=lambda event: (event["startTime"], event["endTime"], event["title"], event["id"]))
        ids = [str(event["id"]) for event in events]
        now = [
            event
            for event in self.union("events").values()
            if seconds(event["startTime"][:-1]) <= moment < seconds(event["endTime"][:-1])
        ]
        now.sort(key=lambda event: (event["startTime"], event["endTime"], event["title"], event["id"]))
        current = [str(event["id"]) for event in now]
        content = f"{name(self.zone.day(moment))} {','.join(ids[:5])} {max(0, len(ids) - 5)} {','.join(current[:2])}"
        if kind == "next-event":
            content = f"{ids[0] if ids else 'none'} {current[0] if current else 'none'}"
        if not self.lists["events"]:
            return ("empty", content)
        if "events" in self.unusable:
            return ("stale", content)
        return self.aged(moment, self.newest_written("events"), content)

    def shoes(self, moment):
        if not self.lists["shoes"]:
            return ("empty", None)
        return self.aged(moment, self.newest_written("shoes"), None)

    def views(self):
        """Every kind that this program knows: (feed, view at a moment)."""
        energy = ["dietaryCalories", "bodyMass", "bodyFatPercentage"]
        views = {"meal-plan": ("meal-plan", self.meal_plan)}
        for kind in ["daily-progress", "macro-breakdown", "calories"]:
            views[kind] = ("nutrition", self.eaten)
        views["quick-log"] = ("nutrition", lambda moment: self.eaten(moment, quick_log=True))
        views["budget"] = ("health", lambda moment: self.health(moment, energy))
        for kind in ["macros", "overview"]:
            views[kind] = ("health", lambda moment: self.health(moment, energy + ["protein", "carbs", "fat"]))
        for kind in ["todays-tasks", "task-count", "task-progress", "completed-today"]:
            views[kind] = ("tasks", functools.partial(self.tasks_kind, kind))
        for kind in ["calendar", "next-event"]:
            views[kind] = ("events", functools.partial(self.events, kind))
        if not any(intent["type"] == "select-shoe" for intent in self.intents):
            for kind in ["quick-selection", "daily-stats", "smart-suggestions", "current-shoe"]:
                views[kind] = ("shoes", self.shoes)
        return views

    def fixed(self, kind):
        """The boundaries that have an entry in any case."""
        hours = {"daily-progress": range(6, 23), "smart-suggestions": [7, 12, 18]}.get(kind, [])
        own = [self.zone.hour(day, hour) for _, day in self.zone.days for hour in hours]
        return sorted(set(self.zone.midnights + own))

    def candidates(self, feed):
        """Moments of which each may change something of a feed's kinds, and beside which nothing does."""
        dates = {
            "meal-plan": [plan["updated"] for plan in self.plans],
            "nutrition": [session["updated"] for session in self.nutrition],
            "health": [sample["date"] for sample in self.samples],
        }.get(feed) or [file["date"] for file in self.lists.get(feed, []) if file["date"] is not None]
        found = set()
        if self.stale_after is not None:
            found |= {date + self.stale_after for date in dates}
        if feed in ["tasks", "shoes"]:
            found |= {intent["at"] + 168 * HOUR for intent in self.intents}
        if feed == "events":
            starts = [seconds(event["startTime"][:-1]) for event in self.union("events").values()]
            ends = [seconds(event["endTime"][:-1]) for event in self.union("events").values()]
            found |= set(starts) | set(ends) | set(self.zone.changes)
            # A change of clocks between a moment and 7 days later: half an hour, an hour or, in Apia, a day.
            for shift in [0, 1800, HOUR, DAY]:
                for moment in starts + self.zone.changes:
                    found |= {moment - 7 * DAY - shift, moment - 7 * DAY + shift}
        return sorted(found)

    def in_force_at(self, kind, feed, view, microsecond):
        """The latest boundary not after a moment, the state at the moment, and the content of that boundary."""
        moment = microsecond // 1_000_000
        fixed = max(point for point in self.fixed(kind) if point <= moment)
        date, (state, content) = fixed, view(fixed)
        for point in self.candidates(feed):
            if not fixed < point <= moment or view(point) == (state, content):
                continue
            state, content = view(point)
            # Going stale gives the meal plan no entry of its own.
            if kind != "meal-plan":
                date = point
        return {"kind": kind, "date": date, "state": state, "content": content}

    def document(self):
        views = self.views()
        feeds = sorted({feed for feed, _ in views.values()} | {"shoes"})
        candidates = {feed: self.candidates(feed) for feed in feeds}
        kinds = sorted(set(views) | {"quick-selection", "daily-stats", "smart-suggestions", "current-shoe"})
        fixed = {kind: self.fixed(kind) for kind in kinds}
        near = sorted(set(sum(candidates.values(), []) + self.fixed("daily-progress")))
        near = [point for point in near if self.anchor - 2 * DAY <= point <= self.anchor + 3 * DAY]
        moments = []
        for distance in [0, -1, 1, 1_000_000, -1_000_000]:
            moments.append(self.rng.choice(near) * 1_000_000 + distance)
        moments.append(self.moment(-2, 3) * 1_000_000 + self.rng.randrange(QUARTER * 1_000_000))
        return {
            "zone": self.zone_name,
            "staleAfter": self.stale_after,
            "files": self.files,
            "midnights": self.zone.midnights,
            "fixed": fixed,
            "candidates": candidates,
            "moments": [
                {
                    "microseconds": moment,
                    "expected": [self.in_force_at(kind, feed, view, moment) for kind, (feed, view) in views.items()],
                }
                for moment in moments
            ],
        }


def main():
    zoneinfo.reset_tzpath(["/usr/share/zoneinfo"])
    rng = random.Random(int(sys.argv[1]))
    rounds = int(sys.argv[2])
    json.dump([Cache(rng, place).document() for _ in range(rounds) for place in PLACES], sys.stdout)


main()
