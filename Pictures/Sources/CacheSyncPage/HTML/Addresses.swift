/// The addresses on a page. They are relative to its own, so that they hold below any path of a proxy.
struct Addresses: Sendable, Equatable {
  /// From the page to the server's first page.
  var root = "./"
  /// The key, if it is part of every address: in a frame, browsers send no cookie.
  var key: String?

  /// - Parameter rest: the address after the root, without a fragment.
  func callAsFunction(_ rest: String = "") -> String {
    root + rest + (key.map { "\(rest.contains("?") ? "&" : "?")key=\($0)" } ?? "")
  }
}
