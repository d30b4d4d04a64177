"""The units, by the service manager's own judges."""

import os
import subprocess
import tempfile
import unittest
from pathlib import Path

import built

USER = "lib/systemd/user/cachesyncd.service"
SYSTEM = "lib/systemd/system/cachesyncd@.service"
HOME_USER = "lib/systemd/user/cachesync-home.service"
HOME_SYSTEM = "lib/systemd/system/cachesync-home@.service"
FETCH_USER = "lib/systemd/user/cachesync-fetch@.service"
FETCH_SYSTEM = "lib/systemd/system/cachesync-fetch@.service"
PAGE_USER = "lib/systemd/user/cachesync-page.service"
PAGE_SYSTEM = "lib/systemd/system/cachesync-page@.service"
# What only a service that goes on has, and the timer in its place.
ONCE = {"Restart", "TimeoutStopSec", "CacheDirectory", "CacheDirectoryMode", "UMask", "WantedBy"}


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
        for unit in (SYSTEM, HOME_SYSTEM, PAGE_SYSTEM, FETCH_SYSTEM, FETCH_SYSTEM.replace("service", "timer")):
            self.assertEqual(self.analyze("verify", "--recursive-errors=no", str(self.prefix / unit)), [])
        for unit in (USER, HOME_USER, PAGE_USER, FETCH_USER, FETCH_USER.replace("service", "timer")):
            self.assertEqual(self.analyze("verify", "--recursive-errors=no", "--user", str(self.prefix / unit)), [])

    def test_exposure(self):
        """A threshold is ten times the exposure (packaging.md section 3)."""
        for unit, most in ((SYSTEM, 10), (HOME_SYSTEM, 15), (PAGE_SYSTEM, 15), (FETCH_SYSTEM, 15)):
            self.analyze("security", "--offline=true", f"--threshold={most}", str(self.prefix / unit))
        for unit, most in ((USER, 62), (HOME_USER, 65), (PAGE_USER, 65), (FETCH_USER, 65)):
            self.analyze("security", "--user", "--offline=true", f"--threshold={most}", str(self.prefix / unit))

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
        for unit, command in ((HOME_USER, "cachesync-bridge home --cache "), (HOME_SYSTEM, "cachesync-bridge home --cache "),
                              (PAGE_USER, "cachesyncd serve --key-file "), (PAGE_SYSTEM, "cachesyncd serve --cache ")):
            text = (self.prefix / unit).read_text()
            self.assertIn(f"ExecStart={self.prefix}/bin/{command}", text, unit)
            self.assertNotIn("/usr/bin/cachesync", text, unit)

    def test_another_unit_differs_from_its_agent_s_only_in_what_it_does(self):
        """Where the agent's sandbox is changed, that of the bridge and the page is too."""
        for unit, agent in ((HOME_USER, USER), (HOME_SYSTEM, SYSTEM), (PAGE_USER, USER), (PAGE_SYSTEM, SYSTEM),
                            (FETCH_USER, USER), (FETCH_SYSTEM, SYSTEM)):
            other, agent = ({line for line in (self.prefix / each).read_text().splitlines() if "=" in line and line[0] not in "# "}
                           for each in (unit, agent))
            names = {line.split("=")[0] for line in other ^ agent}
            self.assertEqual(names - {
                "Description", "Documentation", "Wants", "After", "Type", "NotifyAccess", "WatchdogSec", "Environment",
                "EnvironmentFile", "ExecStart", "ExecReload", "RestartSec", "RestrictAddressFamilies", "IPAddressDeny",
                "LimitNOFILE", "RestartPreventExitStatus", "ConfigurationDirectory", "ConfigurationDirectoryMode", "StateDirectory",
                "StateDirectoryMode"} - (ONCE if "fetch" in unit else set()), set())


if __name__ == "__main__":
    unittest.main()
