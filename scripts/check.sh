#!/bin/bash
# check.sh: everything that a change must pass, for `make check`. Each test runs once.
# Prints the time that each part took. Two parts that mostly wait run while others build.
set -euo pipefail
logs=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || :; rm -rf "$logs"' EXIT

finished() { printf '\n== %s: %d s, of %d s so far\n\n' "$1" "$2" "$SECONDS"; }

part() {
  local begun=$SECONDS
  make "$@" </dev/null
  finished "make $*" $((SECONDS - begun))
}

# begin NAME COMMAND...: runs a command beside the next parts. `end` waits for it, and prints what it printed.
begin() {
  beside=$1 began=$SECONDS
  shift
  "$@" </dev/null >"$logs/$beside" 2>&1 &
}

end() {
  local status=0
  wait $! || status=$?
  cat "$logs/$beside"
  finished "$beside, beside the parts before" $((SECONDS - began))
  return $status
}

part lint
part test-all
# Pictures and the live page, which are a package of their own.
part test-pictures
# Everything to install comes before, because the package manager runs once at a time.
make deps-test-page deps-deb deps-citizen </dev/null
begin 'the tests of make test-page' scripts/test-page.sh "$(swift build --show-bin-path)"
# The release, with the packages.
part dist
end
# The packages together with other programs of a system. What a sandbox does not permit, such as booting a container, is
# skipped with a message.
begin 'the tests of make test-citizen' scripts/test-citizen.sh
# The examples, which the tests do not build.
part examples
# Every parser with generated inputs, and with the address sanitizer. `make test-sanitize` runs it on the rest, and the thread
# sanitizer: each needs a build of everything, which is more than the hour that all of this may take.
part fuzz SECONDS=3
end
# The bridge between machines, which is a package of its own.
part test-bridge
