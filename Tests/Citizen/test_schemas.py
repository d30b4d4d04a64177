"""What `schema` prints, compared with the files that it describes and with what `check` says of damaged ones.

Debian: python3-jsonschema.
"""

import copy
import functools
import json
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

import jsonschema
from support import REPOSITORY, Cache, program

# The documents with every documented field.
WHOLE = REPOSITORY / "Tests/Helpers/TestSupport/DocumentedFields.swift"
# What one field says of another is no schema's.
BETWEEN = ["ends before it starts", "is before startTime", "for bodyFatPercentage"]
# A date that no pattern refuses, a number that no double holds, and a key that a schema's reader does not see twice, are
# not among these.
VALUES = [None, True, "", "x", "2026-11-21", "2026-11-21T09:30:00Z", "9999-12-31", -1, -0.5, 0, 0.5, 3, 11,
          63_113_904_000, 2_000_000_000, -70_000_000_000, [], ["x"], {}, {"x": 1}]


@functools.cache
def printed(*words):
    return subprocess.run([program(), "schema", *words], capture_output=True, check=True).stdout


def schema(*words):
    """A validator of the schema that the program prints."""
    return jsonschema.Draft202012Validator(json.loads(printed(*words)))


def places(value, path=()):
    """Every place in a document, the root first."""
    yield path
    for key in value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else []:
        yield from places(value[key], path + (key,))


def changed(document, path, value):
    if not path:
        return value
    result = copy.deepcopy(document)
    inner = result
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return result


def without(document, path):
    result = copy.deepcopy(document)
    inner = result
    for key in path[:-1]:
        inner = inner[key]
    del inner[path[-1]]
    return result


def damaged(document):
    """The document with each part missing, and with each part replaced by each value."""
    for path in places(document):
        for value in VALUES:
            yield changed(document, path, value)
        if path:
            yield without(document, path)


def whole_documents():
    """The documents of the Swift tests, with their feed; no feed: the settings."""
    text = WHOLE.read_text()
    found = re.findall(r'DocumentedFields\(\s*feed: (?:"([a-z-]+)"|nil),\s*whole: (?:"""\n(.*?)\n\s*"""|#"(.*?)"#),', text, re.DOTALL)
    return [(feed, json.loads(block or line)) for feed, block, line in found]


class Schemas(unittest.TestCase):
    maxDiff = None

    def accepts(self, validator, document, what):
        errors = [f"{'/'.join(map(str, error.path))}: {error.message[:200]}" for error in validator.iter_errors(document)]
        self.assertEqual(errors, [], what)

    def problems(self, files, *words):
        """The errors and the warnings that check finds in each of these documents, without those between fields."""
        with tempfile.TemporaryDirectory() as folder:
            names = []
            for number, document in enumerate(files):
                name = f"{number}.json"
                (Path(folder) / name).write_text(json.dumps(document))
                names.append(name)
            found = [{"error": [], "warning": []} for _ in files]
            for start in range(0, len(names), 500):
                lines = subprocess.run(
                    [program(), "check", *words, *names[start:start + 500]], cwd=folder, capture_output=True, text=True)
                self.assertIn(lines.returncode, (0, 65), lines.stderr)
                for line in (lines.stdout + lines.stderr).splitlines():
                    match = re.match(r"(?:\./)?(\d+)\.json:\d+:\d+: (error|warning): (.*)", line)
                    if match and not any(words in match[3] for words in BETWEEN):
                        found[int(match[1])][match[2]].append(match[3])
            return found

    def agree(self, validator, documents, *words):
        """Whether check says something about each document that the schema refuses, and the schema refuses each that is
        an error. What is left out alone is a warning of check: the schema says how a file should be.
        """
        documents = list(documents)
        different = []
        for document, found in zip(documents, self.problems(documents, *words)):
            if found["error"] if validator.is_valid(document) else not (found["error"] or found["warning"]):
                different.append((json.dumps(document), found))
        self.assertEqual(different[:5], [], f"{len(different)} of {len(documents)}")
        self.assertGreater(len(documents), 50)

    def test_every_schema_is_a_schema(self):
        words = subprocess.run([program(), "schema", "--list"], capture_output=True, text=True, check=True).stdout
        self.assertGreater(len(words.splitlines()), 35)
        for line in words.splitlines():
            jsonschema.Draft202012Validator.check_schema(schema(*line.split()).schema)

    def test_check_finds_what_the_schema_refuses_in_every_damaged_session(self):
        documents = whole_documents()
        self.assertEqual(
            {feed for feed, _ in documents},
            {"", "meal-plan", "nutrition", "health", "tasks", "events", "shoes", "intents"})
        for feed, document in documents:
            if feed:
                with self.subTest(feed):
                    validator = schema("session", feed)
                    self.accepts(validator, document, feed)
                    self.agree(validator, damaged(document), "--feed", feed)

    def test_a_record_with_an_unknown_word_may_have_any_members(self):
        documents = dict(whole_documents())
        for feed, pointers in {
            "meal-plan": ["plan/0/meal_type", "plan/0/meal_track"],
            "health": ["samples/0/type"], "nutrition": ["trackingMode"], "intents": ["type"],
        }.items():
            for pointer in pointers:
                with self.subTest(pointer):
                    path = tuple(int(key) if key.isdigit() else key for key in pointer.split("/"))
                    self.agree(schema("session", feed), damaged(changed(documents[feed], path, "unheard")), "--feed", feed)

    def test_check_finds_what_the_schema_refuses_in_every_damaged_intent(self):
        common = {"id": "i", "at": "2026-11-20T08:00:00Z"}
        for words, fields in {
            "log-food": {"foodId": "f", "quantity": 1.5}, "complete-task": {"taskId": 3},
            "add-task": {"title": "t", "dueDate": "2026-11-21", "to": "tasks/anna"}, "select-shoe": {"shoeId": "s"},
            "start-session": {"shoeId": "s"}, "end-session": {},
        }.items():
            with self.subTest(words):
                document = common | {"type": words} | fields
                # Of another type it is another intent.
                changes = [change for change in damaged(document)
                           if not isinstance(change, dict) or change.get("type") == words]
                self.agree(schema("intent", words), changes, "--feed", "intents")

    def test_every_damaged_setting_is_an_error_of_both(self):
        settings = {
            "timeZone": "Europe/Berlin", "locale": "de", "hourCycle": 24, "firstWeekday": "monday",
            "staleAfter": {"default": "PT24H", "health": "P2D"}, "durability": "rename", "maximumFileBytes": 1000, "sweep": "PT5M",
            "me": ["kim@example.org"], "other": 1}
        validator = schema("settings")
        self.accepts(validator, without(settings, ("other",)), "settings")
        self.assertFalse(validator.is_valid(settings))
        names = ("timeZone", "locale")  # Which names exist is no schema's.
        changes = [
            change for change in damaged(without(settings, ("other",)))
            if isinstance(change, dict) and not any(isinstance(change.get(name), str) and change[name] not in
                                                   (settings[name], "") for name in names)]
        with Cache(sample=False) as cache:
            different = []
            for change in changes:
                cache.put("cachesync.json", json.dumps(change))
                checked = cache.run("check", cache.file("cachesync.json"))
                if validator.is_valid(change) == (": error: " in checked.stdout + checked.stderr):
                    different.append((json.dumps(change), checked.stdout + checked.stderr))
            self.assertEqual(different[:5], [], f"{len(different)} of {len(changes)}")

    def test_every_damaged_widget_is_an_error_of_both(self):
        validator = schema("widget")
        kinds = json.loads(subprocess.run([program(), "kinds", "--json"], capture_output=True, check=True).stdout)["kinds"]
        with Cache(sample=False) as cache:
            different = []
            for kind in (kind["kind"] for kind in kinds):
                widget = json.loads(subprocess.run(
                    [program(), "kinds", kind, "--example"], capture_output=True, check=True).stdout)
                self.accepts(validator, widget, kind)
                widget["from"] = "health/anna"
                # Any name of a kind: definitions have kinds of their own.
                changes = [change for change in damaged(widget)
                           if not isinstance(change, dict) or not isinstance(change.get("kind"), str)
                           or change["kind"] == kind]
                # That 1 and "1" are one id is no schema's.
                changes = [change for change in changes if not self.repeats(change)]
                changes += [widget | {"x": 1}, widget | {"title": "x" * 81}, widget | {"title": "a\nb"},
                            widget | {"from": "../a"}, widget | {"options": {"nope": 1}}]
                for number, change in enumerate(changes):
                    cache.put(f"widgets/a{number}.json", json.dumps(change))
                files = [cache.file(f"widgets/a{number}.json") for number in range(len(changes))]
                checked = cache.run("check", *files)
                bad = {int(number) for number in
                       re.findall(r"widgets/a(\d+)\.json:\d+:\d+: error:", checked.stdout + checked.stderr)}
                different += [json.dumps(change) for number, change in enumerate(changes)
                              if validator.is_valid(change) == (number in bad)]
            self.assertEqual(different[:5], [], f"{len(different)}")

    def test_every_damaged_screen_is_an_error_of_both(self):
        validator = schema("screen")
        screen = {
            "widgets": ["calendar:large", "bins"], "size": "800x480", "rotate": 90, "bits": 4, "appearance": "eink",
            "clock": True, "title": "Kitchen", "redacted": False, "columns": 3, "rotateEvery": "PT30S"}
        self.accepts(validator, screen, "screen")
        changes = list(damaged(screen)) + [
            screen | change for change in (
                {"x": 1}, {"title": "x" * 81}, {"title": "a\nb"}, {"title": " \u00a0"}, {"title": " a b "}, {"appearance": "light"}, {"appearance": "auto"},
                {"appearance": "dark", "bits": 32}, {"bits": 3}, {"rotate": 45}, {"columns": 17}, {"size": "fill"},
                {"size": "8193x1"}, {"size": "1×8192"}, {"size": "0x1"}, {"widgets": []}, {"widgets": ["a:larg"]},
                {"widgets": [":large"]}, {"widgets": ["a:b:c"]}, {"widgets": ["a"] * 64}, {"widgets": ["a"] * 65})]
        different = []
        # More than 64 screens do not count in one cache.
        for start in range(0, len(changes), 64):
            some = changes[start:start + 64]
            with Cache(sample=False) as cache:
                for number, change in enumerate(some):
                    cache.put(f"screens/a{number}.json", json.dumps(change))
                checked = cache.run("check").stdout
            bad = {int(number) for number in re.findall(r"screens/a(\d+)\.json:\d+:\d+: error:", checked)}
            different += [json.dumps(change) for number, change in enumerate(some)
                          if validator.is_valid(change) == (number in bad)]
        self.assertEqual(different[:5], [], f"{len(different)}")

    def repeats(self, widget):
        """Whether an option lists an id as a number and as a text."""
        options = widget.get("options") if isinstance(widget, dict) else None
        lists = [value for value in (options.values() if isinstance(options, dict) else []) if isinstance(value, list)]
        return any(len({str(value) for value in ids}) < len(ids) for ids in lists)

    def test_sample_cache(self):
        feeds = {"meal-plan-cache": "meal-plan", "widget-data": "nutrition", "cachedTasks.json": "tasks"}
        sample = REPOSITORY / "sample-cache"
        for file in sorted(sample.rglob("*.json")):
            first = file.relative_to(sample).parts[0]
            words = ["widget"] if first == "widgets" else ["session", feeds.get(first, first)]
            self.accepts(schema(*words), json.loads(file.read_bytes()), file)

    def validate_snapshots(self, cache):
        cache.run("sync", check=True)
        files = sorted((cache.path / "snapshots").glob("*.json"))
        self.assertGreater(len(files), 2)
        for file in files:
            if file.stem in ("manifest", "day-index"):
                words = [file.stem]
            else:
                words = ["snapshot", file.stem, "--cache", str(cache.path)]
            document = json.loads(file.read_bytes())
            validator = schema(*words)
            self.accepts(validator, document, file.name)
            for key in document:
                if key not in ("hourCycle", "locale", "template", "widget", "words"):
                    self.assertFalse(validator.is_valid(without(document, (key,))), f"{file.name} without {key}")

    def test_snapshots_of_the_sample(self):
        with Cache() as cache:
            self.validate_snapshots(cache)
            cache.put("cachesync.json", json.dumps({"locale": "ja", "hourCycle": 12, "timeZone": "Asia/Tokyo"}))
            self.validate_snapshots(cache)

    def test_snapshots_of_other_ids(self):
        """Ids are numbers or texts: each the other way round."""
        def turned(value):
            if isinstance(value, list):
                return [turned(element) for element in value]
            if not isinstance(value, dict):
                return value
            return {key: (str(member) + "x" if isinstance(member, int) else 1000 + sum(member.encode()))
                    if (key == "id" or key.endswith("Id") or key == "meal_id") and isinstance(member, (int, str))
                    else turned(member) for key, member in value.items()}

        with Cache() as cache:
            for file in cache.path.rglob("*.json"):
                name = str(file.relative_to(cache.path))
                if not name.startswith(("snapshots", "intents", "widgets")):
                    document = json.loads(file.read_bytes())
                    new = turned(document)
                    if name.startswith("meal-plan"):
                        new["id"] = document["id"]
                        continue
                    cache.put(name, json.dumps(new))
            self.validate_snapshots(cache)

    def test_snapshots_without_data(self):
        with Cache(sample=False) as cache:
            for name, text in {
                "tasks/a.json": "[]", "events/a.json": "[]", "health/a.json": "{}", "shoes/a.json": "{}",
                "nutrition/a.json": json.dumps(dict(whole_documents())["nutrition"]),
                "meal-plan/a.json": json.dumps(dict(whole_documents())["meal-plan"] | {"plan": []}),
            }.items():
                cache.put(name, text)
            self.validate_snapshots(cache)
            cache.put("tasks/b.json", "{")
            self.validate_snapshots(cache)

    def test_snapshots_of_a_feed_of_ones_own(self):
        with Cache(sample=False) as cache:
            definition = (
                '{"version": 1, "items": {"each": "$.bins[*]", "id": "{title}", "fields": {"title": "@.title"}},'
                ' "kinds": {"bins-text": {"show": "all", "items": {"title": "{title}"}}}}')
            self.accepts(schema("definition"), json.loads(definition), "bins")
            cache.put("feeds/bins.json", definition)
            cache.put("bins/a.json", '{"bins": [{"title": "Paper"}]}')
            self.validate_snapshots(cache)

    def test_examples_in_documents(self):
        """The blocks of JSON in the documents; the words after `json` say what each is."""
        seen = set()
        for page in sorted((REPOSITORY / "docs").rglob("*.md")):
            for what, block in re.findall(r"^```json ([a-z-]+(?: [a-z-]+)?)\n(.*?)^```", page.read_text(), re.DOTALL | re.MULTILINE):
                words, document = what.split(), json.loads(block)
                if words[0] in ("problem", "sample"):
                    continue
                if words[0] == "snapshot":
                    words.append(document["kind"])
                if words[0] == "definition":
                    words.pop()
                if words[0] == "day-index":
                    document["days"] *= 14  # The page shows one day of them.
                seen.add(words[0])
                self.accepts(schema(*words), document, f"{page.name}: {block}")
        self.assertEqual(seen, {"session", "snapshot", "widget", "screen", "settings", "definition", "manifest", "day-index"})

    def test_examples(self):
        definitions = sorted((REPOSITORY / "Examples/feeds").glob("*.json"))
        self.assertGreater(len(definitions), 5)
        for file in definitions:
            self.accepts(schema("definition"), json.loads(file.read_bytes()), file)
