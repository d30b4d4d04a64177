#!/bin/sh
# changelog-entry.sh: prints the version of the sources. Fails unless it is that of the newest numbered section of CHANGELOG.md, which
# has a date, and that of the packages.
set -eu
version=$(sed -n 's/.*current = "\(.*\)".*/\1/p' Sources/CacheSyncValues/Model/CacheSyncVersion.swift)
case $version in
  [0-9]*.[0-9]*.[0-9]*) ;;
  *) echo "Sources/CacheSyncValues/Model/CacheSyncVersion.swift: no version such as 1.2.3 found" >&2; exit 1 ;;
esac
newest=$(sed -n 's/^## \[\([0-9][0-9.]*\)\] - [0-9]\{4\}-[0-9][0-9]-[0-9][0-9]$/\1/p' CHANGELOG.md | head -1)
[ "$newest" = "$version" ] || {
  echo "the newest version in CHANGELOG.md is '$newest', and that of the sources '$version': run scripts/changelog.py $version" >&2
  exit 1
}
packaged=$(sed -n '1s/^cachesyncd (\(.*\)) .*/\1/p' debian/changelog)
[ "$packaged" = "$version" ] || {
  echo "debian/changelog has version '$packaged', and the sources '$version': add an entry for it" >&2
  exit 1
}
echo "$version"
