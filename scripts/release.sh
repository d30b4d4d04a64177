#!/bin/sh
# release.sh BINARY DESTINATION: strips the release build, and prints what it requires on another machine.
set -eu
mkdir -p "$(dirname "$2")"
strip -o "$2" "$1"
echo
echo "$2: $(($(stat -c %s "$2") / 1048576)) MiB. Copy this one file. On the other machine it needs:"
if readelf -d "$2" | grep -q 'NEEDED.*libinotifytools'; then
  echo "  libinotifytools0 (apt-get install libinotifytools0)"
fi
if readelf -d "$2" | grep -q 'NEEDED.*libnats'; then
  echo "  libnats3.4       (apt-get install libnats3.4)"
fi
echo "  tzdata           (apt-get install tzdata), for named time zones"
echo "  glibc $(readelf -V "$2" | grep -o 'GLIBC_\(ABI_DT_RELR\|[0-9.]*\)' | sed 's/ABI_DT_RELR/2.36/' | sort -uV | tail -1 | cut -d_ -f2) or later"
echo "  and, from the system itself:$(readelf -d "$2" | sed -n 's/.*NEEDED.*\[\(.*\)\]/ \1/p' | grep -v -e inotifytools -e nats | tr -d '\n')"
