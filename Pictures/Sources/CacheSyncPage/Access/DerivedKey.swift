import CPango

/// Keys that open a part of the server, made from its key. From one of them neither the key nor another can be computed.
package enum DerivedKey {
  /// The key of one feed's calendar.
  package static func calendar(of feed: String, from key: String) -> String { make(from: key, for: "calendar:" + feed) }

  /// The part of the panels' address that opens what panels ask for.
  package static func panels(from key: String) -> String { make(from: key, for: "panels") }

  static func token(of panel: PanelAddress, from key: String) -> String { make(from: key, for: "panel:\(panel)") }

  /// What opens the picture of one panel. Old firmware fetches it without a token.
  static func picture(of panel: PanelAddress, from key: String) -> String {
    make(from: key, for: "panel-picture:\(panel)")
  }

  /// 128 bits of HMAC-SHA256 (RFC 2104), as 32 hexadecimal digits.
  ///
  /// - Parameter purpose: what the key opens, different for each.
  static func make(from key: String, for purpose: String) -> String {
    let (key, purpose) = (Array(key.utf8), Array(purpose.utf8))
    guard let digits = g_compute_hmac_for_data(G_CHECKSUM_SHA256, key, gsize(key.count), purpose, gsize(purpose.count))
    else { preconditionFailure("GLib has SHA-256") }
    defer { g_free(digits) }
    return String(String(cString: digits).prefix(32))
  }
}
