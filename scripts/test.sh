#!/bin/bash
# Runs swift test with these arguments, and repeats the failures at the end: of a long run people see the last lines.
set -uo pipefail
output=$(mktemp)
trap 'rm -f "$output"' EXIT
swift test "$@" 2>&1 | tee "$output"
status=$?
if [ $status != 0 ]; then
  printf '\nFailed (status %d):\n' $status
  grep -aE '^(✘|↳|error:)' "$output"
fi
exit $status
