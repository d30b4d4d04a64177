"""Several hosts on one machine: a network namespace for each, all at one switch. Only root may make them."""

import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path

from support import AGENT, BRIDGE


def ip(*words):
    subprocess.run(["ip", *words], check=True)


class Network:
    """Hosts that reach each other by name."""

    def __init__(self, *names):
        self.folder = Path(tempfile.mkdtemp(prefix="cachesync-hosts-"))
        self.mark = f"cs{os.getpid()}"
        self.switch = f"{self.mark}-switch"
        self.made = []
        self.space(self.switch)
        ip("-n", self.switch, "link", "add", "switch", "type", "bridge")
        ip("-n", self.switch, "link", "set", "switch", "up")
        table = "127.0.0.1 localhost\n" + "".join(f"10.98.7.{at} {name}\n" for at, name in enumerate(names, 1))
        self.hosts = {name: Host(self, name, at, table) for at, name in enumerate(names, 1)}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for host in self.hosts.values():
            host.close()
        for space in self.made:
            subprocess.run(["ip", "netns", "del", space])
            shutil.rmtree(f"/etc/netns/{space}", ignore_errors=True)
        shutil.rmtree(self.folder, ignore_errors=True)

    def __getitem__(self, name):
        return self.hosts[name]

    def space(self, name):
        ip("netns", "add", name)
        self.made.append(name)


class Host:
    """A host with a home of its own, in which the programs under test are installed."""

    def __init__(self, network, name, at, table):
        self.network, self.name, self.space, self.port = network, name, f"{network.mark}-{name}", f"port{at}"
        self.home = network.folder / name
        programs = self.home / "programs"
        programs.mkdir(parents=True)
        for program in (AGENT, BRIDGE):
            (programs / Path(program).name).symlink_to(Path(program).resolve())
        # What ip-netns(8) puts in the place of /etc/hosts.
        etc = Path("/etc/netns") / self.space
        etc.mkdir(parents=True)
        (etc / "hosts").write_text(table)
        network.space(self.space)
        ip("-n", self.space, "link", "add", "net", "type", "veth", "peer", "name", self.port, "netns", network.switch)
        ip("-n", network.switch, "link", "set", self.port, "master", "switch", "up")
        ip("-n", self.space, "address", "add", f"10.98.7.{at}/24", "dev", "net")
        ip("-n", self.space, "link", "set", "net", "up")
        ip("-n", self.space, "link", "set", "lo", "up")
        self.environment = {
            "HOME": str(self.home), "PATH": f"{programs}:{os.environ['PATH']}:/usr/sbin:/sbin", "LC_ALL": "C.UTF-8",
            "TZ": os.environ.get("TZ", "UTC")}
        self.processes = []

    def plug(self, is_in):
        """Puts the host's cable into the switch, or pulls it."""
        ip("-n", self.network.switch, "link", "set", self.port, "up" if is_in else "down")

    def words(self, command):
        """What runs words, or a line that is typed into a shell, on this host."""
        return ["ip", "netns", "exec", self.space, *(["sh", "-c", command] if isinstance(command, str) else command)]

    def run(self, command, **more):
        more = {"capture_output": True, "text": True, "timeout": 60, "stdin": subprocess.DEVNULL} | more
        return subprocess.run(self.words(command), cwd=self.home, env=self.environment, **more)

    def begin(self, command):
        """Starts a command that ends with this host; the path of its output, standard error included."""
        output = self.home / f"output-{len(self.processes)}"
        with open(output, "wb") as lines:
            self.processes.append(subprocess.Popen(
                self.words(command), cwd=self.home, env=self.environment, stdin=subprocess.DEVNULL, stdout=lines,
                stderr=lines, start_new_session=True))
        return output

    def close(self):
        for process in self.processes:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
