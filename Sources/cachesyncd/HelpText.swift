import CacheSync

/// Parts of the commands' help texts.
enum HelpText {
  // Examples must name an existing feed and kind, whichever those are.
  static let feed = FeedRegistry.builtIn.feeds[0].name.description
  static let kind = FeedRegistry.builtIn.feeds[0].kinds[0].name.description

  /// Formats lines to copy, with a heading.
  static func examples(_ lines: String...) -> String {
    "Examples:\n" + lines.map { "  " + $0 }.joined(separator: "\n")
  }
}
