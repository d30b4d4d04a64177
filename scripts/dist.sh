#!/bin/sh
# dist.sh [DIRECTORY]: makes what a release has of what `make deb` has left in .build/dist: the packages, an archive with the agent
# alone, their sums, and the changes. By default the directory is .build/dist/VERSION.
set -eu
umask 022
export LC_ALL=C
dist=.build/dist
version=$(scripts/changelog-entry.sh)
directory=${1:-$dist/$version}
name=cachesyncd-$version-linux-$(uname -m)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

rm -rf "$directory"
mkdir -p "$directory"
for package in cachesyncd cachesync-pictures cachesync-bridge; do
  cp $dist/$package"_$version"_*.deb "$directory/" || {
    echo "no package $package of version $version in $dist: run make deb" >&2
    exit 1
  }
done

install -D -m 755 $dist/cachesyncd "$work/$name/cachesyncd"
install -m 644 docs/man/cachesyncd.1 docs/man/cachesync.5 .build/deb/cachesyncd/debian/copyright "$work/$name/"
tar --create --directory "$work" --sort=name --mtime="@$(scripts/commit-date.sh)" --owner=0 --group=0 --numeric-owner "$name" |
  gzip -9n >"$directory/$name.tar.gz"

(cd "$directory" && sha256sum -- *.deb *.tar.gz >SHA256SUMS)
awk '/^## \[/ { sections++ } sections == 1' CHANGELOG.md >"$directory/NOTES.md"

unreleased=$({
  awk '/^## / { unreleased = /Unreleased/ } unreleased' CHANGELOG.md
  find changelog/unreleased -name '*.md' -exec cat {} +
} | grep -c '^- ' || true)
[ "$unreleased" = 0 ] ||
  echo "warning: $unreleased changes are not in version $version: scripts/changelog.py VERSION makes a version of them" >&2
ls -l "$directory"
