#!/bin/sh
# commit-date.sh: prints when the sources were changed, in seconds since 1970: $SOURCE_DATE_EPOCH, else the date of the commit,
# else that of debian/changelog. What is packed has this date, so one commit always gives the same bytes.
set -eu
echo "${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || dpkg-parsechangelog --show-field Timestamp)}"
