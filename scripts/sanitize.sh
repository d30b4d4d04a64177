#!/bin/bash
# Runs tests with sanitizers: scripts/sanitize.sh address|thread
#
# address: the C parts and the decoders, with damaged documents, under the address sanitizer; C also under the one for
#          undefined behaviour. The agent's own tests run with a binary built so, too.
# thread:  the agent, reading on every core, watching, publishing and updates under the thread sanitizer, in the tests' process and
#          in real agents.
#
# No report is suppressed. Tests/Helpers/tsan_mutex.c tells the thread sanitizer about locks that it cannot see.
#
# Every process writes its reports into a directory; any report is a failure, whatever the test made of the exit status.
set -euo pipefail
kind=$1
reports=$(mktemp -d)
preload=
trap 'rm -rf "$reports" "$reports.so"' EXIT
cd "$(dirname "$0")/.."
common="log_path=$reports/report:exitcode=66"
case $kind in
  address)
    # Swift has no sanitizer for undefined behaviour, so only C gets it. The address sanitizer's runtime has its functions.
    flags=(--sanitize=address -Xcc -fsanitize=undefined)
    # No leaks: Swift's runtime keeps some memory for as long as the process lives, and the sanitizer would report it.
    export ASAN_OPTIONS="$common:detect_leaks=0"
    export UBSAN_OPTIONS="$common:halt_on_error=1:print_stacktrace=1"
    units='JSON|Robustness|Decoding|SnapshotStore|CacheContents|DirectoryTests|ControlServerTests'
    faults='FaultTests.Faults/Input|FaultTests.Faults/Life/reload'
    ;;
  thread)
    flags=(--sanitize=thread)
    export TSAN_OPTIONS="$common:halt_on_error=0"
    preload=$reports.so
    units='NewDay|ManyFiles|WorkerPool|PublisherTests|SnapshotReaderTests|SnapshotStoreTests|AgentCommandTests|SeveralCachesTests'
    faults='WallAlarmFaultTests|Life/twoDays|Life/reload|Tree/directories|Tree/replacedByLink|Disk/durability|fourReaders'
    ;;
  *)
    echo "usage: $0 address|thread" >&2
    exit 64
    ;;
esac
scratch=.build-${kind:0:1}san
[ -z "$preload" ] || clang -shared -fPIC -O1 -o "$preload" Tests/Helpers/tsan_mutex.c
swift build --build-tests --scratch-path "$scratch" "${flags[@]}"
run() {
  ${preload:+env LD_PRELOAD="$preload"} scripts/test.sh --skip-build --no-parallel --scratch-path "$scratch" "${flags[@]}" "$@"
}
# Fewer of everything: a sanitizer takes several times as long, and finds a race in a hundred rounds as well as in ten thousand.
export FAULTS_RUNS=${FAULTS_RUNS:-100} FAULTS_SECONDS=${FAULTS_SECONDS:-10}
status=0
{ run --skip FaultTests --filter "$units" && run --filter "$faults"; } || status=1
if compgen -G "$reports/*" >/dev/null; then
  cat "$reports"/*
  echo "$kind sanitizer: $(ls "$reports" | wc -l) processes reported" >&2
  status=1
fi
exit $status
