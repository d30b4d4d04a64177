package import CacheSyncSystem

/// The actions of people in readers: intents in force change what other feeds' kinds show, until the app's own file
/// includes them (feeds.md: intents).
///
/// Only its writer deletes an old intent, so there may be many more files than intents in force. The feed keeps those
/// that count in the order of their dates, so that a query visits only those that have not ended.
package final class IntentsFeed: BuiltInFeed {
  package static let name: FeedName = "intents"
  package static let claims = CacheLayout.Claims(directories: ["intents"])
  package static let kinds: [Kind] = []

  private var files: [CachePath: Held] = [:]
  /// The files that share an id; the first one counts. (A RecordID, because texts compare by their bytes.)
  private var sameID: [RecordID: [Slot]] = [:]
  /// For each feed the files that count.
  private var counting: [FeedName: SortedList<Slot>] = [:]

  private struct Held {
    var intent: StoredIntent
    var slot: Slot
    var isUnusable: Bool
  }

  /// An intent's position in the order: by `at`, then `id`, and for the same id the lesser path.
  private struct Slot: Comparable {
    var at: Instant
    var id: RecordID
    var path: CachePath
    var feed: FeedName

    static func < (a: Slot, b: Slot) -> Bool {
      if a.at != b.at { return a.at < b.at }
      return a.id == b.id ? a.path < b.path : a.id < b.id
    }

    static func == (a: Slot, b: Slot) -> Bool { a.at == b.at && a.id == b.id && a.path == b.path }
  }

  package init() {}

  package static func decode(_ json: inout JSONReader) -> StoredIntent? {
    IntentFile.read(&json, knowing: FeedRegistry.builtIn.intents)?.stored
  }

  package static var schema: JSONSchema { FeedRegistry.builtIn.intents.schema }

  /// Describes the feed in a cache that knows these types.
  static func descriptor(knowing types: IntentTypes) -> FeedDescriptor {
    FeedDescriptor(IntentsFeed.self, decode: { IntentFile.read(&$0, knowing: types)?.stored }, schema: { types.schema })
  }

  package func put(_ intent: StoredIntent, from file: SessionFile, in calendar: CivilCalendar) {
    remove(file.path)
    let slot = Slot(at: intent.at, id: RecordID(intent.id), path: file.path, feed: intent.feed)
    files[file.path] = Held(intent: intent, slot: slot, isUnusable: file.isUnusable)
    regroup(slot.id) { group in group.insert(slot, at: group.firstIndex { slot < $0 } ?? group.count) }
  }

  package func remove(_ path: CachePath) {
    guard let slot = files.removeValue(forKey: path)?.slot else { return }
    regroup(slot.id) { group in group.removeAll { $0 == slot } }
  }

  package func mark(_ path: CachePath, unusable: Bool) { files[path]?.isUnusable = unusable }

  /// Changes which files share an id, and so which of them counts.
  private func regroup(_ id: RecordID, _ change: (inout [Slot]) -> Void) {
    let old = sameID[id]?.first
    change(&sameID[id, default: []])
    let new = sameID[id]?.first
    if new == nil { sameID[id] = nil }
    guard new != old else { return }
    if let old { counting[old.feed]?.remove(old) }
    if let new { counting[new.feed, default: SortedList()].insert(new) }
  }

  package func writeDay(_ moment: Moment, feeds: FeedSet, to json: inout JSONWriter) -> Bool { false }

  subscript(path: CachePath) -> StoredIntent? { files[path]?.intent }

  /// An intent that counts, and its file.
  package struct InForce: Sendable {
    package var intent: StoredIntent
    package var path: CachePath
    package var isUnusable: Bool
  }

  /// How many intents for a feed are in force at once. No person presses a button so often before the app looks.
  static let maximumInForce = 200

  /// The intents for a feed that count at a moment, in the order in which they act (by `at`, then id). Ended intents do
  /// not count, nor those that a newer session of the feed has absorbed. Of those that share an id only the first
  /// counts. Of more than ``maximumInForce`` only the last are in force; the others are over.
  ///
  /// - Parameters:
  ///   - newest: the date before which intents are absorbed; nil: none is.
  ///   - acts: whether an intent is not absorbed otherwise.
  package func counting(
    for feed: FeedName, at instant: Instant, newest: Instant?, where acts: (StoredIntent) -> Bool = { _ in true }
  ) -> (over: ArraySlice<InForce>, inForce: ArraySlice<InForce>) {
    let ended = instant.advanced(by: .zero - StoredIntent.lifetime)
    let counting = slots(feed, newest: newest, after: ended).compactMap { slot -> InForce? in
      // Every slot has its file, because the index changes together with the files.
      guard let held = files[slot.path], acts(held.intent) else { return nil }
      return InForce(intent: held.intent, path: slot.path, isUnusable: held.isUnusable)
    }
    return (counting.dropLast(Self.maximumInForce), counting.suffix(Self.maximumInForce))
  }

  /// The intent with an id, if it counts for a feed, and how many that count are after it.
  func intent(
    _ id: String, for feed: FeedName, at instant: Instant, newest: Instant?
  ) -> (intent: StoredIntent, laterCount: Int)? {
    guard let slot = sameID[RecordID(id)]?.first, slot.feed == feed, let list = counting[feed],
      instant < slot.at.advanced(by: StoredIntent.lifetime), newest.map({ slot.at >= $0 }) ?? true
    else { return nil }
    return files[slot.path].map { ($0.intent, list.distance(from: list.position { $0 <= slot }, to: list.end)) }
  }

  /// The first moment after this one at which a counting intent of any feed ends, so that its problem disappears in
  /// time; nil: none is left.
  package func nextProblemChange(after instant: Instant) -> Instant? {
    let ended = instant.advanced(by: .zero - StoredIntent.lifetime)
    let firsts = counting.keys.compactMap { slots($0, newest: nil, after: ended).first { _ in true } }
    return firsts.map(\.at).min()?.advanced(by: StoredIntent.lifetime)
  }

  /// The intents for a feed that count and are dated after a moment, in order, without those that a session absorbed.
  private func slots(_ feed: FeedName, newest: Instant?, after moment: Instant) -> SortedList<Slot>.Elements {
    let list = counting[feed] ?? SortedList()
    return list.elements(
      from: list.position { slot in slot.at <= moment || newest.map { slot.at < $0 } ?? false })
  }

  /// The problems of intents in force that name a food, task or shoe that no file and no other intent has, by path.
  ///
  /// Not reported: an intent that is absorbed or has ended, an intent on a feed without a session, and the last good
  /// version of an unusable file, which already has a problem of its own.
  package func currentProblems(at moment: Moment, feeds: FeedSet) -> [Problem] {
    var problems: [Problem] = []
    for feed in counting.keys {
      let target = feeds[feed] as? any IntentTarget
      let (over, inForce) = feeds.countingIntents(on: target, named: feed, at: moment.instant)
      if let last = over.last {
        let those = over.count == 1 ? "this one is" : "this one and \(over.count - 1) before it are"
        let message = "more than \(Self.maximumInForce) intents on \(feed) are in force: \(those) over"
        problems.append(Problem(path: last.path, message: message, scope: feed))
      }
      guard let target, target.hasSession else { continue }
      for item in inForce where !item.isUnusable {
        guard let named = item.intent.target, !target.knows(item.intent, at: moment, feeds: feeds) else { continue }
        let place = named.place
        problems.append(
          Problem(
            path: item.path, line: place.line, column: place.column, pointer: place.pointer,
            message: Self.message(named, target.files(of: item.intent)), scope: feed))
      }
    }
    return problems.sorted { a, b in
      guard let a = a.path, let b = b.path else { return false }
      return a < b
    }
  }

  static func message(_ target: StoredIntent.Target, _ files: [CachePath]) -> String {
    let id = JSONMessage.quoted(target.id.text)
    if files.isEmpty { return "unknown \(target.noun) \(id)" }
    let paths = files.map(\.forPeople).joined(separator: ", ")
    return "several \(target.noun)s have the id \(id): say which with \"file\", one of \(paths)"
  }

  /// The files of intents that have ended, by path. It leaves out a file that is unusable now, because a reader may be
  /// rewriting it.
  package func removable(at moment: Moment) -> [CachePath] {
    files.filter { $1.intent.end <= moment.instant && !$1.isUnusable }.keys.sorted()
  }
}
