"""Pages of docs/recipes, taken apart.

A fence's info string says what its block is: `LANGUAGE file=PATH [mode=755] [on=HOST]` is that file, `LANGUAGE run [background]
[on=HOST]` is a command, to be typed on that machine where the page is about several; all else is for reading.
"""

from pathlib import Path

PAGES = Path(__file__).resolve().parents[2] / "docs/recipes"


class Block:
    """What stands between two fences, and what the first one says of it."""

    def __init__(self, info, text):
        self.text = text
        words = info.split()[1:]
        said = dict(word.split("=", 1) for word in words if "=" in word)
        self.file = said.get("file")
        self.mode = int(said.get("mode", "644"), 8)
        self.host = said.get("on")
        self.is_command = "run" in words
        self.is_background = "background" in words


def blocks(page):
    """The blocks of a page, in order."""
    found, info, lines = [], None, []
    for line in (PAGES / page).read_text().splitlines(keepends=True):
        if not line.startswith("```"):
            lines.append(line)
        elif info is None:
            info, lines = line[3:].strip(), []
        else:
            found.append(Block(info, "".join(lines)))
            info = None
    return found
