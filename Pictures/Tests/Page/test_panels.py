"""What e-ink panels ask, over the wire (panels.md)."""

import hashlib
import http.client
import hmac
import io
import json
import re
import struct
import subprocess
import threading
import time

import jsonschema
from PIL import Image

from support import CACHESYNCD, PATIENCE, PageTests, now

ADDRESS = "94:A9:90:8C:6D:18"
KEY = "0123456789abcdef0123456789abcdef"
SECRET = hmac.new(KEY.encode(), b"panels", "sha256").hexdigest()[:32]
TOKEN = hmac.new(KEY.encode(), f"panel:{ADDRESS}".encode(), "sha256").hexdigest()[:32]


def digest(image):
    return hashlib.sha256(image.tobytes()).hexdigest()


class Panels(PageTests):
    def setUp(self):
        super().setUp()
        self.command("sync")
        (self.directory / "key").write_text(KEY + "\n")
        (self.directory / "key").chmod(0o600)
        self.file = self.directory / "panels.json"
        self.write()
        self.errors = self.directory / "errors"

    def write(self, address=ADDRESS, **panel):
        panel = {"screen": "800x480", "bits": 2, "widgets": ["meal-plan:medium", "calendar:medium", "todays-tasks:large"]} | panel
        panel = {name: value for name, value in panel.items() if value is not None}
        self.file.write_text(json.dumps({"panels": {address: panel}}))

    def start_server(self, *words):
        with self.errors.open("w") as errors:
            process = self.start(
                "serve", "--listen", "127.0.0.1:0", "--panels", self.file, "--key-file", self.directory / "key", *words,
                stdout=subprocess.PIPE, stderr=errors)
        process.stdout.readline()
        line = process.stdout.readline()
        self.assertRegex(line, r"^Panels use http://[a-z0-9.]+:\d+/KEY, which is printed on a terminal only\n$")
        self.port = int(re.search(r":(\d+)/", line)[1])

    def ask(self, path, method="GET", body=None, host=None, **fields):
        """The response's status, fields and bytes; the headers are those of the firmware."""
        headers = {
            "ID": ADDRESS, "Access-Token": TOKEN, "FW-Version": "1.6.9", "Battery-Voltage": "4.05", "RSSI": "-61",
            "Refresh-Rate": "900", "Width": "800", "Height": "480", "User-Agent": "ESP32HTTPClient"}
        headers |= {name.replace("_", "-"): value for name, value in fields.items()}
        if host:
            headers["Host"] = host
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            headers = {name: value for name, value in headers.items() if value is not None}
            connection.request(method, path, body, headers)
            response = connection.getresponse()
            return response.status, response.headers, response.read()
        finally:
            connection.close()

    def display(self, **fields):
        status, headers, body = self.ask(f"/{SECRET}/api/display", **fields)
        self.assertEqual(status, 200, body)
        self.assertEqual(int(headers["Content-Length"]), len(body))
        self.assertIsNone(headers["Transfer-Encoding"])
        return json.loads(body)

    def picture(self, answer):
        """The picture behind an answer, which old firmware fetches without a token."""
        place = re.fullmatch(rf"http://127.0.0.1:{self.port}(/.*)", answer["image_url"])[1]
        self.assertLess(len(answer["image_url"]), 1_024)
        status, headers, body = self.ask(place, ID=None, Access_Token=None)
        self.assertEqual((status, int(headers["Content-Length"])), (200, len(body)))
        return headers["Content-Type"], body

    def test_setup(self):
        self.start_server()
        for path in ("setup", "setup/"):
            status, headers, body = self.ask(f"/{SECRET}/api/{path}", Access_Token=None, FW_Version=None)
            answer = json.loads(body)
            self.assertEqual((status, int(headers["Content-Length"])), (200, len(body)))
            self.assertEqual((answer["status"], answer["api_key"], answer["friendly_id"]), (200, TOKEN, "8C6D18"))
            self.assertEqual(answer["message"], "Panel 8C6D18 is set up")
            kind, picture = self.picture(answer)
            self.assertEqual((kind, len(picture)), ("image/bmp", 48_062))
            # What the firmware checks: width, height, bits, no compression, 48,000 bytes, two colours, black and white.
            width, height, _, bits, how, count, _, _, colours = struct.unpack("<IIHHIIIII", picture[18:50])
            self.assertEqual((width, height, bits, how, count, colours), (800, 480, 1, 0, 48_000, 2))
            self.assertEqual(picture[54:62], bytes([0, 0, 0, 0, 255, 255, 255, 0]))
            image = Image.open(io.BytesIO(picture))
            self.assertEqual((image.format, image.mode, image.size), ("BMP", "1", (800, 480)))

    def test_display(self):
        self.start_server()
        answer = self.display()
        self.assertEqual(
            {name: value for name, value in answer.items() if name not in ("image_url", "filename", "refresh_rate")},
            {"status": 0, "reset_firmware": False, "update_firmware": False, "firmware_url": None, "special_function": "none"})
        self.assertRegex(answer["filename"], "^[0-9a-f]{16}[.]png$")
        self.assertTrue(60 <= answer["refresh_rate"] <= 900, answer)
        kind, picture = self.picture(answer)
        self.assertEqual(kind, "image/png")
        self.assertLessEqual(len(picture), 90_000)
        self.assertEqual(Image.open(io.BytesIO(picture)).size, (800, 480))
        # 2 bits in the header.
        self.assertEqual(picture[24:26], bytes([2, 0]))
        # The name changes with the picture, and only then.
        self.assertEqual(self.display()["filename"], answer["filename"])
        task = f'{{"tasks": [{{"id": "mine", "title": "Water the plants", "completed": false, "createdAt": "{now()}"}}]}}'
        self.command("drop", "tasks", "-", "--name", "mine", input=task, stdout=subprocess.DEVNULL)
        self.command("sync")
        changed = self.display()
        self.assertNotEqual(changed["filename"], answer["filename"])
        self.assertNotEqual(self.picture(changed)[1], picture)

    def test_old_firmware(self):
        self.start_server()
        for version in ("1.5.12", "0.1.3", "1.5"):
            answer = self.display(FW_Version=version)
            self.assertRegex(answer["filename"], "^[0-9a-f]{16}[.]bmp$", version)
            kind, picture = self.picture(answer)
            self.assertEqual((kind, len(picture)), ("image/bmp", 48_062))
            self.assertEqual(Image.open(io.BytesIO(picture)).mode, "1")
        for version in ("1.6.0", "1.10.0", "2.0", "", "unknown"):
            self.assertRegex(self.display(FW_Version=version)["filename"], "[.]png$", version)

    def opened(self, **fields):
        """The answer to a panel, and its picture as another program reads it."""
        answer = self.display(**fields)
        kind, picture = self.picture(answer)
        image = Image.open(io.BytesIO(picture))
        self.assertEqual((kind, image.format), (f"image/{image.format.lower()}", answer["filename"][-3:].upper()))
        return answer, image

    def test_other_makes(self):
        """BMP is for old firmware of TRMNL's first panel. For any other panel, the file's size or that of its headers counts."""
        self.write(screen=None)
        self.start_server()
        old, other = "1.5.9", "1.0.8"
        for screen, turn, fields, form, size in [
                # The file's size counts, whatever the headers say.
                ("1200x825", None, {"FW_Version": other, "Width": "1200", "Height": "825"}, "PNG", (1200, 825)),
                ("1200x825", None, {"FW_Version": other}, "PNG", (1200, 825)),
                ("600x800", None, {"FW_Version": None, "Width": None, "Height": None}, "PNG", (600, 800)),
                ("800x480", None, {"FW_Version": other, "Width": "1200", "Height": "825"}, "BMP", (800, 480)),
                # Without it, the headers'.
                (None, None, {"FW_Version": other, "Width": "1200", "Height": "825"}, "PNG", (1200, 825)),
                (None, None, {"FW_Version": old, "Width": "800", "Height": "480"}, "BMP", (800, 480)),
                (None, None, {"FW_Version": old, "Width": None, "Height": None}, "BMP", (800, 480)),
                (None, None, {"FW_Version": old, "Width": "99999", "Height": "480"}, "BMP", (800, 480)),
                (None, None, {"FW_Version": "1.6.0", "Width": "1404", "Height": "1872"}, "PNG", (1404, 1872)),
                # The model is TRMNL's first one, or not named.
                (None, None, {"FW_Version": old, "Model": "og"}, "BMP", (800, 480)),
                (None, None, {"FW_Version": old, "Model": "OG"}, "BMP", (800, 480)),
                (None, None, {"FW_Version": old, "Model": ""}, "BMP", (800, 480)),
                (None, None, {"FW_Version": old, "Model": "inkplate"}, "PNG", (800, 480)),
                (None, None, {"FW_Version": "1.6.0", "Model": "og"}, "PNG", (800, 480)),
                (None, None, {"FW_Version": None, "Model": "og"}, "PNG", (800, 480)),
                (None, None, {"FW_Version": "kobo"}, "PNG", (800, 480)),
                # A file is turned for the display. The headers' size is the display's.
                ("480x800", 90, {"FW_Version": old}, "BMP", (800, 480)),
                ("480x800", 0, {"FW_Version": old}, "PNG", (480, 800)),
                ("480x800", 270, {"FW_Version": "1.6.9"}, "PNG", (800, 480)),
                (None, 90, {"FW_Version": old}, "BMP", (800, 480)),
                (None, 270, {"FW_Version": other, "Width": "1200", "Height": "825"}, "PNG", (1200, 825)),
                (None, 180, {"FW_Version": other, "Width": "1200", "Height": "825"}, "PNG", (1200, 825)),
                (None, 90, {"FW_Version": None, "Width": None, "Height": None}, "PNG", (800, 480))]:
            case = (screen, turn, fields)
            self.write(screen=screen, rotate=turn, widgets=["calendar:medium"])
            answer, image = self.opened(**fields)
            self.assertEqual((image.format, image.size), (form, size), case)
            known = screen or fields.get("Width", "800") not in (None, "99999")
            self.assertEqual("Width and Height are missing" in answer.get("message", ""), not known, case)

    def test_setup_of_other_makes(self):
        """At setup the same rule holds, and a panel without a version has old firmware."""
        for listed in (True, False):
            self.write(ADDRESS if listed else "94:A9:90:8C:6D:19", screen=None)
            self.start_server()
            for fields, form, size in [
                    ({"FW_Version": None}, "BMP", (800, 480)), ({"FW_Version": "1.5.0"}, "BMP", (800, 480)),
                    ({"FW_Version": None, "Width": None, "Height": None}, "BMP", (800, 480)),
                    ({"FW_Version": "1.6.0"}, "PNG", (800, 480)), ({"FW_Version": None, "Model": "kobo"}, "PNG", (800, 480)),
                    ({"FW_Version": None, "Width": "1200", "Height": "825"}, "PNG", (1200, 825))]:
                status, _, body = self.ask(f"/{SECRET}/api/setup", Access_Token=None, **fields)
                image = Image.open(io.BytesIO(self.picture(json.loads(body))[1]))
                self.assertEqual((status, image.format, image.size), (200, form, size), fields)

    def test_turned(self):
        """The file is the picture that a person sees, turned clockwise: as render draws it, and as Pillow turns it."""
        self.start_server()
        for bits in (1, 2, 4, 8):
            images = {}
            for turn in (None, 90, 180, 270):
                self.write(screen="480x800", bits=bits, rotate=turn, widgets=["calendar:medium", "todays-tasks:medium"])
                images[turn] = self.opened()[1]
                self.assertEqual(images[turn].size, (480, 800) if turn in (None, 180) else (800, 480))
                self.assertEqual(digest(images[turn]), digest(images[None].rotate(-(turn or 0), expand=True)), (bits, turn))

    def test_eight_bits(self):
        self.write(bits=8)
        self.start_server()
        picture = self.picture(self.display())[1]
        # 8 bits, grey, not interlaced.
        self.assertEqual((picture[24:26], picture[28]), (bytes([8, 0]), 0))

    def test_spellings(self):
        """In the file and in ID, an address may be spelled in any way, and is the same panel."""
        spellings = ("94:A9:90:8C:6D:18", "94:a9:90:8c:6d:18", "94-a9-90-8c-6d-18", "94a9908c6d18", "94a9.908c.6d18")
        self.start_server()
        name = self.display()["filename"]
        for file in spellings:
            self.write(file)
            for told in spellings:
                self.assertEqual(self.display(ID=told)["filename"], name, (file, told))
                setup = json.loads(self.ask(f"/{SECRET}/api/setup", ID=told, Access_Token=None)[2])
                self.assertEqual((setup["api_key"], setup["friendly_id"]), (TOKEN, "8C6D18"))

    def test_redacted(self):
        """No word and no number: in the picture, in that which says why there is none, and in texts."""
        seen = {}
        self.start_server()
        for title in ("Water 4711 plants", "Paint 1234 fences"):
            task = f'{{"tasks": [{{"id": "mine", "title": "{title}", "completed": false, "dueDate": "2026-11-01", "createdAt": "2026-11-01T08:00:05Z"}}]}}'
            self.command("drop", "tasks", "-", "--name", "mine", input=task, stdout=subprocess.DEVNULL)
            self.command("sync")
            for hidden in (False, True):
                self.write(redacted=hidden, widgets=["todays-tasks:large"])
                seen[title, hidden] = digest(self.opened()[1])
        plain, other = [seen[title, False] for title in ("Water 4711 plants", "Paint 1234 fences")]
        self.assertNotEqual(plain, other)
        self.assertNotIn(seen["Water 4711 plants", True], (plain, other))
        drawn = subprocess.run(
            [CACHESYNCD, "render", "--screen", "800x480", "--bits", "2", "--redacted", "todays-tasks:large", "--cache", self.cache],
            capture_output=True, check=True).stdout
        self.assertEqual(seen["Paint 1234 fences", True], digest(Image.open(io.BytesIO(drawn))))
        self.assertEqual(seen["Paint 1234 fences", True], seen["Water 4711 plants", True])
        # Two reasons for which there is no picture look the same, and other than without `redacted`.
        images, messages = {}, {}
        for widget in ("secret-diary:medium", "another:medium"):
            for hidden in (False, True):
                self.write(redacted=hidden, widgets=[widget])
                answer, images[widget, hidden] = self.opened()
                messages[widget, hidden] = answer["message"]
        first, second = [digest(images[widget, True]) for widget in ("secret-diary:medium", "another:medium")]
        self.assertEqual(first, second)
        self.assertNotEqual(first, digest(images["another:medium", False]))
        self.assertIn("the cache has no secret-diary yet", messages["secret-diary:medium", False])
        self.assertEqual(messages["secret-diary:medium", True], "It cannot be drawn: cachesyncd serve prints why.")
        self.assertIn("the cache has no secret-diary yet", self.errors.read_text())
        # A picture that was never told, as after a restart; a publication that cannot be read.
        place = answer["image_url"].split("/", 3)[3].rsplit("/", 1)[0]
        self.assertNotIn(b"another", self.ask(f"/{place}/0000000000000000.png")[2])
        manifest = self.directory / "cache/snapshots/manifest.json"
        manifest.write_text("{")
        for fields in ({}, {"ID": None}):
            status, _, body = self.ask(f"/{SECRET}/api/display", **fields)
            self.assertEqual(status, 400 if fields else 503, body)
            self.assertNotIn(str(self.directory), body.decode())
        status, _, body = self.ask(f"/{SECRET}/api/setup", Access_Token=None)
        self.assertNotIn(b"manifest", body)

    def test_messages(self):
        """What is missing is said in words, in `message`."""
        self.start_server()
        for path, fields, status, message in [
                ("display", {"ID": None}, 400, "ID is missing, or is not a MAC address"),
                ("display", {"ID": "kitchen"}, 400, "ID is missing, or is not a MAC address"),
                ("display", {"Access_Token": None}, 401, "the panel's token is missing or not of this server"),
                ("setup", {"ID": None}, 400, "ID is missing, or is not a MAC address"),
                ("nothing", {}, 404, "there is nothing here")]:
            found, headers, body = self.ask(f"/{SECRET}/api/{path}", **fields)
            self.assertEqual((found, headers["Content-Type"]), (status, "application/json"), path)
            self.assertEqual(list(json.loads(body)), ["message"], "no status, of which some make a panel forget its network")
            self.assertIn(message, json.loads(body)["message"])
        self.assertNotIn("message", self.display())
        self.write("94:A9:90:8C:6D:19")
        self.assertEqual(self.display()["message"], f"This panel is {ADDRESS}: add it to the file of serve --panels")
        self.write(widgets=["weather:medium"])
        self.assertIn("the cache has no weather yet", self.display()["message"])
        self.write(widgets=["calendar:medium"] * 5, screen=None, bits=1)
        self.assertIn("the first 4 would fit", self.display()["message"])
        folder = self.directory / "cache/screens"
        folder.mkdir()
        (folder / "kitchen.json").write_text('{"widgets": ["calendar"]}')
        self.write(screen="kitchn", widgets=None)
        self.assertEqual(self.display()["message"], "there is no screen kitchn: did you mean kitchen?")

    def test_tokens(self):
        self.start_server()
        for token in (None, "", TOKEN[:-1], "0" * 32, KEY, SECRET):
            self.assertEqual(self.ask(f"/{SECRET}/api/display", Access_Token=token)[0], 401, token)
            self.assertEqual(self.ask(f"/{SECRET}/api/log", "POST", '{"logs": []}', Access_Token=token)[0], 401, token)
        for address in (None, "", "kitchen"):
            self.assertEqual(self.ask(f"/{SECRET}/api/display", ID=address)[0], 400, address)
        # The address opens what panels ask, and nothing else; the page's key is not the panels'.
        for path in ("", "/", "/api", "/api/", "/manifest.json", "/api/display/x", "/picture/x", "/api/setup/x"):
            self.assertEqual(self.ask(f"/{SECRET}{path}")[0], 404, path)
        for path in (f"/{KEY}/api/display", "/api/display", f"/{SECRET[:-1]}/api/display"):
            self.assertEqual(self.ask(path)[0], 403, path)
        for path in ("/", "/manifest.json", "/metrics"):
            self.assertIn(self.ask(f"{path}?key={SECRET}")[0], (401, 403), path)
        self.assertEqual(self.ask(f"/{SECRET}/api/display", host="elsewhere.example")[0], 421)
        self.assertEqual(self.ask(f"/{SECRET}/api/display", "POST")[0], 405)
        # A picture has a secret of its own.
        place = self.display()["image_url"].split("/", 3)[3].split("/")
        for wrong in ("0" * 32, TOKEN, SECRET):
            self.assertEqual(self.ask("/" + "/".join(place[:3] + [wrong] + place[4:]))[0], 404)
        self.assertEqual(self.ask("/" + "/".join(place[:2] + ["94A9908C6D19"] + place[3:]))[0], 404)

    def test_hosts(self):
        self.start_server("--allow-host", "cache.local")
        for host in ("cache.local", f"cache.local:{self.port}", f"localhost:{self.port}"):
            self.assertTrue(self.display(host=host)["image_url"].startswith(f"http://{host}/{SECRET}/picture/"), host)

    def test_unknown_panel(self):
        other = "94:A9:90:8C:6D:19"
        self.write(other)
        self.start_server()
        answer = json.loads(self.ask(f"/{SECRET}/api/setup", Access_Token=None)[2])
        self.assertEqual((answer["api_key"], answer["message"]), (TOKEN, f"This panel is {ADDRESS}"))
        self.picture(answer)
        for width, height in (("800", "480"), ("1872", "1404"), ("99999", "-1")):
            answer = self.display(Width=width, Height=height)
            self.assertEqual((answer["status"], answer["refresh_rate"]), (0, 900))
            expected = (800, 480) if height == "-1" else (int(width), int(height))
            self.assertEqual(Image.open(io.BytesIO(self.picture(answer)[1])).size, expected)
        # Saving the file is enough.
        self.write()
        self.assertNotEqual(self.display()["filename"], answer["filename"])

    def test_file(self):
        self.start_server()
        good = self.display()["filename"]
        for text in ("{", '{"panels": {"94:A9:90:8C:6D:18": {"widgets": ["calendar:huge"]}}}',
                     json.dumps({"panels": {ADDRESS: {"screen": "800x480", "widgets": ["calendar:medium"] * 5}}})):
            self.file.write_text(text)
            before = self.errors.read_text()
            for _ in range(3):
                self.assertEqual(self.display()["filename"], good)
            self.assertEqual(self.errors.read_text().removeprefix(before).count("\n"), 1, "told once")
        self.assertIn("line 1, column 2", self.errors.read_text())
        self.assertIn("the first 4 would fit", self.errors.read_text())
        self.assertIn("the panels stay as they were", self.errors.read_text())
        self.file.unlink()
        self.assertEqual(self.display()["filename"], good)
        self.write(widgets=["calendar:medium"])
        self.assertNotEqual(self.display()["filename"], good)

    def test_bad_start(self):
        for text in (None, "{", '{"panels": {"kitchen": {}}}', '{"panels": {"94:A9:90:8C:6D:18": {"widgets": ["calendar:huge"]}}}'):
            self.file.unlink(missing_ok=True)
            if text is not None:
                self.file.write_text(text)
            result = subprocess.run(
                [CACHESYNCD, "serve", "--panels", self.file, "--key-file", self.directory / "key", "--cache", self.cache],
                capture_output=True, text=True, timeout=PATIENCE)
            self.assertEqual((result.returncode, result.stdout), (78, ""), result.stderr)
            self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
            self.assertIn("panels.json", result.stderr)
        for words in (["--panels", "a"], ["--panels", "a", "--key-file", "k", "--listen", "unix:/tmp/s"],
                      ["--panels", "a", "--key-file", "k", "--share", "tasks"], ["--panels", "", "--key-file", "k"]):
            result = subprocess.run([CACHESYNCD, "serve", *words, "--cache", self.cache], capture_output=True, text=True)
            self.assertEqual((result.returncode, result.stdout), (64, ""), words)

    def test_missing_kind(self):
        """A panel shows why it has no picture, and asks again."""
        self.start_server()
        good = self.display()
        # A kind of a definition that the cache does not have yet.
        self.write(widgets=["weather:medium"])
        answer = self.display()
        self.assertNotEqual(answer["filename"], good["filename"])
        self.assertEqual(answer["refresh_rate"], 900)
        self.picture(answer)
        self.assertIn("the cache has no weather yet", self.errors.read_text())

    def test_logs(self):
        self.start_server("--log-level", "debug")
        entry = {"creation_timestamp": 1, "log_message": "returned code is not OK", "evil": "a\nb\u202e"}
        for body in ({"log": {"logs_array": [entry]}}, {"logs": [entry]}):
            status, headers, text = self.ask(f"/{SECRET}/api/log", "POST", json.dumps(body))
            self.assertEqual((status, text), (204, b""))
        lines = [line for line in self.errors.read_text().splitlines() if "panel 8C6D18" in line]
        self.assertEqual(len(lines), 2)
        self.assertIn("debug", lines[0])
        self.assertIn("returned code is not OK", lines[0])
        self.assertNotIn("\u202e", lines[0])
        for body in ("", "{", "[]", '{"log": {}}', '{"log": []}', '{"logs": {}}'):
            self.assertEqual(self.ask(f"/{SECRET}/api/log", "POST", body)[0], 400, body)
        most = json.dumps({"logs": ["x" * 65_520]})
        self.assertLessEqual(len(most), 65_536)
        self.assertEqual(self.ask(f"/{SECRET}/api/log", "POST", most)[0], 204)
        self.assertEqual(self.ask(f"/{SECRET}/api/log", "POST", most.ljust(65_537))[0], 413)
        self.assertEqual(self.ask(f"/{SECRET}/api/log", "POST", '{"logs": []}', Origin="http://elsewhere.example")[0], 403)
        self.assertEqual(self.ask(f"/{SECRET}/api/log")[0], 405)

    def test_metrics(self):
        self.start_server()

        def metrics():
            return self.ask("/metrics", Authorization=f"Bearer {KEY}")[2].decode()

        self.assertIn("# TYPE cachesync_panel_rssi_dbm gauge\n", metrics())
        self.assertNotIn("cachesync_panel_rssi_dbm{", metrics())
        self.display()
        text = metrics()
        self.assertIn('cachesync_panel_battery_volts{panel="94:A9:90:8C:6D:18"} 4.05\n', text)
        self.assertIn('cachesync_panel_rssi_dbm{panel="94:A9:90:8C:6D:18"} -61.0\n', text)
        self.assertRegex(text, r'cachesync_panel_last_seen_timestamp_seconds\{panel="94:A9:90:8C:6D:18"\} \d{10}\n')
        self.assertIn("cachesync_up", text)
        self.display(Battery_Voltage="nan", RSSI="strong")
        self.assertNotIn("cachesync_panel_battery_volts{", metrics())
        # Another maker's panel with the same last six digits has a series of its own.
        other = "11:22:33:8C:6D:18"
        panel = {"screen": "800x480", "widgets": ["meal-plan:medium"]}
        self.file.write_text(json.dumps({"panels": {ADDRESS: panel, other: panel}}))
        token = json.loads(self.ask(f"/{SECRET}/api/setup", ID=other)[2])["api_key"]
        self.display()
        self.display(ID=other, Access_Token=token)
        series = [line.split(" ")[0] for line in metrics().splitlines() if line.startswith("cachesync_panel_battery_volts{")]
        self.assertEqual(sorted(series), [f'cachesync_panel_battery_volts{{panel="{name}"}}' for name in (other, ADDRESS)])
        # Unknown panels are not counted, so that nobody can fill the memory.
        self.write("94:A9:90:8C:6D:19")
        self.display()
        self.assertNotIn("8C:6D:18", metrics())

    def test_large_picture(self):
        """A large panel has memory for more than 90,000 bytes, and keeps its greys."""
        widgets = ["calendar:large", "todays-tasks:large", "overview:large", "macro-breakdown:large"]
        self.write(screen="2560x2560", bits=4, widgets=widgets)
        self.start_server()
        picture = self.picture(self.display())[1]
        drawn = subprocess.run(
            [CACHESYNCD, "render", "--screen", "2560x2560", "--bits", "4", *widgets, "--cache", self.cache],
            capture_output=True, check=True).stdout
        self.assertGreater(len(drawn), 90_000)
        self.assertEqual(picture, drawn)

    def wake(self, addresses, isPatient=False):
        """All at once, as at midnight: by address, how it was answered, at last if panels ask again as they are told."""
        answers = {}

        def wake(address):
            token = hmac.new(KEY.encode(), f"panel:{address}".encode(), "sha256").hexdigest()[:32]
            status, headers, body = self.ask(f"/{SECRET}/api/display", ID=address, Access_Token=token)
            while isPatient and status == 503:
                time.sleep(int(headers["Retry-After"]))
                status, headers, body = self.ask(f"/{SECRET}/api/display", ID=address, Access_Token=token)
            if status == 200:
                answers[address] = self.picture(json.loads(body))[1]
            else:
                answers[address] = (status, headers["Retry-After"])

        threads = [threading.Thread(target=wake, args=(address,)) for address in addresses]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return answers

    def test_midnight(self):
        addresses = [f"94:A9:90:8C:{number // 256:02X}:{number % 256:02X}" for number in range(300)]
        panel = {"widgets": ["meal-plan:medium", "calendar:medium", "todays-tasks:large"]}
        self.file.write_text(json.dumps({"panels": {address: panel for address in addresses}}))
        self.start_server()
        answers = self.wake(addresses, isPatient=True)
        self.assertEqual(len(answers), 300)
        self.assertEqual(len({bytes(picture) for picture in answers.values()}), 1)
        # Each has a screen of its own, which nobody has drawn: what cannot be drawn in time is refused, and no panel waits.
        self.file.write_text(json.dumps({"panels": {
            address: panel | {"screen": f"{1_600 + number}x1200", "bits": 4} for number, address in enumerate(addresses)}}))
        answers = self.wake(addresses)
        self.assertEqual(len(answers), 300)
        drawn = [answer for answer in answers.values() if isinstance(answer, bytes)]
        self.assertGreater(len(drawn), 0)
        for answer in answers.values():
            if not isinstance(answer, bytes):
                self.assertEqual(answer[0], 503)
                self.assertIn(int(answer[1]), range(1, 60))

    def test_schema(self):
        """The schema and the server agree, other than in what only the server can know: kinds, families, sizes."""
        schema = json.loads(self.command("schema", "panels", stdout=subprocess.PIPE).stdout)
        good = {"widgets": ["meal-plan:medium"]}
        rows = [
            (True, good), (True, good | {"screen": "1872x1404", "bits": 4, "awake": "20:00-02:00", "every": "P1D"}),
            (True, good | {"awake": "00:00-24:00"}), (True, good | {"screen": "0800x480"}), (True, good | {"screen": "800×480"}), (False, {}), (False, []),
            (False, good | {"widgets": []}), (False, good | {"widgets": "meal-plan:medium"}), (False, good | {"widgets": [1]}),
            (False, good | {"screen": "800"}), (False, good | {"screen": "800x"}), (False, good | {"screen": [800, 480]}),
            (False, good | {"screen": "9000x480"}), (False, good | {"screen": "0x480"}), (False, good | {"bits": 3}),
            (True, good | {"bits": 8, "rotate": 270, "redacted": True}), (True, good | {"rotate": 0, "redacted": False}),
            (False, good | {"rotate": 45}), (False, good | {"rotate": "90"}), (False, good | {"rotate": -90}),
            (False, good | {"redacted": 1}), (False, good | {"redacted": None}), (False, good | {"bits": 16}),
            (False, good | {"bits": "1"}), (False, good | {"bits": None}), (False, good | {"awake": "6:30-23:00"}),
            (False, good | {"awake": "24:00-23:00"}), (False, good | {"awake": "06:60-23:00"}), (False, good | {"awake": 6}),
            (False, good | {"every": "15M"}), (False, good | {"every": 900}), (False, good | {"colour": "red"}),
            (True, {"screen": "kitchen"}), (True, {"screen": "kitchen-2", "bits": 4}), (False, good | {"screen": "kitchen"}),
            (False, {"screen": "800x480"}), (False, {"screen": "Kitchen"}), (False, {"screen": "kitchen", "bits": 3}),
        ]
        files = [(right, {"panels": {ADDRESS: panel}}) for right, panel in rows]
        files += [(True, {"panels": {name: good}}) for name in (
            ADDRESS.lower(), "94-a9-90-8c-6d-18", "94a9908c6d18", "94a9.908c.6d18", "94a990-8c6d18")]
        files += [(False, {"panels": {name: good}}) for name in (
            "kitchen", "", "94a9908c6d1", "94a9908c6d180", "94::a9:90:8c:6d:18", ":94a9908c6d18", "94a9908c6d1g", "94 a9 90 8c 6d 18")]
        files += [(True, {"panels": {}}),
                  (False, {"panels": []}), (False, {"panel": {}}), (False, {}), (False, []),
                  (False, {"panels": {}, "more": 1})]
        for right, document in files:
            self.assertEqual(jsonschema.Draft202012Validator(schema).is_valid(document), right, document)
            self.file.write_text(json.dumps(document))
            process = self.start(
                "serve", "--listen", "127.0.0.1:0", "--panels", self.file, "--key-file", self.directory / "key",
                stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            # A server that starts prints its address; another ends.
            self.assertEqual(process.stdout.readline() != "", right, document)
            if not right:
                self.assertEqual(process.wait(PATIENCE), 78, document)
            self.stop(process)

