import HummingbirdCore

/// The names and values of a query or of a form's body.
struct Query {
  private let values: [(name: String, value: String)]

  /// A request's query. A plus stays one, so that a moment's offset may be typed.
  init(of uri: URI) { values = uri.queryParameters.map { (String($0.key), String($0.value)) } }

  /// A form's body, in which a plus is a blank (URL standard, application/x-www-form-urlencoded).
  init(form body: String) { self.init(of: URI("/?" + body.replacing("+", with: "%20"))) }

  func all(_ name: String) -> [String] { values.filter { $0.name == name }.map(\.value) }

  /// The value of a name; nil: there is none.
  ///
  /// - Throws: ``Refusal`` 400 for a value that cannot be read or is out of range, or more than one.
  func value<Value>(
    _ name: String, _ read: (String) -> Value?, where isAllowed: (Value) -> Bool = { _ in true }
  ) throws(Refusal) -> Value? {
    let texts = all(name)
    guard let text = texts.first else { return nil }
    guard texts.count == 1, let value = read(text), isAllowed(value) else { throw .badQuery(name) }
    return value
  }
}
