"""What bash, zsh and fish complete, each with the script that the program generates for it.

Debian: bash-completion, zsh, fish.
"""

import os
import pty
import re
import select
import subprocess
import time
import unittest
from pathlib import Path
from tempfile import TemporaryDirectory

from support import program

# What is typed, and all that fits. In the working directory are the folders "caches", which is a cache with a feed of its
# own, and "other", a session file and a text.
CASES = {
    "drop ta": {"tasks"},
    "show ca": {"calendar", "calories"},
    "show budget ca": {"calendar", "calories"},
    "watch bud": {"budget"},
    "render calo": {"calories"},
    "render --form": {"--format"},
    "render --format b": {"bmp"},
    "render calories --all ca": {"caches"},
    "render -C caches --screen ": {"kitchen", "hall"},
    "render -C caches --screen ki": {"kitchen"},
    "serve --key": {"--key-file"},
    "serve --share ta": {"tasks"},
    "check --feed sh": {"shoes"},
    "intent add-t": {"add-task"},
    "intent add-task ti": {"title="},
    "intent add-task title=Milk due": {"dueDate="},
    "intent log-food ": {"foodId=", "quantity=", "id=", "at="},
    "show --time-zone Europe/Be": {"Europe/Belfast", "Europe/Belgrade", "Europe/Berlin"},
    "--time-zone Pacific/Auck": {"Pacific/Auckland"},
    "--cache ": {"caches", "other"},
    "-C ca": {"caches"},
    "show --cache ": {"caches", "other"},
    "show -C ot": {"other"},
    "status --caches-in ca": {"caches"},
    "check s": {"session.json"},
    "check t": set(),
    "drop tasks s": {"session.json"},
    "sta": {"status"},
    "scr": {"screens"},
    "status --prom": {"--prometheus"},
    "run --durability ": {"flush", "rename"},
    "show --color a": {"auto", "always"},
    "schema sn": {"snapshot"},
    "schema session ta": {"tasks"},
    "schema intent add-t": {"add-task"},
    "schema snapshot -C caches bins-": {"bins-text"},
    "drop -C caches bi": {"bins"},
    "drop scr": {"screens"},
    "check --feed wid": {"widgets"},
    "show -C caches bins-": {"bins-text"},
    "intent -C caches bins": {"bins.done"},
}

DEFINITION = """{"version": 1, "marks": ["done"], "items": {"each": "$.bins[*]", "id": "{title}", "fields": {"title": "@.title"}},
 "kinds": {"bins-text": {"show": "all", "items": {"title": "{title}"}}}}"""

# The same of cachesync-bridge, which asks no program for completions.
BRIDGE_CASES = {
    "ho": {"home"},
    "home --cache ca": {"caches"},
    "home --caches-in ": {"caches", "other"},
    "away --cache ot": {"other"},
    "drop kitchen meal": {"meal-plan"},
    "drop kitchen tasks s": {"session.json"},
    "status --cred": {"--credentials"},
    "watch --log-level w": {"warning"},
}

# Calls the function as bash does when Tab is pressed behind the words.
BASH = """
. /usr/share/bash-completion/bash_completion
. "$1"
program=${1##*/}
while IFS= read -r COMP_LINE; do
    COMP_POINT=${#COMP_LINE} COMPREPLY=()
    read -ra COMP_WORDS <<<"$COMP_LINE"
    case $COMP_LINE in *' ') COMP_WORDS+=('') ;; esac
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    "_$program" "$program" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
    printf '%s\\n' "${COMPREPLY[@]}" '#'
done
"""

# compadd(1zsh) is what every completion function offers its words with; here it writes down what would fit.
ZSH = """
PS1='READY> '
unsetopt zle_bracketed_paste
autoload -Uz compinit
compinit -u -D
compadd() {
    builtin compadd -O fitting "$@"
    print -rl -- $fitting >>$OFFERED
    builtin compadd "$@"
}
finish() {
    : >$OFFERED
    zle complete-word
    print >>$OFFERED.done
    zle kill-buffer
}
zle -N finish
bindkey '^I' finish
"""


class Completions(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = TemporaryDirectory(prefix="cachesync-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        cls.place = cls.folder / "place"
        for name in ("bin", "place/caches", "place/other", "home"):
            (cls.folder / name).mkdir(parents=True)
        for name in ("session.json", "text.txt"):
            (cls.place / name).touch()
        for name in ("feeds", "screens"):
            (cls.place / "caches" / name).mkdir()
        for name in ("kitchen.json", "hall.json", "notes.txt"):
            (cls.place / "caches/screens" / name).touch()
        (cls.place / "caches/feeds/bins.json").write_text(DEFINITION)
        # Some completions ask the program, by the name that was typed.
        for name in ("cachesyncd", "cachesync-bridge"):
            (cls.folder / "bin" / name).symlink_to(Path(program()).resolve().with_name(name))
        cls.environment = os.environ | {
            "PATH": f"{cls.folder}/bin:{os.environ['PATH']}", "HOME": str(cls.folder / "home"), "TERM": "dumb",
            "LC_ALL": "C.UTF-8"}

    def script(self, shell, name="cachesyncd"):
        """The file with a program's script for a shell, under the name that it has when it is installed."""
        path = self.folder / shell / {"bash": name, "zsh": f"_{name}", "fish": f"{name}.fish"}[shell]
        path.parent.mkdir(exist_ok=True)
        text = self.run_here([Path(program()).with_name(name), "--generate-completion-script", shell])
        path.write_text(text)
        return path

    def run_here(self, words, text=""):
        result = subprocess.run(
            words, cwd=self.place, env=self.environment, input=text, capture_output=True, text=True, timeout=60)
        self.assertEqual((result.returncode, result.stderr), (0, ""), words)
        return result.stdout

    def compare(self, found, cases=CASES):
        self.assertEqual(len(found), len(cases))
        for typed, expected in cases.items():
            with self.subTest(typed):
                self.assertEqual({word.rstrip("/ ") for word in found[typed] if word}, expected)

    def test_bash(self):
        lines = "".join(f"cachesyncd {typed}\n" for typed in CASES)
        answer = self.run_here(["bash", "--norc", "-c", BASH, "bash", self.script("bash")], lines)
        self.compare(self.answers(answer))

    def test_bash_for_the_bridge(self):
        lines = "".join(f"cachesync-bridge {typed}\n" for typed in BRIDGE_CASES)
        answer = self.run_here(["bash", "--norc", "-c", BASH, "bash", self.script("bash", "cachesync-bridge")], lines)
        self.compare(self.answers(answer, BRIDGE_CASES), BRIDGE_CASES)

    def test_fish_for_the_bridge(self):
        script = self.script("fish", "cachesync-bridge")
        text = "".join(f"complete -C 'cachesync-bridge {typed}'; echo '#'\n" for typed in BRIDGE_CASES)
        answer = self.run_here(["fish", "--no-config", "-i", "-c", f"source {script}\n{text}"])
        self.compare(self.answers(answer, BRIDGE_CASES), BRIDGE_CASES)

    def test_options_of_the_pictures(self):
        """The program for pictures declares the options of its commands; cachesyncd completes the same ones."""
        def options(name, command):
            function = self.script("bash", name).read_text().split(f"_cachesyncd_{command}() {{")[1].split("\n}\n")[0]
            values = re.findall(r"'(--[\w-]+)'\)\n +\S+ -W ('.*)", function)
            return set(re.findall(r"(?<=[ (])-[\w-]+(?=[ )\n])", function.split("__cachesyncd_offer")[0])), dict(values)

        for command in ("render", "serve"):
            (own, values), (theirs, their_values) = options("cachesyncd", command), options("cachesync-pictures", command)
            self.assertEqual(own, theirs, command)
            self.assertEqual({name: values.get(name) for name in their_values}, their_values, command)

    @staticmethod
    def answers(text, cases=CASES):
        """What was offered for each case; a sign stands on a line of its own behind each."""
        blocks = text.split("#\n")[:-1]
        assert len(blocks) == len(cases), text
        return {typed: [line.split("\t")[0] for line in block.splitlines()] for typed, block in zip(cases, blocks)}

    def test_fish(self):
        # Interactive, because only then fish knows a command line that completions may ask for.
        script = self.script("fish")
        text = "".join(f"complete -C 'cachesyncd {typed}'; echo '#'\n" for typed in CASES)
        answer = self.run_here(["fish", "--no-config", "-i", "-c", f"source {script}\n{text}"])
        self.compare(self.answers(answer))

    def test_fish_without_a_terminal(self):
        # There fish 3.6 knows no command line, so it completes what asks no program.
        script = self.script("fish")
        for typed in ("sta", "run --durability ", "show --cache "):
            answer = self.run_here(["fish", "--no-config", "-c", f"source {script}; complete -C 'cachesyncd {typed}'"])
            self.assertEqual({line.split("\t")[0].rstrip("/") for line in answer.splitlines()}, CASES[typed])

    def test_zsh(self):
        offered = self.folder / "offered"
        environment = self.environment | {
            "OFFERED": str(offered), "FPATH": f"{self.script('zsh').parent}:{self.zsh_path()}"}
        (self.folder / "home/.zshrc").write_text(ZSH)
        shell, terminal = pty.fork()
        if shell == 0:
            os.chdir(self.place)
            os.execvpe("zsh", ["zsh", "-i"], environment)
        try:
            self.read(terminal, b"READY> ")
            done = Path(f"{offered}.done")
            found = {}
            for count, typed in enumerate(CASES, 1):
                os.write(terminal, f"cachesyncd {typed}\t".encode())
                end = time.monotonic() + 20
                while not done.exists() or done.stat().st_size < count:
                    self.assertLess(time.monotonic(), end, typed)
                    self.read(terminal, None)
                found[typed] = offered.read_text().splitlines()
            # Where no file ends as it should, zsh offers the others.
            self.assertEqual(set(found.pop("check t")), {"text.txt"})
            found["check t"] = []
        finally:
            os.kill(shell, 9)
            os.waitpid(shell, 0)
            os.close(terminal)
        self.compare(found)

    def zsh_path(self):
        return self.run_here(["zsh", "-f", "-c", "print -rn -- $FPATH"])

    def read(self, terminal, mark):
        """Reads what a terminal shows: until a mark comes, or what is there now."""
        text, end = b"", time.monotonic() + 20
        while time.monotonic() < end:
            if select.select([terminal], [], [], 0.01)[0]:
                text += os.read(terminal, 65536)
            if mark is None or mark in text:
                return
        self.fail(f"no {mark} in {text}")


if __name__ == "__main__":
    unittest.main()
