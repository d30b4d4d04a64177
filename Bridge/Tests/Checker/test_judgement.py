"""The checker's own rules: for each a history that keeps it, and one that breaks it."""

import json
import unittest

from judgement import (
    EVENT_COUNT, EVENT_SECONDS, NO_EVENT, Dated, Defect, End, Final, Look, Stored, Write, acceptable, files_of, in_force,
    judge_dates, judge_defects, judge_ends, judge_final, judge_looks, judge_owners, look_at_files, next_event, read_set,
    showing)


def line(**value):
    return json.dumps(value).encode() + b"\n"


def set_of(generation, **files):
    """A set's message; of each file the generation, or its bytes."""
    contents = {f"{name}.json": of if isinstance(of, bytes) else line(generation=of) for name, of in files.items()}
    about = {name: {"bytes": len(content), "generation": json.loads(content)["generation"]}
             for name, content in contents.items()}
    return line(generation=generation, files=about) + b"".join(contents[name] for name in sorted(contents))


def rules(verdicts):
    return [verdict.rule for verdict in verdicts]


class Sets(unittest.TestCase):
    def test_a_whole_set_has_its_generation(self):
        message = set_of(7, b=7, a=5)
        self.assertEqual(read_set(message), (7, None))
        self.assertEqual(files_of(message), {"a.json": line(generation=5), "b.json": line(generation=7)})

    def test_a_set_that_is_not_whole_is_none(self):
        message = set_of(7, b=7, a=5)
        mixed = message.replace(b'"generation": 5}\n', b'"generation": 6}\n')
        for broken in [message[:-1], message + b"x", mixed, b"", b"{}\n", message.replace(b"7}\n", b"x}\n")]:
            generation, defect = read_set(broken)
            self.assertIsNone(generation)
            self.assertTrue(defect, broken)
        self.assertEqual(rules(judge_defects([Defect("r", "kitchen", "cut short")])), ["whole"])
        self.assertEqual(rules(judge_defects([])), [])

    def test_files_make_a_set_when_they_agree(self):
        message = set_of(7, b=7, a=5)
        manifest, files = message.split(b"\n")[0] + b"\n", files_of(message)
        self.assertEqual(look_at_files(manifest, files, manifest), (message, None))

    def test_a_reader_of_files_begins_anew_while_a_publication_is_under_way(self):
        message = set_of(7, b=7, a=5)
        manifest, files = message.split(b"\n")[0] + b"\n", files_of(message)
        later = line(generation=8, files={})
        self.assertEqual(look_at_files(manifest, files | {"a.json": line(generation=8)}, manifest), (None, None))
        self.assertEqual(look_at_files(manifest, files, later), (None, None))
        self.assertEqual(look_at_files(manifest, files | {"a.json": None}, later), (None, None))

    def test_a_manifest_before_its_files_is_a_defect(self):
        message = set_of(7, b=7, a=5)
        manifest, files = message.split(b"\n")[0] + b"\n", files_of(message)
        for broken in [line(generation=4), None, b"{"]:
            found, defect = look_at_files(manifest, files | {"a.json": broken}, manifest)
            self.assertIsNone(found)
            self.assertIn("a.json", defect)

    def test_a_generation_is_one_set_for_all_readers(self):
        self.assertEqual(rules(judge_looks([Look("r", "c", 1, "x"), Look("s", "c", 1, "x"), Look("r", "d", 1, "y")])), [])
        self.assertEqual(rules(judge_looks([Look("r", "c", 1, "x"), Look("s", "c", 1, "y")])), ["twice"])

    def test_a_generation_goes_back_for_no_reader(self):
        looks = [Look("r", "c", 1, "x"), Look("r", "c", 4, "y"), Look("s", "c", 1, "x"), Look("r", "c", 4, "y")]
        self.assertEqual(rules(judge_looks(looks)), [])
        self.assertEqual(rules(judge_looks([*looks, Look("r", "c", 1, "x")])), ["back"])


class Owners(unittest.TestCase):
    # a owns the shard from 1 on, b from 4 on.
    STREAM = [Stored(0, 0, 1, "_owner", "a"), Stored(0, 0, 2, "k", "a"), Stored(0, 0, 3, "l", "a"),
              Stored(0, 0, 4, "_owner", "b"), Stored(0, 0, 5, "k", "b")]

    def test_each_message_is_by_the_owner_of_its_time(self):
        self.assertEqual(rules(judge_owners(self.STREAM)), [])
        self.assertEqual(rules(judge_owners([*reversed(self.STREAM), *self.STREAM])), [])

    def test_a_message_behind_a_newer_record_by_another_is_found(self):
        late = Stored(0, 0, 6, "l", "a")
        self.assertEqual(rules(judge_owners([*self.STREAM, late])), ["owner"])
        # Also where other messages are not known.
        self.assertEqual(rules(judge_owners([m for m in self.STREAM if m.sequence != 5] + [late])), ["owner"])
        # And one of a bridge that never had the shard.
        self.assertEqual(rules(judge_owners([*self.STREAM, late._replace(owner="c")])), ["owner"])

    def test_an_owner_whose_record_is_not_known_is_not_judged(self):
        self.assertEqual(rules(judge_owners([*self.STREAM, Stored(0, 0, 8, "k", "c")])), [])

    def test_shards_and_engines_that_were_wiped_have_owners_of_their_own(self):
        self.assertEqual(rules(judge_owners([*self.STREAM, Stored(0, 1, 1, "_owner", "a"), Stored(0, 1, 2, "m", "a"),
                                             Stored(1, 0, 1, "_owner", "a"), Stored(1, 0, 2, "k", "a")])), [])


def write(number, order, how="wire", by="p", key="k0", **more):
    return Write("c", key, number, by, how, order and (0, order), **more)


class Keys(unittest.TestCase):
    def final(self, writes, files, titles, good={}, differing=[]):
        return rules(judge_final([Final("c", files, titles, differing)], {"c": writes}, good))

    def test_the_last_acknowledged_version_shows(self):
        writes = [write(2, 9), write(1, 5)]
        self.assertEqual(self.final(writes, {"k0": 2}, ["k0 2"]), [])
        self.assertEqual(self.final(writes, {"k0": 1}, ["k0 1"]), ["lost"])
        self.assertEqual(self.final(writes, {}, []), ["lost"])
        self.assertEqual(self.final(writes, {"k0": 2}, ["k0 1"]), ["lost"], "at home, and not for readers")
        self.assertEqual(self.final(writes, {"k0": 2}, ["k0 2"], differing=["the engine has another set"]), ["lost"])

    def test_a_file_that_was_never_written_is_wrong(self):
        self.assertEqual(self.final([], {"k0": 2}, ["k0 2"]), ["returned"])

    def test_what_was_deleted_stays_deleted(self):
        writes = [write(1, 5), write(None, 6)]
        self.assertEqual(self.final(writes, {}, []), [])
        self.assertEqual(self.final(writes, {"k0": 1}, ["k0 1"]), ["returned"])

    def test_what_was_not_answered_may_show_and_may_not(self):
        writes = [write(1, 5, began=10), write(2, None, began=11)]
        self.assertEqual(acceptable(writes), {1, 2})
        late = write(1, 5, began=10, late_until=40)
        self.assertEqual(acceptable([late, write(2, 6, began=30)]), {1, 2})
        self.assertEqual(acceptable([late, write(2, 6, began=50)]), {2}, "no copy is under way any more")

    def test_an_away_deletes_only_what_is_its_own(self):
        own = [write(1, 5, "away", "a"), write(None, 6, "away", "a")]
        self.assertIsNone(showing(own))
        others = [write(1, 5, "away", "a"), write(2, 6, "wire", "p"), write(None, 7, "away", "a")]
        self.assertEqual(self.final(others, {"k0": 2}, ["k0 2"]), [])
        self.assertEqual(self.final(others, {}, []), ["lost"])

    def test_an_edit_at_home_stands_against_a_deletion_and_not_against_a_version(self):
        edited = [write(1, 5), Write("c", "k0", 2, "h", "home", (0, 5.5)), write(None, 6)]
        self.assertEqual(self.final(edited, {"k0": 2}, ["k0 2"]), [])
        self.assertEqual(self.final(edited, {}, []), ["lost"])
        self.assertEqual(self.final([*edited, write(3, 7)], {"k0": 3}, ["k0 3"]), [])

    def test_of_a_pair_the_file_that_was_modified_last_shows(self):
        writes = [write(1, 5, key="pair0", modified=900), write(2, 6, key="pair1", modified=800)]
        files = {"pair0": 1, "pair1": 2}
        self.assertEqual(self.final(writes, files, ["pair0 1"]), [])
        self.assertEqual(self.final(writes, files, ["pair1 2"]), ["lost"])

    def test_a_last_good_version_stays(self):
        writes = [write(1, 5), write(-2, 6)]
        good = {("c", "k0"): 1}
        self.assertEqual(self.final(writes, {"k0": -2}, ["k0 1"], good), [])
        self.assertEqual(self.final(writes, {"k0": -2}, [], good), ["good"])


class Dates(unittest.TestCase):
    def test_the_next_event_is_the_first_that_is_to_come(self):
        self.assertEqual(next_event(3, 100, 100.5), "clock 3 0")
        self.assertEqual(next_event(3, 100, 101), "clock 3 1")
        self.assertEqual(next_event(3, 100, 101 + EVENT_SECONDS * EVENT_COUNT), NO_EVENT)

    def test_the_entry_in_force_is_the_last_that_has_begun(self):
        entries = [{"date": 100}, {"date": 103}, {"date": 106}]
        self.assertEqual(in_force(entries, 103, int), {"date": 103})
        self.assertEqual(in_force(entries, 102.9, int), {"date": 100})
        self.assertIsNone(in_force(entries, 99, int))

    def test_a_reader_by_date_is_right_at_every_moment(self):
        bases = {("c", 3): 100}
        self.assertEqual(rules(judge_dates([Dated("r", "c", 101.5, 3, "clock 3 1")], bases)), [])
        self.assertEqual(rules(judge_dates([Dated("r", "c", 101.5, 3, "clock 3 0")], bases)), ["date"])


class Ends(unittest.TestCase):
    def test_a_program_that_ends_by_itself_is_found(self):
        self.assertEqual(rules(judge_ends([])), [])
        self.assertEqual(rules(judge_ends([End("home", -11, "")])), ["ended"])


if __name__ == "__main__":
    unittest.main()
