extension DeepLink: LosslessStringConvertible {
  /// Reads a link; nil for a foreign scheme, an unknown host, and whatever else is not exactly a link of ours.
  public init?(_ text: String) {
    guard let parts = LinkParts(text), let link = DeepLink(parts) else { return nil }
    self = link
  }

  private init?(_ parts: LinkParts) {
    switch (parts.scheme, parts.host) {
    case ("brados", "mealplan"): self.init(.mealPlan, if: parts.isBare)
    case ("dietapp", "dashboard"): self.init(.nutritionToday, if: parts.path == ["today"])
    case ("dietapp", "meal"): self.init(parts.onlySegment.map { .meal(id: $0) })
    case ("dietapp", "add-food"): self.init(.addFood(meal: parts.query["meal"]), if: parts.isBare)
    case ("healthvaults", "dashboard"): self.init(.healthDashboard, if: parts.isBare)
    case ("cafe", let host): self.init(cafe: host, parts)
    case ("shoeprint", let host): self.init(shoeprint: host, parts)
    default: return nil
    }
  }

  private init?(cafe host: String, _ parts: LinkParts) {
    switch host {
    case "dashboard": self.init(.tasksDashboard, if: parts.isBare)
    case "task": self.init(parts.onlySegment.map { .task(id: $0) })
    case "event": self.init(parts.onlySegment.map { .event(id: $0) })
    case "calendar":
      let date = Self.day(parts.query["date"])
      self.init(.calendar(date: date.value), if: parts.isBare && date.isGood)
    case "search":
      self.init(parts.query["q"].map { .search(query: $0) }, if: parts.isBare)
    case "settings": self.init(parts.onlySegment.map { .settings(section: $0) })
    case "new-task":
      let due = Self.day(parts.query["due"])
      self.init(.newTask(title: parts.query["title"], due: due.value), if: parts.isBare && due.isGood)
    case "new-event": self.init(.newEvent, if: parts.isBare)
    case "chat": self.init(.chat, if: parts.isBare)
    default: return nil
    }
  }

  private init?(shoeprint host: String, _ parts: LinkParts) {
    switch host {
    case "dashboard": self.init(.shoesDashboard, if: parts.isBare)
    case "quickselect": self.init(.quickSelect, if: parts.isBare)
    case "suggestions": self.init(.suggestions, if: parts.isBare)
    case "selectshoe": self.init(parts.onlySegment.map { .selectShoe(id: $0) })
    case "startsession": self.init(.startSession, if: parts.isBare)
    case "endsession": self.init(.endSession, if: parts.isBare)
    default: return nil
    }
  }

  /// A day that a link may have; not good when something is there that is none.
  private static func day(_ text: String?) -> (value: DayReference?, isGood: Bool) {
    guard let text else { return (nil, true) }
    let day = DayReference(text)
    return (day, day != nil)
  }

  private init?(_ link: DeepLink?, if isRight: Bool = true) {
    guard let link, isRight else { return nil }
    self = link
  }
}

/// A URL taken apart at its delimiters, and only then decoded (RFC 3986, section 2.4), so that an id may hold a slash.
private struct LinkParts {
  /// In lower case, as is the host.
  var scheme: String
  var host: String
  /// What stands between slashes; of `x://host/` one empty segment, of `x://host` none.
  var path: [String]
  var query: [String: String]

  init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard let mark = bytes.firstRange(of: Array("://".utf8)), !bytes.contains(UInt8(ascii: "#")) else { return nil }
    let rest = bytes[mark.upperBound...]
    let beforeQuery = rest.prefix { $0 != UInt8(ascii: "?") }
    var segments = beforeQuery.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    // No host of ours has an escape, a port or a user, so it is compared as it stands.
    host = Self.lowercased(segments.removeFirst())
    scheme = Self.lowercased(bytes[..<mark.lowerBound])

    path = []
    for segment in segments {
      guard let segment = PercentEncoding.decoded(segment, allowing: PercentEncoding.isSegment) else { return nil }
      path.append(segment)
    }
    query = [:]
    guard beforeQuery.endIndex < rest.endIndex else { return }
    for parameter in rest[(beforeQuery.endIndex + 1)...].split(separator: UInt8(ascii: "&")) {
      let name = parameter.prefix { $0 != UInt8(ascii: "=") }
      // A name without "=" has an empty value.
      let value = parameter.dropFirst(name.count + 1)
      guard let name = PercentEncoding.decoded(name, allowing: PercentEncoding.isQuery),
        let value = PercentEncoding.decoded(value, allowing: PercentEncoding.isQuery),
        query.updateValue(value, forKey: name) == nil
      else { return nil }
    }
  }

  /// ASCII letters only: Unicode knows other letters whose lower case is one of ours, such as the kelvin sign.
  private static func lowercased(_ bytes: ArraySlice<UInt8>) -> String {
    let letters = UInt8(ascii: "A")...UInt8(ascii: "Z")
    return String(decoding: bytes.map { letters.contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
  }

  /// Whether there is no path, or only the slash that some add to a host.
  var isBare: Bool { path.isEmpty || path == [""] }

  /// The path's one segment, which may be empty: an id may.
  var onlySegment: String? { path.count == 1 ? path.first : nil }
}
