package import CacheSync

/// A picture, or a screen of several, that another program asks for: the words that `cachesyncd render` takes.
package struct PictureRequest: Sendable, Equatable {
  package var words: [String]
  /// The kinds that it shows.
  var kinds: [String]
  /// The one family in which a picture shows its kind; nil for a screen.
  var family: ViewFamily?
  /// The media type of the format.
  var type: String
  /// Nil: the present.
  var moment: Instant?

  /// The request for `/picture/KIND/FAMILY.FORMAT` or for `/screen.png`; nil for another path.
  ///
  /// - Throws: ``Refusal`` 400 for a moment that is none. The other values are for `render` to judge.
  init?(path: String, _ query: Query) throws(Refusal) {
    moment = try query.value("at") { Instant($0) }
    if path == "/screen.png" {
      type = "image/png"
      kinds = query.all("widget").map { String($0.prefix { $0 != ":" }) }
      words = Self.options(["size", "bits", "appearance", "at"], of: query) + ["--"] + query.all("widget")
      return
    }
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 4, parts[0].isEmpty, parts[1] == "picture" else { return nil }
    let name = parts[3].split(separator: ".", omittingEmptySubsequences: false)
    guard name.count == 2, let type = Self.types[String(name[1])],
      KnownKind.isName(String(parts[2])), let family = ViewFamily(rawValue: String(name[0])), family != .terminal
    else { return nil }
    let kind = String(parts[2])
    // The families of a kind that is not built in are known when its snapshot is read.
    if let known = KnownKind.all.first(where: { $0.name == kind }), !known.families.contains(family) { return nil }
    self.type = type
    self.family = family
    kinds = [kind]
    words = ["--family=\(name[0])", "--format=\(name[1])"]
    words += Self.options(["scale", "bits", "appearance", "at"], of: query) + ["--", kind]
  }

  private static let types = [
    "svg": "image/svg+xml", "png": "image/png", "txt": "text/plain; charset=utf-8",
  ]

  /// The size of a screen has another name on the command line.
  private static func options(_ names: [String], of query: Query) -> [String] {
    names.flatMap { name in query.all(name).map { "--\(name == "size" ? "screen" : name)=\($0)" } }
  }
}

/// Paints what `cachesyncd render` would, of snapshots that are given.
package struct Painter: Sendable {
  /// Why there is no picture.
  package enum Failure: Error, Sendable, Equatable {
    /// The words are wrong, with the reason in one line.
    case usage(String)
    /// It cannot be painted, with the reason in one line.
    case cannot(String)
  }

  let paint: @Sendable (PictureRequest, [Snapshot], Instant) throws(Failure) -> [UInt8]

  package init(_ paint: @escaping @Sendable (PictureRequest, [Snapshot], Instant) throws(Failure) -> [UInt8]) {
    self.paint = paint
  }
}
