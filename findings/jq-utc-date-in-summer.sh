#!/bin/sh
# jq 1.6 reads a UTC date an hour late, but only while daylight saving time is in force in the zone of TZ.
#
# Versions: PyPI jq 1.4.1, which contains libjq 1.6 (as Debian 12 has it), and jq 1.13.0, which contains libjq 1.8.2.
#
# Behaviour: `fromdate` is documented to read a date in UTC, and TZ should not matter to it. In 1.6, `mktime`, which `fromdate`
# ends with, depends on TZ: 2026-07-21T17:00:00Z becomes 18:00:00Z in Berlin and in New York. It is right in UTC, in Kolkata, in
# each of these zones in winter, and in 1.8.2. So `strptime | mktime | todate`, the usual way to rewrite a date such as
# 20260721T170000Z, passes every test that runs in UTC or in winter. Melbourne has it the other way round, in December.
# `todate` and `localtime` alone are right in 1.6, so the round trip shows the fault.
#
# Output on 2026-11-29 (libjq, zone, what `fromdate | todate` makes of the same dates in July and December):
#   1.6    UTC                  2026-07-21T17:00:00Z  2026-12-21T17:00:00Z
#   1.6    Asia/Kolkata         2026-07-21T17:00:00Z  2026-12-21T17:00:00Z
#   1.6    Europe/Berlin        2026-07-21T18:00:00Z  2026-12-21T17:00:00Z
#   1.6    America/New_York     2026-07-21T18:00:00Z  2026-12-21T17:00:00Z
#   1.6    Australia/Melbourne  2026-07-21T17:00:00Z  2026-12-21T18:00:00Z
#   1.8.2  (each of them)       2026-07-21T17:00:00Z  2026-12-21T17:00:00Z
#
# Ends with 0 while this is so, and with 1 when it has changed. Needs python3 with pip, and the zones of tzdata.
set -eu
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
python3 -m pip install -q --root-user-action=ignore --only-binary :all: --no-deps --target "$place/1.6" jq==1.4.1
python3 -m pip install -q --root-user-action=ignore --only-binary :all: --no-deps --target "$place/1.8.2" jq==1.13.0

# dates VERSION ZONE: both dates after a round trip.
dates() {
  TZ=$2 PYTHONPATH=$place/$1 python3 -c '
import jq
program = jq.compile("map(fromdate | todate) | join(\"  \")")
print(program.input(["2026-07-21T17:00:00Z", "2026-12-21T17:00:00Z"]).first())'
}

right="2026-07-21T17:00:00Z  2026-12-21T17:00:00Z"
failed=0
for version in 1.6 1.8.2; do
  for zone in UTC Asia/Kolkata Europe/Berlin America/New_York Australia/Melbourne; do
    case $version,$zone in
      1.6,Europe/Berlin | 1.6,America/New_York) expected="2026-07-21T18:00:00Z  2026-12-21T17:00:00Z" ;;
      1.6,Australia/Melbourne) expected="2026-07-21T17:00:00Z  2026-12-21T18:00:00Z" ;;
      *) expected=$right ;;
    esac
    found=$(dates "$version" "$zone")
    printf '%-6s %-20s %s\n' "$version" "$zone" "$found"
    [ "$found" = "$expected" ] || { echo "changed: expected $expected"; failed=1; }
  done
done
exit $failed
