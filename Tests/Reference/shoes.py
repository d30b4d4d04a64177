#!/usr/bin/env python3
"""Works out what the shoes kinds must say, from feeds.md alone and without the library: exact fractions, every record looked at.

    python3 Tests/Reference/shoes.py > Tests/Reference/shoes.json

The cases are random but the same every time; ShoesReferenceTests reads the JSON.
"""
import json
import random
from datetime import date, datetime, timedelta, timezone
from fractions import Fraction
from urllib.parse import quote
from zoneinfo import ZoneInfo

UTC = timezone.utc
random.seed(20261121)


def utc(moment):
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def first_instant(day, zone, hour=0):
    # fold=0: of a time that comes twice the first; of one that is skipped, the transition.
    return datetime(day.year, day.month, day.day, hour, tzinfo=zone).astimezone(UTC)


def id_key(identity):
    return (0, identity, b"") if isinstance(identity, int) else (1, 0, identity.encode())


def half_up(value):
    return (value * 2 + 1) // 2


def things(files, field, mark):
    """What counts, by id: of each pair of id and mark the version of the greatest file, the greatest first."""
    chosen = {}
    for rank, data in files:
        # In one file the later record of an id counts.
        for key, record in {str(record["id"]): record for record in data.get(field, [])}.items():
            versions = chosen.setdefault(key, {}).setdefault(mark(record), [])
            versions.append((rank, {**record, "path": rank[1].decode()}))
    return {key: [max(versions, key=lambda pair: pair[0])[1] | {"versions": [r["path"] for _, r in versions]}
                  for versions in sorted(marks.values(), key=lambda versions: max(rank for rank, _ in versions),
                                         reverse=True)]
            for key, marks in chosen.items()}


def parse(text):
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def in_words(minutes):
    hours, rest = divmod(minutes, 60)
    return f"{hours} h {rest} min" if hours else f"{rest} min"


class World:
    def __init__(self, case):
        self.zone = ZoneInfo(case["zone"])
        self.now = parse(case["at"])
        self.today = self.now.astimezone(self.zone).date()
        files = []
        for file in case["files"]:
            data = file["data"]
            files.append(((parse(data.get("lastUpdated", file["modified"])), file["path"].encode()), data))
        self.count = len(files)
        written = {rank[1].decode(): rank[0] for rank, _ in files}
        self.named = things(files, "shoes", lambda shoe: shoe["name"])
        self.sessions = [dict(session) for same in things(files, "sessions", lambda session: session["start"]).values()
                         for session in same]
        for session in self.sessions:
            session["start"] = parse(session["start"])
            session["end"] = parse(session["end"]) if session.get("end") else None
            session["written"] = written[session["path"]]
            session["distance"] = Fraction(str(session["distance"]))
        self.records = [dict(session) for session in self.sessions]
        rank, self.given = max(((rank, data["suggestions"]) for rank, data in files if data.get("suggestions")),
                               key=lambda pair: pair[0], default=(None, []))
        self.suggesting = rank[1].decode() if rank else ""
        newest = max((rank[0] for rank, _ in files), default=None)
        self.applied = 0
        intents = sorted(case["intents"], key=lambda intent: (parse(intent["at"]), intent["id"].encode()))
        for intent in intents:
            at = parse(intent["at"])
            if newest is None or newest > at or self.now >= at + timedelta(hours=168):
                continue
            shoe = None
            if intent["type"] != "end-session":
                same = self.named.get(str(intent["shoeId"]), [])
                shoe = same[0] if len(same) == 1 else next(
                    (shoe for shoe in same if intent.get("file") in shoe["versions"]), None)
                if shoe is None:
                    continue
            self.applied += 1
            for session in self.sessions:
                if session["end"] is None:
                    session["end"] = max(session["start"], at)
            if intent["type"] != "end-session":
                self.sessions.append({"id": "intent:" + intent["id"], "shoeId": intent["shoeId"], "start": at,
                                      "end": None, "steps": 0, "distance": Fraction(0), "path": shoe["path"],
                                      "written": at})

    def shoe_of(self, identity, path):
        """The shoe that an id means in a file: the file's own first, then that of the greatest file."""
        same = self.named.get(str(identity), [])
        return next((shoe for shoe in same if path in shoe["versions"]), same[0] if same else None)

    def key_of(self, session):
        shoe = self.shoe_of(session["shoeId"], session["path"])
        return (str(session["shoeId"]), shoe["path"] if shoe else session["path"])

    def days(self, first, last):
        """From the first instant of one day to the end of another, counted from today."""
        return (first_instant(self.today + timedelta(first), self.zone),
                first_instant(self.today + timedelta(last + 1), self.zone))

    @staticmethod
    def share(session, stretch):
        # An open session lasts until its file's date.
        start, end = session["start"], session["end"] or max(session["start"], session["written"])
        if end == start:
            return Fraction(int(stretch[0] <= start < stretch[1]))
        common = min(end, stretch[1]) - max(start, stretch[0])
        if common <= timedelta(0):
            return Fraction(0)
        return Fraction(common // timedelta(microseconds=1), (end - start) // timedelta(microseconds=1))

    def total(self, field, first, last):
        stretch = self.days(first, last)
        return sum((Fraction(session[field]) * self.share(session, stretch) for session in self.sessions), Fraction(0))

    def metres(self, first, last):
        return half_up(self.total("distance", first, last) * 1000)

    def current(self):
        still = [session for session in self.sessions if session["end"] is None]
        if not still:
            return None
        latest = max(still, key=lambda session: (session["start"], id_key(session["id"]), session["path"].encode()))
        shoe = self.shoe_of(latest["shoeId"], latest["path"])
        return None if shoe is None else (shoe, latest["start"])

    def shoe(self, shoe, **more):
        if len(self.named[str(shoe["id"])]) > 1:
            more["file"] = shoe["path"]
        return {"id": shoe["id"], "name": shoe["name"], "icon": shoe.get("icon"), "brand": shoe.get("brand"),
                "model": shoe.get("model"), **more}

    @staticmethod
    def link(shoe):
        return "shoeprint://selectShoe/" + quote(str(shoe["id"]), safe="-._~:")

    def local_day(self, moment):
        return moment.astimezone(self.zone).date()

    def occasion(self, moment):
        local = moment.astimezone(self.zone)
        day = local.date()
        slot = "evening"
        if local.hour < 7:
            day -= timedelta(1)
        elif local.hour < 12:
            slot = "morning"
        elif local.hour < 18:
            slot = "midday"
        return slot, "weekend" if day.weekday() >= 5 else "weekday"

    def quick_selection(self):
        current = self.current()
        counts = {}
        for session in self.sessions:
            if self.today - timedelta(28) <= self.local_day(session["start"]) <= self.today:
                counts[self.key_of(session)] = counts.get(self.key_of(session), 0) + 1
        shoes = [shoe for same in self.named.values() for shoe in same if not shoe.get("archived")]
        shoes.sort(key=lambda shoe: (-counts.get((str(shoe["id"]), shoe["path"]), 0), shoe["name"].encode(),
                                     id_key(shoe["id"])))
        return {"currentShoe": self.shoe(current[0], since=utc(current[1])) if current else None,
                "today": {"steps": half_up(self.total("steps", 0, 0)), "distance": self.metres(0, 0) / 1000},
                "top": [self.shoe(shoe, isActive=current is not None and shoe is current[0], deepLink=self.link(shoe))
                        for shoe in shoes[:4]]}

    def daily_stats(self):
        current = self.current()
        stretch = self.days(0, 0)
        covered = set()
        # Minute by minute: the cases' sessions begin and end on whole minutes.
        for session in self.sessions:
            moment, end = max(session["start"], stretch[0]), min(session["end"] or session["start"], stretch[1])
            while moment < end:
                covered.add(moment)
                moment += timedelta(minutes=1)
        return {"currentShoe": self.shoe(current[0], since=utc(current[1])) if current else None,
                "steps": half_up(self.total("steps", 0, 0)), "distance": self.metres(0, 0) / 1000,
                "activeSeconds": 60 * len(covered), "activeText": in_words(len(covered)), "activeSince": utc(current[1]) if current else None}

    def smart_suggestions(self):
        slot, kind = self.occasion(self.now)
        found = []
        if self.given:
            for given in self.given:
                percent = int(Fraction(str(given["confidence"])) * 100)
                found.append((given["shoeId"], self.suggesting, given["reason"], given["confidence"], percent))
        else:
            counts = {}
            for session in self.sessions:
                day = self.local_day(session["start"])
                if self.today - timedelta(28) <= day < self.today and self.occasion(session["start"]) == (slot, kind):
                    counts[self.key_of(session)] = counts.get(self.key_of(session), 0) + 1
            total = sum(counts.values())
            known = [(self.shoe_of(*key), count) for key, count in counts.items() if key[0] in self.named]
            known.sort(key=lambda pair: (-pair[1], pair[0]["name"].encode(), id_key(pair[0]["id"])))
            for shoe, count in known:
                noun = f"{kind} {slot}" + ("" if total == 1 else "s")
                found.append((shoe["id"], shoe["path"], f"Worn on {count} of your last {total} {noun}", count / total,
                              100 * count // total))
        suggestions = []
        for identity, path, reason, confidence, percent in found:
            shoe = self.shoe_of(identity, path)
            if shoe is not None and not shoe.get("archived"):
                suggestions.append(self.shoe(shoe, shoeId=identity, reason=reason, confidence=confidence,
                                             match=f"{percent}% match", deepLink=self.link(shoe)))
        return {"slot": slot, "suggestions": suggestions[:4], "insight": self.insight()}

    def insight(self):
        week, before = self.metres(-7, -1), self.metres(-14, -8)
        if week == 0 or before == 0:
            return None
        percent = int(Fraction(100 * (week - before), before))
        words = f"{percent}% more than last" if percent > 0 else f"{-percent}% less than last"
        if percent == 0:
            words = "the same as last"
        tenths = half_up(Fraction(week, 100))
        return {"distance": week / 1000, "previousDistance": before / 1000, "change": week / before - 1,
                "text": f"{tenths // 10}.{tenths % 10} km this week, {words}"}

    def current_shoe(self):
        current = self.current()
        if current is None:
            return {"shoe": None, "circular": "shoe.2", "inline": "Select Shoes", "rectangular": None}
        shoe, since = current
        clock = since.astimezone(self.zone).strftime("%H:%M")
        return {"shoe": self.shoe(shoe, since=utc(since)), "circular": shoe.get("icon", "shoe.2"),
                "inline": shoe["name"], "rectangular": {"title": shoe["name"], "subtitle": f"Active since {clock}"}}

    def day_index(self):
        days = {}
        for offset in range(-6, 8):
            stretch = self.days(offset, offset)
            count = sum(1 for session in self.records if self.share(session, stretch) > 0)
            if count:
                days[str(self.today + timedelta(offset))] = count
        return days


IDS = ["run", "walk/ü", 7, 12, "old", "a:b"]


def make_case(zone_name, around):
    now = around + timedelta(minutes=random.randrange(0, 3 * 24 * 60))

    def moment(days_back, days_ahead=1):
        return now + timedelta(minutes=random.randrange(-days_back * 1440, days_ahead * 1440))

    files = []
    for number in range(random.randrange(1, 5)):
        data = {"shoes": [], "sessions": []}
        for identity in random.sample(IDS, random.randrange(1, len(IDS))):
            if identity == 12 and random.random() < 0.3:
                identity = "12"  # the same id
            shoe = {"id": identity, "name": random.choice(["Trail", "Trail", "Road", "Ärmel"])}
            for field in ("brand", "model", "icon"):
                if random.random() < 0.4:
                    shoe[field] = f"{field} {number}"
            if random.random() < 0.2:
                shoe["archived"] = True
            data["shoes"].append(shoe)
        for _ in range(random.randrange(0, 25)):
            start = moment(34)
            length = random.choice([0, 20, 45, 90, 300, 600, 1500, 4000, 20000])
            session = {"id": random.choice([random.randrange(60), f"s{random.randrange(60)}"]),
                       "shoeId": random.choice(IDS + ["missing"]), "start": utc(start),
                       "steps": random.randrange(0, 20000), "distance": random.randrange(0, 30000) / 1000}
            session["end"] = None if random.random() < 0.08 else utc(start + timedelta(minutes=length))
            if session["end"] is None and random.random() < 0.5:
                del session["end"]
            data["sessions"].append(session)
        if random.random() < 0.25:
            data["suggestions"] = [
                {"shoeId": random.choice(IDS + ["missing"]), "reason": f"because {number}",
                 "confidence": random.randrange(0, 1001) / 1000} for _ in range(random.randrange(0, 7))]
        if random.random() < 0.7:
            data["lastUpdated"] = utc(moment(3, 0))
        files.append({"path": f"shoes/{random.choice('abcxyz')}{number}.json", "modified": utc(moment(4, 0)),
                      "data": data})
    intents = []
    for number in range(random.choice([0, 0, 1, 2, 3])):
        file = {"file": random.choice(files)["path"]} if random.random() < 0.7 else {}
        intents.append({**file, "id": f"i{number}", "at": utc(moment(9)), "shoeId": random.choice(IDS + ["missing"]),
                        "type": random.choice(["select-shoe", "start-session", "end-session"])})
    case = {"zone": zone_name, "at": utc(now), "files": files, "intents": intents}
    world = World(case)
    case["expected"] = {"quick-selection": world.quick_selection(), "daily-stats": world.daily_stats(),
                        "smart-suggestions": world.smart_suggestions(), "current-shoe": world.current_shoe()}
    case["days"] = world.day_index()
    case["sourceCount"] = world.count + world.applied
    return case


PLACES = [("UTC", "2026-11-20"), ("America/New_York", "2026-03-07"), ("America/New_York", "2026-10-31"),
          ("Australia/Lord_Howe", "2026-10-03"), ("Australia/Lord_Howe", "2026-04-04"), ("America/Sao_Paulo", "2018-11-03")]
cases = [make_case(zone, datetime.fromisoformat(day).replace(tzinfo=UTC)) for _ in range(8) for zone, day in PLACES]
print("[" + ",\n".join(json.dumps(case, sort_keys=True, ensure_ascii=False) for case in cases) + "]")
