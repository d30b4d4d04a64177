#!/bin/sh
# page.sh CACHESYNCD SAMPLE SCRATCH: runs the agent and the page on a copy of the sample cache, with dates moved to
# today.
set -eu
agent=$1 sample=$2 scratch=$3
"$(dirname "$0")/scratch.sh" "$agent" "$sample" "$scratch"
language=$("$(dirname "$0")/language.sh" "$agent" "$scratch")

"$agent" run --cache "$scratch" &
running=$!
trap 'kill $running 2>/dev/null; wait $running 2>/dev/null' EXIT
trap 'exit 130' INT TERM
"$agent" wait --cache "$scratch" >/dev/null

cat <<TEXT

The agent serves $scratch, a copy of $sample with its dates moved to today. Open the address that follows in a browser, and
in another terminal drop something that the page shows at once:

  echo '{"tasks": [{"id": "mine", "title": "Try CacheSync", "completed": false, "createdAt": "$(date -u +%FT%TZ)"}]}' |
    $agent drop tasks - --name mine --cache $scratch

$language

TEXT
"$agent" serve --cache "$scratch"
