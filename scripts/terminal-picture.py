#!/usr/bin/python3
"""terminal-picture.py CACHESYNCD SAMPLE PICTURE: what a terminal shows during the README's first minute, as SVG.

Runs the real programs on a scratch copy of the sample cache, on the morning of its own Saturday (faketime), and draws what
they print. The text stays text: people can select it, and search engines read it.
"""

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import unicodedata
from xml.sax.saxutils import escape

COLUMNS = 92
CELL, LINE, MARGIN, SIZE = 8.4, 19, 16, 14
INK, SOFT, PAPER, EDGE = "#1c1c1e", "#5f5f66", "#ffffff", "#d8d8de"
# The attributes that `show` uses, as text attributes of SVG.
STYLES = {"1": 'font-weight="bold"', "2": f'fill="{SOFT}"', "31": 'fill="#c00012"', "32": 'fill="#1b6e30"',
          "33": 'fill="#8a5a00"'}
MORNING = "2026-11-21 09:30:00"
MILK = '{"tasks":[{"id":"milk","title":"Buy milk","completed":false,"createdAt":"2026-11-21T08:00:00Z"}]}\n'


def typed(commands, agent, sample):
    """The lines that the commands print, each below its prompt."""
    with tempfile.TemporaryDirectory() as place:
        directory = os.path.dirname(os.path.realpath(agent))
        environment = {
            "PATH": f"{directory}:/usr/bin:/bin", "HOME": place, "TZ": "UTC", "TERM": "xterm", "COLUMNS": str(COLUMNS),
            # Waiting goes by the machine's own clocks, and files keep their times.
            "FAKETIME_DONT_FAKE_MONOTONIC": "1", "NO_FAKE_STAT": "1",
        }
        os.symlink(os.path.realpath(sample), f"{place}/sample-cache")
        scripts = os.path.dirname(os.path.realpath(__file__))
        serving = subprocess.Popen(
            ["faketime", MORNING, f"{scripts}/run.sh", "cachesyncd", "sample-cache", "scratch-cache"],
            cwd=place, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            start_new_session=True)

        def run(command):
            return subprocess.run(
                ["faketime", MORNING, "sh", "-c", command], cwd=place, text=True, capture_output=True,
                env=environment | {"CACHESYNC_CACHE": f"{place}/scratch-cache"})

        try:
            lines = ["$ make run", next(line.rstrip("\n") for line in serving.stdout if line.strip())]
            deadline = time.monotonic() + 60
            while run("cachesyncd wait").returncode != 0:
                if serving.poll() is not None or time.monotonic() > deadline:
                    sys.exit("the agent does not serve")
                time.sleep(0.1)
            with open(f"{place}/milk.json", "w") as file:
                file.write(MILK)
            for command in commands:
                result = run(command.replace("cachesyncd show", "cachesyncd show --color always"))
                if result.returncode != 0:
                    sys.exit(f"{command}: status {result.returncode}: {result.stderr}")
                lines += ["", f"$ {command}"] + result.stdout.rstrip("\n").split("\n")
            return lines
        finally:
            # faketime waits for the agent and then tidies up, but does not pass signals on to it.
            status = json.loads(run("cachesyncd status --json").stdout or "{}")
            if pid := status.get("pid"):
                os.kill(pid, signal.SIGTERM)
            else:
                os.killpg(serving.pid, signal.SIGTERM)
            serving.wait()


def cells(text):
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)


def pieces(line):
    """A line's parts that are drawn each at its own place: (column, text, style)."""
    column, style, found = 0, "", []
    if line.startswith("$ "):
        return [(0, "$", STYLES["2"]), (2, line[2:], STYLES["1"])]
    for part in re.split(r"(\x1b\[\d+m)", line):
        if code := re.fullmatch(r"\x1b\[(\d+)m", part):
            style = STYLES.get(code[1], "")
            continue
        # Fonts differ in how wide an emoji or a block is, so what follows one or several spaces has a place of its own.
        for word in re.findall(r"[█░]+|\s{2,}|(?:(?!\s{2}|[█░])[\s\S])+", part):
            if word.strip():
                lead = len(word) - len(word.lstrip())
                if cells(word[lead]) == 2 and len(word) > lead + 1:
                    found.append((column + lead, word[lead], style))
                    if rest := word[lead + 1:].lstrip():
                        found.append((column + cells(word) - cells(rest), rest, style))
                else:
                    found.append((column + lead, word.strip(), style))
            column += cells(word)
    return found


def cut(line):
    """A line that is wider than the window ends in an ellipsis; of those with colours none is."""
    return line if "\x1b" in line or cells(line) <= COLUMNS else line[:COLUMNS - 1] + "…"


def length(text):
    """A text is as wide as its cells, whatever the viewer's font is; an emoji keeps its own shape."""
    return "" if cells(text[0]) == 2 else f' textLength="{cells(text) * CELL:.1f}" lengthAdjust="spacingAndGlyphs"'


def picture(lines):
    width = round(2 * MARGIN + COLUMNS * CELL)
    height = 2 * MARGIN + LINE * len(lines)
    drawn = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        f'font-family="ui-monospace, Menlo, Consolas, \'DejaVu Sans Mono\', monospace" font-size="{SIZE}" fill="{INK}">',
        "<title>A terminal with CacheSync</title>",
        f'<rect x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="8" fill="{PAPER}" stroke="{EDGE}"/>',
    ]
    for number, line in enumerate(lines):
        y = MARGIN + LINE * number + SIZE
        parts = pieces(cut(line))
        if parts:
            spans = "".join(
                f'<tspan x="{MARGIN + column * CELL:.1f}"{" " + style if style else ""}'
                f"{length(text)}>{escape(text)}</tspan>"
                for column, text, style in parts)
            drawn.append(f'<text y="{y}">{spans}</text>')
    return "\n".join(drawn + ["</svg>", ""])


if __name__ == "__main__":
    agent, sample, destination = sys.argv[1:]
    shown = typed([
        "cachesyncd drop tasks milk.json --wait",
        "cat scratch-cache/snapshots/task-count.json",
        "cachesyncd show meal-plan calories todays-tasks next-event",
    ], agent, sample)
    with open(destination, "w", encoding="utf-8") as file:
        file.write(picture(shown))
