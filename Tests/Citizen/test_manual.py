"""The manual pages: what mandoc says of them, and whether they name every command and option, and no others."""

import json
import os
import re
import subprocess
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PAGES = [os.path.join(ROOT, "docs/man", name) for name in ("cachesyncd.1", "cachesync.5", "cachesync-bridge.1")]
PROGRAM = os.environ["CACHESYNCD"]
# The programs that have a page of their own.
PROGRAMS = {PAGES[0]: PROGRAM, PAGES[2]: os.path.join(os.path.dirname(PROGRAM), "cachesync-bridge")}


def text(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def options_of_page(page):
    """The commands of a program's page, each with its options; those of every command under None."""
    options, section, command = {None: set()}, None, None
    for line in text(page).splitlines():
        if line.startswith(".Sh "):
            section, command = line[4:], None
        elif line.startswith(".Ss "):
            command = line[4:] if section == "COMMANDS" else None
            options.setdefault(command, set())
        elif line.startswith(".It ") and (command or section == "DESCRIPTION"):
            found = re.findall(r"(?:^| )Fl Fl ([a-z][a-z-]*)", line)
            found = ["--" + name for name in found]
            found += ["-" + name for name in re.findall(r"Fl ([A-Za-z])(?= |$)", line)]
            options[command].update(found)
    return options


def options_of_program(program):
    """The same as the program tells of itself: what its help shows."""
    dump = subprocess.run([program, "--experimental-dump-help"], check=True, capture_output=True, text=True)
    commands = json.loads(dump.stdout)["command"]
    found = {None: visible_options(commands)}
    for command in commands["subcommands"]:
        # A command of commands, such as `feed`, has a section for each of them.
        for words, command in leaves(command, command["commandName"]):
            found[words] = visible_options(command)
    return found


def leaves(command, words):
    if not command.get("shouldDisplay", True):
        return []
    inner = [inner for inner in command.get("subcommands", []) if inner["commandName"] != "help"]
    if not inner:
        return [(words, command)]
    return [leaf for one in inner for leaf in leaves(one, f"{words} {one['commandName']}")]


def visible_options(command):
    names = set()
    for argument in command.get("arguments", []):
        if argument["kind"] != "positional" and argument["shouldDisplay"]:
            for name in argument["names"]:
                names.add(("--" if name["kind"] == "long" else "-") + name["name"])
    return names


class ManualTests(unittest.TestCase):
    def test_mandoc_has_nothing_to_say(self):
        said = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", *PAGES], capture_output=True, text=True)
        self.assertEqual((said.stdout, said.returncode), ("", 0))

    def test_every_command_and_option_is_there_and_no_other(self):
        for page, program in PROGRAMS.items():
            with self.subTest(program=program):
                self.compare(options_of_page(page), options_of_program(program))

    def test_the_synopsis_has_every_command(self):
        for page, program in PROGRAMS.items():
            synopsis = text(page).split(".Sh SYNOPSIS\n")[1].split(".Sh ")[0]
            forms = re.findall(r"^\.(?:Op )?Cm (.*)$", synopsis, re.MULTILINE)
            commands = {command for form in forms for command in form.split(" | ")}
            self.assertEqual(commands, set(options_of_program(program)) - {None, "help"})

    def compare(self, page, program):
        self.assertEqual(set(page) - {None, "help"}, set(program) - {None, "help"})
        common = page.pop(None)
        everywhere = program.pop(None)
        for command, options in program.items():
            if command == "help":
                continue
            with self.subTest(command=command):
                self.assertEqual(options - common, page[command])
                everywhere |= options
        self.assertEqual(common - everywhere, set(), "options that no command has")

    def test_sections_are_those_that_people_look_for(self):
        for page in PROGRAMS:
            sections = re.findall(r"^\.Sh (.*)$", text(page), re.MULTILINE)
            self.assertEqual(
                sections,
                ["NAME", "SYNOPSIS", "DESCRIPTION", "COMMANDS", "ENVIRONMENT", "FILES", "EXIT STATUS", "SIGNALS",
                 "SERVICES", "EXAMPLES", "SEE ALSO", "CAVEATS", "SECURITY CONSIDERATIONS"], page)

    def test_ten_examples(self):
        examples = text(PAGES[0]).split(".Sh EXAMPLES")[1].split(".Sh ")[0]
        self.assertEqual(examples.count(":\n.Pp\n.Dl"), 10)

    def test_feeds_and_their_directories_are_those_of_the_reference(self):
        kinds = text(os.path.join(ROOT, "docs/reference/kinds.md")).split("## Kinds")[0]
        claims = dict(re.findall(r"^\| ([a-z-]+) \| (`[^|]*) \|$", kinds, re.MULTILINE))
        page = text(PAGES[1])
        rows = dict(re.findall(r"^\.It ([a-z-]+) Ta (.*)$", page, re.MULTILINE))
        self.assertEqual(set(rows), set(claims))
        for feed, row in rows.items():
            wanted = set(re.findall(r"`([^`]*?)/?(?:\*\*)?`", claims[feed]))
            given = {word.rstrip("/") for word in row.split() if word not in ("Pa", ",")}
            self.assertEqual(given, wanted, feed)

    def test_settings_are_those_of_the_reference(self):
        table = text(os.path.join(ROOT, "docs/reference/settings.md")).split("## Keys")[1].split("## ")[0]
        keys = re.findall(r"^\| `([A-Za-z]+)` \|", table, re.MULTILINE)
        settings = text(PAGES[1]).split(".Ss Settings")[1].split(".Ss ")[0]
        self.assertEqual(re.findall(r"^\.It Va (\w+)$", settings, re.MULTILINE), keys)


if __name__ == "__main__":
    unittest.main()
