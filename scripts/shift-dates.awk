# Moves every date of the sample cache by a whole number of days (-v days=N), so that what was written for one Saturday
# shows a full screen on any day: texts like 2026-11-21, and seconds since 2001, which have nine digits.

function civil_to_days(y, m, d,    era, yoe, doy) {
  if (m <= 2) y--
  era = int(y / 400)
  yoe = y - era * 400
  doy = int((153 * (m + (m > 2 ? -3 : 9)) + 2) / 5) + d - 1
  return era * 146097 + yoe * 365 + int(yoe / 4) - int(yoe / 100) + doy
}

function days_to_civil(z,    era, doe, yoe, doy, mp, d, m, y) {
  era = int(z / 146097)
  doe = z - era * 146097
  yoe = int((doe - int(doe / 1460) + int(doe / 36524) - int(doe / 146096)) / 365)
  doy = doe - (365 * yoe + int(yoe / 4) - int(yoe / 100))
  mp = int((5 * doy + 2) / 153)
  d = doy - int((153 * mp + 2) / 5) + 1
  m = mp + (mp < 10 ? 3 : -9)
  y = yoe + era * 400 + (m <= 2)
  return sprintf("%04d-%02d-%02d", y, m, d)
}

{
  rest = $0
  line = ""
  date = "20[0-9][0-9]-[0-9][0-9]-[0-9][0-9]"
  seconds = ":8[0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9.]*|: 8[0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9.]*"
  while (match(rest, date "|" seconds)) {
    found = substr(rest, RSTART, RLENGTH)
    line = line substr(rest, 1, RSTART - 1)
    rest = substr(rest, RSTART + RLENGTH)
    if (found ~ /^2/) {
      split(found, part, "-")
      line = line days_to_civil(civil_to_days(part[1] + 0, part[2] + 0, part[3] + 0) + days)
    } else {
      colon = found ~ /^: / ? ": " : ":"
      line = line colon sprintf("%.3f", substr(found, length(colon) + 1) + days * 86400)
    }
  }
  print line rest
}

END { if (days == "") exit 2 }
