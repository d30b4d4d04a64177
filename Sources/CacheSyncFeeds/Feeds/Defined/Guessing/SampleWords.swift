/// What the English and German words of a member's name say about its meaning. Of other names the values decide.
enum SampleWords {
  /// The words of a name, in lower case: `collectionDate` gives "collection" and "date". Longer names are data.
  static func of(_ name: String) -> [String] {
    var words: [String] = []
    var last: Unicode.Scalar = " "
    for scalar in name.unicodeScalars.prefix(100) {
      let isWord = scalar.properties.isAlphabetic || scalar.properties.numericType != nil
      if isWord, last == " " || last.properties.isLowercase && scalar.properties.isUppercase { words.append("") }
      if isWord { words[words.count - 1] += scalar.properties.lowercaseMapping }
      last = isWord ? scalar : " "
    }
    return words
  }

  private static func list(_ words: String) -> [String] { words.split(separator: " ").map(String.init) }
  private static func set(_ words: String) -> Set<String> { Set(list(words)) }

  static let start = set(
    "in start starts starting begin begins beginning from departure departs dep due deadline next when kickoff onset opens "
      + "dtstart timestart beginn abfahrt von anpfiff termin")
  static let end = set(
    "out end ends ending until till to finish finishes stop arrival arrives arr expires expire expiry through closes dtend "
      + "ende bis ankunft")
  static let time = set(
    "date dates day time at on timestamp datetime dt t ts unix epoch seconds millis moment scheduled datum zeit uhrzeit "
      + "tag utc")
  /// A producer's own times, at which nothing happens to an item, and times at which something happened last.
  static let past = set(
    "updated update modified created generated fetched published publish pub pubdate changed edited posted added synced "
      + "sent dtstamp aktualisiert since last latest previous prev ago done completed finished closed resolved read seen "
      + "seit letzte letzter cancelled canceled deleted archived removed")
  static let done = set("done completed complete finished checked closed resolved erledigt fertig")
  /// What an item is that does not count, and one that does.
  static let off = set(
    "cancelled canceled cancellation deleted removed archived hidden disabled inactive expired postponed skipped suspended "
      + "withdrawn void voided declined rejected reverted storniert abgesagt gelöscht archiviert entfällt "
      + "entfaellt ausfall")
  static let on = set("active enabled visible published valid aktiv sichtbar")
  static let yearly = set("birthday birthdate birth born dob anniversary geburtstag")
  /// A time as planned, beside which there may be the time as expected.
  static let plan = set("planned scheduled aimed timetabled timetable original plan soll")
  static let real = set("expected estimated actual real realtime live predicted rt ist prognosis")
  /// These say how a time is written, not which time it is: `startDate` and `start.dateTime` are the same time.
  static let notation = time.union(set("value full raw with only all ms iso local")).union(plan).union(real)
  static let anyTime = start.union(end).union(time).union(past)
  static let zone = set("timezone zone tz tzid tzname")
  /// Numbers under these names may be as large as a time without being one.
  static let quantity = set(
    "id uid code number no nr phone zip isbn used total free size bytes amount price cost count population views "
      + "balance capacity value volume distance offset version hash key length duration lasts elapsed runtime dauer")

  /// Names of titles, the clearest first.
  static let titles = list(
    "title titel headline summary subject betreff name bezeichnung label caption content what task todo event activity "
      + "lesson course dish meal food product bin waste fraction phase holiday fixture match game direction text "
      + "destination headsign towards line route station stop place location team home instance hostname host device "
      + "sensor class fach art gericht linie richtung ziel symbol currency type kind category message description")
  /// Things around an item, whose names and ids are not the item's.
  static let others = set(
    "author user owner creator organizer sender category venue location stop station agency operator company source "
      + "feed site group list project repository league competition season country image icon file unit region calendar "
      + "license assignee parent sub short original orig alt")
  static let foreign = others.union(
    list("zone section account customer carrier type team food line route channel room"))
  /// Texts under these names are not for reading.
  static let unreadable = set(
    "url uri link href icon image img photo avatar color colour lang language locale hash token slug email mail phone "
      + "guid uuid uid html css schema mime key context timezone tz tzid zone unit units")
  static let describing = set("status state reason string version note notes")
  static let wrappers = set("node properties attributes fields resource data record document entry")
  static let id = set("id uid uuid guid identifier iri")
  /// Names of numbers to show, the clearest first.
  static let values = list(
    "price marketprice value val temperature temp rate level height amount power watts energy today now current percent free "
      + "available aqi pm10 pm2 pm25 humidity speed total sum points max high")
  /// Numbers under these names are not for reading.
  static let counters = set(
    "rank dist distance id code cod index number version lat lon lng latitude longitude offset position order sequence "
      + "year month week day hour minute weekday zone count size page limit priority nr no")
  /// Units at the ends of names, such as `power_w`, with their signs. One letter is a unit only behind another word.
  static let units = Dictionary(
    uniqueKeysWithValues: list(
      "w=W kw=kW wh=Wh kwh=kWh v=V a=A ma=mA c=°C celsius=°C f=°F fahrenheit=°F hpa=hPa mm=mm cm=cm km=km kg=kg g=g l=l "
        + "ml=ml kmh=km/h ms=ms hz=Hz lx=lx lux=lx db=dB ppm=ppm percent=% pct=% eur=EUR usd=USD gbp=GBP chf=CHF jpy=JPY"
    ).map { pair in (String(pair.prefix { $0 != "=" }), String(pair.drop { $0 != "=" }.dropFirst())) })
  /// What an amount counts if not whole units, and currencies whose units do not have a hundred parts.
  static let minor = set("ct cents pence centimes centavos rappen öre øre paise grosze")
  static let sum = set("amount price balance value total cost fee unit units money")
  static let uneven = set("JPY KRW VND CLP ISK PYG UGX XAF XOF XPF RWF KMF GNF DJF BIF VUV BHD IQD JOD KWD LYD OMR TND")
  /// Texts under these names are the units of numbers beside them.
  static let unit = set("unit units currency uom einheit waehrung währung")
  static let repetition = set("repeat repeats repeating rrule rule recurrence recurring wiederholung")
  /// Rules for words that programs write. A rule itself is read as it is.
  static let rules = [
    "daily": "FREQ=DAILY", "weekly": "FREQ=WEEKLY", "biweekly": "FREQ=WEEKLY;INTERVAL=2",
    "fortnightly": "FREQ=WEEKLY;INTERVAL=2", "monthly": "FREQ=MONTHLY", "yearly": "FREQ=YEARLY",
    "annually": "FREQ=YEARLY", "never": "", "none": "", "once": "", "no": "",
  ]
  /// Numbers that may count days or weeks from a start that all items share.
  static let steps = set("week weeks day days index offset order position turn number nr no")
  /// Lists that belong to an item and are not items themselves, such as an event's guests.
  static let subordinate = set(
    "guests attendees participants members comments remarks notes tags labels links attachments images files stopovers "
      + "history log changes players goals authors assignees reminders categories warnings")
}
