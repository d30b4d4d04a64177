"""docs/recipes/mqtt.md with a real broker: what is retained, the will, and what Home Assistant is told.

Debian: mosquitto mosquitto-clients python3-jinja2.
"""

import json
import os
import re
import signal
import subprocess
import time
import unittest

import jinja2

from recipes import Home, Lines, end, installed, needs
from support import REPOSITORY, Cache, wait_until
from test_recipes import free_port

# Of an MQTT sensor's configuration, in Home Assistant's documentation (MQTT discovery, MQTT sensor). Required: the first.
DOCUMENTED = {
    "state_topic", "availability", "availability_mode", "availability_template", "availability_topic", "device",
    "device_class", "enabled_by_default", "encoding", "entity_category", "entity_picture", "expire_after",
    "force_update", "icon", "json_attributes_template", "json_attributes_topic", "last_reset_value_template", "name",
    "object_id", "options", "origin", "payload_available", "payload_not_available", "platform", "qos", "state_class",
    "suggested_display_precision", "unique_id", "unit_of_measurement", "value_template"}
DEVICE = {
    "configuration_url", "connections", "hw_version", "identifiers", "manufacturer", "model", "model_id", "name",
    "serial_number", "suggested_area", "sw_version", "via_device"}
# A retained message of the test's own.
END = "test/end"
AVAILABILITY = "cachesync/home/availability"
# A kind whose entry no command takes as an argument: Linux allows 131,071 bytes of one.
NOTES = {
    "version": 1, "items": {"each": "$[*]", "fields": {"text": "@"}},
    "kinds": {"notes": {"show": "all", "limit": 100, "items": {"title": "{text}"}}}}
LARGE = json.dumps(["Long " * 400] * 80)
TASK = '{"tasks": [{"id": "%s", "title": "New", "completed": false, "createdAt": "2026-11-21T09:00:00Z"}]}'


@needs("mosquitto", "mosquitto_pub", "mosquitto_sub", "setpriv", "setsid", "stdbuf")
class Mqtt(unittest.TestCase):
    def setUp(self):
        self.cache = Cache()
        self.addCleanup(self.cache.close)
        self.cache.start()
        self.home = self.enterContext(Home(self.cache))
        [self.serve] = self.home.follow("mqtt.md")
        self.begin_broker()

    def begin_broker(self, limit=""):
        """Starts a broker that knows nothing, with a line of its configuration."""
        (self.home.path / "mosquitto.db").unlink(missing_ok=True)
        port = free_port()
        # root's broker becomes the user mosquitto, who cannot read this home.
        user = "user root\n" if os.geteuid() == 0 else ""
        self.home.write("mosquitto.conf", f"""
listener {port} 127.0.0.1
allow_anonymous true
persistence true
persistence_location {self.home.path}/
{limit}
{user}""")
        for name in ("mosquitto_pub", "mosquitto_sub"):
            self.home.write(f".config/{name}", f"--host 127.0.0.1\n--port {port}\n")
        self.resume_broker()

    def resume_broker(self):
        self.broker = self.home.begin([installed("mosquitto"), "-c", str(self.home.path / "mosquitto.conf")])
        wait_until(lambda: self.home.type(f"mosquitto_pub -r -t {END} -m end").returncode == 0, what="the broker")

    def retained(self, topic):
        """The retained messages, by topic: one each."""
        # The broker gives what is retained in the order of the subscriptions: END is the last.
        command = ["mosquitto_sub", "-t", topic, "-t", END, "-F", "%j", "-W", "10"]
        messages = []
        with subprocess.Popen(
                command, env=self.home.environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
            for line in process.stdout:
                message = json.loads(line)
                if message["topic"] == END:
                    break
                if message["retain"]:
                    messages.append(message)
            process.kill()
        found = {message["topic"]: message["payload"] for message in messages}
        self.assertEqual(len(found), len(messages), "a topic has one retained message")
        return found

    def entries(self, missing=()):
        """By topic, what should be retained."""
        lines = self.cache.run("show", "--format", "entry", check=True).stdout.splitlines()
        entries = {entry["kind"]: entry for entry in map(json.loads, lines)}
        return {f"cachesync/home/{kind}": entry for kind, entry in entries.items() if kind not in missing}

    def published(self):
        return {topic: json.loads(text) for topic, text in self.retained("cachesync/#").items() if topic != AVAILABILITY}

    def availability(self):
        return self.retained(AVAILABILITY).get(AVAILABILITY)

    def begin(self, missing=(), **more):
        """Starts the recipe, and waits for all that it says first."""
        process = self.home.begin(self.serve.text, **more)
        wait_until(lambda: self.published() == self.entries(missing), what="an entry a kind")
        self.assertEqual(self.availability(), "online")
        return process

    def test_retained_entries(self):
        process = self.begin()
        self.cache.drop("tasks", TASK % "one")
        wait_until(lambda: self.published() == self.entries(), what="the new entries")
        self.assertEqual(self.published()["cachesync/home/todays-tasks"]["content"]["count"], 7)

        # Killed without a word, it is offline; what comes meanwhile is there after a restart.
        end(process, signal.SIGKILL)
        wait_until(lambda: self.availability() == "offline", what="the will")
        self.cache.drop("tasks", TASK % "two", name="second")
        self.assertEqual(self.published()["cachesync/home/todays-tasks"]["content"]["count"], 7)
        self.begin()
        self.assertEqual(self.published()["cachesync/home/todays-tasks"]["content"]["count"], 8)

    def test_it_ends_offline(self):
        # `watch` and the script, whose name the kernel cuts: either takes all with it.
        script = "cachesync-mqtt-"
        for name, number in [("cachesyncd", signal.SIGTERM), (script, signal.SIGTERM), (script, signal.SIGINT)]:
            with self.subTest(name=name, number=number):
                process = self.begin()
                os.kill(min(self.home.programs(name)), number)
                wait_until(lambda: self.availability() == "offline", what="the will")
                wait_until(lambda: not list(self.home.programs("mosquitto_sub")), what="the end of the connection")
                wait_until(lambda: not list(self.home.programs("cachesyncd")), what="the end of watch")
                process.wait(timeout=5)

    def test_broker_that_is_away(self):
        self.begin()
        end(self.broker)
        self.cache.drop("tasks", TASK % "one")
        self.resume_broker()
        wait_until(lambda: self.published() == self.entries(), seconds=15, what="what came meanwhile")
        # What the broker says when a connection breaks, such as a sleeping laptop's, is answered once it is back.
        self.home.type(f"mosquitto_pub -r -t {AVAILABILITY} -m offline")
        wait_until(lambda: self.availability() == "online", what="online")

    def test_broker_that_forgets(self):
        self.begin()
        # What it wrote to its disk at a clean end is old when it is killed, or missing.
        end(self.broker)
        old = (self.home.path / "mosquitto.db").read_bytes()
        for database in (old, None):
            with self.subTest(old=database is not None):
                self.resume_broker()
                self.cache.drop("tasks", TASK % "one", name=f"old-{database is not None}")
                wait_until(lambda: self.published() == self.entries(), what="the new entries")
                end(self.broker, signal.SIGKILL)
                path = self.home.path / "mosquitto.db"
                path.write_bytes(database) if database else path.unlink()
                self.resume_broker()
                wait_until(lambda: self.published() == self.entries(), seconds=30, what="every entry")
                wait_until(lambda: self.availability() == "online", what="online")
                self.assertEqual(len(self.retained("homeassistant/#")), len(self.entries()))
                self.assertEqual(len(list(self.home.programs("mosquitto_sub"))), 1)
        # Still, what changes is published once.
        self.cache.drop("tasks", TASK % "last", name="last")
        wait_until(lambda: self.published() == self.entries(), what="the last entries")

    def put_large_entry(self):
        self.cache.put("feeds/notes.json", json.dumps(NOTES))
        self.cache.drop("notes", LARGE)
        self.assertGreater(len(json.dumps(self.entries()["cachesync/home/notes"])), 131_072)

    def test_large_entry(self):
        self.begin()
        self.put_large_entry()
        wait_until(lambda: self.published() == self.entries(), what="the large entry")

    def test_entry_that_the_broker_refuses(self):
        self.put_large_entry()
        for limit in ("message_size_limit", "max_packet_size"):
            with self.subTest(limit):
                end(self.broker)
                self.begin_broker(f"{limit} 100000")
                process = self.begin(missing=["notes"], stderr=subprocess.PIPE)
                said = Lines(process.stderr)
                # The next one arrives.
                self.cache.drop("tasks", TASK % limit, name=limit)
                wait_until(lambda: self.published() == self.entries(["notes"]), what="the new entries")
                wait_until(lambda: "passed over" in said.text, what="the message")
                self.assertEqual(
                    [line for line in said.text.splitlines() if "passed over" in line],
                    [f"the broker does not take the {len(self.line('notes'))} bytes of cachesync/home/notes; passed over"])
                end(process)

    def topics(self):
        """Everything that is retained of the recipe's."""
        return set(self.retained("cachesync/#")) | set(self.retained("homeassistant/#"))

    def expected(self, topic="cachesync/home"):
        kinds = [topic.rsplit("/", 1)[1] for topic in self.entries()]
        return {f"{topic}/availability"} | {f"{topic}/{kind}" for kind in kinds} | {
            f"homeassistant/sensor/{topic.replace('/', '_')}/{kind}/config" for kind in kinds}

    def test_what_is_gone_is_cleared(self):
        widget = json.dumps({"kind": "task-count"})
        for name in ("ours", "theirs"):
            self.cache.put(f"widgets/{name}.json", widget)
        self.cache.run("wait", check=True)
        process = self.begin()
        self.assertIn("cachesync/home/ours", self.expected())
        self.assertEqual(self.topics(), self.expected())
        # While it runs. The snapshot of what is gone stays, and is the last that `watch` tells of.
        self.cache.file("widgets/ours.json").unlink()
        wait_until(lambda: "cachesync/home/ours" not in self.topics(), what="that the widget is cleared")
        wait_until(lambda: self.topics() == self.expected(), what="that its sensor is cleared")
        # While it does not, without a snapshot that would be left.
        end(process)
        self.cache.file("widgets/theirs.json").unlink()
        self.cache.run("wait", check=True)
        wait_until(lambda: not any("theirs" in topic for topic in self.expected()), what="that the agent knows")
        self.cache.file("snapshots/theirs.json").unlink()
        self.begin()
        wait_until(lambda: self.topics() == self.expected(), what="that the second widget is cleared")

    def test_another_topic(self):
        process = self.begin()
        end(process)
        self.home.environment["CACHESYNC_TOPIC"] = "cachesync/kitchen"
        process = self.home.begin(self.serve.text)
        wait_until(lambda: self.topics() == self.expected("cachesync/kitchen"), what="that the old topics are cleared")
        # A kind that comes back is announced again.
        end(process)
        del self.home.environment["CACHESYNC_TOPIC"]
        self.home.begin(self.serve.text)
        wait_until(lambda: self.topics() == self.expected(), what="that it is as before")

    def test_settings_that_are_wrong_clear_nothing(self):
        process = self.begin()
        end(process)
        before = self.topics()
        self.cache.put("cachesync.json", "{")
        self.home.begin(self.serve.text)
        wait_until(lambda: self.availability() == "online", what="online")
        self.cache.drop("tasks", TASK % "one")
        wait_until(
            lambda: self.published()["cachesync/home/todays-tasks"]["content"]["count"] == 7, what="the new entries")
        self.assertEqual(self.topics(), before)

    def line(self, kind):
        return self.cache.run("show", kind, "--format", "entry", check=True).stdout.rstrip("\n").encode()

    def test_home_assistant(self):
        # More than any view shows, with titles as long as they may be wished.
        title, day = "Long " * 100, time.strftime("%Y-%m-%d", time.gmtime(time.time() + 86400))
        task = {"title": title, "completed": False, "createdAt": "2026-11-21T09:00:00Z"}
        event = {"title": title, "startTime": f"{day}T12:00:00Z", "endTime": f"{day}T13:00:00Z", "isAllDay": False}
        for feed, record in [("tasks", task), ("events", event)]:
            self.cache.drop(feed, json.dumps({feed: [record | {"id": f"long-{number}"} for number in range(100)]}))
        self.begin()
        configurations = {
            topic: json.loads(text) for topic, text in self.retained("homeassistant/#").items()}
        self.assertEqual(len(configurations), len(self.entries()))
        identities = set()
        for topic, configuration in configurations.items():
            # <discovery_prefix>/<component>/[<node_id>/]<object_id>/config
            self.assertRegex(topic, r"^homeassistant/sensor/[A-Za-z0-9_-]+/[A-Za-z0-9_-]+/config$")
            self.assertEqual(set(configuration) - DOCUMENTED, set())
            self.assertEqual(set(configuration["device"]) - DEVICE, set())
            self.assertEqual(configuration["availability_topic"], AVAILABILITY)
            self.assertIn(configuration["state_topic"], self.entries())
            self.assertEqual(configuration["json_attributes_topic"], configuration["state_topic"])
            identities.add(configuration["unique_id"])
            # Home Assistant's templates are Jinja's.
            entry = self.entries()[configuration["state_topic"]]
            drawn = {name: jinja2.Template(configuration[name]).render(value_json=entry)
                     for name in ("value_template", "json_attributes_template")}
            self.assertEqual(drawn["value_template"], entry["state"])
            self.assertEqual(json.loads(drawn["json_attributes_template"]), entry | {"cachesync_state": entry["state"]})
        self.assertEqual(len(identities), len(configurations))
        for text in self.retained("cachesync/home/#").values():
            self.assertLess(len(text.encode()), 16384)


class Unit(unittest.TestCase):
    @needs("systemd-analyze")
    def test_verify(self):
        result = subprocess.run(
            ["systemd-analyze", "verify", "--recursive-errors=no", REPOSITORY / "packaging/systemd/cachesync-mqtt@.service"],
            capture_output=True, text=True)
        # Neither its script nor the manual page is installed here.
        self.assertEqual([
            line for line in result.stderr.splitlines()
            if "cachesync-mqtt" in line and not re.search("is not executable: No such file|Command 'man ", line)], [])
