"""Screens, over the wire and in real Chromium (docs/reference/screens.md)."""

import http.client
import io
import json
import signal
import struct
import time
import xml.etree.ElementTree

from PIL import Image

from browsers import BrowserTests
from support import PATIENCE, PageTests, until

# The number of the group that is shown.
SHOWN = "return [...document.querySelectorAll('.screen .turn')].findIndex(turn => !turn.hidden)"
KITCHEN = {"widgets": ["calendar:large", "bins", "todays-tasks:large"], "size": "800x480", "clock": True, "title": "Kitchen"}


class ScreenTests(PageTests):
    def write(self, name="kitchen", **members):
        folder = self.directory / "cache/screens"
        folder.mkdir(exist_ok=True)
        new = self.directory / "screen.json"
        new.write_text(json.dumps(KITCHEN | members))
        new.rename(folder / f"{name}.json")

    def remove(self, name="kitchen"):
        (self.directory / f"cache/screens/{name}.json").unlink()


class Pictures(ScreenTests):
    def setUp(self):
        super().setUp()
        self.command("sync")
        self.page = self.serve()

    def file(self, path, status=200):
        """The bytes of an answer, and its fields."""
        connection = http.client.HTTPConnection(self.page.host, self.page.port, timeout=PATIENCE)
        self.addCleanup(connection.close)
        connection.request("GET", path, headers={"Authorization": f"Bearer {self.page.key}"})
        response = connection.getresponse()
        body = response.read()
        self.assertEqual(response.status, status, body[:300])
        return body, response.headers

    def image(self, path):
        return Image.open(io.BytesIO(self.file(path)[0]))

    def test_formats(self):
        self.write()
        self.assertEqual(self.image("/screen/kitchen.png").size, (800, 480))
        bmp, fields = self.file("/screen/kitchen.bmp")
        self.assertEqual((bmp[:2], fields["Content-Type"]), (b"BM", "image/bmp"))
        self.assertEqual(struct.unpack("<ii", bmp[18:26]), (800, 480))
        svg, fields = self.file("/screen/kitchen.svg")
        self.assertEqual(fields["Content-Type"], "image/svg+xml")
        root = xml.etree.ElementTree.fromstring(svg)
        self.assertEqual((root.get("width"), root.get("height")), ("800", "480"))
        words = "".join(root.itertext())
        self.assertIn("Kitchen", words)
        self.assertRegex(words, r"as of \d\d:\d\d")
        # A kind that the cache does not know is a card that names it.
        self.assertIn("bins", words)

    def test_the_device_of_the_file(self):
        self.write(size="480x800", rotate=90, bits=4, appearance="eink")
        picture = self.image("/screen/kitchen.png")
        self.assertEqual((picture.size, picture.mode), ((800, 480), "L"))
        upright = self.image("/screen/kitchen.png?rotate=0")
        self.assertEqual(upright.size, (480, 800))
        # Pillow turns anticlockwise. The clock may have moved on between the two.
        self.write(size="480x800", rotate=90, bits=4, clock=False)
        turned, upright = self.image("/screen/kitchen.png"), self.image("/screen/kitchen.png?rotate=0")
        self.assertEqual(turned.convert("L").tobytes(), upright.convert("L").rotate(-90, expand=True).tobytes())

    def test_queries_win(self):
        self.write(bits=2, redacted=False)
        self.assertEqual(self.image("/screen/kitchen.png").mode, "L")
        self.assertEqual(self.image("/screen/kitchen.png?bits=32").mode, "RGBA")
        self.assertEqual(self.image("/screen/kitchen.png?size=1024x600").size, (1024, 600))
        self.assertEqual(self.image("/screen/kitchen.png?appearance=dark&bits=32").mode, "RGBA")
        self.file("/screen/kitchen.png?appearance=dark", 400)
        self.write(redacted=True)
        self.assertNotIn(b"Kitchen", self.file("/screen/kitchen.svg")[0])
        self.assertIn(b"Kitchen", self.file("/screen/kitchen.svg?redacted=false")[0])
        self.assertNotIn(b"Kitchen", self.file("/screen/kitchen.svg?redacted=true")[0])
        for wrong in ("widget=calendar:large", "with=1", "bits=3", "size=large", "rotate=45", "clock=true"):
            self.file(f"/screen/kitchen.png?{wrong}", 400)
        self.file("/screen.png?size=kitchen", 400)
        self.file("/screen.bmp?size=kitchen&widget=calendar:large", 400)
        for wrong in ("/screen/kitchen.svg?rotate=90", "/screen/kitchen.svg?bits=4", "/screen/kitchen.bmp?bits=4"):
            self.file(wrong, 400)
        # What a format cannot hold is ignored in the file.
        self.write(bits=4, rotate=90)
        self.file("/screen/kitchen.svg")
        self.file("/screen/kitchen.bmp")
        self.file("/screen/kitchen.png?_=17")

    def test_names(self):
        self.write()
        for name in ("bath", "kitchen.", "Kitchen", "../kitchen", "kitchen.jpg"):
            self.file(f"/screen/{name}.png", 404)
        self.file("/screen/bath", 404)
        self.assertIn(b">There is no screen kitchn: kitchen?<", self.file("/screen/kitchn", 404)[0])
        (self.directory / "cache/screens/bath.json").write_text('{"widgets": 5}')
        self.assertIn(b"widgets", self.file("/screen/bath.png", 404)[0])
        self.write("bath")
        self.file("/screen/bath.png")
        # The last good version stays, once the agent or sync has seen it.
        self.command("sync")
        (self.directory / "cache/screens/bath.json").write_text('{"widgets": 5}')
        self.file("/screen/bath.png")

    def test_without_a_clock_time_changes_nothing(self):
        self.write(clock=False)
        first = self.file("/screen/kitchen.png")[1]["ETag"]
        moment = "2026-11-21T10:{}:00Z"
        tags = {self.file(f"/screen/kitchen.png?at={moment.format(minute)}")[1]["ETag"] for minute in (41, 42)}
        self.assertEqual(len(tags), 1)
        self.assertEqual(self.file("/screen/kitchen.png")[1]["ETag"], first)
        self.write(clock=True)
        tags = {self.file(f"/screen/kitchen.png?at={moment.format(minute)}")[1]["ETag"] for minute in (41, 42)}
        self.assertEqual(len(tags), 2)

    def test_key_leaves_the_address(self):
        self.write()
        status, fields, _ = self.page.request("GET", f"/screen/kitchen?key={self.page.key}", key=False)
        self.assertEqual(status, 303)
        self.assertRegex(fields["Set-Cookie"], f"={self.page.key};")
        self.assertEqual(self.page.get("/screen/kitchen")[0], 200)
        self.assertEqual(self.page.get("/screen/kitchen", key=False)[0], 403)
        # A picture with the key in its query is answered at once.
        status, fields, _ = self.page.request("GET", f"/screen/kitchen.svg?key={self.page.key}", key=False)
        self.assertEqual(status, 200)

    def test_the_gallery_says_where_to_begin(self):
        self.assertIn("screens/", self.page.get()[2])
        self.write()
        self.assertIn("screen/kitchen", self.page.get()[2])
        self.assertIn("screen/kitchen", self.page.get("/?at=2026-11-24T12:00:00Z")[2])


class Live(ScreenTests, BrowserTests):
    """The page of a screen in a browser."""

    def open(self, name="kitchen", script=True):
        self.load(script, f"{self.page.origin}/screen/{name}?key={self.page.key}")
        if script:
            until(self.is_listening, "the page listens")

    def sizes(self):
        """What the document takes and what the window has; and whether each card is whole within it."""
        return self.driver.execute_script("""
            const root = document.documentElement, box = document.querySelector(".screen svg").getBoundingClientRect();
            const cards = [...document.querySelectorAll(".screen svg svg")].map(card => card.getBoundingClientRect());
            return {scrolls: root.scrollWidth > root.clientWidth || root.scrollHeight > root.clientHeight,
                    fills: Math.abs(box.width - innerWidth) < 2 && Math.abs(box.height - innerHeight) < 2, cards: cards.length,
                    whole: cards.every(card => card.left >= -1 && card.top >= -1 && card.right <= innerWidth + 1
                      && card.bottom <= innerHeight + 1)}""")

    def test_fills_any_window(self):
        self.write(size="fill", widgets=["calendar:large", "meal-plan", "todays-tasks"])
        for width, height in ((320, 240), (480, 800), (800, 480), (1280, 800), (1920, 1080), (3840, 2160)):
            with self.subTest(f"{width}x{height}"):
                self.resize(width, height)
                self.open()
                until(lambda: self.sizes()["fills"], "the screen fills the window")
                found = self.sizes()
                self.assertFalse(found["scrolls"], found)
                self.assertTrue(found["whole"], found)
                self.assertGreater(found["cards"], 0)
        # A window that changes is filled again, without a reload.
        self.mark()
        self.resize(1024, 600)
        until(lambda: self.sizes()["fills"], "the screen fills the new window")
        self.assertTrue(self.is_marked())

    def test_without_script(self):
        self.write()
        self.resize(800, 480)
        self.open(script=False)
        self.allow_script()
        found = self.sizes()
        self.assertFalse(found["scrolls"], found)
        self.assertTrue(found["whole"], found)
        self.assertEqual(self.driver.execute_script("return document.body.dataset.window"), "1280x800")
        visibility = "return getComputedStyle(document.querySelector('.screen svg')).visibility"
        until(lambda: self.driver.execute_script(visibility) == "visible", "the page is shown, though the script does not run")

    def test_the_first_sight_fills_the_window(self):
        """What was seen is written down with each frame. The style shows the page after a second: that is made to last longer."""
        self.driver.execute_cdp_cmd("Animation.enable", {})
        self.driver.execute_cdp_cmd("Animation.setPlaybackRate", {"playbackRate": 0.001})
        self.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": """
            var seen = [];
            (function look() {
              const svg = document.querySelector(".screen svg");
              if (svg && getComputedStyle(svg).visibility === "visible") seen.push(document.body.dataset.window);
              requestAnimationFrame(look);
            })()"""})
        self.write(size="fill")
        self.resize(800, 480)
        for at in ("", "&at=2026-11-24T12:34:00Z"):
            self.load(address=f"{self.page.origin}/screen/kitchen?key={self.page.key}{at}")
            until(lambda: self.driver.execute_script("return seen.length"), "the page is seen")
            self.assertEqual(self.driver.execute_script("return [...new Set(seen)]"), ["800x480"])
            self.assertEqual(bool(self.all(".banner")), bool(at))

    def test_changes_at_once(self):
        self.write()
        self.open()
        self.mark()
        self.write(title="Hall")
        until(lambda: "Hall" in self.text(".screen"), "the title changes", 5)
        before = self.text(".screen")
        self.drop_task("mine", "Try the screen")
        until(lambda: self.text(".screen") != before, "a card changes")
        self.assertTrue(self.is_marked())

    def test_changes_its_look_at_once(self):
        """The markup is the same in light and dark, so only the document changes. A page is at least 3 s old when it reloads."""
        self.write(widgets=["calendar:large"], appearance="light")
        self.open()
        look = "return document.documentElement.dataset.appearance"
        self.assertEqual(self.driver.execute_script(look), "light")
        self.write(widgets=["calendar:large"], appearance="dark")
        until(lambda: self.driver.execute_script(look) == "dark", "the page is dark", 8)

    def test_another_moment(self):
        self.write(clock=True)
        self.resize(1024, 600)
        self.driver.get(f"{self.page.origin}/screen/kitchen?key={self.page.key}")
        self.driver.get(f"{self.page.origin}/screen/kitchen?at=2026-11-24T12:34:00Z")
        until(lambda: self.sizes()["fills"], "the screen fills the window")
        self.assertEqual(self.text(".clock"), "12:34")
        self.assertIn("24 Nov", self.text(".banner"))

    def test_a_file_that_goes_and_comes(self):
        self.write()
        self.open()
        self.remove()
        until(lambda: "There is no screen kitchen" in self.text("body"), "the page says so")
        self.write(title="Again")
        until(lambda: "Again" in self.text(".screen"), "the screen is back")

    def test_buttons(self):
        self.write(widgets=["todays-tasks:large"])
        self.open()
        before = len(self.intents)
        # In one step, because a new part may replace the button between two.
        self.driver.execute_script("document.querySelector('.screen button').click()")
        until(lambda: len(self.intents) > before, "the intent is dropped")
        intent = json.loads(self.intents[-1].read_text())
        self.assertEqual(intent["type"], "complete-task")
        self.write(widgets=["todays-tasks:large"], redacted=True)
        until(lambda: not self.all(".screen button"), "a redacted screen has no buttons")
        self.assertNotIn("Kitchen", self.text(".screen"))

    def test_clock(self):
        """It turns with the minute by itself. The browser's clock is moved to two seconds before a minute."""
        self.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": """
            {
              const RealDate = Date, shift = 58000 - RealDate.now() % 60000;
              Date = class extends RealDate {
                constructor(...words) { words.length ? super(...words) : super(RealDate.now() + shift); }
                static now() { return RealDate.now() + shift; }
              };
            }"""})
        self.write()
        self.open()
        first = self.text(".clock")
        self.assertRegex(first, r"^\d\d:\d\d$")
        self.page.process.send_signal(signal.SIGSTOP)
        self.addCleanup(self.page.process.send_signal, signal.SIGCONT)
        until(lambda: self.text(".clock") != first, "the clock turns, though the server is silent")
        self.assertRegex(self.text(".clock"), r"^\d\d:\d\d$")

    def test_groups_take_turns(self):
        self.write(size="fill", widgets=["calendar:large", "todays-tasks:large"] * 8, rotateEvery="PT5S")
        self.resize(800, 480)
        self.open()
        until(lambda: len(self.all(".screen .turn")) > 1, "there is more than one group")
        first = self.driver.execute_script(SHOWN)
        until(lambda: self.driver.execute_script(SHOWN) != first, "the next group is shown")

    def test_a_touch_keeps_a_group(self):
        """For 30 s, which are 3 here: the browser's time runs ten times as fast."""
        self.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": """
            {const now = performance.now.bind(performance); performance.now = () => 10 * now()}"""})
        self.write(size="fill", widgets=["calendar:large", "todays-tasks:large"] * 8, rotateEvery="PT5S")
        self.resize(800, 480)
        self.open()
        until(lambda: len(self.all(".screen .turn")) > 1, "there is more than one group")
        began = time.monotonic()
        touched = self.driver.execute_script("dispatchEvent(new Event('pointerdown'));" + SHOWN)
        until(lambda: self.driver.execute_script(SHOWN) != touched, "the next group is shown")
        self.assertGreaterEqual(time.monotonic() - began, 3)
