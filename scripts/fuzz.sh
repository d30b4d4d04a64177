#!/bin/bash
# fuzz.sh PROGRAM SECONDS [TARGET...]: runs every target of Fuzz/, or the given ones, for SECONDS each. The seeds are
# the sample cache, the example definitions and Fuzz/Seeds. Inputs that were found remain in .build/fuzz, and the input
# of a failure in .build/fuzz/TARGET/. Fuzz/README.md explains how to run it again.
set -uo pipefail
program=$1 seconds=$2
shift 2
targets=${*:-$("$program")}
for target in $targets; do
  "$program" | grep -qx -- "$target" || { echo "fuzz.sh: no target $target: use one of" $("$program") >&2; exit 64; }
done
root=$(cd "$(dirname "$0")/.." && pwd)
work=$root/.build/fuzz
export SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=detect_leaks=0

# lines TARGET: each line of a seed file is a seed.
lines() {
  local number=0 line
  while IFS= read -r line; do printf %b "${2:-}$line" >"$seeds/$1-$((number++))"; done <"$root/Fuzz/Seeds/$1.txt"
}

seed() {
  local file index=0
  case $1 in
    json | feeds | cache)
      # The feeds are numbered in the order of FeedRegistry. Two files of each are enough, and keep the start quick.
      local directory feed=0
      for directory in meal-plan-cache widget-data health tasks events shoes intents; do
        while IFS= read -r file; do
          index=$((index + 1))
          case $1 in
            json) cp "$file" "$seeds/$index" ;;
            feeds) { printf %b "\\x0$feed"; cat "$file"; } >"$seeds/$index" ;;
            # The file is created, then created under another name, and the first one is removed.
            cache)
              { printf %b "\\x0$feed\\x00"; cat "$file"; printf %b "\\xff\\x0$feed\\x04"; cat "$file"
                printf %b "\\xff\\x0$feed\\x03\\xff"; } >"$seeds/$index"
              ;;
          esac
        done < <(find "$root/sample-cache/$directory" -name '*.json' -size -8k | sort | head -2)
        feed=$((feed + 1))
      done
      [ "$1" = feeds ] && lines calendars '\x04'
      ;;
    definitions)
      for file in "$root"/Examples/feeds/*.json; do
        index=$(basename "$file" .json)
        { sed "s/\"$index\"/\"bins\"/g" "$file"; printf '\xff'; cat "$root/Examples/feeds/samples/$index.json"; } >"$seeds/$index"
      done
      ;;
    tzif) for file in Europe/Berlin America/Sao_Paulo Asia/Gaza Africa/Casablanca UTC; do
        cp "/usr/share/zoneinfo/$file" "$seeds/${file//\//-}"
      done ;;
    log) printf 'CacheSync sessions 1\n' >"$seeds/empty" ;;
    *) lines "$1" ;;
  esac
}

failed=
for target in $targets; do
  seeds=$work/$target/seeds
  rm -rf "$seeds"
  mkdir -p "$seeds" "$work/$target/corpus"
  seed "$target"
  if FUZZ_TARGET=$target "$program" -max_total_time="$seconds" -max_len=16384 -timeout=10 -rss_limit_mb=2048 \
    -artifact_prefix="$work/$target/" "$work/$target/corpus" "$seeds" >"$work/$target/log" 2>&1; then
    echo "fuzz $target: $(grep -a '^Done' "$work/$target/log" || tail -n 1 "$work/$target/log")"
  else
    failed="$failed $target"
    echo "fuzz $target: failed; see $work/$target/log"
    grep -aE 'Fatal error|ERROR|SUMMARY|Test unit written' "$work/$target/log" | head -5
  fi
done
[ -z "$failed" ] || { echo "failed:$failed"; exit 1; }
