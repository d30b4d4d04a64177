#!/bin/sh
# run.sh CACHESYNCD SAMPLE SCRATCH: runs the agent on a copy of the sample cache, with dates moved to today.
set -eu
agent=$1 sample=$2 scratch=$3
"$(dirname "$0")/scratch.sh" "$agent" "$sample" "$scratch"

session=$scratch/meal-plan-cache/latest-session.json
weekday=$(($(date +%u) - 1))
cat <<TEXT

The agent serves $scratch, a copy of $sample with its dates moved to today. In another terminal:

  $agent show --cache $scratch
      today's view; then edit a meal's name for today (lines with "day_index": $weekday) in
      $session, save, and show again, or see what readers get:
  cat $scratch/snapshots/meal-plan.json

  $agent watch --cache $scratch
      prints every snapshot that changes, as it changes. Now drop a file and see it there:
  echo '{"tasks": [{"id": "mine", "title": "Try CacheSync", "completed": false, "createdAt": "$(date -u +%FT%TZ)"}]}' |
    $agent drop tasks - --name mine --cache $scratch

  echo '{ "id": 5 }' >$scratch/meal-plan-cache/bad.json
      a file that is no meal plan: readers keep what they have, and its snapshot says what is wrong, and where;
  $agent check --cache $scratch
      says the same, in a line. Delete it, and the problem goes.

  $agent status --cache $scratch
      is it alive, does it hear, what is wrong; 'next' lists when the view changes by itself.

TEXT
exec "$agent" run --cache "$scratch"
