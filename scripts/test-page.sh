#!/bin/sh
# test-page.sh PROGRAMS: tests the live page of the programs in this folder, in a real browser and over the wire.
set -eu
cd "$(dirname "$0")/.."
programs=$1
# axe, which judges whether people who do not see or do not point can use the page. This Python package carries its script,
# and is only unpacked.
axe=Pictures/.build/axe version=0.1.8
wheel=$axe/axe_playwright_python-$version-py3-none-any.whl
[ -f "$wheel" ] || python3 -m pip download -q --no-deps -d "$axe" "axe-playwright-python==$version"
export CACHESYNC_PROGRAMS="$programs" AXE_WHEEL="$PWD/$wheel"
cd Pictures/Tests/Page
# Debian's own Python, for which selenium is installed.
/usr/bin/python3 -B -m unittest ${PAGE_TESTS:-discover}
