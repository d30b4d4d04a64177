#!/bin/bash
# test-all.sh: builds and runs every test for `make test-all`. At the end it prints how many tests of each sort ran, which
# failed, and which were skipped and why.
#
# The tests that change the machine run first, alone. One of them, the storm of dropped events, changes it only until
# its agent has started, and continues in parallel with the others. The units and the faults are two parallel processes.
# The units share the locks and events of one process, so the tests that start hundreds of processes run in the other
# one.
set -uo pipefail
logs=$(mktemp -d)
running=()
trap '[ ${#running[@]} = 0 ] || kill "${running[@]}" 2>/dev/null; rm -rf "$logs"' EXIT
trap 'exit 130' INT TERM
lone='MachineFaults|TimeFaultTests|WallAlarmFaultTests'
storm=overflowStorm

swift build --build-tests --explicit-target-dependency-import-check error || exit
built=$SECONDS
# Two runs of `swift test` would block each other, so this script runs the test program itself.
tests=("$(swift build --show-bin-path)/CacheSyncPackageTests.xctest" --testing-library swift-testing)

export NO_COLOR=1
status=0
"${tests[@]}" --no-parallel --filter "$lone" --skip "$storm" 2>&1 | tee "$logs/alone" || status=1
"${tests[@]}" --filter "$storm" >"$logs/storm" 2>&1 &
running=($!)
until grep -aq '^overflow storm: begun' "$logs/storm" || ! kill -0 "${running[0]}" 2>/dev/null; do sleep 0.1; done
"${tests[@]}" --skip FaultTests >"$logs/units" 2>&1 &
running+=($!)
"${tests[@]}" --filter 'FaultTests\.' --skip "$lone" 2>&1 | tee "$logs/faults" || status=1
for process in "${running[@]}"; do wait "$process" || status=1; done
running=()
cat "$logs/storm" "$logs/units"

# Reads Swift Testing's output: how many tests were planned, and each one that was skipped.
report() {
  local total skipped
  total=$(sed -nE 's/^[^ ]+ Test run with ([0-9]+) tests? .* after ([0-9]+)\..*/\1 \2/p' "$logs/$1")
  skipped=$(grep -ac '^➜ Test .* skipped: ' "$logs/$1")
  [ -n "$total" ] || total='0 0'
  printf '%5d %s, %d s; %d skipped\n' $((${total%% *} - skipped)) "$2" "${total##* }" "$skipped"
}
printf '\nBuilt in %d s, tested in %d s:\n' "$built" $((SECONDS - built))
report alone 'faults of the whole machine, alone'
report units 'units and commands'
report faults 'faults side by side, beside them'
report storm 'storm of dropped events, beside them'
if grep -aq '^➜ Test .* skipped: ' "$logs"/*; then
  echo 'Skipped, and why:'
  cat "$logs"/* | sed -nE 's/^➜ Test .* skipped: (.*)/\1/p' | sort | uniq -c
fi
if [ $status != 0 ]; then
  printf '\nFailed:\n'
  grep -ahE '^(✘|↳|error:)' "$logs"/*
fi
exit $status
