#!/bin/sh
# reader.sh CACHE TIME [KIND...]: prints the entries in force at TIME (RFC 3339, UTC) of kinds that agree, by default of all.
# Needs jq.
set -eu
cache=$1 time=$2
shift 2

fail() {
  echo "cannot read the snapshots in $cache: $1" >&2
  exit 1
}

copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT

# doubt WHY: starts again. On FUSE and network file systems a file that is just being replaced can seem to be missing or cut
# off, so that is believed only after ten attempts, a second in all.
doubts=0
doubt() {
  doubts=$((doubts + 1))
  if [ $doubts -gt 10 ] || ! [ -d "$cache/snapshots" ]; then fail "$1"; fi
  sleep 0.1
}

attempt=0
while [ $attempt -lt 100 ]; do
  attempt=$((attempt + 1))
  cp "$cache/snapshots/manifest.json" "$copy/manifest" 2>/dev/null || { doubt "no manifest"; continue; }
  listed=$(jq -er '.files | keys[] | rtrimstr(".json") | select(. != "day-index")' "$copy/manifest" 2>/dev/null) ||
    { doubt "the manifest is damaged"; continue; }
  # The line that jq makes of each snapshot: its kind, its generation and the entry in force.
  : >"$copy/found"
  for kind in ${*:-$listed}; do
    echo "$listed" | grep -qxF -- "$kind" || continue
    jq -ec --arg kind "$kind" --arg time "$time" \
      '{ kind: $kind, generation, entry: (.entries | (map(select(.date <= $time)) | last) // .[0]) }' \
      "$cache/snapshots/$kind.json" >>"$copy/found" 2>/dev/null || { doubt "$kind is missing or damaged"; continue 2; }
  done
  if jq -sce --slurpfile manifest "$copy/manifest" '
    if all(.generation == $manifest[0].files[.kind + ".json"].generation) then
      { generation: $manifest[0].generation, entries: (map({ (.kind): .entry }) | add // {}) }
    else empty end' "$copy/found"; then
    exit 0
  fi
done
fail "they do not agree: try cachesyncd sync"
