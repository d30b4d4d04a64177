#!/bin/sh
# run.sh CACHESYNCD SAMPLE SCRATCH: runs the agent on a copy of the sample cache, with dates moved to today.
set -eu
agent=$1 sample=$2 scratch=$3
"$(dirname "$0")/scratch.sh" "$agent" "$sample" "$scratch"
language=$("$(dirname "$0")/language.sh" "$agent" "$scratch")

session=$scratch/meal-plan-cache/latest-session.json
weekday=$(($(date +%u) - 1))
cat <<TEXT

The agent serves $scratch, a copy of $sample with its dates moved to today.
Try this in another terminal:

  $agent show --cache $scratch
      prints today's view. Edit the name of a meal of today (lines with "day_index": $weekday) in
      $session, save it, and run show again.
  cat $scratch/snapshots/meal-plan.json
      prints what readers get.

  $agent watch --cache $scratch
      prints every snapshot that changes. Leave it running, and drop a file:
  echo '{"tasks": [{"id": "mine", "title": "Try CacheSync", "completed": false, "createdAt": "$(date -u +%FT%TZ)"}]}' |
    $agent drop tasks - --name mine --cache $scratch

  echo '{ "id": 5 }' >$scratch/meal-plan-cache/bad.json
      puts an invalid meal plan into the cache. Readers keep the last good one, and its snapshot names the problem.
  $agent check --cache $scratch
      prints the problem with its line and column. Delete the file, and the problem is gone.

  $agent status --cache $scratch
      prints whether the agent is alive and receives file events, and what is wrong.
  $agent next --cache $scratch
      lists upcoming changes that happen through time alone.

$language

TEXT
exec "$agent" run --cache "$scratch"
