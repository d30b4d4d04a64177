#!/bin/bash
# sanitize.sh address|thread: runs tests with sanitizers.
#
# address: the address sanitizer on the C parts, and on the decoders with damaged documents. C also gets the one for
#          undefined behaviour. The agent's own tests also run with a binary built this way.
# thread:  the thread sanitizer on the agent's work: reading on every core, watching, publishing and updates. It runs in
#          the tests' process and in real agents.
#
# No report is suppressed. Tests/Helpers/tsan_mutex.c tells the thread sanitizer about locks that it cannot see.
#
# Every process writes its reports into a directory. Any report is a failure, even if the test ignores the exit status.
set -euo pipefail
kind=$1
reports=$(mktemp -d)
preload=
trap 'rm -rf "$reports" "$reports.so"' EXIT
cd "$(dirname "$0")/.."
common="log_path=$reports/report:exitcode=66"
case $kind in
  address)
    # Swift has no sanitizer for undefined behaviour, so only C uses it. The address sanitizer's runtime includes its
    # functions.
    flags=(--sanitize=address -Xcc -fsanitize=undefined)
    # Leaks are ignored: Swift's runtime keeps some memory for the lifetime of the process, and the sanitizer would
    # report it.
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
# Smaller numbers: a sanitizer takes several times as long, and finds a race in 100 rounds as well as in 10,000.
export FAULTS_RUNS=${FAULTS_RUNS:-100} FAULTS_SECONDS=${FAULTS_SECONDS:-10}
status=0
{ run --skip FaultTests --filter "$units" && run --filter "$faults"; } || status=1
if compgen -G "$reports/*" >/dev/null; then
  cat "$reports"/*
  echo "$kind sanitizer: $(ls "$reports" | wc -l) processes reported" >&2
  status=1
fi
exit $status
