"""What `make deb` leaves in .build/dist, and what `make install` makes of it."""

import os
import subprocess

from support import REPOSITORY

DIST = REPOSITORY / ".build/dist"


def package(name):
    """The one package of that name, or an error that says how to get it."""
    found = list(DIST.glob(f"{name}_*.deb"))
    assert len(found) == 1, f"{len(found)} packages {name} in {DIST}: run make deb"
    return found[0]


def make(*words):
    """`make install` and the like, as a user types it."""
    environment = {key: value for key, value in os.environ.items() if key not in ("DESTDIR", "PREFIX", "MAKEFLAGS")}
    subprocess.run(["make", "-s", *words], cwd=REPOSITORY, env=environment, check=True, stdout=subprocess.DEVNULL)
