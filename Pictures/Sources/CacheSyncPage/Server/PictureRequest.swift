package import CacheSync
package import CacheSyncPictures

/// A request for a picture, or for a screen of several. It becomes the arguments of `cachesyncd render`.
package struct PictureRequest: Sendable, Hashable {
  package var words: [String]
  var kinds: [String]
  /// The family of a single picture; nil for a screen.
  var family: ViewFamily?
  /// The media type of the format.
  var type: String
  /// nil: the current time.
  var moment: Instant?
  /// The name of the screen that it shows; nil: it names its kinds itself.
  var screen: String?
  /// In place of that of the screen's file.
  var size: PixelSize?
  /// In place of what the screen's file says; nil: nothing is.
  var redacted: Bool?
  /// What that screen's file says.
  package var plan: ScreenPlan?
  /// The minute that its clock shows; nil: it has no clock.
  var minute: Int?
  /// How times and texts are written where no snapshot says so.
  package var locale: CacheLocale {
    get {
      CacheLocale(publishedIn: .object(["locale": .string(language), "hourCycle": .integer(hourCycle)])) ?? .english
    }
    set { (language, hourCycle) = (newValue.language.tag.rawValue, newValue.hourCycle.rawValue) }
  }
  private var language = "en"
  private var hourCycle = 24
  package var timeZone = "UTC"
  /// Whether it shows no words, so that a refusal must not either.
  var isRedacted = false

  /// The request for `/picture/KIND/FAMILY.FORMAT`, `/screen.png` or `/screen.bmp`; nil for another path.
  ///
  /// - Throws: ``Refusal`` 400 for an unknown parameter, an invalid moment, and a screen without a size. `render` checks the other values.
  init?(path: String, _ query: Query) throws(Refusal) {
    if let format = ScreenFormat.allCases.first(where: { path == "/screen.\($0.rawValue)" }) {
      type = format.type
      kinds = query.all("widget").map { String($0.prefix { $0 != ":" }) }
      words = ["--format=\(format.rawValue)"] + (format == .bmp && query.all("bits").isEmpty ? ["--bits=1"] : [])
      try add(["size", "bits", "rotate"], of: query, ["widget"])
      guard try query.value("size", { PixelSize($0) }) != nil else { throw .badQuery("size") }
      words += ["--"] + query.all("widget")
      return
    }
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    if parts.count == 3, parts[1] == "screen", let dot = parts[2].lastIndex(of: ".") {
      let (name, ending) = (String(parts[2][..<dot]), String(parts[2][dot...].dropFirst()))
      guard KnownKind.isName(name), let type = Self.screenTypes[ending] else { return nil }
      (self.type, screen, kinds) = (type, name, [])
      words = ["--screen=\(name)", "--format=\(ending)"]
      try add(["bits", "rotate"], of: query, ["size"])
      size = try query.value("size") { PixelSize($0) }
      return
    }
    guard parts.count == 4, parts[0].isEmpty, parts[1] == "picture" else { return nil }
    let name = parts[3].split(separator: ".", omittingEmptySubsequences: false)
    let kind = String(parts[2])
    guard name.count == 2, let type = Self.types[String(name[1])], KnownKind.isName(kind) else { return nil }
    // The families of a kind that is not built in are known only when its snapshot is read.
    let families = KnownKind.all.first { $0.name == kind }?.families ?? ViewFamily.allCases.filter { $0 != .terminal }
    guard let family = families.first(where: { $0.rawValue == name[0] }) else {
      throw .noFamily(String(name[0]), of: kind, among: families.map(\.rawValue))
    }
    self.type = type
    self.family = family
    kinds = [kind]
    words = ["--family=\(name[0])", "--format=\(name[1])"]
    try add(["scale", "bits"], of: query)
    words += ["--", kind]
  }

  private static let screenTypes = ["svg": "image/svg+xml", "png": "image/png", "bmp": "image/bmp"]
  private static let types = [
    "svg": "image/svg+xml", "png": "image/png", "txt": "text/plain; charset=utf-8",
  ]

  private static let styles = ["appearance", "tint", "background", "at"]

  /// Adds the options that a query has. That for the size of a screen has another name on the command line, and `redacted` has no
  /// value there.
  ///
  /// - Parameter others: parameters that are not options.
  private mutating func add(_ options: [String], of query: Query, _ others: [String] = []) throws(Refusal) {
    let options = options + Self.styles
    try query.check(only: options + ["redacted"] + others)
    moment = try query.value("at") { Instant($0) }
    redacted = try query.value("redacted") { Self.switches[$0] }
    isRedacted = redacted ?? false
    words += options.flatMap { name in query.all(name).map { "--\(name == "size" ? "screen" : name)=\($0)" } }
    if isRedacted { words.append("--redacted") }
  }

  private static let switches = ["": true, "1": true, "true": true, "0": false, "false": false]
}

/// Renders given snapshots as `cachesyncd render` would.
package struct Painter: Sendable {
  package enum Failure: Error, Sendable, Equatable {
    /// The arguments are invalid, with the reason in one line.
    case usage(String)
    /// The picture cannot be rendered, with the reason in one line.
    case cannot(String)
    /// Too many others are requested: ask again after these seconds.
    case busy(seconds: Int)
  }

  let paint: @Sendable (PictureRequest, [Snapshot], Instant) throws(Failure) -> [UInt8]
  /// Checks the arguments of a request without snapshots.
  let check: @Sendable (PictureRequest) throws(Failure) -> Void

  package init(
    _ paint: @escaping @Sendable (PictureRequest, [Snapshot], Instant) throws(Failure) -> [UInt8],
    check: @escaping @Sendable (PictureRequest) throws(Failure) -> Void
  ) {
    self.paint = paint
    self.check = check
  }
}
