/// A feed without code: what a definition's JSON says, read and found right (definitions.md section 2).
///
/// It is data. Reading a session file by it, and projecting its kinds, are functions of it and of what they are given.
package struct FeedDefinition: Sendable, Equatable {
  /// The session files of the feed.
  package enum Files: Sendable, Hashable {
    /// Everything below a directory at the top of the cache: `"bins/**"`.
    case below(directory: ExactText)
    /// One file at the top of the cache: `"bins.json"`.
    case named(ExactText)
  }

  /// Which of the feed's files count.
  package enum Use: String, Sendable, Equatable, CaseIterable {
    /// The files' items are one list.
    case all
    /// Only the file with the greatest date counts.
    case newest
  }

  /// The zone of local times in the files.
  package enum Zone: Sendable, Equatable {
    case named(ExactText)
    /// A path in the document, which gives the zone's name.
    case path(ItemPath)
  }

  package var name: FeedName
  /// One entry at least; the first is where `drop` puts a file.
  package var files: [Files]
  package var use: Use = .all
  /// Nil: the cache's zone.
  package var timeZone: Zone?
  /// When the file was written, by its own words; its paths begin at the document.
  package var updated: TimeRule?
  /// Wins over the cache's setting.
  package var staleAfter: Duration?
  /// The boolean fields that readers may set by an intent.
  package var marks: [String] {
    get { exactMarks.map(\.wrappedValue) }
    set { exactMarks = newValue.map { ExactText($0) } }
  }
  private var exactMarks: [ExactText] = []
  /// Words that replace the English ones of formats, by the English ones.
  package var words: TextMap<ExactText> = [:]
  package var items: ItemRules
  /// By name.
  package var kinds: [DefinedKind]

  package init(name: FeedName, files: [Files], items: ItemRules, kinds: [DefinedKind]) {
    self.name = name
    self.files = files
    self.items = items
    self.kinds = kinds
  }
}
