"""The package in a booted systemd: a copy of this machine's system in memory, booted in a container without a network.

Wants root and systemd-nspawn; where a sandbox permits neither, the test is skipped and says so. What is looked at, and in
which order, is in in_booted_system.py.
"""

import json
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

import built
from support import REPOSITORY

# Mounts the copy at $1/root. All of it ends with the process's namespace of mounts.
OVERLAY = """set -eu
mount -t tmpfs tmpfs "$1"
mkdir "$1/upper" "$1/work" "$1/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$1/upper,workdir=$1/work" "$1/root"
"""

# Only what the service manager of a user needs, besides the test: what else this machine runs stays off.
BOOT = OVERLAY + """
cd "$1/root"
# A policy of containers forbids services; the index of manual pages, made anew, takes ten seconds.
rm -rf usr/sbin/policy-rc.d var/lib/man-db/auto-update var/cache/cachesync
mkdir -p etc/systemd/journald.conf.d
printf '[Journal]\\nStorage=volatile\\n' >etc/systemd/journald.conf.d/test.conf
cat >etc/systemd/system/cachesync-test.target <<END
[Unit]
Requires=basic.target dbus.socket systemd-logind.service cachesync-test.service
END
cat >etc/systemd/system/cachesync-test.service <<END
[Unit]
After=basic.target systemd-logind.service systemd-user-sessions.service
Wants=systemd-user-sessions.service
SuccessAction=poweroff-force
FailureAction=poweroff-force
[Service]
Type=oneshot
StandardOutput=file:/cachesync/results/log
StandardError=inherit
ExecStart=/usr/bin/python3 -B /cachesync/repository/Tests/Citizen/in_booted_system.py \\\\
  /cachesync/repository /cachesync/packages /cachesync/results
END
exec systemd-nspawn -q -D "$1/root" --register=no --keep-unit --private-network --console=pipe \\
  --bind-ro="$2:/cachesync/repository" --bind-ro="$3:/cachesync/packages" --bind="$4:/cachesync/results" \\
  -b -- --unit=cachesync-test.target
"""

PROBE = OVERLAY + """
exec systemd-nspawn -q -D "$1/root" --register=no --keep-unit --private-network --console=pipe true
"""


def in_namespace(script, *arguments, seconds):
    """Runs a script with mounts and processes of its own, and ends all of it when it takes too long."""
    # systemd-nspawn looks its child up in /proc, so that has to be the one of these processes.
    unshare = ["unshare", "--mount", "--propagation", "private", "--pid", "--fork", "--mount-proc", "--kill-child"]
    words = [*unshare, "sh", "-c", script, "sh"]
    with tempfile.TemporaryFile("w+", errors="replace") as output:
        process = subprocess.Popen(
            [*words, *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT)
        try:
            status = process.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            status = f"not within {seconds} s"
        output.seek(0)
        return status, output.read()


def obstacle(directory):
    """Why this machine cannot boot a container, or nothing."""
    if os.geteuid() != 0:
        return "booting a container takes root"
    for program in ("systemd-nspawn", "unshare"):
        if shutil.which(program) is None:
            return f"no {program} here"
    status, output = in_namespace(PROBE, directory, seconds=30)
    return None if status == 0 else f"this machine boots no container: {output.strip()}"


def with_version(package, version, to):
    """The same package again under another version: an upgrade, without a build."""
    with tempfile.TemporaryDirectory() as unpacked:
        subprocess.run(["dpkg-deb", "-R", package, unpacked], check=True)
        control = Path(unpacked, "DEBIAN/control")
        lines = control.read_text().splitlines()
        control.write_text(
            "\n".join(f"Version: {version}" if each.startswith("Version:") else each for each in lines) + "\n")
        subprocess.run(["dpkg-deb", "-Znone", "-b", unpacked, to], check=True, stdout=subprocess.DEVNULL)


class SystemTests(unittest.TestCase):
    def test_rows(self):
        with tempfile.TemporaryDirectory() as directory:
            place, packages, results = (Path(directory, name) for name in ("place", "packages", "results"))
            for each in (place, packages, results):
                each.mkdir()
            reason = obstacle(place)
            if reason:
                self.skipTest(reason)
            shutil.copy(built.package("cachesyncd"), packages / "old.deb")
            with_version(packages / "old.deb", "99.0", packages / "new.deb")
            shutil.copy(built.package("cachesync-bridge"), packages / "bridge.deb")
            status, output = in_namespace(BOOT, place, REPOSITORY, packages, results, seconds=80)
            self.assertTrue((results / "results.json").exists(), f"no row was looked at:\n{output}")
            found = json.loads((results / "results.json").read_text())
            log = (results / "log").read_text()
        for row, error in found["rows"].items():
            with self.subTest(row):
                self.assertIsNone(error, error)
        print("measured:", json.dumps(found["measured"]))
        self.assertTrue(found["ended"], f"the rows after the last one above were not looked at: {status}\n{log}{output}")


if __name__ == "__main__":
    unittest.main()
