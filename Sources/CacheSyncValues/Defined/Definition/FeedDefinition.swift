package import CacheSyncSystem

/// A feed described by data instead of code: a definition's JSON, read and validated (definitions.md section 2).
///
/// It is a plain value. The functions that read a session file and project a kind take it as a parameter.
package struct FeedDefinition: Sendable, Equatable {
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
    /// A path in the document to the zone's name.
    case path(ItemPath)
  }

  package var name: FeedName
  /// Where the definition is, for messages; nil: in the cache.
  package var path: CachePath?
  /// At least one entry. `drop` puts a file where the first one says.
  package var files: [Files]
  package var use: Use = .all
  /// Nil for the cache's zone.
  package var timeZone: Zone?
  /// When a file was written, according to its content. Its paths begin at the document.
  package var updated: TimeRule?
  /// Overrides the cache's setting.
  package var staleAfter: Duration?
  /// The boolean fields that readers may set by an intent.
  package var marks: [ExactText] = []
  /// Replacements for the English words of formats, keyed by the English words.
  package var words: TextMap<ExactText> = [:]
  package var items: ItemRules
  /// By name.
  package var kinds: [DefinedKind]

  init(name: FeedName, files: [Files], items: ItemRules, kinds: [DefinedKind]) {
    (self.name, self.files, self.items, self.kinds) = (name, files, items, kinds)
  }
}

extension FeedDefinition.Files: CustomStringConvertible {
  /// The claim as a definition writes it.
  package var description: String {
    switch self {
    case .below(let directory): "\(directory)/**"
    case .named(let name): name.wrappedValue
    }
  }
}
