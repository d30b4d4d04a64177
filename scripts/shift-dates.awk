# Copies the files of the sample cache into a directory (-v to=DIRECTORY), as if their apps had written them before now
# (-v now=, and midnight= of today, in seconds since 1970). They are given twice, with writes=1 between.
#
# Every date moves by a whole number of days (-v days=N), so that what was written for one Saturday shows a full screen on any
# day: texts like 2026-11-21, and seconds since 2001, which have nine digits. If something was then written or done later than
# now, everything that was written or done today moves back by the same time, so that the last of it precedes now, but not to
# yesterday. Dues and starts of events stay, and so do measurements, which count for their whole day.

function civil_to_days(y, m, d,    era, yoe, doy) {
  if (m <= 2) y--
  era = int(y / 400)
  yoe = y - era * 400
  doy = int((153 * (m + (m > 2 ? -3 : 9)) + 2) / 5) + d - 1
  return era * 146097 + yoe * 365 + int(yoe / 4) - int(yoe / 100) + doy - 719468
}

function days_to_civil(z,    era, doe, yoe, doy, mp, d, m, y) {
  z += 719468
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

# The moment at which something was written or done, moved before now.
function done(moment) {
  if (moment > latest && !writes) latest = moment
  if (moment < midnight || latest < now) return moment
  moment -= int(latest) - now + 1
  return moment < midnight ? midnight : moment
}

FNR == 1 { if (file != "") close(file); file = to "/" FILENAME }

{
  rest = $0
  line = ""
  date = "20[0-9][0-9]-[0-9][0-9]-[0-9][0-9]"
  seconds = ":8[0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9.]*|: 8[0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9.]*"
  stamp = "\"(lastUpdated?|at|createdAt|created_at|updated_at|completedAt|timestamp|start|end)\"(: ?\")?$"
  while (match(rest, date "|" seconds)) {
    found = substr(rest, RSTART, RLENGTH)
    line = line substr(rest, 1, RSTART - 1)
    rest = substr(rest, RSTART + RLENGTH)
    if (found ~ /^2/) {
      split(found, part, "-")
      day = civil_to_days(part[1] + 0, part[2] + 0, part[3] + 0) + days
      if (line ~ stamp && match(rest, /^T[0-9][0-9]:[0-9][0-9]:[0-9][0-9][0-9.]*Z/)) {
        split(substr(rest, 2, RLENGTH - 2), part, ":")
        moment = day * 86400 + part[1] * 3600 + part[2] * 60 + part[3]
        moved = done(moment)
        if (moved != moment) {
          day = int(moved / 86400)
          second = moved - day * 86400
          rest = sprintf("T%02d:%02d:%06.3fZ", second / 3600, second % 3600 / 60, second % 60) substr(rest, RLENGTH + 1)
        }
      }
      line = line days_to_civil(day)
    } else {
      colon = found ~ /^: / ? ": " : ":"
      moment = substr(found, length(colon) + 1) + days * 86400
      # 978307200: the first second of 2001, since 1970.
      if (line ~ stamp) moment = done(moment + 978307200) - 978307200
      line = line colon sprintf("%.3f", moment)
    }
  }
  if (writes) print line rest >file
}

END { if (days == "" || now == "" || midnight == "" || to == "") exit 2 }
