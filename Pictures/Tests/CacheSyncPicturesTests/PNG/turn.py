"""turn.py DEGREES UPRIGHT TURNED: whether the second picture is the first one as Pillow turns it clockwise."""

import sys

from PIL import Image

degrees, (upright, turned) = int(sys.argv[1]), (Image.open(name) for name in sys.argv[2:])
expected = upright.rotate(-degrees, expand=True)
print(turned.size == expected.size and turned.mode == expected.mode and turned.tobytes() == expected.tobytes())
