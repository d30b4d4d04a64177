#!/bin/sh
# scratch.sh CACHESYNCD SAMPLE SCRATCH: copies the sample cache, with dates moved to today. Refuses while an agent
# serves the copy.
set -eu
agent=$1 sample=$2 scratch=$3
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

days=$((($(date -u -d "$(date +%F)" +%s) - $(date -u -d "$sample_day" +%s)) / 86400))
rm -rf "$scratch"
(cd "$sample" && find . -type f) | while read -r file; do
  mkdir -p "$scratch/$(dirname "$file")"
  awk -v days="$days" -f "$(dirname "$0")/shift-dates.awk" "$sample/$file" >"$scratch/$file"
  # The app's own file has no date, so the tasks feed uses the file's time: it must be older than files that are dropped
  # next.
  touch -d "$(date +%F)" "$scratch/$file"
done
