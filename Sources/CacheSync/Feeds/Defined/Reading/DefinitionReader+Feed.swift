// The definition as a whole (definitions.md section 2).
import CacheSyncSystem

extension DefinitionReader {
  enum FeedKey: String, CaseIterable {
    case version, files, use, timeZone, updated, staleAfter, marks, words, items, kinds
    case schema = "$schema"
    case comment
  }

  private static let version = 1

  /// Reads the definition. The result is meaningful only if there are no ``defects``.
  mutating func definition(_ root: LocatedValue) -> FeedDefinition? {
    if let version = root.members?.first(where: { $0.key == "version" }), let number = version.value.number,
      number > Double(Self.version)
    {
      // A newer definition would cause more defects, and all of them would be misleading.
      fail("this agent knows version \(Self.version)", at: version.value)
      return nil
    }
    checkName(root)
    guard let members = object(root, FeedKey.self) else { return nil }
    if let version = members[.version] {
      _ = whole(version, in: Self.version...Self.version)
    } else {
      fail(missing: "version", in: root)
    }
    // Editors take it as the address of the schema. Here it only has to be a text.
    if let schema = members[.schema] { _ = text(schema) }
    let files = files(members[.files], root)
    let use = members[.use].flatMap { word($0, FeedDefinition.Use.self) } ?? .all
    let marks = members[.marks].map { self.marks($0) } ?? []
    var items: ItemRules?
    if let value = members[.items] {
      // With several files, the id decides which item counts, before the item has times.
      let isOneFile = if case .named = files[0] { files.count == 1 } else { false }
      let hasSeveralFiles = use == .all && !isOneFile
      items = self.items(value, marks: marks.map(\.name), idKnowsStart: !hasSeveralFiles)
    } else {
      fail(missing: "items", in: root)
    }
    if let mark = marks.first, let items, items.id == nil {
      fail("marks need 'id' in 'items'", at: mark.offset)
    }
    let kinds = members[.kinds].map { self.kinds($0, items) } ?? []
    if members[.kinds] == nil { fail(missing: "kinds", in: root) }
    let timeZone = members[.timeZone].flatMap { self.timeZone($0) }
    let updated = members[.updated].flatMap { time($0, KnownNames("field", []), .file) }
    let staleAfter = members[.staleAfter].flatMap { self.staleAfter($0) }
    let words = members[.words].map { self.words($0) } ?? [:]
    guard let items else { return nil }
    var definition = FeedDefinition(name: FeedName(name), files: files, items: items, kinds: kinds)
    definition.use = use
    definition.timeZone = timeZone
    definition.updated = updated
    definition.staleAfter = staleAfter
    definition.marks = marks.map(\.name)
    definition.words = words
    return definition
  }

  private mutating func checkName(_ root: LocatedValue) {
    if !FeedDefinition.isName(name) {
      fail("invalid feed name \(quotedName(name)): \(FeedDefinition.nameRule)", at: root)
    } else if reserved.feeds.contains(name) {
      fail("a built-in feed is named \(quotedName(name)); give the file another name", at: root)
    } else if reserved.kinds.contains(name) {
      fail("a built-in kind is named \(quotedName(name)); give the file another name", at: root)
    }
  }

  // MARK: Files

  private mutating func files(_ value: LocatedValue?, _ root: LocatedValue) -> [FeedDefinition.Files] {
    let fallback = FeedDefinition.Files.below(directory: ExactText(name))
    guard let value else {
      checkClaim(fallback, at: root)
      return [fallback]
    }
    guard let elements = value.elements else { return files(value).map { [$0] } ?? [fallback] }
    guard elements.count <= DefinitionReader.most else {
      fail("more than \(DefinitionReader.most) elements", at: elements[DefinitionReader.most])
      return [fallback]
    }
    if elements.isEmpty { fail(#"expected "<directory>/**" or "<name>.json", found an empty list"#, at: value) }
    let entries = elements.compactMap { files($0) }
    return entries.isEmpty ? [fallback] : entries
  }

  /// Reads one entry.
  private mutating func files(_ pattern: LocatedValue) -> FeedDefinition.Files? {
    guard let text = text(pattern, #""<directory>/**" or "<name>.json""#) else { return nil }
    guard let files = Self.files(text) else {
      let expected = #""<directory>/**" or "<name>.json", at the top of the cache and not the agent's own"#
      fail("expected \(expected), found \(quotedName(text))", at: pattern)
      return nil
    }
    checkClaim(files, at: pattern)
    return files
  }

  private static func files(_ text: String) -> FeedDefinition.Files? {
    let isDirectory = text.hasSuffix("/**")
    let top = isDirectory ? String(text.dropLast(3)) : text
    let isOneName =
      !top.isEmpty && top.utf8.count <= 255 && !top.utf8.contains { $0 < 0x20 || $0 == 0x7f || "/*".utf8.contains($0) }
    guard isOneName, CacheLayout.isReadable(CachePath(top)) else { return nil }
    if isDirectory {
      return CacheLayout.reserved.contains(top) ? nil : .below(directory: ExactText(top))
    }
    return top.hasSuffix(".json") && CachePath(top) != CacheLayout.settings ? .named(ExactText(top)) : nil
  }

  private mutating func checkClaim(_ files: FeedDefinition.Files, at value: LocatedValue) {
    guard let owner = reserved.owner(of: files) else { return }
    let pattern =
      switch files {
      case .below(let directory): "\(directory)/**"
      case .named(let file): "\(file)"
      }
    fail("feed \(quotedName(name)) claims \(quotedName(pattern)), which feed \(quotedName(owner)) reads", at: value)
  }

  // MARK: Zone, age, marks and words

  private mutating func timeZone(_ value: LocatedValue) -> FeedDefinition.Zone? {
    guard let text = text(value, "a time zone, or a path that finds one") else { return nil }
    if let first = text.utf8.first, "$@^#".utf8.contains(first) { return path(value, .file).map { .path($0) } }
    guard isTimeZone(text) else {
      fail("expected a time zone such as Europe/Berlin, or a path from '$', found \(quotedName(text))", at: value)
      return nil
    }
    return .named(ExactText(text))
  }

  private mutating func staleAfter(_ value: LocatedValue) -> Duration? {
    let expected = "a duration such as PT24H or P2D"
    guard let text = text(value, expected) else { return nil }
    if let duration = ISODuration(text)?.duration { return duration }
    fail("expected \(expected), found \(quotedName(text))", at: value)
    return nil
  }

  private mutating func marks(_ value: LocatedValue) -> [(name: String, offset: Int)] {
    var marks: [(name: String, offset: Int)] = []
    for element in array(value) ?? [] {
      guard let mark = text(element, "a word") else { continue }
      if !FeedDefinition.isWord(mark) || mark.utf8.count > Self.longestName {
        fail("expected a word of a-z and 0-9, found \(quotedName(mark))", at: element)
      } else if KnownNames.reserved.contains(mark) {
        fail("invalid mark name \(quotedName(mark)): it has a meaning already", at: element)
      } else if marks.contains(where: { isSameText($0.name, mark) }) {
        fail("the mark \(quotedName(mark)) comes twice", at: element)
      } else {
        marks.append((mark, element.offset))
      }
    }
    return marks
  }

  /// The English words that formats write.
  static let englishWords: [String] = {
    let english = LocaleFormats.english
    return ["today", "tomorrow", "yesterday", "in N days", "N days ago"] + english.weekdays + english.months
      + english.shortWeekdays + english.shortMonths.filter { !english.months.contains($0) }
  }()

  private mutating func words(_ value: LocatedValue) -> TextMap<ExactText> {
    var words: TextMap<ExactText> = [:]
    for member in members(value) ?? [] {
      guard Self.englishWords.contains(member.key) else {
        let advice = advice(for: member.key, among: Self.englishWords)
        fail("unknown word \(quotedName(member.key))\(advice)", atKeyOf: member)
        continue
      }
      if !member.value.isNull { words[member.key] = text(member.value).map { ExactText($0) } }
    }
    return words
  }
}
