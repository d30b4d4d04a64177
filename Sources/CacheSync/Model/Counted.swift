/// A count with its noun, for messages: "1 cache", "3 caches", "0 files".
///
/// - Parameters:
///   - one: the noun's singular.
///   - many: its plural; nil: the singular with an `s`.
package func counted(_ count: Int, _ one: String, _ many: String? = nil) -> String {
  "\(count) \(count == 1 ? one : many ?? one + "s")"
}
