"""The bars of docs/recipes, each as it stands in its page: the first text at once, new text after a drop, and what is wrong.

Debian: sway waybar xvfb x11-apps fonts-dejavu-core polybar i3blocks tmux jq.
"""

import html
import json
import os
import pty
import re
import shutil
import subprocess
import tempfile
import termios
import unittest
from datetime import datetime, timedelta, timezone

from recipes import Home, Lines, needs
from support import Cache, wait_until

# Titles that a bar could take for its own words.
MARKUP = "<b>&\"'"
TMUX_WORDS = "#[fg=red]#(touch ran)#{host}"
POLYBAR_WORDS = "%{A1:touch ran:}%{F#f00}"
# The colours of waybar.md and polybar.md.
GREEN, RED, WHITE = 0x1F6F43, 0xB3261E, 0xFFFFFF


def task(title):
    made = datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    return json.dumps({"tasks": [{"id": "awkward", "title": title, "completed": False, "createdAt": made}]})


def event(title):
    # Before what the sample has next, at any hour.
    begin = datetime.now(timezone.utc) + timedelta(minutes=2)
    return json.dumps({"events": [{
        "id": "awkward", "title": title, "startTime": begin.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "endTime": (begin + timedelta(hours=1)).strftime("%Y-%m-%dT%H:%M:%SZ"), "isAllDay": False}]})


class Blocks(Lines):
    """What i3blocks says."""

    def texts(self, name):
        """The texts of one block: a list begins, then each line is what the bar shows now."""
        shown = [json.loads(line.lstrip(",")) for line in self.text.splitlines()[2:] if line.endswith("]")]
        return [block.get("full_text") for line in shown for block in line if block.get("name") == name]


class Screen:
    """A screen in memory, and the colours of the bar at its top."""

    HEIGHT = 40

    def __init__(self, home):
        self.home = home
        read, write = os.pipe()
        self.server = home.begin(
            ["Xvfb", "-displayfd", str(write), "-screen", "0", "1024x768x24", "-nolisten", "tcp", "-ac"],
            pass_fds=[write])
        os.close(write)
        with os.fdopen(read) as file:
            home.environment["DISPLAY"] = ":" + file.readline().strip()

    def picture(self):
        """The rows of the bar, three bytes for each pixel: blue, green and red."""
        dump = self.home.type("exec xwd -silent -root", text=False).stdout
        fields = [int.from_bytes(dump[at:at + 4], "big") for at in range(0, 100, 4)]
        header, width, bits, stride, colours = fields[0], fields[4], fields[11], fields[12], fields[19]
        rows = dump[header + colours * 12:][:stride * self.HEIGHT]
        step = bits // 8
        return [
            [rows[at:at + 3] for at in range(start, start + width * step, step)]
            for start in range(0, stride * self.HEIGHT, stride)]

    def count(self, colour):
        """How many pixels have that colour."""
        wanted = colour.to_bytes(3, "little")
        return sum(row.count(wanted) for row in self.picture())

    def save(self, name):
        """Keeps a picture for people, where CACHESYNC_SCREENS says."""
        if folder := os.environ.get("CACHESYNC_SCREENS"):
            rows = self.picture()
            with open(os.path.join(folder, name + ".ppm"), "wb") as file:
                file.write(b"P6 %d %d 255\n" % (len(rows[0]), len(rows)))
                for row in rows:
                    file.write(b"".join(pixel[::-1] for pixel in row))


class Bars(unittest.TestCase):
    def setUp(self):
        self.cache = Cache()
        self.addCleanup(self.cache.__exit__)
        self.cache.start()
        self.home = self.enterContext(Home(self.cache))

    def line(self, kind):
        return self.cache.run("show", kind, "--format", "line", check=True).stdout.strip()

    def break_file(self, feed):
        self.cache.put(f"{feed}/bad.json", "{")

    def begin_sway(self):
        """Starts a compositor that draws into the screen in memory. Its socket, for what is to be drawn."""
        # sway refuses to run as root.
        user = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] if os.geteuid() == 0 else []
        folder = tempfile.mkdtemp(prefix="cachesync-sway-")
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        if user:
            os.chown(folder, 65534, 65534)
        configuration = os.path.join(folder, "sway")
        with open(configuration, "w") as file:
            file.write("output * bg #000000 solid_color\n")
        drawing = {"WLR_BACKENDS": "x11", "WLR_RENDERER": "pixman", "XDG_RUNTIME_DIR": folder, "HOME": folder}
        words = [f"{name}={value}" for name, value in drawing.items()]
        self.home.begin(["env", "-C", folder, *words, *user, "sway", "-c", configuration])

        def sockets():
            return [os.path.join(folder, name) for name in os.listdir(folder) if re.fullmatch(r"wayland-\d", name)]

        return wait_until(sockets, what="a display of sway's")[0]

    @needs("sway", "waybar", "Xvfb", "xwd")
    def test_waybar(self):
        screen = Screen(self.home)
        self.home.follow("waybar.md")
        self.home.environment |= {"WAYLAND_DISPLAY": self.begin_sway(), "GDK_BACKEND": "wayland"}
        waybar = self.home.begin(["waybar"], stderr=subprocess.PIPE)
        said = Lines(waybar.stderr)

        wait_until(lambda: screen.count(GREEN) > 1000, what="the colour of current")
        self.assertEqual(screen.count(RED), 0)
        wait_until(lambda: screen.count(GREEN) > 8000, what="the colour of current of three modules")
        screen.save("waybar-current")
        self.cache.drop("tasks", task(MARKUP))
        self.cache.drop("events", event(MARKUP))
        self.break_file("tasks")
        wait_until(lambda: screen.count(RED) > 500, what="the colour of problem")
        screen.save("waybar-problem")
        self.assertGreater(screen.count(GREEN), 500)
        self.assertNotRegex(said.text, "(?i)markup|parse|json")
        self.assertFalse((self.home.path / "ran").exists())

    @needs("polybar", "Xvfb", "xwd")
    def test_polybar(self):
        screen = Screen(self.home)
        [command] = self.home.follow("polybar.md")
        polybar = self.home.begin(command.text, stderr=subprocess.PIPE)
        said = Lines(polybar.stderr)
        white = WHITE.to_bytes(3, "little")

        def left():
            """The half with the next event."""
            return [pixel for row in screen.picture() for pixel in row[:len(row) // 2]]

        wait_until(lambda: white in left(), what="the first text")
        first = left()
        screen.save("polybar-first")
        self.cache.drop("events", event(POLYBAR_WORDS))
        wait_until(lambda: left() != first, what="new text")
        screen.save("polybar-new")
        # Not a tag, whose colour it would be.
        self.assertEqual(screen.count(0xFF0000), 0)
        self.assertEqual(screen.count(RED), 0)
        self.break_file("events")
        wait_until(lambda: screen.count(RED) > 500, what="the colour of problem")
        screen.save("polybar-problem")
        self.assertNotRegex(said.text, "(?i)error")

    @needs("i3blocks", "jq")
    def test_i3blocks(self):
        blocks = []
        for command in self.home.follow("i3blocks.md"):
            blocks.append(Blocks(self.home.begin(command.text, stdout=subprocess.PIPE).stdout))
        plain, coloured = blocks
        first = self.line("next-event")
        wait_until(lambda: first in plain.texts("event") and first in coloured.texts("event"), what="the first text")
        self.cache.drop("events", event(MARKUP))
        new = self.line("next-event")
        self.assertIn(MARKUP, new)
        wait_until(lambda: new in plain.texts("event"), what="new text")
        wait_until(
            lambda: new in [html.unescape(text) for text in coloured.texts("event")], what="new text in markup")
        self.assertNotIn("<b>", coloured.text)
        self.break_file("events")
        wait_until(lambda: "#ff6b60" in coloured.text, what="the colour of problem")

    @needs("tmux")
    def test_tmux(self):
        self.home.follow("tmux.md")
        terminal, tmux = pty.openpty()
        termios.tcsetwinsize(tmux, (24, 200))
        self.addCleanup(self.home.type, "tmux -L cachesync-test kill-server")
        self.home.environment["TERM"] = "screen-256color"
        self.home.begin(
            ["tmux", "-L", "cachesync-test", "new-session", "sleep 1000"], stdin=tmux, stdout=tmux, stderr=tmux)
        os.close(tmux)
        lines = Lines(os.fdopen(terminal, "rb"))
        wait_until(lambda: self.line("next-event") in lines.text, what="the first text")
        self.cache.drop("events", event(TMUX_WORDS))
        new = self.line("next-event")
        self.assertIn(TMUX_WORDS, new)
        wait_until(lambda: new in lines.text, what="new text")
        self.assertFalse((self.home.path / "ran").exists())
