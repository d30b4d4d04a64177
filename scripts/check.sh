#!/bin/bash
# check.sh: everything that a change must pass, for `make check`. Each test runs once.
# Prints the time that each part took.
set -euo pipefail

part() {
  local begun=$SECONDS
  make "$@" </dev/null
  printf '\n== make %s: %d s, of %d s so far\n\n' "$*" $((SECONDS - begun)) "$SECONDS"
}

part lint
part test-all
# The examples, which the tests do not build.
part examples
# Every parser with generated inputs, and with the address sanitizer. `make test-sanitize` runs it on the rest, and the thread
# sanitizer: each needs a build of everything, which is more than the hour that all of this may take.
part fuzz SECONDS=3
# Pictures and the live page, which are a package of their own.
part test-pictures
part test-page
# The release, with its packages, and the packages together with other programs of a system. What a sandbox does not permit,
# such as booting a container, is skipped with a message.
part dist
part test-citizen
# The bridge between machines, which is a package of its own.
part test-bridge
