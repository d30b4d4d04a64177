extension DeepLink: CustomStringConvertible {
  /// The link, as feeds.md spells it; text is percent-encoded, except unreserved characters and, in a path, ":".
  public var description: String {
    var text = form.place
    var sign = "?"
    for value in form.values {
      switch value {
      case .segment(let name): text += "/" + PercentEncoding.segment(self[name] ?? "")
      case .required(let name), .optional(let name), .day(let name):
        guard let value = self[name] else { continue }
        text += sign + name + "=" + PercentEncoding.value(value)
        sign = "&"
      }
    }
    return text
  }
}
