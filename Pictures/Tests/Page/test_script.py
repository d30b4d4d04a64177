"""Old browsers understand the page: its script is ECMAScript 2018, and its style places nothing by what came later."""

import pathlib
import re
import subprocess
import unittest

ASSETS = pathlib.Path(__file__).resolve().parents[2] / "Sources/CacheSyncPage/Assets"

# Functions and properties of browsers from after 2018, as far as a page like this may come to use them.
LATER = re.compile(r"\.(replaceChildren|at|flat|flatMap|findLast|findLastIndex|toSorted|toReversed|with|replaceAll|matchAll"
                   r"|trimStart|trimEnd|allSettled|any|fromEntries|hasOwn|groupBy|timeout|checkVisibility|requestSubmit"
                   r"|toggleAttribute|randomUUID|showPopover|setHTML|hourCycle)\(|\b(structuredClone|queueMicrotask|globalThis"
                   r"|BigInt|WeakRef|AbortController|ResizeObserver|scheduler)\b|\(form, |\breturn await import\(")


class Script(unittest.TestCase):
    def test_ecmascript_2018(self):
        def parses(text):
            return subprocess.run(["acorn", "--ecma2018", "--silent"], input=text, text=True,
                                  stderr=subprocess.DEVNULL).returncode == 0
        script = (ASSETS / "page.js").read_text()
        self.assertTrue(parses(script))
        for later in ("a?.b", "a ?? b", "a ||= b", "try {} catch {}", "1_000", "class A { b = 1 }"):
            self.assertFalse(parses(f"{script}\n{later}"), later)

    def test_no_later_function(self):
        script = (ASSETS / "page.js").read_text()
        self.assertEqual([match[0] for match in LATER.finditer(script)], [])
        self.assertTrue(LATER.search("list.at(-1)") and LATER.search("structuredClone(x)"))

    def test_length(self):
        self.assertLess((ASSETS / "page.js").read_text().count("\n"), 300)

    def test_style(self):
        style = re.sub(r"/\*.*?\*/", "", (ASSETS / "page.css").read_text(), flags=re.S)
        self.assertEqual(re.findall(r"[\s;{](?:row-|column-)?gap:|:is\(|:where\(|:has\(|aspect-ratio|[\s;{]inset:|light-dark", style),
                         [])
