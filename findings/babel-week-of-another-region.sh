#!/bin/sh
# babel gives a region whose week CLDR does not name the first weekday of another region, from which it only inherits texts.
#
# Versions: PyPI babel 2.18.0 (CLDR 47) and 2.19.0 (CLDR 49). ICU 78.2 (CLDR 48) has it right: Intl.Locale("pt-AO").weekInfo
# says 1, Monday.
#
# Behaviour: CLDR's weekData is by region, and a region that it does not list has the world's Monday. Angola (AO) is not
# listed, Portugal is, with Sunday. babel keeps weekData in each locale's data, where pt_AO inherits from pt_PT, so
# `Locale.parse("pt_AO").first_week_day` is 6, Sunday. The same for Cape Verde, Equatorial Guinea, Guinea-Bissau, São Tomé and
# Príncipe and East Timor. Of the languages of this project no other region has it.
# `localedata.load("pt_AO", merge_inherited=False)` is the locale's own data, with no first day, but only if nothing else has
# loaded that locale before: its cache does not distinguish the two, so a program that first reads the pattern of a time gets
# Sunday again.
#
# Output on 2026-11-29 (version, first_week_day, the own data in a fresh process, the same after Locale.parse):
#   2.18.0  6 None 6
#   2.19.0  6 None 6
#
# Ends with 0 while this is so, and with 1 when it has changed. Needs python3 with pip.
set -eu
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
failed=0
for version in 2.18.0 2.19.0; do
  python3 -m pip install -q --root-user-action=ignore --no-deps --target "$place/$version" "babel==$version"
  found=$(
    PYTHONPATH=$place/$version python3 -c 'import babel; print(babel.Locale.parse("pt_AO").first_week_day)'
    PYTHONPATH=$place/$version python3 -c '
from babel import localedata
print(localedata.load("pt_AO", merge_inherited=False)["week_data"].get("first_day"))'
    PYTHONPATH=$place/$version python3 -c '
from babel import Locale, localedata
Locale.parse("pt_AO").first_week_day
print(localedata.load("pt_AO", merge_inherited=False)["week_data"].get("first_day"))'
  )
  found=$(echo "$found" | xargs)
  printf '%s  %s\n' "$version" "$found"
  [ "$found" = "6 None 6" ] || { echo "changed: expected 6 None 6"; failed=1; }
done
exit $failed
