"""A pool: which member has which shard, and what happens when members, their agents or the engine fail."""

import contextlib
import json
import signal
import subprocess
import time
import unittest

from support import AGENT, Client, Place, tasks, wait_until


class Member:
    """A bridge and an agent with a directory of their own."""

    def __init__(self, place, name, *words, agent=True):
        self.place, self.name = place, name
        self.folder = place.folder / f"caches-{name}"
        self.folder.mkdir(exist_ok=True)
        self.agent = self.start_agent() if agent else None
        self.bridge = self.start_bridge(*words)

    def start_agent(self):
        process = subprocess.Popen([AGENT, "run", "--caches-in", self.folder, "--durability", "rename"],
                                   stderr=subprocess.DEVNULL)
        self.place.processes.append(process)
        return process

    def start_bridge(self, *words):
        return self.place.start("pool", "--caches-in", self.folder, "--name", self.name, *words)

    def caches(self):
        return {path.name for path in self.folder.iterdir() if path.name[0] != "." and path.name != "="}


class Pool(Place):
    """A namespace with a pool, and a client that looks at it."""

    def __init__(self, shards=8, **more):
        super().__init__(shards=shards, **more)
        self.shards = shards
        self.client = Client(self.engine)

    def __exit__(self, *words):
        self.client.close()
        # A stopped process does not end.
        for process in self.processes:
            if process.poll() is None:
                process.send_signal(signal.SIGCONT)
        super().__exit__(*words)

    def record(self, shard):
        found = self.client.last_from_leader(f"KV_cachesync-out-{shard}", f"$KV.cachesync-out-{shard}._owner")
        return found and (found[0], json.loads(found[1]))

    def owners(self):
        """The names of the members that have each shard; None where it is free."""
        records = [self.record(shard) for shard in range(self.shards)]
        return [found and found[1]["nonce"] and found[1]["agent"] or None for found in records]

    def counts(self):
        owners = self.owners()
        return sorted(owners.count(name) for name in set(owners))

    def wait_for(self, counts, seconds=40):
        wait_until(lambda: None not in self.owners() and self.counts() == counts, seconds, f"the shards as {counts}")
        return self.owners()

    def nonces(self):
        return [self.record(shard)[1]["nonce"] for shard in range(self.shards)]


class Division(unittest.TestCase):
    def test_members_that_start_together_share_the_shards_evenly(self):
        with Pool() as pool:
            for name in "ab":
                Member(pool, name)
            began = time.monotonic()
            pool.wait_for([4, 4])
            # Ten seconds more would be a shard that the wrong one took first.
            self.assertLess(time.monotonic() - began, 9)
            nonces = pool.nonces()
            sequences = [pool.record(shard)[0] for shard in range(pool.shards)]
            wait_until(lambda: all(pool.record(shard)[0] > sequences[shard] + 4 for shard in range(pool.shards)),
                       what="the renewals")
            self.assertEqual(pool.nonces(), nonces)

    def test_a_third_member_gets_its_share_one_shard_at_a_time(self):
        with Pool() as pool:
            for name in "ab":
                Member(pool, name)
            pool.wait_for([4, 4])
            Member(pool, "c")
            free = 0
            end = time.monotonic() + 60
            while pool.counts() != [2, 3, 3] or None in pool.owners():
                free = max(free, pool.owners().count(None))
                self.assertLess(time.monotonic(), end, pool.owners())
            self.assertLessEqual(free, 2, "of each of two members one")

    def test_a_member_that_is_ended_gives_its_shards_up_at_once(self):
        with Pool() as pool:
            members = {name: Member(pool, name) for name in "abc"}
            pool.wait_for([2, 3, 3])
            members["a"].bridge.terminate()
            began = time.monotonic()
            self.assertEqual(members["a"].bridge.wait(10), 0)
            owners = pool.wait_for([4, 4], 10)
            self.assertNotIn("a", owners)
            self.assertLess(time.monotonic() - began, 4)

    def test_status_tells_the_members_and_who_has_what(self):
        with Pool() as pool:
            for name in "ab":
                Member(pool, name)
            owners = pool.wait_for([4, 4])
            # On a machine that is busy one may answer too late.
            bridges = wait_until(
                lambda: len(found := json.loads(pool.run("status", "--json").stdout)["bridges"]) == 2 and found,
                what="both answers")
            for bridge in bridges:
                self.assertEqual((bridge["role"], bridge["members"]), ("pool", ["a", "b"]))
                self.assertTrue(bridge["agentAnswers"])
                self.assertEqual(bridge["shards"], [k for k, owner in enumerate(owners) if owner == bridge["name"]])
            text = pool.run("status").stdout
            self.assertIn("the pool's members: a, b", text)


class Faults(unittest.TestCase):
    def lost(self, pool, name, harm, seconds):
        """Does harm to a member; when the others have all its shards, it fails after so many seconds."""
        began = time.monotonic()
        harm()
        wait_until(lambda: None not in (owners := pool.owners()) and name not in owners, 30, "the takeover")
        self.assertLess(time.monotonic() - began, seconds)

    def test_the_shards_of_a_killed_member_are_taken_over(self):
        with Pool() as pool:
            members = {name: Member(pool, name) for name in "abc"}
            pool.wait_for([2, 3, 3])
            # The lease, and half a second twice; three times the lease if the wrong one took them.
            self.lost(pool, "b", members["b"].bridge.kill, 5.5)
            pool.wait_for([4, 4])

    def test_a_member_whose_agent_dies_or_hangs_lets_go_and_comes_back(self):
        with Pool() as pool:
            members = {name: Member(pool, name) for name in "ab"}
            pool.wait_for([4, 4])
            member = members["a"]
            for harm in [signal.SIGKILL, signal.SIGSTOP]:
                began = time.monotonic()
                member.agent.send_signal(harm)
                wait_until(lambda: "a" not in pool.owners(), what="letting go")
                # 2 s of silence, and half a second; the lease alone would be as long again.
                self.assertLess(time.monotonic() - began, 4)
                wait_until(lambda: pool.owners() == ["b"] * 8, what="the takeover")
                self.assertLess(time.monotonic() - began, 5.5)
                wait_until(lambda: member.caches() == set(), what="the end of its copies")
                self.assertIsNone(member.bridge.poll())
                if harm == signal.SIGKILL:
                    member.agent = member.start_agent()
                else:
                    member.agent.send_signal(signal.SIGCONT)
                pool.wait_for([4, 4], 90)

    def test_a_member_without_an_agent_takes_nothing_and_says_so(self):
        with Pool(shards=1) as pool:
            member = Member(pool, "a", agent=False)
            wait_until(lambda: b"no agent answers in" in member.bridge.errors.read_bytes(), what="the warning")
            self.assertIsNone(pool.record(0))
            member.start_agent()
            pool.wait_for([1])

    def test_a_bridge_that_was_stopped_writes_nothing_behind_the_one_that_took_over(self):
        with Pool(shards=2) as pool, Client(pool.engine) as watcher:
            members = {name: Member(pool, name) for name in "ab"}
            owners = pool.wait_for([1, 1])
            shard = owners.index("a")
            cache = next(f"c{n}" for n in range(100) if shard_of(f"c{n}", 2) == shard)
            old = pool.record(shard)[1]["nonce"]
            bells = watcher.subscribe("cachesync.set.*")
            watcher.flush()
            for number in range(3):
                # While it is stopped, there is something to be published.
                pool.client.put(f"{cache}.tasks.x", tasks(f"{number}"), shard)
                wait_until(lambda: pool.client.set(cache, shard), what="the set")
            members["a"].bridge.send_signal(signal.SIGSTOP)
            wait_until(lambda: pool.owners()[shard] == "b", what="the takeover")
            taken = pool.record(shard)[0]
            for name in "xyz":
                file = members["a"].folder / cache / f"tasks/{name}.json"
                with contextlib.suppress(OSError):
                    file.write_bytes(tasks(name))
            members["a"].bridge.send_signal(signal.SIGCONT)
            wait_until(lambda: b"another bridge took shard" in members["a"].bridge.errors.read_bytes(),
                       what="its noticing")
            # It is the preferred one, and has the other's shard only when that lets it go.
            pool.wait_for([1, 1], 60)
            late = [message for message in watcher_messages(watcher, bells)
                    if message["shard"] == shard and message["sequence"] > taken and message["owner"] == old]
            self.assertEqual(late, [])

    def test_a_killed_member_that_starts_again_has_its_shards_again_at_once(self):
        with Pool(shards=4) as pool:
            member = Member(pool, "a")
            pool.wait_for([4])
            old = pool.nonces()
            member.bridge.kill()
            member.bridge.wait()
            began = time.monotonic()
            member.bridge = member.start_bridge()
            wait_until(lambda: not set(pool.nonces()) & set(old), what="its own new records")
            self.assertLess(time.monotonic() - began, 2)

    def test_an_engine_that_is_started_again_moves_no_shard(self):
        with Pool() as pool:
            for name in "ab":
                Member(pool, name)
            pool.wait_for([4, 4])
            nonces = pool.nonces()
            sequences = [pool.record(shard)[0] for shard in range(pool.shards)]
            pool.engine.stop()
            pool.engine.start()
            pool.client.close()
            pool.client = Client(pool.engine)
            wait_until(lambda: all(pool.record(shard)[0] > sequences[shard] + 6 for shard in range(pool.shards)), 30,
                       "the renewals")
            self.assertEqual(pool.nonces(), nonces)


class Refusals(unittest.TestCase):
    def test_a_member_s_name_is_its_own(self):
        with Pool(shards=2) as pool:
            Member(pool, "a")
            pool.wait_for([2])
            nonces = pool.nonces()
            folder = pool.folder / "other"
            folder.mkdir()
            subprocess_agent = subprocess.Popen([AGENT, "run", "--caches-in", folder], stderr=subprocess.DEVNULL)
            pool.processes.append(subprocess_agent)
            second = pool.run("pool", "--caches-in", folder, "--name", "a")
            self.assertEqual(second.returncode, 75)
            self.assertIn("has a member a already: give this one another --name", second.stderr)
            self.assertEqual(pool.nonces(), nonces)

    def test_a_home_and_a_pool_do_not_share_a_namespace(self):
        with Pool(shards=2) as pool:
            cache = pool.cache()
            home = pool.home("--cache", cache, "--name", "single")
            wait_until(lambda: pool.owners() == ["single"] * 2, what="the home")
            folder = pool.folder / "pool"
            folder.mkdir()
            pool.processes.append(
                subprocess.Popen([AGENT, "run", "--caches-in", folder], stderr=subprocess.DEVNULL))
            refused = pool.run("pool", "--caches-in", folder, "--name", "a")
            self.assertEqual(refused.returncode, 75)
            self.assertIn("cachesync has a home (single since", refused.stderr)
            self.assertIsNone(home.poll())

            taking = pool.start("pool", "--caches-in", folder, "--name", "a", "--take-over")
            self.assertEqual(home.wait(20), 75)
            wait_until(lambda: pool.owners() == ["a"] * 2, what="the pool")
            refused = pool.run("home", "--cache", cache)
            self.assertEqual(refused.returncode, 75)
            self.assertIn("has a home or a pool already (a since", refused.stderr)
            nonces = pool.nonces()
            self.assertIsNone(taking.poll())

            taking.terminate()
            self.assertEqual(taking.wait(10), 0)
            self.assertEqual(pool.owners(), [None, None])
            # What a pool gave up a home may have.
            pool.home("--cache", cache, "--name", "single")
            wait_until(lambda: pool.owners() == ["single"] * 2, what="the home")
            self.assertFalse(set(nonces) & set(pool.nonces()))

    def test_a_directory_that_is_neither_empty_nor_a_pool_s_is_left_alone(self):
        with Pool(shards=1) as pool:
            folder = pool.folder / "full"
            (folder / "kitchen").mkdir(parents=True)
            refused = pool.run("pool", "--caches-in", folder, "--name", "a")
            self.assertEqual((refused.returncode, [path.name for path in folder.iterdir()]), (64, ["kitchen"]))
            missing = pool.run("pool", "--caches-in", pool.folder / "none", "--name", "a")
            self.assertEqual(missing.returncode, 66)

    def test_two_bridges_do_not_have_one_directory(self):
        with Pool(shards=1) as pool:
            member = Member(pool, "a")
            pool.wait_for([1])
            second = pool.run("pool", "--caches-in", member.folder, "--name", "b")
            self.assertEqual(second.returncode, 75)
            self.assertIn("another bridge has", second.stderr)


def shard_of(token, count):
    """FNV-1a of 32 bits."""
    value = 2166136261
    for byte in token.encode():
        value = ((value ^ byte) * 16777619) & 0xFFFFFFFF
    return value % count


def watcher_messages(watcher, bells):
    """What rang: the stream's messages with their sequences, and the nonce of the owner that wrote each."""
    watcher.flush()
    return [{"shard": int(message.headers["Nats-Stream"].rsplit("-", 1)[1]),
             "sequence": int(message.headers["Nats-Sequence"]),
             "owner": message.headers["Cachesync-Owner"]} for message in watcher.waiting(bells)]


if __name__ == "__main__":
    unittest.main()
