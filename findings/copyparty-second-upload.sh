#!/bin/sh
# copyparty keeps a second upload of a name beside the first, under a name that has the same ending.
#
# Versions: PyPI copyparty 1.20.26, with Jinja2 3.1.6.
#
# Behaviour: whoever uploads a file of a name that exists does not replace it, by the form of the page or by PUT. The newer file
# gets a name of its own: the old name, '-', the time of the upload in seconds with six digits of a fraction, '-', eight
# characters that stand for the sender's address, and the ending of the name once more. So a program that reads every *.json or
# *.ics of a directory finds both versions, and the one with the expected name is the older one. A name whose ending has seven
# letters or more gets no second ending. PUT with the header 'Replace: 1' replaces the file.
#
# Output on 2026-11-29 (what was uploaded twice, and what is there then, digits as D and the sender as S):
#   a.json by form      a.json=1 a.json-DDDDDDDDDD.DDDDDD-SSSSSSSS.json=2
#   b.ics by PUT        b.ics=1 b.ics-DDDDDDDDDD.DDDDDD-SSSSSSSS.ics=2
#   c.calendar by form  c.calendar=1 c.calendar-DDDDDDDDDD.DDDDDD-SSSSSSSS=2
#   d.json by Replace   d.json=2
#
# Ends with 0 while this is so, and with 1 when it has changed. Needs python3 with pip, and curl.
set -eu
place=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$place"' EXIT
python3 -m pip install -q --root-user-action=ignore --no-deps --target "$place/packages" copyparty==1.20.26 Jinja2==3.1.6 \
  MarkupSafe==3.0.3
mkdir "$place/files" "$place/home"
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
HOME=$place/home XDG_CONFIG_HOME=$place/home PYTHONPATH=$place/packages python3 -m copyparty -q -i 127.0.0.1 -p "$port" \
  -v "$place/files::rwmd" >"$place/log" 2>&1 &
server=$!
address=http://127.0.0.1:$port
curl -s -o "$place/page" --retry 60 --retry-delay 1 --retry-connrefused "$address/"

# upload NAME HOW: uploads "1" and then "2" under one name.
upload() {
  for content in 1 2; do
    printf %s "$content" >"$place/content"
    case $2 in
      form) curl -sf -o "$place/answer" -F act=bput -F "f=@$place/content;filename=$1" "$address/" ;;
      PUT) curl -sf -o "$place/answer" -T "$place/content" "$address/$1" ;;
      Replace) curl -sf -o "$place/answer" -T "$place/content" -H 'Replace: 1' "$address/$1" ;;
    esac
  done
}

# present NAME: the files whose names begin so, with their contents.
present() {
  python3 - "$place/files" "$1" <<'PYTHON'
import pathlib, re, sys
found = sorted(path for path in pathlib.Path(sys.argv[1]).iterdir() if path.name.startswith(sys.argv[2]))
mark = re.compile(r"-\d{10}\.\d{6}-[\w-]{8}(?=$|\.)", re.ASCII)
print(" ".join(mark.sub("-DDDDDDDDDD.DDDDDD-SSSSSSSS", path.name) + "=" + path.read_text() for path in found))
PYTHON
}

failed=0
# check NAME HOW EXPECTED
check() {
  upload "$1" "$2"
  found=$(present "$1")
  printf '%-19s %s\n' "$1 by $2" "$found"
  [ "$found" = "$3" ] || { echo "changed: expected $3"; failed=1; }
}
mark=-DDDDDDDDDD.DDDDDD-SSSSSSSS
check a.json form "a.json=1 a.json$mark.json=2"
check b.ics PUT "b.ics=1 b.ics$mark.ics=2"
check c.calendar form "c.calendar=1 c.calendar$mark=2"
check d.json Replace "d.json=2"
exit $failed
