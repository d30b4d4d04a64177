#!/bin/sh
# deb.sh: packages the release build in .build/dist, and leaves the packages there. It packages a copy, so that no files
# remain in the checkout.
set -eu
stage=.build/deb/cachesyncd
rm -rf .build/deb
mkdir -p $stage/.build $stage/Bridge
cp -a Makefile debian docs packaging sample-cache scripts $stage/
cp -a Bridge/engine $stage/Bridge/
# The Apache License requires that the notices of the included libraries are distributed with the programs.
for part in hummingbird swift-http-types swift-log swift-nio swift-nio-extras swift-service-lifecycle; do
  printf '\nThe notice of %s\n----------\n\n' $part
  cat .build/checkouts/$part/NOTICE.txt
done >>$stage/debian/copyright
ln -s ../../../dist $stage/.build/dist
SOURCE_DATE_EPOCH=$(scripts/commit-date.sh)
export SOURCE_DATE_EPOCH
(cd $stage && dpkg-buildpackage -b --no-sign) >.build/deb/log 2>&1 || {
  cat .build/deb/log >&2
  exit 1
}
rm -f .build/dist/*.deb
mv .build/deb/*.deb .build/dist/
ls -l .build/dist/*.deb
