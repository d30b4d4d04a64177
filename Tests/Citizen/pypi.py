"""Packages of PyPI for tests alone, below .build."""

import os
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

PLACE = Path(__file__).resolve().parents[2] / ".build/pypi"


def packages(*wanted):
    """The directory in which these packages are installed; skips the tests, and says why, where that fails."""
    place = PLACE / "-".join(wanted)
    mark = place / ".installed"
    if mark.exists():
        return place
    shutil.rmtree(place, ignore_errors=True)
    result = subprocess.run(
        [sys.executable, "-m", "pip", "install", "-q", "--target", place, *wanted], capture_output=True, text=True,
        timeout=300, env=os.environ | {"PIP_BREAK_SYSTEM_PACKAGES": "1"})
    if result.returncode:
        reason = (result.stderr.strip().splitlines() or ["?"])[-1]
        raise unittest.SkipTest(f"pip cannot install {' and '.join(wanted)}: {reason}")
    mark.touch()
    return place
