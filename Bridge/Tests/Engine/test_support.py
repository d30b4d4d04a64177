"""What these tests themselves leave behind."""

import shutil
import subprocess
import unittest
from pathlib import Path

from support import Place


class Clocks(unittest.TestCase):
    @unittest.skipUnless(shutil.which("faketime"), "faketime is not installed")
    def test_a_program_with_a_clock_of_its_own_leaves_nothing_of_it_when_it_is_killed(self):
        with Place() as place:
            home = place.home("--cache", place.cache(), wrapper=["faketime", "-m", "-f", "+1d"])
            found = [Path("/dev/shm", name) for name in (f"faketime_shm_{home.pid}", f"sem.faketime_sem_{home.pid}")]
            self.assertEqual([file.exists() for file in found], [True, True])
        self.assertEqual([file.exists() for file in found], [False, False])


class Places(unittest.TestCase):
    def test_a_place_that_cannot_be_made_leaves_no_engine(self):
        class Recorded(Place):
            def make_engine(self, settings):
                Recorded.made = super().make_engine(settings)
                return Recorded.made

        with self.assertRaises(subprocess.CalledProcessError):
            Recorded(shards="none")
        self.addCleanup(Recorded.made.close)
        self.assertIsNone(Recorded.made.process)
        self.assertFalse(Recorded.made.folder.exists())


if __name__ == "__main__":
    unittest.main()
