import HummingbirdCore

/// The names and values of a query, or of a form's body.
struct Query {
  private let values: [(name: String, value: String)]

  /// Reads a request's query. A plus stays a plus, so that people can type a moment's offset.
  init(of uri: URI) { values = uri.queryParameters.map { (String($0.key), String($0.value)) } }

  /// Reads a form's body, in which a plus is a space (URL standard, application/x-www-form-urlencoded).
  init(form body: String) { self.init(of: URI("/?" + body.replacing("+", with: "%20"))) }

  func all(_ name: String) -> [String] { values.filter { $0.name == name }.map(\.value) }

  /// The value of a name; nil if it is missing.
  ///
  /// - Throws: ``Refusal`` 400 for an invalid value, or for more than one.
  func value<Value>(
    _ name: String, _ read: (String) -> Value?, where isAllowed: (Value) -> Bool = { _ in true }
  ) throws(Refusal) -> Value? {
    let texts = all(name)
    guard let text = texts.first else { return nil }
    guard texts.count == 1, let value = read(text), isAllowed(value) else { throw .badQuery(name) }
    return value
  }
}
