"""engine/nats-server.conf with a real nats-server: what a user may do works, all else is refused or has no effect.

Debian: nats-server openssl. NATS_SERVERS names further servers to test (paths, with : between them).
"""

import itertools
import json
import re
import shutil
import ssl
import subprocess
import time
import unittest

from nats import Client, Refused
from server import CONFIGURATION, IN, OUT, Owner, Server, programs, replaced

TENANTS = ("producer", "reader", "other", "empty")

KITCHEN_SET, OTHER_SET = b'{"generation":41}\n{"of":"kitchen"}\n', b'{"generation":7}\n{"of":"other"}\n'
TASK, OTHER_TASK = "$KV.cachesync-in-0.kitchen.tasks.a", "$KV.cachesync-in-0.other.tasks.a"
OTHER_EVENTS, OTHER_SETTINGS = "$KV.cachesync-in-0.other.events.a", "$KV.cachesync-in-0.other.cachesync"
KITCHEN, OTHER = "$KV.cachesync-out-0.kitchen", "$KV.cachesync-out-0.other"


def get(subject):
    """The subject by which anybody asks for the last message under another."""
    return f"$JS.API.DIRECT.GET.KV_{subject.split('.')[1]}.{subject}"


def refused(act, subject):
    """What the server says against an act."""
    return f'Permissions Violation for {act} to "{subject}"'


# What each user may publish to, of the subjects below.
PERMITTED = {
    "producer": {TASK}, "reader": {get(KITCHEN)}, "empty": set(),
    "other": {OTHER_TASK, OTHER_EVENTS, OTHER_SETTINGS, get(OTHER_TASK), get(OTHER_EVENTS), get(OTHER_SETTINGS), get(OTHER)}}

# Keys: one's own, other feeds', settings, without a name, other caches', of several, in another shard.
KEYS = [
    TASK, "$KV.cachesync-in-0.kitchen.events.a", "$KV.cachesync-in-0.kitchen.cachesync", "$KV.cachesync-in-0.kitchen.tasks",
    "$KV.cachesync-in-0.kitchen", OTHER_TASK, OTHER_EVENTS, OTHER_SETTINGS, "$KV.cachesync-in-0.other",
    "$KV.cachesync-in-0.*.tasks.a", "$KV.cachesync-in-0.>", "$KV.cachesync-in-1.kitchen.tasks.a"]
# Sets, and the owners' records.
RECORDS = [
    KITCHEN, OTHER, "$KV.cachesync-out-0._owner", "$KV.cachesync-out-0._good.kitchen.tasks.a", "$KV.cachesync-out-0.*",
    "$KV.cachesync-out-0.>"]
# What can be asked of JetStream about a stream, and of all of it.
OF_STREAMS = [
    f"$JS.API.{act}.{name}" for name in (IN, OUT) for act in (
        "STREAM.DELETE", "STREAM.PURGE", "STREAM.UPDATE", "STREAM.INFO", "STREAM.CREATE", "STREAM.SNAPSHOT",
        "STREAM.RESTORE", "STREAM.MSG.GET", "STREAM.MSG.DELETE", "STREAM.LEADER.STEPDOWN", "CONSUMER.CREATE",
        "CONSUMER.NAMES", "CONSUMER.LIST", "DIRECT.GET")]
OF_JETSTREAM = [
    "$JS.API.INFO", "$JS.API.STREAM.NAMES", "$JS.API.STREAM.LIST", "$JS.API.STREAM.CREATE.KV_mine",
    "$JS.API.STREAM.TEMPLATE.CREATE.mine", "$JS.API.ACCOUNT.PURGE.ENGINE",
    f"$JS.API.CONSUMER.DURABLE.CREATE.{IN}.mine", f"$JS.API.CONSUMER.CREATE.{IN}.mine.$KV.cachesync-in-0.>",
    f"$JS.API.CONSUMER.MSG.NEXT.{IN}.mine", f"$JS.API.CONSUMER.DELETE.{IN}.mine"]
# Bells, answers to others, announcements, and the server itself.
ELSEWHERE = [
    "cachesync.set.kitchen", "cachesync.set.other", "cachesync.agent", "_INBOX_owner.a", "_INBOX_reader.a",
    "_INBOX_producer.a", "_INBOX_other.a", "_INBOX_empty.a", "_INBOX.a", "$SYS.REQ.SERVER.PING", "$SYS.REQ.USER.INFO",
    "$SYS.REQ.ACCOUNT.ENGINE.CONNZ", f"$JS.ACK.{IN}.mine.1.1.1.1.1", "_R_.a.b"]
SUBJECTS = KEYS + RECORDS + [get(subject) for subject in KEYS + RECORDS] + OF_STREAMS + OF_JETSTREAM + ELSEWHERE

# What each may hear, of these.
AUDIBLE = {
    "producer": {"_INBOX_producer.>"}, "reader": {"_INBOX_reader.>", "cachesync.set.kitchen"},
    "other": {"_INBOX_other.>", "cachesync.set.other"}, "empty": {"_INBOX_empty.>"}}
SUBSCRIPTIONS = [
    ">", "*", "*.>", "*.*.*", "cachesync.>", "cachesync.set.*", "cachesync.set.kitchen", "cachesync.set.other",
    "cachesync.*.kitchen", "cachesync.agent", "_INBOX.>", "_INBOX_owner.>", "_INBOX_producer.>", "_INBOX_reader.>",
    "_INBOX_other.>", "_INBOX_empty.>", "_R_.>", "$KV.>", "$KV.cachesync-in-0.>", "$KV.cachesync-in-0.kitchen.>",
    "$KV.cachesync-in-0.other.>", "$KV.cachesync-out-0.>", "$JS.>", "$JS.API.>", get(KITCHEN), get(OTHER), "$SYS.>"]

# What a producer might write beside a session file: what wipes, expires, repeats, counts or batches, and what tells the
# server where else to send something.
HEADERS = [
    {"Nats-Rollup": "all"}, {"Nats-Rollup": "sub"}, {"KV-Operation": "PURGE", "Nats-Rollup": "all"}, {"KV-Operation": "PURGE"},
    {"Nats-TTL": "1s"}, {"Nats-Schedule": "@every 1s", "Nats-Schedule-Target": OTHER_TASK},
    {"Nats-Batch-Id": "one", "Nats-Batch-Sequence": "1", "Nats-Batch-Commit": "1"}, {"Nats-Incr": "+1"},
    {"Nats-Msg-Id": "one"}, {"Nats-Expected-Last-Msg-Id": "two"}, {"Nats-Stream-Source": f"{OUT} 1"},
    {"Nats-Request-Info": '{"acc":"ENGINE"}'}, {"Nats-Marker-Reason": "Purge"}, {"Cachesync-Owner": "mine"},
    {"Nats-Trace-Dest": OTHER_TASK}, {"Nats-Trace-Dest": f"$JS.API.STREAM.DELETE.{IN}"},
    {"Nats-Trace-Dest": "cachesync.set.other", "Nats-Trace-Only": "true"}]


def setUpModule():
    if not programs():
        raise unittest.SkipTest("nats-server is not installed")


def load_tests(loader, _, __):
    """Every case once with each server."""
    suite = unittest.TestSuite()
    for case in (Permitted, Forbidden, Headers, OneAccount, Encrypted):
        for program in programs() or [None]:
            suite.addTests(loader.loadTestsFromTestCase(type(case.__name__, (case,), {"program": program})))
    return suite


class EngineCase(unittest.TestCase):
    """A server whose two streams hold something of two caches and of an owner, and a connection for each user."""

    program = None

    @staticmethod
    def configuration():
        return CONFIGURATION.read_text()

    @classmethod
    def setUpClass(cls):
        cls.program = cls.program or programs()[0]
        cls.server = cls.enterClassContext(Server(cls.program, cls.configuration()))
        client = cls.enterClassContext(cls.server.client("owner"))
        cls.version = tuple(int(part) for part in client.server["version"].split("-")[0].split("."))
        cls.owner = Owner(client)
        cls.owner.make_streams()
        for subject, payload in (
            (TASK, b"kitchen's"), ("$KV.cachesync-in-0.kitchen.cachesync", b"{}"), (OTHER_TASK, b"other's"),
            ("$KV.cachesync-out-0._owner", b'{"agent":"one"}'), (KITCHEN, KITCHEN_SET), (OTHER, OTHER_SET),
            ("$KV.cachesync-out-0._good.kitchen.tasks.a", b"good"),
        ):
            cls.owner.put(subject, payload)

    def shortDescription(self):
        return f"nats-server {'.'.join(map(str, self.version))}"

    def connect(self, user):
        return self.enterContext(self.server.client(user))

    def settle(self, *clients):
        """Waits until everything that these users sent has had its effect.

        A stream answers in order, so an answer to the user now means that what it asked before has been answered too,
        wherever to. A put that the stream refuses goes behind all puts that are on their way.
        """
        for client in clients:
            for subject in sorted(PERMITTED[client.user]):
                headers = NEVER if subject.startswith("$KV.") else None
                # More than once, because a reply with a wildcard may cost another request its answer (tried: 2.15.1).
                self.assertTrue(any(client.request(subject, b"", headers, seconds=0.5) for _ in range(10)), subject)
            client.flush()
        for subject in (TASK, KITCHEN):
            self.assertIn("error", self.owner.put(subject, b"", NEVER))


# A put with these is always refused: there is no such sequence.
NEVER = {"Nats-Expected-Last-Sequence": "999999"}


class Permitted(EngineCase):
    """What every user may do works, across the two accounts."""

    def test_a_producer_puts_and_gets_the_acknowledgement(self):
        producer = self.connect("producer")
        answer = producer.request(TASK, b"new", {"Cachesync-Modified": "2026-11-21T09:00:00Z"})
        self.assertEqual(json.loads(answer.payload)["stream"], IN)
        stored = self.owner.everything()[IN]["messages"][TASK]
        self.assertEqual(stored[0], json.loads(answer.payload)["seq"])
        # The server adds nothing of its own to what passes between accounts.
        self.assertEqual(stored[2:], (b"NATS/1.0\r\nCachesync-Modified: 2026-11-21T09:00:00Z\r\n\r\n", b"new"))

    def test_a_deletion_says_of_which_put_it_is(self):
        other = self.connect("other")
        sequence = json.loads(other.request("$KV.cachesync-in-0.other.events.a", b"x").payload)["seq"]
        for expected, is_accepted in ((sequence + 1, False), (sequence, True)):
            headers = {"KV-Operation": "DEL", "Nats-Expected-Last-Subject-Sequence": str(expected)}
            answer = json.loads(other.request("$KV.cachesync-in-0.other.events.a", b"", headers).payload)
            self.assertEqual("error" not in answer, is_accepted, answer)

    def test_a_reader_hears_the_bell_and_gets_the_set(self):
        reader = self.connect("reader")
        bell = reader.subscribe("cachesync.set.kitchen")
        self.assertEqual(reader.flush(), [])
        sequence = self.owner.put(KITCHEN, KITCHEN_SET, {"Cachesync-Owner": "one"})["seq"]
        rung = reader.next(bell)
        # Headers only: the bell has nothing of the set.
        self.assertEqual((rung.subject, rung.payload), ("cachesync.set.kitchen", b""))
        self.assertEqual((rung.headers["Nats-Sequence"], rung.headers["Cachesync-Owner"]), (str(sequence), "one"))
        answer = reader.request(get(KITCHEN))
        self.assertEqual((answer.status, answer.payload), ("", KITCHEN_SET))
        self.assertEqual(answer.headers["Nats-Sequence"], str(sequence))

    def test_records_of_owners_ring_for_nobody_of_the_people(self):
        reader, other = self.connect("reader"), self.connect("other")
        bells = [(reader, reader.subscribe("cachesync.set.kitchen")), (other, other.subscribe("cachesync.set.other"))]
        self.assertEqual([client.flush() for client, _ in bells], [[], []])
        self.owner.put("$KV.cachesync-out-0._owner", b"{}")
        self.owner.put("$KV.cachesync-out-0._good.kitchen.tasks.a", b"good")
        for client, bell in bells:
            self.settle(client)
            self.assertEqual(client.waiting(bell), [])

    def test_away_reads_its_own_keys_and_set(self):
        other = self.connect("other")
        self.assertEqual(other.request(get(OTHER_TASK)).payload, b"other's")
        self.assertEqual(other.request(get(OTHER)).payload, OTHER_SET)
        self.assertTrue(other.request(get("$KV.cachesync-in-0.other.tasks.none")).status.startswith("404"))

    def test_nobody_connects_without_being_a_user(self):
        for user, password in ((None, None), ("reader", "wrong"), ("reader", None), ("nobody", "change-me-nobody")):
            with self.subTest(user=user), self.assertRaisesRegex(Refused, "Authorization Violation"):
                Client(self.server.port, user, password)


class Forbidden(EngineCase):
    """Nothing else works, and the engine holds to the last byte what it held before."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.before = cls.owner.everything()

        def compare():
            after = cls.owner.everything()
            if cls.before != after:
                raise AssertionError(f"the engine changed\nfrom {cls.before}\nto   {after}")

        cls.addClassCleanup(compare)

    def unchanged(self, *clients):
        self.settle(*clients)
        self.assertEqual(self.owner.everything(), self.before)

    def test_publishing_is_refused(self):
        self.assertLess(set().union(*PERMITTED.values()), set(SUBJECTS))
        for user in TENANTS:
            client = self.connect(user)
            for subject in SUBJECTS:
                if subject in PERMITTED[user]:
                    continue
                with self.subTest(user=user, subject=subject):
                    client.publish(subject, b"{}", reply=f"{client.inbox}.a")
                    self.assertEqual(refused("Publish", subject), "; ".join(client.flush()))
            self.unchanged(client)

    def test_what_might_be_asked_of_own_subjects_with_a_body_is_not_answered(self):
        # The form of direct get that takes the last of a subject ignores a body or refuses it; it never takes another's.
        reader = self.connect("reader")
        for body in ({"last_by_subj": OTHER}, {"seq": 1}, {"multi_last": ["$KV.cachesync-out-0.>"]}, {"next_by_subj": ">"}):
            with self.subTest(body=body):
                answer = reader.request(get(KITCHEN), json.dumps(body).encode())
                self.assertTrue(answer.payload in (b"", KITCHEN_SET), answer)
        self.unchanged(reader)

    def test_subscribing_is_refused(self):
        for user in TENANTS:
            client = self.connect(user)
            for subject, queue in itertools.product(SUBSCRIPTIONS, ("", "group")):
                with self.subTest(user=user, subject=subject, queue=queue):
                    number = client.subscribe(subject, queue)
                    errors = client.flush()
                    if subject in AUDIBLE[user]:
                        self.assertEqual(errors, [])
                        continue
                    self.assertIn(refused("Subscription", subject), "; ".join(errors))
                    self.owner.client.publish("cachesync.set.producer", b"")
                    for audible in ("cachesync.set.kitchen", "cachesync.set.other", "_INBOX_reader.a", "cachesync.agent"):
                        self.owner.client.publish(audible, b"")
                    self.owner.client.flush()
                    client.flush()
                    self.assertEqual(client.waiting(number), [])
            self.unchanged(client)

    def test_an_answer_sent_elsewhere_does_nothing(self):
        """The server does not check where an answer goes: it sends it there, but in the asker's own account."""
        owned = self.owner.client.subscribe("_INBOX_owner.stolen")
        self.owner.client.flush()
        targets = KEYS + RECORDS + OF_STREAMS + OF_JETSTREAM + [get(KITCHEN), get(OTHER), get(OTHER_TASK), "_INBOX_owner.stolen"]
        clients = [self.connect(user) for user in TENANTS]
        for client in clients:
            for asked in sorted(PERMITTED[client.user]):
                for target in targets + ELSEWHERE:
                    if "*" in target or ">" in target:
                        continue
                    # A put that is refused is answered too. An accepted one would change the stream by right.
                    client.publish(asked, b"", NEVER if asked.startswith("$KV.") else None, reply=target)
            # The server itself refuses the subjects that it keeps for its own answers.
            for error in client.flush():
                self.assertRegex(error, r'Permissions Violation for Publish with Reply of "(\$JS\.ACK|_R_)\.')
            self.unchanged(client)
        self.assertEqual(self.owner.client.waiting(owned), [])

    def test_an_answer_sent_to_many_subjects_does_nothing(self):
        if self.version < (2, 9, 15):
            # A request to another account whose reply subject has a wildcard overflows the server's stack, and the server
            # ends (nats-server, pull request 3862). On a trusted network nobody sends one.
            self.skipTest("before 2.9.15 this ends the server, which is why it is for trusted networks")
        clients = [self.connect(user) for user in TENANTS]
        for client in clients:
            for asked in sorted(PERMITTED[client.user]):
                for target in ("*", ">", "$KV.>", "$KV.cachesync-in-0.>", "$KV.cachesync-in-0.*.tasks.a", "$JS.API.>",
                               "$JS.API.STREAM.DELETE.*", get("$KV.cachesync-in-0.>"), "_INBOX_owner.>", "cachesync.set.*"):
                    client.publish(asked, b"", NEVER if asked.startswith("$KV.") else None, reply=target)
            client.flush()
            self.unchanged(*clients)

    def test_a_forged_bell_says_nothing(self):
        """A bell can be rung from within PEOPLE, by having an answer sent to it, even with what the ringer may read itself.

        So a reader takes nothing from a bell: it reads the set, which nobody of PEOPLE can write.
        """
        reader, other = self.connect("reader"), self.connect("other")
        bell = other.subscribe("cachesync.set.other")
        self.assertEqual(other.flush(), [])
        reader.publish(get(KITCHEN), reply="cachesync.set.other")
        self.settle(reader, other)
        for rung in other.waiting(bell):
            self.assertNotIn(OTHER_SET, rung.payload)
        self.assertEqual(other.request(get(OTHER)).payload, OTHER_SET)
        self.unchanged(reader, other)


class Headers(EngineCase):
    """What a producer writes beside a session file touches its own key alone."""

    def test_headers_touch_no_other_key(self):
        producer, other = self.connect("producer"), self.connect("other")
        heard = other.subscribe("cachesync.set.other")
        other.flush()
        before = self.others()
        for headers in HEADERS:
            with self.subTest(headers=headers):
                answer = producer.request(TASK, b"x", headers)
                self.settle(producer, other)
                if "Nats-Rollup" in headers:
                    self.assertEqual(json.loads(answer.payload)["error"]["description"], "rollup not permitted")
                self.assertEqual(self.others(), before)
                self.assertEqual(other.waiting(heard), [])
                # The key is none the worse for it.
                self.assertNotIn("error", json.loads(producer.request(TASK, b"x").payload))

    def others(self):
        """Everything but the producer's key and what counts its puts."""
        found = self.owner.everything()
        del found[IN]["messages"][TASK], found[IN]["last"]
        return found


class OneAccount(EngineCase):
    """The reason for two accounts, and the proof that these tests see what they look for.

    The same reader with the same permissions in ENGINE destroys and overwrites what it likes.
    """

    @staticmethod
    def configuration():
        text = CONFIGURATION.read_text()
        reader = re.search(r"^ *\{ user: reader,.*?^ *\} \}\n", text, re.DOTALL | re.MULTILINE).group()
        owner = '{ user: owner, password: "change-me-owner" }\n'
        return replaced(text.replace(reader, ""), owner, owner + reader)

    def test_an_answer_overwrites_and_deletes(self):
        reader = self.connect("reader")
        reader.publish(get(KITCHEN), reply=OTHER_TASK)
        self.settle(reader)
        self.assertEqual(self.owner.everything()[IN]["messages"][OTHER_TASK][3], KITCHEN_SET)
        # A request to delete has no body, and so a set must be empty for the trick.
        self.owner.put(KITCHEN, b"")
        reader.publish(get(KITCHEN), reply=f"$JS.API.STREAM.DELETE.{IN}")
        end = time.monotonic() + 5
        while IN in self.owner.ask("STREAM.NAMES")["streams"]:
            self.assertLess(time.monotonic(), end, "the stream was not deleted")


@unittest.skipUnless(shutil.which("openssl"), "openssl is not installed")
class Encrypted(EngineCase):
    """The file with its lines for TLS enabled, with certificates of an authority of the test's own."""

    @classmethod
    def setUpClass(cls):
        cls.program = cls.program or programs()[0]
        with Server(cls.program) as plain:
            # Only its directory is needed: made before the server that finds its certificate there.
            folder = plain.folder / "tls"
            folder.mkdir()
            cls.make_certificates(folder)
            cls.trusting = ssl.create_default_context(cafile=folder / "ca.pem")
            text = enabled(CONFIGURATION.read_text())
            for file in ("server.pem", "server.key"):
                text = replaced(text, f'"/etc/nats/{file}"', f'"{folder}/{file}"')
            cls.server = cls.enterClassContext(Server(cls.program, text))
        cls.owner = Owner(cls.enterClassContext(cls.server.client("owner", tls=cls.trusting)))
        cls.version = tuple(int(part) for part in cls.owner.client.server["version"].split("-")[0].split("."))
        cls.owner.make_streams()

    @staticmethod
    def make_certificates(folder):
        def openssl(*words):
            subprocess.run(["openssl", *words], cwd=folder, check=True, capture_output=True, timeout=10)

        key = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
        openssl("req", "-x509", *key, "-keyout", "ca.key", "-out", "ca.pem", "-subj", "/CN=Authority", "-days", "2")
        openssl("req", *key, "-keyout", "server.key", "-out", "server.csr", "-subj", "/CN=engine")
        (folder / "names").write_text("subjectAltName=IP:127.0.0.1\n")
        openssl("x509", "-req", "-in", "server.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial",
                "-out", "server.pem", "-days", "2", "-extfile", "names")

    def test_with_the_authority_everything_works(self):
        with self.server.client("producer", tls=self.trusting) as producer:
            self.assertEqual(json.loads(producer.request(TASK, b"x").payload)["stream"], IN)
            producer.publish(OTHER_TASK, b"x")
            self.assertIn("Permissions Violation", producer.flush()[0])

    def test_without_tls_nobody_connects(self):
        with self.assertRaises(Refused):
            self.server.client("producer")

    def test_a_client_refuses_a_server_of_an_unknown_authority(self):
        with self.assertRaises(ssl.SSLCertVerificationError):
            self.server.client("producer", tls=ssl.create_default_context())

    def test_a_password_is_needed_as_well(self):
        with self.assertRaisesRegex(Refused, "Authorization Violation"):
            Client(self.server.port, "producer", "wrong", tls=self.trusting)


def enabled(text):
    """The file without the # of the lines for TLS."""
    return re.sub(r"^#tls \{\n(#.*\n)*?#\}\n", lambda block: re.sub("^#", "", block.group(), flags=re.MULTILINE), text,
                  count=1, flags=re.MULTILINE)


if __name__ == "__main__":
    unittest.main()
