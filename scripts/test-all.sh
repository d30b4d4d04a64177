#!/bin/bash
# make test: builds, runs every test, and says at the end how many of which sort ran, what failed, and what was skipped and why.
#
# The units and the faults are two processes side by side. The units share the locks and the events of one process, so the
# tests that start hundreds of processes run in the other one. The tests that change the machine come last, alone.
set -uo pipefail
logs=$(mktemp -d)
units=
trap '[ -n "$units" ] && kill "$units" 2>/dev/null; rm -rf "$logs"' EXIT
trap 'exit 130' INT TERM
lone='MachineFaults|TimeFaultTests|LoopTimerFaultTests'

swift build --build-tests || exit
built=$SECONDS
# Two runs of `swift test` would wait for each other, so this script runs the test program itself.
tests=("$(swift build --show-bin-path)/CacheSyncPackageTests.xctest" --testing-library swift-testing)

export NO_COLOR=1
status=0
"${tests[@]}" --skip FaultTests >"$logs/units" 2>&1 &
units=$!
"${tests[@]}" --filter 'FaultTests\.' --skip "$lone" 2>&1 | tee "$logs/faults" || status=1
wait "$units" || status=1
units=
cat "$logs/units"
"${tests[@]}" --no-parallel --filter "$lone" 2>&1 | tee "$logs/alone" || status=1

# Swift Testing's own lines: how many tests it was to run, and each that it skipped.
report() {
  local total skipped
  total=$(sed -nE 's/^[^ ]+ Test run with ([0-9]+) tests? .* after ([0-9]+)\..*/\1 \2/p' "$logs/$1")
  skipped=$(grep -ac '^➜ Test .* skipped: ' "$logs/$1")
  [ -n "$total" ] || total='0 0'
  printf '%5d %s, %d s; %d skipped\n' $((${total%% *} - skipped)) "$2" "${total##* }" "$skipped"
}
printf '\nBuilt in %d s, tested in %d s:\n' "$built" $((SECONDS - built))
report units 'units and commands'
report faults 'faults side by side, beside them'
report alone 'faults of the whole machine, alone'
if grep -aq '^➜ Test .* skipped: ' "$logs"/*; then
  echo 'Skipped, and why:'
  cat "$logs"/* | sed -nE 's/^➜ Test .* skipped: (.*)/\1/p' | sort | uniq -c
fi
if [ $status != 0 ]; then
  printf '\nFailed:\n'
  grep -ahE '^(✘|↳|error:)' "$logs"/*
fi
exit $status
