#!/bin/sh
# install-files.sh install|uninstall: installs the release build and its files below $DESTDIR$PREFIX, or removes them.
# Builds nothing.
set -eu
umask 022
action=$1
prefix=${PREFIX:-/usr/local}
case $prefix in
  *[!A-Za-z0-9/._+-]*)
    echo "PREFIX $prefix: use letters, digits and / . _ + - only, because the units name the programs by it" >&2
    exit 1 ;;
  /*) ;;
  *) echo "PREFIX $prefix: begin it with /" >&2; exit 1 ;;
esac
root=${DESTDIR:-}$prefix
release=.build/dist
documents=share/doc/cachesyncd
# Debian's packages use another directory.
zsh=${ZSH_FUNCTIONS:-share/zsh/site-functions}

if [ "$action" = install ] && ! [ -x $release/cachesyncd ]; then
  echo "no $release/cachesyncd: build it with make release (cachesync-pictures with make release-pictures," \
    "cachesync-bridge with make release-bridge)" >&2
  exit 1
fi

# put MODE SOURCE DESTINATION
put() {
  if [ "$action" = install ]; then install -D -m "$1" "$2" "$root/$3"; else rm -f "$root/$3"; fi
}

# put_unit SOURCE DESTINATION: adjusts the unit to the path of the programs below PREFIX.
put_unit() {
  put 644 "$1" "$2"
  [ "$action" = uninstall ] || sed -i "s|/usr/bin/cachesync|$prefix/bin/cachesync|g" "$root/$2"
}

# put_completions PROGRAM SHELL DESTINATION. They are sourced, so the first line must not name an interpreter.
put_completions() {
  # A separate command, because its failure in a pipe would not end this script.
  [ "$action" = uninstall ] || script=$($release/"$1" --generate-completion-script "$2")
  put 644 /dev/null "$3"
  [ "$action" = uninstall ] || printf '%s\n' "$script" | sed '1{/^#!/d}' >"$root/$3"
}

put_all_completions() {
  put_completions "$1" bash "share/bash-completion/completions/$1"
  put_completions "$1" zsh "$zsh/_$1"
  put_completions "$1" fish "share/fish/vendor_completions.d/$1.fish"
}

put 755 $release/cachesyncd bin/cachesyncd
# cachesync-pictures has no manual page of its own: cachesyncd(1) describes render and serve, which run it.
if [ "$action" = uninstall ]; then
  rm -f "$root/bin/cachesync-pictures" "$root/share/man/man1/cachesync-pictures.1"
elif [ -x $release/cachesync-pictures ]; then
  put 755 $release/cachesync-pictures bin/cachesync-pictures
  put 644 /dev/null share/man/man1/cachesync-pictures.1
  echo '.so man1/cachesyncd.1' >"$root/share/man/man1/cachesync-pictures.1"
fi
if [ "$action" = uninstall ] || [ -x $release/cachesync-pictures ]; then
  put_unit packaging/systemd/cachesync-page.service lib/systemd/user/cachesync-page.service
  put_unit packaging/systemd/cachesync-page@.service lib/systemd/system/cachesync-page@.service
fi

if [ "$action" = uninstall ] || [ -x $release/cachesync-bridge ]; then
  put 755 $release/cachesync-bridge bin/cachesync-bridge
  put 644 docs/man/cachesync-bridge.1 share/man/man1/cachesync-bridge.1
  put_unit packaging/systemd/cachesync-home.service lib/systemd/user/cachesync-home.service
  put_unit packaging/systemd/cachesync-home@.service lib/systemd/system/cachesync-home@.service
  put_all_completions cachesync-bridge
  put 644 Bridge/engine/README.md share/doc/cachesync-bridge/README.md
  put 644 Bridge/engine/nats-server.conf share/doc/cachesync-bridge/examples/nats-server.conf
fi

put_unit packaging/systemd/cachesyncd.service lib/systemd/user/cachesyncd.service
put_unit packaging/systemd/cachesyncd@.service lib/systemd/system/cachesyncd@.service
put_unit packaging/systemd/user/cachesync-fetch@.service lib/systemd/user/cachesync-fetch@.service
put_unit packaging/systemd/cachesync-fetch@.service lib/systemd/system/cachesync-fetch@.service
for manager in user system; do
  put 644 packaging/systemd/cachesync-fetch@.timer lib/systemd/$manager/cachesync-fetch@.timer
done
put 644 packaging/sysusers.conf lib/sysusers.d/cachesyncd.conf

for page in cachesyncd.1 cachesync.5; do
  put 644 "docs/man/$page" "share/man/man${page##*.}/$page"
done
put_all_completions cachesyncd

# The program lists its schemas, so that none is forgotten here. It must not read the cache of the person who builds.
schemas=share/cachesync/schemas
if [ "$action" = uninstall ]; then
  rm -rf "${root:?}/$schemas"
  rmdir "$root/${schemas%/*}" 2>/dev/null || true
else
  unset CACHESYNC_FEEDS
  list=$($release/cachesyncd schema --list --cache /nonexistent)
  echo "$list" | while read -r words; do
    file=$schemas/$(echo "$words" | tr ' ' -).schema.json
    put 644 /dev/null "$file"
    # shellcheck disable=SC2086  # one or two words
    $release/cachesyncd schema $words --cache /nonexistent >"$root/$file"
  done
fi

if [ "$action" = uninstall ]; then
  rm -rf "${root:?}/$documents" "${root:?}/share/doc/cachesync-bridge"
else
  find docs -name '*.md' | while read -r document; do put 644 "$document" "$documents/${document#docs/}"; done
  find sample-cache -type f | while read -r file; do put 644 "$file" "$documents/examples/$file"; done
  mqtt=packaging/systemd/cachesync-mqtt@.service
  put 644 $mqtt "$documents/examples/${mqtt##*/}"
fi

# The service manager must read the changed files. A package prints this in its own scripts when it is installed.
[ -n "${DESTDIR:-}" ] || {
  echo "${action}ed below $prefix; now, as root:"
  [ "$action" = uninstall ] || echo "  systemd-sysusers            # the user cachesync, for system instances"
  echo "  systemctl daemon-reload     # and each user: systemctl --user daemon-reload"
}
