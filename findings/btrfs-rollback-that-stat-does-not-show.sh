#!/bin/sh
# A btrfs subvolume that is rolled back to a snapshot is the same directory for everything that statx(2) says of its path.
#
# Versions: Debian's btrfs-progs 6.2-1+deb12u2 on Linux 6.18. The behaviour is the kernel's.
#
# Behaviour: `btrfs subvolume delete C; btrfs subvolume snapshot C.snap C` gives a new directory at C. Its device, inode (256,
# as every root of a subvolume) and birth time are those of the deleted one: a snapshot keeps the birth time of its origin, and
# the device number is free again, even while a process holds the deleted directory open. So the usual check whether a path
# still leads to the directory that a program opened, comparing device and inode of lstat(path) with those from when it opened
# it, says yes, and birth time does not help. What tells: a fresh fstat(2) of the held descriptor has device 0, as soon as the
# subvolume is deleted. And a watch of the parent directory has the events; one of the subvolume itself has none.
#
# Output on 2026-11-29 (what, then whether it is as the deleted directory was when it was opened):
#   device of the path           same
#   inode of the path            same
#   birth time of the path       same
#   device of the descriptor     0
#   events inside                none
#   events of the parent         DELETE CREATE
#
# Ends with 0 while this is so, with 1 when it has changed, and with 77 where it cannot try: it needs root, a loop device and a
# kernel with btrfs, on Debian 12 with python3.
set -eu
place=$(mktemp -d)
trap 'cd /; umount "$place/disk" 2>/dev/null || true; rm -rf "$place"' EXIT
cd "$place"
for package in btrfs-progs=6.2-1+deb12u2 liblzo2-2; do
  apt-get download -qq "$package" 2>/dev/null || { echo "cannot fetch $package"; exit 77; }
done
for file in *.deb; do dpkg-deb -x "$file" tools; done
PATH=$place/tools/sbin:$place/tools/bin:$PATH
LD_LIBRARY_PATH=$(dirname "$(find tools -name 'liblzo2.so.2' | head -n 1)")
export PATH LD_LIBRARY_PATH
truncate -s 128M image
mkfs.btrfs -q image >/dev/null
mkdir disk
mount -o loop image disk 2>/dev/null || { echo "cannot mount a btrfs image here"; exit 77; }

found=$(python3 - "$place/disk" <<'PYTHON'
import ctypes, os, struct, subprocess, sys

os.chdir(sys.argv[1])
libc = ctypes.CDLL(None, use_errno=True)
NAMES = {0x100: "CREATE", 0x200: "DELETE", 0x400: "DELETE_SELF", 0x800: "MOVE_SELF", 0x8000: "IGNORED", 0x2000: "UNMOUNT"}


def btrfs(*words):
    subprocess.run(["btrfs", "-q", "subvolume", *words], check=True, stdout=subprocess.DEVNULL)


def about(path):
    words = subprocess.run(["stat", "-c", "%d %i %w", path], check=True, capture_output=True, text=True).stdout
    return words.strip().split(" ", 2)


def watch(path):
    watcher = libc.inotify_init1(os.O_NONBLOCK)
    libc.inotify_add_watch(watcher, os.fsencode(path), 0x100 | 0x200 | 0x400 | 0x800)
    return watcher


def events(watcher):
    try:
        data = os.read(watcher, 65536)
    except BlockingIOError:
        return "none"
    names, place = [], 0
    while place < len(data):
        _, mask, _, length = struct.unpack_from("iIII", data, place)
        names += [name for bit, name in NAMES.items() if mask & bit]
        place += 16 + length
    return " ".join(names)


btrfs("create", "C")
btrfs("snapshot", "C", "C.snap")
before = about("C")
held = os.open("C", os.O_RDONLY)
inside, parent = watch("C"), watch(".")
btrfs("delete", "C")
btrfs("snapshot", "C.snap", "C")
after = about("C")
for what, a, b in zip(["device", "inode", "birth time"], before, after):
    print(f"{what + ' of the path':28} {'same' if a == b else 'another'}")
print(f"{'device of the descriptor':28} {os.fstat(held).st_dev}")
print(f"{'events inside':28} {events(inside)}")
print(f"{'events of the parent':28} {events(parent)}")
PYTHON
)
echo "$found"
expected='device of the path           same
inode of the path            same
birth time of the path       same
device of the descriptor     0
events inside                none
events of the parent         DELETE CREATE'
[ "$found" = "$expected" ] || { echo "changed: expected"; echo "$expected"; exit 1; }
