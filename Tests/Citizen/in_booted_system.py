"""What test_system.py looks at inside a booted system, in this order. Runs there as root, as a service.

Each row is one promise of docs/reference/packaging.md. A row that fails does not end the run: its traceback is its result.
Usage: in_booted_system.py REPOSITORY PACKAGES RESULTS, where PACKAGES holds old.deb, new.deb and bridge.deb.
"""

import contextlib
import gzip
import json
import mmap
import os
import pwd
import shutil
import subprocess
import sys
import time
import traceback
from pathlib import Path

from support import task

REPOSITORY, PACKAGES, RESULTS = (Path(argument) for argument in sys.argv[1:4])
CACHES = Path("/var/cache/cachesync")
AGENT = "/usr/bin/cachesyncd"
measured = {}


def run(*words, status=0, **options):
    """Runs a command, and returns what it printed. Any other exit status than the expected fails the row."""
    done = subprocess.run(words, capture_output=True, text=True, timeout=60, **options)
    if status is not None and done.returncode != status:
        raise AssertionError(f"{' '.join(words)}: exit status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout.strip()


def until(condition, what, seconds=10):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f"not within {seconds} s: {what}"
        time.sleep(0.02)


def unit(name):
    return f"cachesyncd@{name}.service"


def shown(name, *properties):
    lines = run("systemctl", "show", unit(name), *(f"-p{each}" for each in properties)).splitlines()
    values = dict(line.split("=", 1) for line in lines)
    return [values[each] for each in properties]


def journal(*words):
    run("journalctl", "--sync")
    text = run("journalctl", "-o", "cat", "_COMM=cachesyncd", *words, status=None)
    return [line for line in text.splitlines() if line != "-- No entries --"]


def cursor_of_journal():
    return run("journalctl", "-q", "-n", "0", "--show-cursor").removeprefix("-- cursor: ")


def fill(cache, owner="cachesync"):
    """A copy of the sample cache, moved to today."""
    run(str(REPOSITORY / "scripts/scratch.sh"), AGENT, "sample-cache", str(cache), cwd=REPOSITORY)
    run("chown", "-R", f"{owner}:", str(cache))
    cache.chmod(0o750)


def published(cache):
    """The snapshots of a cache; none when there is no manifest."""
    snapshots = cache / "snapshots"
    return {each.stem for each in snapshots.glob("*.json")} if (snapshots / "manifest.json").exists() else set()


def start(name):
    """Starts an instance; notes how long systemctl took, and the unit within that."""
    begin = time.monotonic()
    run("systemctl", "start", unit(name))
    whole = time.monotonic() - begin
    left, entered = map(int, shown(name, "InactiveExitTimestampMonotonic", "ActiveEnterTimestampMonotonic"))
    measured.setdefault("systemctl start, and the unit in it, ms", []).append(
        [round(whole * 1000), round((entered - left) / 1000)])


def agent_status(cache, status=0):
    return json.loads(run(AGENT, "status", "--json", "--cache", str(cache), status=status))


def wake_ups(process):
    """How often the threads of a process went to sleep, which is how often they woke up. A thread that waits for the disk may
    end meanwhile."""
    count = 0
    for task in Path(f"/proc/{process}/task").iterdir():
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            for line in (task / "status").read_text().splitlines():
                if line.startswith("voluntary_ctxt_switches"):
                    count += int(line.split()[1])
    return count


def installing_enables_nothing():
    run("dpkg", "--force-unsafe-io", "-i", str(PACKAGES / "old.deb"))
    account = pwd.getpwnam("cachesync")
    assert account.pw_dir == str(CACHES), account
    assert run("systemctl", "is-enabled", unit("quiet"), status=None) == "disabled"
    assert run("systemctl", "--global", "is-enabled", "cachesyncd.service", status=None) == "disabled"
    assert run("systemctl", "list-units", "--plain", "--no-legend", "cachesyncd@*") == ""


def one_systemctl_makes_an_empty_cache():
    run("systemctl", "enable", "--now", unit("empty"))
    assert shown("empty", "ActiveState", "SubState") == ["active", "running"]
    cache = CACHES / "empty"
    assert cache.stat().st_mode & 0o7777 == 0o750, oct(cache.stat().st_mode)
    assert cache.owner() == cache.group() == "cachesync"
    assert published(cache), "no manifest"


def active_means_published():
    for name in ["quiet", "home", "anew"]:
        fill(CACHES / name)
        start(name)
        kinds = published(CACHES / name)
        assert {"todays-tasks", "meal-plan", "day-index"} <= kinds, kinds


def a_start_writes_one_line():
    lines = journal(f"_SYSTEMD_UNIT={unit('quiet')}")
    assert len(lines) == 1 and "serving" in lines[0], lines
    assert "^C" not in lines[0] and not lines[0].startswith("<"), lines
    (priority,) = [
        json.loads(line)["PRIORITY"] for line in journal("-o", "json", f"_SYSTEMD_UNIT={unit('quiet')}")
    ]
    assert priority in "56", priority


def what_is_dropped_is_published():
    run(AGENT, "drop", "tasks", "-", "--name", "dropped", "--wait", "--cache", str(CACHES / "home"),
        input=task("Feed the booted cat"))
    assert "Feed the booted cat" in (CACHES / "home/snapshots/todays-tasks.json").read_text()


def a_cache_made_anew_is_writable():
    cache = CACHES / "anew"
    shutil.rmtree(cache)
    cache.mkdir(mode=0o750)
    shutil.chown(cache, "cachesync", "cachesync")
    shutil.copytree(CACHES / "quiet/tasks", cache / "tasks")
    run("chown", "-R", "cachesync:", str(cache / "tasks"))
    until(lambda: "todays-tasks" in published(cache), "the tasks of the new directory")
    run(AGENT, "wait", "--cache", str(cache))
    assert shown("anew", "NRestarts", "ActiveState") == ["0", "active"]


def status_answers_root_on_a_read_only_disk():
    cache = CACHES / "readonly"
    cache.mkdir()
    run("mount", "-t", "tmpfs", "tmpfs", str(cache))
    fill_mounted(cache)
    start("readonly")
    run("mount", "-o", "remount,ro", str(cache))
    until(lambda: not agent_status(cache)["writable"], "the agent sees that it cannot write")
    # The agent that is started there puts its socket into no directory.
    run("systemctl", "restart", unit("readonly"))
    answer = agent_status(cache)
    assert answer["alive"] and answer["hearing"] and not answer["writable"], answer


def fill_mounted(cache):
    """scratch.sh makes the directory anew, which a mount point does not permit."""
    fill(Path("/tmp/filled"))
    shutil.copytree("/tmp/filled", cache, dirs_exist_ok=True)
    run("chown", "-R", "cachesync:", str(cache))


def wrong_settings_fail_once():
    cache = CACHES / "wrong"
    fill(cache)
    (cache / "cachesync.json").write_text('{"timeZone": "Nowhere/Never"}')
    run("systemctl", "start", unit("wrong"), status=1)
    assert shown("wrong", "ExecMainStatus", "ActiveState", "SubState", "NRestarts") == ["78", "failed", "failed", "0"]


def the_journal_knows_errors():
    lines = journal("-p", "err")
    assert lines and all("Nowhere/Never" in line for line in lines), lines


def reload_returns_when_it_is_done():
    (before,) = shown("home", "MainPID")
    run(AGENT, "drop", "tasks", "-", "--name", "spoons", "--wait", "--cache", str(CACHES / "home"),
        input=task("Count the ladles"))
    # A write through a memory map gives no event before the file is closed, so only the reload can find it.
    with open(CACHES / "home/tasks/spoons.json", "r+b") as file, mmap.mmap(file.fileno(), 0) as memory:
        place = memory.find(b"Count the ladles")
        while place >= 0:
            memory[place : place + 16] = b"Count the spoons"
            place = memory.find(b"Count the ladles")
        memory.flush()
        # An agent that is held up reads nothing again, so the reload waits for it.
        run("systemctl", "kill", "-s", "STOP", unit("home"))
        reload = subprocess.Popen(["systemctl", "reload", unit("home")])
        try:
            reload.wait(timeout=0.5)
            raise AssertionError("the reload returned before the agent read anything")
        except subprocess.TimeoutExpired:
            pass
        finally:
            run("systemctl", "kill", "-s", "CONT", unit("home"))
        assert reload.wait(timeout=20) == 0
        assert shown("home", "MainPID", "ActiveState") == [before, "active"]
        assert "Count the spoons" in (CACHES / "home/snapshots/todays-tasks.json").read_text()


def a_crash_is_followed_by_a_start():
    run("systemctl", "kill", "-s", "KILL", unit("anew"))
    until(lambda: shown("anew", "NRestarts", "ActiveState") == ["1", "active"], "the second start")


def a_fresh_user_needs_one_systemctl():
    run("useradd", "--create-home", "--shell", "/bin/sh", "fresh")
    account = pwd.getpwnam("fresh")
    run("loginctl", "enable-linger", "fresh")
    run("systemctl", "start", f"user@{account.pw_uid}.service")
    as_user("enable", "--now", "cachesyncd.service")
    cache = Path("/home/fresh/.cache/cachesync")
    assert as_user("is-active", "cachesyncd.service") == "active"
    assert published(cache), "no manifest"
    assert cache.stat().st_mode & 0o7777 == 0o700, oct(cache.stat().st_mode)
    assert cache.owner() == "fresh"
    assert "enable-linger" not in run(AGENT, "status", "--cache", str(cache))  # root's
    # As it is without lingering. logind looks at that file only when it starts.
    lingering = Path("/var/lib/systemd/linger/fresh")
    lingering.unlink()
    assert "loginctl enable-linger fresh\n" in run(AGENT, "status", "--cache", str(cache)) + "\n"
    lingering.touch()
    as_user("stop", "cachesyncd.service")
    fill(cache, owner="fresh")
    as_user("start", "cachesyncd.service")
    assert "todays-tasks" in published(cache)
    as_user("reload", "cachesyncd.service")
    lines = journal("_SYSTEMD_USER_UNIT=cachesyncd.service", f"_PID={as_user_pid()}")
    assert len(lines) == 1 and "serving" in lines[0], lines


def as_user(*words):
    account = pwd.getpwnam("fresh")
    environment = {"XDG_RUNTIME_DIR": f"/run/user/{account.pw_uid}", "PATH": os.environ["PATH"]}
    return run("runuser", "-u", "fresh", "--", "systemctl", "--user", *words, env=environment)


def as_user_pid():
    return as_user("show", "-p", "MainPID", "--value", "cachesyncd.service")


def an_idle_instance_sleeps():
    """Watches for three seconds in which nothing happens: there is no sign of a wake-up that could be waited for."""
    (process,) = shown("quiet", "MainPID")
    before = wake_ups(process)
    time.sleep(3)
    measured["idle wake-ups in 3 s"] = wake_ups(process) - before
    assert wake_ups(process) == before


def a_home_joins_a_namespace():
    """Beside the agent of the same cache, with the server, and the credentials of the service's user alone, from /etc."""
    if not shutil.which("nats-server"):
        measured["no nats-server here, so no home was looked at"] = True
        return
    run("dpkg", "--force-unsafe-io", "-i", str(PACKAGES / "bridge.deb"))
    name = "cachesync-home@home.service"
    assert run("systemctl", "is-enabled", name, status=None) == "disabled"
    assert run("systemctl", "--global", "is-enabled", "cachesync-home.service", status=None) == "disabled"
    run("systemd-run", "--unit=engine", "nats-server", "-js", "-sd", "/run/engine", "-a", "127.0.0.1", "-p", "4333",
        "--user", "owner", "--pass", "secret")
    place = Path("/etc/cachesync")
    place.mkdir()
    credentials = place / "credentials"
    credentials.write_text("owner:secret\n")
    credentials.chmod(0o600)
    options = ["--server", "nats://127.0.0.1:4333", "--credentials", str(credentials)]
    until(lambda: subprocess.run(["cachesync-bridge", "setup", *options], capture_output=True).returncode == 0, "the engine")
    shutil.chown(credentials, "cachesync")
    (place / "home").write_text(f"CACHESYNC_SERVER=nats://127.0.0.1:4333\nOPTIONS=--credentials {credentials}\n")
    run("systemctl", "start", name)
    run("cachesync-bridge", "drop", "home", "tasks", "--name", "bridged", *options, input=task("Feed the bridged cat"))
    cache = CACHES / "home"
    until(lambda: "Feed the bridged cat" in (cache / "snapshots/todays-tasks.json").read_text(), "the drop")
    file = cache / "tasks/bridged.json"
    assert (file.owner(), file.stat().st_mode & 0o777) == ("cachesync", 0o640), oct(file.stat().st_mode)
    # The owner's record, and the agent's set, which is carried after it is published here.
    until(lambda: json.loads(run("cachesync-bridge", "status", "--json", *options))["shards"][0]["out"]["messages"] == 2, "the set")
    shown = json.loads(run("cachesync-bridge", "status", "--json", *options))
    assert shown["bridges"][0]["caches"][0]["served"] and shown["bridges"][0]["problems"] == [], shown
    run("systemctl", "enable", name)
    run("dpkg", "-P", "cachesync-bridge")
    assert run("systemctl", "show", "-p", "ActiveState", name) == "ActiveState=inactive"
    assert not list(Path("/etc/systemd/system").rglob("cachesync-home@*"))
    run("systemctl", "stop", "engine")


def an_upgrade_restarts_what_runs():
    before = {name: shown(name, "MainPID", "InvocationID") for name in ["quiet", "home"]}
    of_user = as_user_pid()
    run("dpkg", "-i", str(PACKAGES / "new.deb"))
    for name, (process, invocation) in before.items():
        state, process_now, invocation_now = shown(name, "ActiveState", "MainPID", "InvocationID")
        assert state == "active" and process_now != process and invocation_now != invocation, name
        assert not os.readlink(f"/proc/{process_now}/exe").endswith("(deleted)")
    assert shown("wrong", "ActiveState") == ["failed"]
    assert as_user_pid() == of_user
    assert run("systemctl", "is-enabled", unit("empty")) == "enabled"


def stopping_is_quick():
    begin = time.monotonic()
    run("systemctl", "stop", unit("home"))
    measured["stop, ms"] = round((time.monotonic() - begin) * 1000)
    assert shown("home", "Result", "ExecMainStatus") == ["success", "0"]


def a_drop_in_serves_another_directory():
    """The first one of cachesyncd(1), as it stands there."""
    with gzip.open("/usr/share/man/man1/cachesyncd.1.gz", "rt") as page:
        text = page.read().split("serves a cache elsewhere:")[1].split(".Bd -literal -offset indent\n")[1].split(".Ed\n")[0]
    above = Path("/srv/kitchen")
    above.mkdir()
    shutil.chown(above, "cachesync", "cachesync")
    cache = above / "cache"
    fill(cache)
    drop_in = Path(f"/etc/systemd/system/{unit('kitchen')}.d/elsewhere.conf")
    drop_in.parent.mkdir()
    drop_in.write_text(text)
    run("systemctl", "daemon-reload")
    start("kitchen")
    assert "todays-tasks" in published(cache)
    shutil.rmtree(cache)
    fill(cache)
    until(lambda: "todays-tasks" in published(cache), "the cache that was made anew")
    run("systemctl", "reload", unit("kitchen"))
    assert agent_status(cache)["writable"]
    run("systemctl", "stop", unit("kitchen"))
    shutil.rmtree(drop_in.parent)
    run("systemctl", "daemon-reload")


def removal_and_purge_keep_caches():
    files = lambda: sorted(str(each) for each in CACHES.rglob("*.json"))
    before = files()
    run("dpkg", "-r", "cachesyncd")
    assert shown("quiet", "ActiveState")[0] in ("inactive", "failed")
    assert files() == before
    run("dpkg", "-P", "cachesyncd")
    assert files() == before
    assert Path("/home/fresh/.cache/cachesync/snapshots/manifest.json").exists()
    assert not list(Path("/etc/systemd/system").rglob("cachesyncd@*"))


ROWS = [
    installing_enables_nothing,
    one_systemctl_makes_an_empty_cache,
    active_means_published,
    a_start_writes_one_line,
    what_is_dropped_is_published,
    a_cache_made_anew_is_writable,
    status_answers_root_on_a_read_only_disk,
    wrong_settings_fail_once,
    the_journal_knows_errors,
    reload_returns_when_it_is_done,
    a_crash_is_followed_by_a_start,
    a_fresh_user_needs_one_systemctl,
    an_idle_instance_sleeps,
    a_home_joins_a_namespace,
    an_upgrade_restarts_what_runs,
    stopping_is_quick,
    a_drop_in_serves_another_directory,
    removal_and_purge_keep_caches,
]


def main():
    results = {}

    def report(ended):
        (RESULTS / "results.json").write_text(json.dumps({"rows": results, "measured": measured, "ended": ended}))

    for row in ROWS:
        begin, cursor = time.monotonic(), cursor_of_journal()
        try:
            row()
            error = None
        except Exception:
            error = traceback.format_exc()
            error += "The journal meanwhile:\n" + run("journalctl", "-q", f"--after-cursor={cursor}", status=None)
        results[row.__name__] = error
        measured.setdefault("rows, s", {})[row.__name__] = round(time.monotonic() - begin, 2)
        report(ended=False)
    report(ended=True)


main()
