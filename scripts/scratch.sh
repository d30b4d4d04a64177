#!/bin/sh
# scratch.sh CACHESYNCD SAMPLE SCRATCH [NOW]: copies the sample cache, as if its apps had written it before now: its dates are moved
# to today. NOW is in seconds since 1970, by default the clock's. Refuses while an agent serves the copy.
set -eu
agent=$1 sample=$2 scratch=$3 now=${4:-$(date +%s)}
sample_day=2026-11-21

if [ -d "$scratch" ]; then
  status=0
  "$agent" status --cache "$scratch" >/dev/null 2>&1 || status=$?
  case $status in
    0 | 70)
      echo "An agent already runs on $scratch: stop it first (^C there)." >&2
      exit 1
      ;;
  esac
fi

today=$(date -d "@$now" +%F)
days=$((($(date -u -d "$today" +%s) - $(date -u -d "$sample_day" +%s)) / 86400))
shift_dates=$(realpath "$(dirname "$0")/shift-dates.awk")
rm -rf "$scratch"
mkdir -p "$scratch"
scratch=$(realpath "$scratch")
cd "$sample"
find . -type d -exec mkdir -p "$scratch/{}" \;
# First all files are read, and then written. No name has a space.
files=$(find . -type f)
# shellcheck disable=SC2086
awk -v days="$days" -v now="$now" -v midnight="$(date -d "$today" +%s)" -v to="$scratch" -f "$shift_dates" \
  $files writes=1 $files
# The app's own file has no date, so the tasks feed uses the file's time: it must be older than files that are dropped
# next.
find "$scratch" -type f -exec touch -d "$today" {} +
