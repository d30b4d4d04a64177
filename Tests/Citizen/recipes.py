"""Pages of docs/recipes as a reader follows them: their files are put in place, and their commands are typed into a shell."""

import contextlib
import os
import shutil
import signal
import subprocess
import threading
import unittest
from pathlib import Path

from pages import blocks
from support import program


class Home:
    """A home of its own, in which the program under test is installed, and the default cache is the one given."""

    def __init__(self, cache):
        self.path = cache.folder / "home"
        programs, own, runtime = self.path / "programs", self.path / ".local/bin", self.path / "run"
        for folder in (programs, own, runtime):
            folder.mkdir(parents=True)
        runtime.chmod(0o700)
        (programs / "cachesyncd").symlink_to(Path(program()).resolve())
        self.environment = {
            name: value for name, value in os.environ.items()
            if not name.startswith("XDG_") and name not in ("DISPLAY", "WAYLAND_DISPLAY", "SWAYSOCK", "TMUX")}
        self.environment |= {
            "HOME": str(self.path), "PATH": f"{own}:{programs}:{os.environ['PATH']}:/usr/sbin:/sbin",
            "XDG_CACHE_HOME": str(self.path / ".cache"), "XDG_RUNTIME_DIR": str(runtime), "LC_ALL": "C.UTF-8",
            "CACHESYNC_CACHE": str(cache.path)}
        self.processes = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in reversed(self.processes):
            end(process)
        # What programs left behind, such as servers of their own.
        for number in self.others():
            with contextlib.suppress(ProcessLookupError):
                os.kill(number, signal.SIGKILL)

    def others(self):
        """The processes that have this home."""
        home = f"HOME={self.path}".encode()
        for folder in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                if home in (folder / "environ").read_bytes().split(b"\0"):
                    yield int(folder.name)

    def programs(self, name):
        """The processes of one program that have this home."""
        for number in self.others():
            with contextlib.suppress(OSError):
                if Path(f"/proc/{number}/comm").read_text().strip() == name:
                    yield number

    def follow(self, page):
        """Puts the page's files in place; its commands."""
        commands = []
        for block in blocks(page):
            if block.file:
                self.write(block.file, block.text, block.mode)
            elif block.is_command:
                commands.append(block)
        return commands

    def write(self, name, text, mode=0o644):
        path = self.path / name.removeprefix("~/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(mode)
        return path

    def type(self, command, **more):
        """Types a command into a shell and waits for its end."""
        more = {"capture_output": True, "text": True, "timeout": 30, "stdin": subprocess.DEVNULL} | more
        return subprocess.run(["sh", "-c", command], cwd=self.path, env=self.environment, **more)

    def begin(self, command, **more):
        """Starts a command, words or what is typed into a shell, which ends with this home."""
        words = ["sh", "-c", command] if isinstance(command, str) else command
        # What a shell starts in the background ignores SIGINT, and a script cannot change that.
        words = ["env", "--default-signal=INT", *words]
        more = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL} | more
        process = subprocess.Popen(words, cwd=self.path, env=self.environment, start_new_session=True, **more)
        self.processes.append(process)
        return process


class Lines:
    """What a program says, kept as it comes."""

    def __init__(self, stream):
        self.text = ""
        threading.Thread(target=self.read, args=(stream,), daemon=True).start()

    def read(self, stream):
        # A terminal whose other end has closed is an error, not an end.
        with stream, contextlib.suppress(OSError):
            while part := os.read(stream.fileno(), 65536):
                self.text += part.decode(errors="replace")


def end(process, number=signal.SIGTERM):
    """Ends a process that a home began, and what it started."""
    try:
        os.killpg(process.pid, number)
        process.wait(timeout=5)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    except ProcessLookupError:
        process.wait()


def installed(name):
    """The path of a program; None when it is not installed."""
    return shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin:/sbin")


def needs(*programs):
    """Skips a test, and says so, where a program is not installed."""
    missing = [name for name in programs if not installed(name)]
    return unittest.skipIf(missing, f"not installed: {', '.join(missing)}; run make deps-citizen")
