import CacheSync
import CacheSyncPrograms
import CacheSyncSystem
import HTTPTypes
import HummingbirdCore

/// The names and values of a query, or of a form's body.
struct Query {
  private var values: [(name: String, value: String)]

  /// Reads a request's query. A plus stays a plus, so that people can type a moment's offset.
  init(of uri: URI) {
    let pairs = uri.queryParameters.map { (name: String($0.key), value: String($0.value)) }
    // Nothing between two ampersands is nothing (URL standard).
    values = pairs.filter { !$0.name.isEmpty || !$0.value.isEmpty }
  }

  /// Reads a form's body, in which a plus is a space (URL standard, application/x-www-form-urlencoded).
  init(form body: String) { self.init(of: URI("/?" + body.replacing("+", with: "%20"))) }

  /// Replaces a moment as people write it by RFC 3339. What is not a moment stays, and is refused when it is read.
  mutating func resolve(_ name: String, _ instant: (WrittenMoment) -> Instant) {
    for index in values.indices where values[index].name == name {
      if let moment = WrittenMoment(values[index].value) { values[index].value = "\(instant(moment))" }
    }
  }

  func all(_ name: String) -> [String] { values.filter { $0.name == name }.map(\.value) }

  /// The value of a name; nil if it is missing.
  ///
  /// - Throws: ``Refusal`` 400 for an invalid value, or for more than one.
  func value<Value>(
    _ name: String, _ read: (String) -> Value?, where isAllowed: (Value) -> Bool = { _ in true }
  ) throws(Refusal) -> Value? {
    let texts = all(name)
    guard let text = texts.first else { return nil }
    guard texts.count == 1, let value = read(text), isAllowed(value) else {
      throw .badQuery(name, texts.count == 1 ? text : nil)
    }
    return value
  }

  /// Checks that there are no other names than these, `key`, and `_`, which programs use to get a new address each time.
  ///
  /// - Throws: ``Refusal`` 400.
  func check(only names: [String]) throws(Refusal) {
    let known = names + ["key"]
    guard let name = values.first(where: { $0.name != "_" && !known.contains($0.name) })?.name else { return }
    let advice = NearestName.advice(for: name, among: known)
    throw Refusal(status: .badRequest, message: "unknown parameter '\(EscapedText.forPeople(name))': \(advice)")
  }
}
