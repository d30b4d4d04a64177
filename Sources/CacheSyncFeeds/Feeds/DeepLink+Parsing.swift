extension DeepLink: LosslessStringConvertible {
  /// Reads a link; nil for another scheme, an unknown host, and any text that does not match one of the forms exactly.
  public init?(_ text: String) {
    guard let parts = LinkParts(text),
      let link = FeedRegistry.builtIn.links.lazy.compactMap({ $0.link(parts) }).first
    else { return nil }
    self = link
  }
}

extension DeepLink.Form {
  /// Makes a link of the parts; nil if they do not match this form.
  fileprivate func link(_ parts: LinkParts) -> DeepLink? {
    guard let own = LinkParts(place), own.scheme == parts.scheme, own.host == parts.host else { return nil }
    var values: [String: String] = [:]
    var path = own.path
    for value in self.values {
      switch value {
      case .segment(let name):
        guard let segment = parts.path.last else { return nil }
        values[name] = segment
        path.append(segment)
      case .required(let name):
        guard let text = parts.query[name] else { return nil }
        values[name] = text
      case .optional(let name): values[name] = parts.query[name]
      case .day(let name):
        guard let text = parts.query[name] else { continue }
        guard let day = DayReference(text) else { return nil }
        values[name] = day.description
      }
    }
    // A bare host may be followed by a slash: some programs add one.
    guard parts.path == path || path.isEmpty && parts.path == [""] else { return nil }
    return DeepLink(self, values)
  }
}

/// A URL, split at its delimiters and only then decoded (RFC 3986, section 2.4), so that an id may contain a slash.
private struct LinkParts {
  /// In lower case, like the host.
  var scheme: String
  var host: String
  /// The segments between slashes; for `x://host/` one empty segment, for `x://host` none.
  var path: [String]
  var query: [String: String]

  init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard let mark = bytes.firstRange(of: Array("://".utf8)), !bytes.contains(UInt8(ascii: "#")) else { return nil }
    let rest = bytes[mark.upperBound...]
    let beforeQuery = rest.prefix { $0 != UInt8(ascii: "?") }
    var segments = beforeQuery.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    // No form's host has an escape, a port or a user, so the host is compared without decoding.
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

  /// ASCII letters only: Unicode has other letters whose lower case is an ASCII letter, such as the kelvin sign.
  private static func lowercased(_ bytes: ArraySlice<UInt8>) -> String {
    let letters = UInt8(ascii: "A")...UInt8(ascii: "Z")
    return String(decoding: bytes.map { letters.contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
  }
}
