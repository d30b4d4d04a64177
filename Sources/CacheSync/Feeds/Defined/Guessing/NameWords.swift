/// What the words of a member's name say about its meaning.
///
/// The lists are English, with the German words of services in German-speaking countries. A name that is in no list
/// still counts: its values decide then.
enum NameWords {
  /// The words of a name, in lower case. A word ends at any character that is not a letter or a digit, and before a
  /// capital that follows a small letter: `collectionDate` gives "collection" and "date".
  static func words(of name: String) -> [String] {
    var words: [String] = []
    var wasSmall = false
    var isOpen = false
    for scalar in name.unicodeScalars.prefix(longestName) {
      let properties = scalar.properties
      guard properties.isAlphabetic || properties.numericType != nil else {
        isOpen = false
        continue
      }
      if !isOpen || wasSmall && properties.isUppercase { words.append("") }
      words[words.count - 1] += properties.lowercaseMapping
      isOpen = true
      wasSmall = properties.isLowercase
    }
    return words
  }

  /// Longer names are data.
  private static let longestName = 100

  // MARK: Times

  static let start: Set<String> = [
    "start", "starts", "starting", "begin", "begins", "beginning", "from", "departure", "departs", "dep", "due",
    "deadline", "next", "when", "kickoff", "onset", "opens", "beginn", "abfahrt", "von", "anpfiff", "termin",
  ]
  static let end: Set<String> = [
    "end", "ends", "ending", "until", "till", "to", "finish", "finishes", "stop", "arrival", "arrives", "arr",
    "expires",
    "expire", "expiry", "expiration", "through", "closes", "ende", "bis", "ankunft",
  ]
  static let time: Set<String> = [
    "date", "dates", "day", "time", "at", "on", "timestamp", "stamp", "datetime", "dt", "t", "ts", "unix", "epoch",
    "seconds", "millis", "moment", "scheduled", "planned", "datum", "zeit", "uhrzeit", "tag", "utc",
  ]
  /// An end that is a start where nothing else is: boards of arrivals.
  static let arrival: Set<String> = ["arrival", "arrives", "arr", "ankunft"]
  /// A producer's own times, at which nothing happens to an item.
  static let update: Set<String> = [
    "updated", "update", "modified", "created", "generated", "fetched", "published", "publish", "pub", "pubdate",
    "changed", "edited", "posted", "added", "inserted", "synced", "indexed", "sent", "aktualisiert",
  ]
  /// Times at which something happened last.
  static let past: Set<String> = [
    "since", "last", "latest", "previous", "prev", "ago", "done", "completed", "finished", "closed", "resolved", "read",
    "seen", "seit", "letzte", "letzter",
  ]
  /// What is said of an item that is over and done with, such as a task.
  static let done: Set<String> = [
    "done", "completed", "complete", "finished", "checked", "closed", "resolved", "erledigt", "fertig",
  ]
  /// Members whose texts may say so.
  static let states: Set<String> = ["status", "state", "progress", "zustand"]
  /// Those texts. A pool or a road that is closed is not done.
  static let doneStates: Set<String> = ["done", "completed", "complete", "finished", "resolved", "erledigt", "fertig"]
  static let due: Set<String> = ["due", "deadline"]
  static let yearly: Set<String> = ["birthday", "birthdate", "birth", "born", "dob", "anniversary", "geburtstag"]
  /// A time as planned, beside which there may be the time as expected.
  static let plan: Set<String> = [
    "planned", "scheduled", "aimed", "timetabled", "timetable", "original", "plan", "soll",
  ]
  static let real: Set<String> = [
    "expected", "estimated", "actual", "real", "realtime", "live", "predicted", "rt", "ist", "prognosis",
  ]
  /// Words that say how a time is written, not which time it is: `startDate` and `start.dateTime` are the same time.
  static let notation: Set<String> = [
    "date", "dates", "day", "time", "datetime", "timestamp", "stamp", "at", "on", "dt", "ts", "unix", "epoch", "iso",
    "utc", "local", "seconds", "value", "full", "raw", "with", "only", "all", "ms", "millis", "datum", "uhrzeit",
    "zeit",
  ]
  static let length: Set<String> = ["length", "duration", "lasts", "takes", "elapsed", "runtime", "dauer"]
  static let zone: Set<String> = ["timezone", "zone", "tz", "tzid", "tzname"]

  static var anyTime: [Set<String>] { [start, end, time, update, past] }

  /// Numbers under these names may be as large as a time without being one.
  static let quantity: Set<String> = [
    "id", "uid", "code", "number", "no", "nr", "phone", "zip", "isbn", "used", "total", "free", "size", "bytes",
    "amount",
    "price", "cost", "count", "population", "views", "balance", "capacity", "available", "value", "volume", "distance",
    "cap", "offset", "version", "hash", "key",
  ]

  // MARK: Labels

  /// Names of titles, the clearest first.
  static let titles = [
    "title", "titel", "headline", "summary", "subject", "betreff", "name", "bezeichnung", "label", "caption", "content",
    "what", "task", "todo", "event", "activity", "lesson", "course", "dish", "meal", "food", "product", "bin", "waste",
    "fraction", "phase", "holiday", "fixture", "match", "game", "direction", "text", "destination", "headsign",
    "towards",
    "line", "route", "station", "stop", "place", "location", "team", "home", "instance", "hostname", "host", "device",
    "sensor", "fach", "art", "gericht", "speise", "linie", "richtung", "ziel", "symbol", "currency", "type", "kind",
    "category", "message", "condition", "description",
  ]
  /// Things around an item, whose names are not the item's.
  static let others: Set<String> = [
    "author", "user", "owner", "creator", "organizer", "organiser", "sender", "category", "venue", "location", "stop",
    "station", "agency", "operator", "company", "source", "feed", "site", "group", "list", "project", "repository",
    "league", "competition", "season", "country", "image", "photo", "icon", "file", "unit", "region", "calendar",
    "class",
    "license", "assignee", "parent", "sub", "short", "original", "orig", "alt",
  ]
  /// Texts under these names are not for reading.
  static let unreadable: Set<String> = [
    "url", "uri", "link", "href", "icon", "image", "img", "photo", "avatar", "picture", "color", "colour", "lang",
    "language", "locale", "hash", "token", "etag", "slug", "email", "mail", "phone", "guid", "uuid", "uid", "html",
    "css",
    "schema", "mime", "key", "context", "timezone", "tz", "tzid", "zone", "unit", "units",
  ]
  /// Texts under these names describe an item without naming it.
  static let describing: Set<String> = [
    "status", "state", "reason", "importance", "string", "version", "note", "notes",
  ]
  static let id: Set<String> = ["id", "uid", "uuid", "guid", "identifier", "iri"]
  /// With "id" behind them, these name another thing than the item.
  static let foreign: Set<String> = [
    "user", "owner", "author", "category", "zone", "region", "stop", "station", "parent", "group", "project", "section",
    "account", "customer", "carrier", "sender", "type", "venue", "league", "team", "food", "line", "route", "channel",
    "feed", "source", "assignee", "creator", "location", "place", "room", "calendar", "list", "board", "season",
  ]
  /// Names of numbers to show, the clearest first.
  static let values = [
    "price", "marketprice", "value", "val", "temperature", "temp", "rate", "level", "height", "amount", "power",
    "watts",
    "energy", "today", "now", "current", "percent", "aqi", "pm10", "pm2", "pm25", "humidity", "speed", "total", "sum",
    "points", "max", "high",
  ]
  /// Numbers under these names are not for reading.
  static let counters: Set<String> = [
    "rank", "rang", "dist", "distance", "id", "code", "cod", "index", "number", "version", "lat", "lon", "lng",
    "latitude", "longitude", "offset",
    "position",
    "order", "sequence", "year", "month", "zone", "count", "size", "page", "limit", "priority", "nr", "no",
  ]
  /// Members of a document that are about the file.
  static let meta: Set<String> = [
    "status", "version", "ok", "success", "count", "total", "page", "pages", "limit", "offset", "kind", "code",
    "message",
    "error", "license", "copyright", "type", "lang", "units", "base",
  ]
  /// Lists that belong to an item and are not items themselves, such as an event's guests.
  static let subordinate: Set<String> = [
    "guests", "attendees", "participants", "members", "comments", "remarks", "replies", "notes", "tags", "labels",
    "links", "attachments", "images", "media", "files", "stopovers", "legs", "history", "log", "logs", "changes",
    "reactions", "players", "lineups", "goals", "scorers", "bookings", "referees", "authors", "assignees", "reviewers",
    "contributors", "reminders", "categories", "keywords", "warnings",
  ]
  /// An object under one of these names has a member for each thing.
  static let collections: Set<String> = ["rates", "prices", "quotes", "currencies", "sensors", "readings", "values"]
  /// Short names that are not codes.
  static let statistics: Set<String> = [
    "min", "max", "avg", "sum", "low", "top", "lat", "lon", "lng", "day", "eve", "med", "std", "mid", "now", "pop",
    "uvi", "dew",
  ]
  static let home: Set<String> = ["home", "heim", "host", "hosts"]
  static let away: Set<String> = ["away", "guest", "guests", "gast", "visitor", "visitors"]
  /// A part of a whole, and the whole: what is used of a disk, and how large it is.
  static let part: Set<String> = ["used", "done", "current", "filled", "completed", "reached"]
  static let whole: Set<String> = ["total", "capacity", "maximum", "size", "goal", "target", "limit"]
  static let rotation: Set<String> = [
    "people", "persons", "chores", "duties", "rota", "turns", "residents", "flatmates",
  ]
}
