"""What happens when single messages between the bridge and the engine are lost."""

import unittest

from proxy import CUT, LOSE, Proxy
from server import Server, programs
from support import Client, Place, tasks, wait_until

SUBJECT = "$KV.cachesync-in-0.kitchen.tasks.a"


def is_put(line, content):
    return line.startswith(f"HPUB {SUBJECT} ".encode())


def is_acknowledgement(line, content):
    return line.startswith(b"MSG _INBOX") and b'"seq":' in content and b'"stream":"KV_cachesync-in-0"' in content


class Drops(unittest.TestCase):
    def setUp(self):
        self.place = self.enterContext(Place())
        self.client = self.enterContext(Client(self.place.engine))
        self.proxy = self.enterContext(Proxy(self.place.engine.port))

    def drop(self):
        found = self.place.run(
            "drop", "kitchen", "tasks", "--name", "a", "--server", self.proxy.url, input=tasks("new").decode())
        return found.returncode

    def stored(self):
        """The content of the key, and how many messages the stream ever had."""
        found = self.client.get("KV_cachesync-in-0", SUBJECT)
        return found and found[1], self.client.stream_info("KV_cachesync-in-0")["state"]["last_seq"]

    def test_a_put_whose_acknowledgement_is_lost_is_not_put_again(self):
        lost = self.proxy.once(CUT, is_acknowledgement)
        self.assertEqual((self.drop(), lost.is_set(), self.stored()), (0, True, (tasks("new"), 1)))

    def test_a_put_that_is_lost_is_put_again_over_an_older_file(self):
        self.client.put("kitchen.tasks.a", tasks("older"), **{"Cachesync_Modified": "1000"})
        lost = self.proxy.once(CUT, is_put)
        self.assertEqual((self.drop(), lost.is_set(), self.stored()), (0, True, (tasks("new"), 2)))

    def test_a_put_that_is_lost_is_not_taken_for_another_producers_file(self):
        self.client.put("kitchen.tasks.a", tasks("another"), **{"Cachesync_Modified": str(4_000_000_000 * 10**9)})
        lost = self.proxy.once(CUT, is_put)
        self.assertEqual((self.drop(), lost.is_set(), self.stored()), (75, True, (tasks("another"), 1)))


class Homes(unittest.TestCase):
    def test_that_the_engine_did_not_answer_is_over_when_it_answers(self):
        with Place() as place, Proxy(place.engine.port) as proxy:
            home = place.home("--cache", place.cache(), "--server", proxy.url)
            question = b"PUB $JS.API.STREAM.INFO.KV_cachesync-out-0 "
            lost = proxy.once(LOSE, lambda line, content: line.startswith(question))
            proxy.cut()
            wait_until(lambda: b"the engine did not answer" in home.errors.read_bytes(), what="the problem")
            self.assertTrue(lost.is_set())
            wait_until(lambda: b"over: shard 0" in home.errors.read_bytes(), what="its end")


class Permissions(unittest.TestCase):
    @unittest.skipUnless(programs(), "no nats-server is installed")
    def test_a_producer_that_may_not_read_is_told_that_its_file_may_be_there(self):
        with Place() as place, Server(programs()[0]) as server, Proxy(server.port) as proxy:
            for user in ["owner", "producer"]:
                (place.folder / user).write_text(f"{user}:change-me-{user}\n")
                (place.folder / user).chmod(0o600)
            words = ["--server", proxy.url, "--credentials"]
            place.run("setup", *words, place.folder / "owner", check=True)
            lost = proxy.once(CUT, is_acknowledgement)
            found = place.run(
                "drop", "kitchen", "tasks", "--name", "a", "--shards", "1", *words, place.folder / "producer",
                input=tasks("new").decode())
            self.assertEqual((found.returncode, lost.is_set()), (75, True), found.stderr)


if __name__ == "__main__":
    unittest.main()
