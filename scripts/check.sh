#!/bin/bash
# check.sh: everything that a change must pass, for `make check`. Each test runs once, and some once more with sanitizers.
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
# The address sanitizer needs a build of everything, too. Here it sees the parsers, which the fuzzers are built with.
part test-sanitize SANITIZERS=thread
# Every parser with generated inputs.
part fuzz SECONDS=3
# Pictures and the live page, which are a package of their own.
part test-pictures
part test-page
# The release, as packages, and the packages together with other programs of a system. What a sandbox does not permit,
# such as booting a container, is skipped with a message.
part deb
part test-citizen
# The bridge between machines, which is a package of its own.
part test-bridge
