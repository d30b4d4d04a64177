#!/bin/bash
# test.sh ARGUMENT...: runs swift test, and repeats the failures at the end, because the last lines of a long run are
# the visible ones.
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
