#!/usr/bin/python3
"""contact-sheets.py PROGRAMS SAMPLE OUT [TAG ...]: draws every kind in every family and every language, from the sample
cache, from one that is full, from one whose day has nothing and from one without data, and on screens of several sizes, and puts
the pictures of each language on one sheet, OUT/TAG.png. PROGRAMS is the directory of cachesyncd and cachesync-pictures."""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from PIL import Image, ImageDraw

DAY = "2026-11-21"
# The moments at which the caches are drawn: a Saturday of the sample, and a day long after it.
MOMENTS = {"sample": f"{DAY}T09:30:00Z", "full": f"{DAY}T15:30:00Z", "empty": "2027-03-03T09:30:00Z",
           "bare": f"{DAY}T13:30:00Z"}
# Screens of three pictures, by their size and further options.
SCREENS = [
    ("800x480", "--bits", "1"), ("600x800", "--bits", "4"), ("1072x1448", "--bits", "2"), ("1200x825", "--appearance", "dark"),
    ("1600x1200",), ("1920x1080",),
]
FAMILIES = ("systemLarge", "systemMedium", "systemSmall", "accessoryRectangular", "accessoryCircular", "accessoryInline")
WIDTH, GAP, LABEL, GREY = 2000, 10, 12, "#d8d8d8"


def fill(cache):
    """Long titles, many items and large numbers."""
    path = cache / "cachedTasks.json"
    long = "Ask the neighbours for the ladder, and whether they need the drill on Saturday"
    tasks = [
        {"id": 1000 + n, "title": f"{long} {n}", "completed": False, "createdAt": f"{DAY}T06:00:00Z",
         "dueDate": f"2026-11-{21 - n % 3}T1{n % 10}:30:00Z"} for n in range(14)
    ]
    (cache / "tasks" / "full.json").write_text(json.dumps({"tasks": tasks}))
    events = [
        {"id": f"full-{n}", "title": f"{long} {n}", "startTime": f"2026-11-{21 + n // 3}T{8 + n % 12:02}:00:00Z",
         "endTime": f"2026-11-{21 + n // 3}T{9 + n % 12:02}:15:00Z", "location": "The large hall behind the station"}
        for n in range(16)
    ]
    (cache / "events" / "full.json").write_text(json.dumps({"events": events}))
    widget = cache / "widget-data" / "widgetData.json"
    widget.write_text(re.sub(r'("(?:calories|protein|carbs|fat)\w*": *)([1-9]\d*)', r"\g<1>\g<2>9", widget.read_text()))
    for health in (cache / "health" / "2026-11").glob("*.json"):
        health.write_text(re.sub(r'("type": *"dietary\w+",\s*"date": *"[^"]*",\s*"value": *)(\d+)', r"\g<1>\g<2>9",
                                 health.read_text()))
    assert path.exists()


def bare(cache):
    """No data, and shoes that are suggested because they were worn at such times."""
    for path in [*cache.glob("health/**/*.json"), *cache.glob("shoes/sessions*"), *cache.glob("meal-plan-cache/*")]:
        path.unlink()
    (cache / "health" / "bare.json").write_text('{"samples": []}')
    (cache / "meal-plan-cache" / "latest-session.json").write_text('{"id": "bare", "created_at": 0, "updated_at": 0}')
    for path in cache.glob("events/*.json"):
        path.write_text("[]")
    wardrobe = cache / "shoes" / "wardrobe.json"
    shoes = json.loads(wardrobe.read_text())
    sessions = [
        {"id": f"bare-{n}", "shoeId": shoes["shoes"][n % 4]["id"], "start": f"2026-11-{day:02}T12:{n:02}:00Z",
         "end": f"2026-11-{day:02}T13:{n:02}:00Z", "steps": 4000, "distance": 3.1}
        for day in (1, 7, 8, 14, 15) for n in range(5)
    ]
    wardrobe.write_text(json.dumps({"shoes": shoes["shoes"], "sessions": sessions, "lastUpdated": shoes["lastUpdated"]}))


def draw(programs, sample, tag, name, work):
    cache = work / "cache"
    shutil.rmtree(cache, ignore_errors=True)
    shutil.copytree(sample, cache)
    (cache / "cachesync.json").write_text(json.dumps({"locale": tag, "timeZone": "Europe/Berlin"}))
    if name == "full":
        fill(cache)
    if name == "bare":
        bare(cache)
    pictures, screens = work / name, work / f"screens-{name}"
    screens.mkdir(exist_ok=True)

    def render(*words):
        subprocess.run(
            [programs / "cachesync-pictures", "render", *words, "--cache", cache, "--at", MOMENTS[name]], check=True,
            env={"PATH": f"{programs}:/usr/bin:/bin", "HOME": str(work)})

    render("--all", pictures, "--format", "png", "--scale", "1")
    # Large pictures first, so that no screen has two. Each cache begins with another size.
    cards = sorted((file.stem for file in pictures.glob("*.png")), key=lambda card: FAMILIES.index(card.split("-")[-1]))
    count = -(-len(cards) // 3)
    for first in range(count):
        size, *options = SCREENS[(first + list(MOMENTS).index(name)) % len(SCREENS)]
        render("--screen", size, *options, "-o", screens / f"{first}-{size}.png",
               *(":".join(card.rsplit("-", 1)) for card in cards[first::count]))
    return [
        file for folder in (pictures, screens)
        for file in sorted(folder.glob("*.png"), key=lambda file: (Image.open(file).height, file.stem))]


def sheet(rows):
    """Pictures from left to right, under their names."""
    places, x, y, height = [], GAP, GAP, 0
    for title, files in rows:
        x, y, height = GAP, y + height + GAP, LABEL
        places.append((title, None, x, y))
        y += LABEL
        height = 0
        for file in files:
            drawn = Image.open(file)
            picture = Image.new("RGB", drawn.size, GREY)
            picture.paste(drawn, mask=drawn if drawn.mode == "RGBA" else None)
            if x + picture.width + GAP > WIDTH:
                x, y, height = GAP, y + height + GAP, 0
            places.append((file.stem, picture, x, y))
            x += picture.width + GAP
            height = max(height, picture.height + LABEL)
    canvas = Image.new("RGB", (WIDTH, y + height + GAP), GREY)
    pen = ImageDraw.Draw(canvas)
    for title, picture, x, y in places:
        pen.text((x, y), title, fill="black")
        if picture:
            canvas.paste(picture, (x, y + LABEL))
    return canvas


def main():
    programs, sample, out = (pathlib.Path(argument).resolve() for argument in sys.argv[1:4])
    words = pathlib.Path(__file__).resolve().parent.parent / "Sources/CacheSyncValues/Words/LanguageTag.swift"
    tags = sys.argv[4:] or re.findall(r'  case \w+ = "([\w-]+)"', words.read_text())
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as work:
        for tag in tags:
            rows = [(f"{tag}: {name}", draw(programs, sample, tag, name, pathlib.Path(work))) for name in MOMENTS]
            sheet(rows).save(out / f"{tag}.png")
            print(out / f"{tag}.png", flush=True)


if __name__ == "__main__":
    main()
