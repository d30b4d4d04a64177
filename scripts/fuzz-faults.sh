#!/bin/bash
# fuzz-faults.sh PROGRAM: seeds each deliberate mistake of Fuzz/, and fails unless the mistake's target finds it.
set -uo pipefail
directory=$(dirname "$0")
missed=
for pair in written:json pruned:feeds removed:cache entry:cache later:rules offset:posix log:log time:settings memory:settings; do
  fault=${pair%%:*} target=${pair##*:}
  if SEEDED_FAULT=$fault "$directory/fuzz.sh" "$1" 30 "$target" >/dev/null; then
    missed="$missed $fault"
    echo "$fault in $target: missed"
  else
    echo "$fault in $target: found"
  fi
  rm -rf "$directory/../.build/fuzz/$target"
done
[ -z "$missed" ] || { echo "missed:$missed"; exit 1; }
