"""Screens that displays fetch: /screen.png and /screen.bmp, and what is wrong in a query (pictures.md)."""

import contextlib
import hashlib
import http.client
import io
import itertools
import json
import struct
import subprocess

from PIL import Image

from support import CACHESYNCD, PATIENCE, PageTests

WIDGETS = "widget=calendar:medium&widget=todays-tasks:medium"


class Screens(PageTests):
    def setUp(self):
        super().setUp()
        self.command("sync")
        self.page = self.serve()

    def get(self, path, method="GET", **fields):
        """The response's status, fields and bytes."""
        headers = {"Authorization": f"Bearer {self.page.key}"} | {name.replace("_", "-"): value for name, value in fields.items()}
        with contextlib.closing(http.client.HTTPConnection(self.page.host, self.page.port, timeout=PATIENCE)) as connection:
            connection.request(method, path, headers=headers)
            response = connection.getresponse()
            return response.status, response.headers, response.read()

    def image(self, path):
        status, _, body = self.get(path)
        self.assertEqual(status, 200, (path, body))
        return Image.open(io.BytesIO(body))

    def test_bmp(self):
        """One bit a pixel, as microcontrollers read it: with its length, and 304 while it is the same."""
        path = f"/screen.bmp?size=800x480&{WIDGETS}"
        status, fields, body = self.get(path)
        self.assertEqual((status, fields["Content-Type"], fields["Content-Length"]), (200, "image/bmp", "48062"))
        self.assertIsNone(fields["Transfer-Encoding"])
        self.assertEqual(len(body), 48_062)
        width, height, _, bits, how = struct.unpack("<IIHHI", body[18:34])
        self.assertEqual((width, height, bits, how), (800, 480, 1, 0))
        tag = fields["ETag"]
        status, fields, rest = self.get(path, If_None_Match=tag)
        self.assertEqual((status, fields["ETag"], rest), (304, tag, b""))
        status, fields, rest = self.get(path, "HEAD")
        self.assertEqual((status, fields["Content-Length"], fields["ETag"], rest), (200, "48062", tag, b""))
        self.assertEqual(self.get(f"{path}&bits=1")[2], body)
        self.assertEqual(self.get(f"{path}&key={self.page.key}", Authorization="none")[2], body)
        self.assertEqual(self.get(path, Authorization="Bearer 0")[0], 403)
        # The same pixels as the PNG file.
        image = Image.open(io.BytesIO(body))
        self.assertEqual((image.format, image.mode), ("BMP", "1"))
        self.assertTrue(image.tobytes() == self.image(f"/screen.png?size=800x480&bits=1&{WIDGETS}").tobytes())
        for wrong in ("bits=2", "bits=4", "bits=8", "bits=32", "bits=", "appearance=light", "appearance=dark"):
            self.assertEqual(self.get(f"{path}&{wrong}")[0], 400, wrong)

    def test_every_combination(self):
        """A file has the depth and the size that were asked for, and is what render writes."""
        for format, bits, appearance, turn in itertools.product(
                ("png", "bmp"), (None, 1, 2, 4, 8), (None, "light", "dark", "eink", "accented"), (None, 0, 90, 180, 270)):
            case = (format, bits, appearance, turn)
            options = {"bits": bits, "appearance": appearance, "rotate": turn}
            query = "".join(f"&{name}={value}" for name, value in options.items() if value is not None)
            status, _, body = self.get(f"/screen.{format}?size=480x800&{WIDGETS}{query}")
            grey = bits or (1 if format == "bmp" else 8 if appearance == "eink" else None)
            if grey and appearance not in (None, "eink") or format == "bmp" and grey != 1:
                self.assertEqual(status, 400, case)
                continue
            self.assertEqual(status, 200, (case, body[:200]))
            image = Image.open(io.BytesIO(body))
            self.assertEqual((image.format.lower(), image.size), (format, (800, 480) if turn in (90, 270) else (480, 800)), case)
            if format == "png":
                # The depth, grey or with alpha, not interlaced.
                self.assertEqual((body[24], body[25], body[28]), (grey, 0, 0) if grey else (8, 6, 0), case)
            if turn and appearance in (None, "eink"):
                upright = self.image(f"/screen.{format}?size=480x800&{WIDGETS}{query.replace(f'&rotate={turn}', '')}")
                self.assertTrue(image.tobytes() == upright.rotate(-turn, expand=True).tobytes(), case)
        words = [f"--{name}={value}" for name, value in {"bits": 8, "rotate": 90, "screen": "480x800"}.items()]
        drawn = subprocess.run(
            [CACHESYNCD, "render", *words, "calendar:medium", "todays-tasks:medium", "--cache", self.cache],
            capture_output=True, check=True).stdout
        self.assertEqual(self.get(f"/screen.png?size=480x800&bits=8&rotate=90&{WIDGETS}")[2], drawn)

    def test_pictures(self):
        for query, depth in (("", (8, 6)), ("bits=8", (8, 0)), ("appearance=eink", (8, 0)), ("appearance=eink&bits=4", (4, 0)),
                             ("bits=2", (2, 0)), ("bits=1", (1, 0)), ("appearance=dark", (8, 6))):
            status, _, body = self.get(f"/picture/calendar/systemMedium.png?{query}")
            self.assertEqual((status, tuple(body[24:26])), (200, depth), query)
        for query in ("bits=8&appearance=light", "bits=8&appearance=dark", "bits=16", "rotate=90"):
            self.assertEqual(self.get(f"/picture/calendar/systemMedium.png?{query}")[0], 400, query)

    def test_unknown_parameters(self):
        screen, picture, entry = f"/screen.png?size=800x480&{WIDGETS}", "/picture/calendar/systemMedium.svg?", "/entry/calendar.json?"
        for path, wrong in (
                (screen, "sise"), (screen, "scale"), (screen, "family"), (screen, "format"), (screen, "__"), (screen, "BITS"),
                (screen.replace("png", "bmp"), "color"), (picture, "rotate"), (picture, "size"), (picture, "widget"),
                (picture, "cachebuster"), (picture.replace("Medium.svg", "Medium.png"), "x"), (entry, "date"), (entry, "bits"), (entry, "_t")):
            status, _, body = self.get(f"{path}&{wrong}=1")
            self.assertEqual(status, 400, (path, wrong))
            self.assertIn(f"'{wrong}'".encode(), body)
        self.assertIn(b"did you mean size?", self.get(f"{screen}&sise=1")[2])
        for path in (screen, screen.replace("png", "bmp"), picture, entry):
            self.assertEqual(self.get(f"{path}&_=1701234567&_=2&_&key={self.page.key}&at=2026-11-21T09:30:00Z")[0], 200, path)
        # Whatever the address is called, the file is the same.
        self.assertEqual(self.get(f"{screen}&_=1")[2], self.get(f"{screen}&_=2")[2])
        self.assertEqual(self.get("/?nothing=1", Cookie=self.page.cookie)[0], 200, "the page is not looked at")

    def test_redacted(self):
        """Two caches that differ in words and numbers look the same, and a refusal does not say what the cache has."""
        def shown(query):
            images = [self.image(f"/screen.{format}?size=800x480&bits=1&widget=todays-tasks:large&{query}") for format in ("png", "bmp")]
            return [hashlib.sha256(image.tobytes()).hexdigest() for image in images]

        def drop(title):
            self.command("drop", "tasks", "-", "--name", "tasks", stdout=subprocess.DEVNULL, input=json.dumps(
                {"tasks": [{"id": "a", "title": title, "completed": False, "dueDate": "2026-11-01", "createdAt": "2026-11-01T08:00:05Z"}]}))
            self.command("sync")

        drop("Sort 17 letters")
        plain, hidden = shown(""), shown("redacted=true")
        self.assertNotEqual(plain, hidden)
        for word in ("redacted", "redacted=1"):
            self.assertEqual(shown(word), hidden)
        for word in ("redacted=false", "redacted=0"):
            self.assertEqual(shown(word), plain)
        drop("Sort 42 letters")
        self.assertNotEqual(shown(""), plain)
        self.assertEqual(shown("redacted=true"), hidden)
        self.assertEqual(self.get("/screen.png?size=800x480&widget=todays-tasks:medium&redacted=maybe")[0], 400)
        (self.directory / "cache/snapshots/manifest.json").write_text("{")
        for query, says in (("", True), ("&redacted=true", False)):
            status, fields, body = self.get(f"/screen.png?size=800x480&widget=todays-tasks:medium{query}")
            self.assertEqual((status, fields["Content-Type"]), (503, "text/plain; charset=utf-8"))
            self.assertEqual(b"manifest" in body, says, body)
