#!/bin/sh
# changelog-entry.sh: fails when CHANGELOG.md has no dated entry for the version of the sources.
set -eu
version=$(sed -n 's/.*current = "\(.*\)".*/\1/p' Sources/CacheSyncValues/Model/CacheSyncVersion.swift)
case $version in
  [0-9]*.[0-9]*.[0-9]*) ;;
  *) echo "Sources/CacheSyncValues/Model/CacheSyncVersion.swift: no version such as 1.2.3 found" >&2; exit 1 ;;
esac
grep -q "^## \[$(echo "$version" | sed 's/\./\\./g')\] - [0-9]\{4\}-[0-9]\{2\}-[0-9]\{2\}\$" CHANGELOG.md || {
  echo "CHANGELOG.md has no entry for version $version: run scripts/changelog.py $version" >&2
  exit 1
}
