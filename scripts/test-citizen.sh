#!/bin/sh
# test-citizen.sh: runs Tests/Citizen/test_*.py on the release build, two modules at a time. Prints a line for each
# module, and its skipped tests with the reason; for a failed module, prints its whole output.
set -eu
CACHESYNCD=${CACHESYNCD:-$PWD/.build/dist/cachesyncd}
export CACHESYNCD
[ -x "$CACHESYNCD" ] || {
  echo "no $CACHESYNCD: make deb builds it, and the packages" >&2
  exit 1
}

logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
export logs

# The slowest modules run first, so that none of them runs alone at the end.
for module in test_system test_package $(cd Tests/Citizen && ls test_*.py | sed 's/\.py$//'); do echo "$module"; done |
  awk '!seen[$0]++' |
  xargs -P 2 -I '{}' sh -c '
    begin=$(date +%s)
    if (cd Tests/Citizen && /usr/bin/python3 -B -m unittest -v "{}") >"$logs/{}" 2>&1 </dev/null; then
      echo "{}: $(($(date +%s) - begin)) s"
      sed -n "s/.*skipped/  skipped/p" "$logs/{}"
    else
      echo "{}: FAILED after $(($(date +%s) - begin)) s"
      cat "$logs/{}"
      exit 1
    fi'
