import ArgumentParser
import CacheSync
import CacheSyncPrograms
import CacheSyncPublishing
import CacheSyncSystem
import Logging

// What words on the command line mean: the names of feeds and kinds.
//
// A command looks them up when it runs, not when it is parsed: of an unknown option that is followed by a value, the
// parser says that the option is unknown, after it has taken the value for a kind.

extension CacheOptions {
  /// Checks that a word is the name of a feed of the cache. The names of built-in feeds need no cache.
  ///
  /// - Throws: an error that names the mistake in the definition, or what the word may have meant.
  func checkFeed(_ word: String, _ shared: FeedsOptions) throws {
    if FeedRegistry.builtIn.feed(named: FeedName(word)) == nil { try knownFeeds(shared).checkFeed(word) }
  }

  /// Returns the kinds that words name. The name of a feed means its kinds, unless a kind has that name.
  ///
  /// - Throws: an error that names the mistake in the definition, or what the word may have meant.
  func kinds(_ words: [String], _ shared: FeedsOptions) throws -> [KindName] {
    let names = words.map { KindName($0) }
    if names.allSatisfy({ FeedRegistry.builtIn.kind(named: $0) != nil }) { return names }
    return try knownFeeds(shared).kinds(words)
  }
}

extension KnownFeeds {
  fileprivate func checkFeed(_ word: String) throws {
    let name = FeedName(word)
    try report(mistakes[name], isUsable: registry.feed(named: name) != nil)
    if registry.feed(named: name) != nil { return }
    let quoted = EscapedText.forPeople(word)
    if let kind = registry.kind(named: KindName(word)),
      let feed = registry.feeds.first(where: { $0.kinds.contains { $0.name == kind.name } })
    {
      throw ValidationError("unknown feed '\(quoted)': \(quoted) is a kind of the feed \(feed.name)")
    }
    let advice = NearestName.advice(for: word, among: registry.droppable)
    throw ValidationError("unknown feed '\(quoted)': \(advice)")
  }

  fileprivate func kinds(_ words: [String]) throws -> [KindName] {
    var kinds: [KindName] = []
    for word in words {
      let found = kindsNamed(word)
      try report(mistakes[WidgetsFeed.scope(of: KindName(word))], isUsable: !found.isEmpty)
      let feed = Self.feed(in: word)
      if found.isEmpty || found.contains(where: { registry.kind(named: $0)?.feeds.contains(feed) == true }) {
        try report(mistakes[feed], isUsable: !found.isEmpty)
      }
      if found.isEmpty { throw unknownKind(word) }
      kinds += found
    }
    return kinds
  }

  /// The feed of an own kind or intent type, which begins with the feed's name: `room-table`, `room.done`.
  private static func feed(in word: String) -> FeedName { FeedName(String(word.prefix { $0 != "-" && $0 != "." })) }

  /// - Throws: the mistake in the definition of the feed to which an unknown name would belong.
  func throwMistake(behind word: String) throws { try report(mistakes[Self.feed(in: word)], isUsable: false) }

  private func kindsNamed(_ word: String) -> [KindName] {
    if let kind = registry.kind(named: KindName(word)) { return [kind.name] }
    return registry.feeds.first { $0.name == FeedName(word) }?.kinds.map(\.name) ?? []
  }

  private func unknownKind(_ word: String) -> ValidationError {
    let kinds = registry.kinds.map(\.name.description)
    let feeds = registry.feeds.filter { !$0.kinds.isEmpty }.map(\.name.description)
    let near = NearestName.of(word, among: kinds + feeds).map { "did you mean \($0)?" }
    let advice = near ?? NearestName.advice(for: word, among: kinds)
    return ValidationError("unknown kind '\(EscapedText.forPeople(word))': \(advice)")
  }

  /// Prints a mistake in a definition as a warning if a last good version counts.
  ///
  /// - Throws: the mistake otherwise.
  private func report(_ mistake: Problem?, isUsable: Bool) throws {
    guard var mistake else { return }
    if !isUsable { throw Failure(mistake.line(), .invalidData) }
    mistake.severity = .warning
    StandardError.write(mistake.line() + "; the last good version counts", .warning)
  }
}
