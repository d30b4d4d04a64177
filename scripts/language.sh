#!/bin/sh
# language.sh CACHESYNCD CACHE: lets the cache write in the newcomer's language, which LC_ALL, LC_TIME or LANG names without
# encoding and modifier, and prints one line that says so.
set -eu
agent=$1 cache=$2
settings=$cache/cachesync.json

# An empty variable counts as one that is not set.
for variable in LC_ALL LC_TIME LANG; do
  eval "wish=\${$variable:-}"
  [ -z "$wish" ] || break
done
locale=${wish%%[.@]*}
case $locale in
  '' | C | POSIX) locale=en ;;
  *[!A-Za-z0-9_-]*) locale= ;;
esac
if [ -n "$locale" ] && [ "$locale" != en ]; then
  printf '{ "locale": "%s" }\n' "$locale" >"$settings"
  "$agent" check --cache "$cache" >/dev/null 2>&1 || locale=
fi
if [ -z "$locale" ]; then
  rm -f "$settings"
  echo "Texts are in English, because $variable is $wish, and that language is not supported."
elif [ "$locale" = en ]; then
  echo "Texts are in English. For another language put { \"locale\": \"de\" } into $settings."
else
  echo "Texts are in the language of $variable, which is $wish: $settings says { \"locale\": \"$locale\" }."
fi
