#!/bin/sh
# curl --etag-save keeps the tag of an answer that failed, so the next run is told that nothing has changed.
#
# Version: curl 7.88.1, as Debian 12 has it.
#
# Behaviour: curl writes the tag when the headers arrive. A body that breaks off ends it with 18, and an answer with 500 and
# --fail with 22; the tag is in the file all the same. The manual's way, one file for --etag-compare and --etag-save, then sends
# this tag, gets 304, and ends with 0. The broken body stays, or no body ever arrives, until the next change. With two files,
# of which the second replaces the first only after success, the next run gets the whole body.
#
# Output on 2026-12-01 (files, first answer, exit status of both runs, bytes of the body in the end; 100 are whole):
#   one  short  18  0  10
#   one  500    22  0  none
#   two  short  18  0  100
#   two  500    22  0  100
#
# Ends with 0 while this is so, and with 1 when it has changed. Needs curl and python3.
set -eu
place=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$place"' EXIT
cat >"$place/server.py" <<'PYTHON'
import http.server
import sys


class Source(http.server.BaseHTTPRequestHandler):
    """The first answer of each address fails; later ones are whole."""

    asked = set()

    def do_GET(self):
        first = self.path not in self.asked
        self.asked.add(self.path)
        if self.headers["If-None-Match"] == '"a"':
            self.send_response(304)
            self.end_headers()
            return
        self.send_response(500 if first and "500" in self.path else 200)
        self.send_header("ETag", '"a"')
        self.send_header("Content-Length", "100")
        self.end_headers()
        self.wfile.write(b"x" * (10 if first and "short" in self.path else 100))

    def log_message(self, *words):
        pass


server = http.server.HTTPServer(("127.0.0.1", 0), Source)
print(server.server_port, file=open(sys.argv[1], "w"), flush=True)
server.serve_forever()
PYTHON
python3 "$place/server.py" "$place/port" &
server=$!
until [ -s "$place/port" ]; do sleep 0.1; done

failed=0
# try FILES ANSWER
try() {
  tag=$place/$1-$2.tag saved=$tag body=$place/$1-$2.body statuses=
  [ "$1" = one ] || saved=$tag.new
  : >"$tag"
  for run in 1 2; do
    status=0
    curl -fsS --etag-compare "$tag" --etag-save "$saved" -o "$body" "http://127.0.0.1:$(cat "$place/port")/$1/$2" \
      2>/dev/null || status=$?
    [ "$status" != 0 ] || [ "$saved" = "$tag" ] || mv "$saved" "$tag"
    statuses="$statuses  $status"
  done
  bytes=none
  [ ! -f "$body" ] || bytes=$(wc -c <"$body")
  found=$(printf '%s  %-5s%s  %s' "$1" "$2" "$statuses" "$bytes")
  echo "$found"
  sed -n 's/^#   //p' "$0" | grep -qxF "$found" || { echo "changed"; failed=1; }
}

for files in one two; do
  try "$files" short
  try "$files" 500
done
exit $failed
