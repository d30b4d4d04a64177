"""The units, by the service manager's own judges."""

import os
import subprocess
import tempfile
import unittest
from pathlib import Path

import built

USER = "lib/systemd/user/cachesyncd.service"
SYSTEM = "lib/systemd/system/cachesyncd@.service"


class UnitTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.directory.cleanup)
        # Installed for real, so that programs and pages lie where the units say.
        cls.prefix = Path(cls.directory.name, "prefix")
        built.make("install", f"PREFIX={cls.prefix}")

    def analyze(self, *words):
        """What systemd-analyze says of ours, and not of units that this machine has; an exit status but 0 fails the test."""
        environment = dict(os.environ, XDG_RUNTIME_DIR=self.directory.name, MANPATH=str(self.prefix / "share/man"))
        done = subprocess.run(["systemd-analyze", *words], env=environment, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return [line for line in done.stderr.splitlines() if "cachesync" in line]

    def test_no_complaint(self):
        self.assertEqual(self.analyze("verify", "--recursive-errors=no", str(self.prefix / SYSTEM)), [])
        self.assertEqual(self.analyze("verify", "--recursive-errors=no", "--user", str(self.prefix / USER)), [])

    def test_exposure(self):
        """A threshold is ten times the exposure: at most 1.0 for the system's, 6.2 for a user's."""
        self.analyze("security", "--offline=true", "--threshold=10", str(self.prefix / SYSTEM))
        self.analyze("security", "--user", "--offline=true", "--threshold=62", str(self.prefix / USER))

    def test_type(self):
        """systemd 252 turns notify-reload into simple, with a warning that is easily missed."""
        for unit in (USER, SYSTEM):
            lines = (self.prefix / unit).read_text().splitlines()
            self.assertIn("Type=notify", lines, unit)

    def test_prefix(self):
        for unit in (USER, SYSTEM):
            text = (self.prefix / unit).read_text()
            self.assertIn(f"ExecStart={self.prefix}/bin/cachesyncd run\n", text, unit)
            self.assertNotIn("/usr/bin/cachesync", text, unit)


if __name__ == "__main__":
    unittest.main()
