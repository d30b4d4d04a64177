"""Starts of the agent, many at once: each ends, however soon its cache is published or refused."""

import subprocess
import unittest
from concurrent.futures import ThreadPoolExecutor

from support import Cache, program


class Starts(unittest.TestCase):
    def test_a_refused_cache_ends_every_start(self):
        # The agent's thread may come to wait for a disk's thread that is done already: of 400 starts at once 2 to 9 hung.
        def status(_):
            with Cache(sample=False) as cache:
                cache.put("cachesync.json", '{"timeZone":"Mars/Base"}')
                words = [program(), "run", "--cache", cache.path]
                return subprocess.run(words, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=10).returncode

        with ThreadPoolExecutor(8) as starts:
            self.assertEqual(set(starts.map(status, range(400))), {78})


if __name__ == "__main__":
    unittest.main()
