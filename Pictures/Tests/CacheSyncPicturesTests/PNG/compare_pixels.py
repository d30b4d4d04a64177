"""compare_pixels.py A.png B.png: how much two pictures of one size differ, by Pillow.

B may be higher than A: what is below A is not looked at. Both are laid on white and blurred by 2 pixels, since two programs
draw no edge alike. Prints the mean difference and that of the worst 16x16 block, as shares of 255.
"""

import sys

from PIL import Image, ImageChops, ImageFilter, ImageStat


def on_white(path):
    image = Image.open(path).convert("RGBA")
    white = Image.new("RGBA", image.size, "white")
    return Image.alpha_composite(white, image).convert("RGB").filter(ImageFilter.GaussianBlur(2))


first, second = on_white(sys.argv[1]), on_white(sys.argv[2])
if first.width != second.width or first.height > second.height:
    sys.exit(f"{sys.argv[1]} is {first.size}, {sys.argv[2]} is {second.size}")
second = second.crop((0, 0, *first.size))
difference = ImageChops.difference(first, second)
blocks = [
    sum(ImageStat.Stat(difference.crop((x, y, x + 16, y + 16))).mean) / 3 / 255
    for y in range(0, first.height, 16)
    for x in range(0, first.width, 16)
]
print(sum(ImageStat.Stat(difference).mean) / 3 / 255, max(blocks))
