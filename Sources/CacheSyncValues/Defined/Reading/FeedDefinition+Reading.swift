import CacheSyncSystem

extension FeedDefinition {
  /// The definition in a file, or the file's defects.
  package struct Read: Sendable {
    /// Nil if there is any defect.
    package var definition: FeedDefinition?
    /// All defects, in ascending order of offsets.
    package var defects: [JSONDefect]
    /// Parts that are valid but have no effect.
    package var warnings: [JSONDefect] = []
  }

  /// The largest file that is read, in bytes.
  package static let maximumBytes = 65_536
  fileprivate static let version = 1
  fileprivate static let mostKinds = 16

  /// The rule of ``isName(_:)``, for messages.
  package static var nameRule: String {
    "use up to 31 characters a-z and 0-9, beginning with a letter; feeds, screens, snapshots and widgets are reserved"
  }

  /// Whether a feed may have this name: `[a-z][a-z0-9]{0,30}`, but not `feeds`, `screens`, `snapshots` or `widgets`.
  package static func isName(_ name: String) -> Bool {
    guard let first = name.utf8.first, name.utf8.count <= 31, first &- UInt8(ascii: "a") < 26 else { return false }
    return isWord(name) && !CacheLayout.reserved.contains(name)
  }

  /// Whether a text is one or more of `[a-z0-9]`.
  package static func isWord(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { $0 &- UInt8(ascii: "a") < 26 || $0 &- UInt8(ascii: "0") < 10 }
  }

  /// Reads a definition strictly.
  ///
  /// It never traps, whatever the bytes are, and its work is bounded by ``maximumBytes``.
  ///
  /// - Parameters:
  ///   - name: the feed's name, which is the file's name without `.json`.
  ///   - reserved: the names and claims of built-in feeds. The caller checks the claims of other definitions.
  ///   - isTimeZone: whether a zone of that name is known, as for the settings.
  package static func read(
    _ bytes: UnsafeRawBufferPointer, named name: String, reserved: ReservedNames,
    isTimeZone: @escaping (String) -> Bool = { _ in true }
  ) -> Read {
    guard bytes.count <= maximumBytes else {
      let message = "larger than \(maximumBytes) bytes"
      return Read(definition: nil, defects: [JSONDefect(offset: maximumBytes, message: message, place: .document)])
    }
    let (tree, defects) = JSONTree.read(bytes, strictly: true, ignoring: ["comment"])
    let reader = DefinitionReader(bytes, defects, name: name, reserved: reserved, isTimeZone: isTimeZone)
    reader.place = place
    let read = reader.read(tree, .definition)
    return Read(
      definition: read.value, defects: read.defects, warnings: reader.warnings.sorted { $0.offset < $1.offset })
  }

  /// The JSON Schema (2020-12) of definitions, for editors. It accepts every definition without defects, except some
  /// that have null for a key that may be missing.
  ///
  /// It covers keys, types and ranges. Only reading finds defects between parts, such as a text with an unknown name.
  package static let schema: JSONSchema = {
    let parts = SchemaParts()
    var schema = Shape<FeedDefinition>.definition.schema(parts)
    schema.keywords["description"] = .string(
      "Which session files a feed reads, where their items are, and what readers get.")
    schema.keywords["$defs"] = .object(parts.definitions)
    return schema
  }()

  /// The outermost place of members with a name, such as "in 'kinds.NAME'"; nil: no object has them.
  fileprivate static func place(of key: String) -> String? {
    let named = schema.keywords["$defs"]
    var places = [(path: [String](), schema: schema.value)]
    var index = 0
    // Conditions contain conditions, so there is no end.
    while index < places.count, index < 500 {
      let (path, part) = places[index]
      index += 1
      if part["properties"]?[key] != nil { return path.isEmpty ? "at the top" : "in '\(path.joined(separator: "."))'" }
      if let name = part["$ref"]?.string?.split(separator: "/").last, let part = named?[String(name)] {
        places.append((path, part))
      }
      places += (part["anyOf"]?.array ?? []).map { (path, $0) }
      let members = (part["properties"]?.object ?? [:]).sorted { isOrdered($0.key, before: $1.key) }
      places += members.map { (path + [$0.key], $0.value) }
      if let member = part["additionalProperties"] { places.append((path + ["NAME"], member)) }
    }
    return nil
  }
}

extension Shape where Value == FeedDefinition {
  /// A definition as a whole (definitions.md section 2).
  fileprivate static var definition: Shape {
    let members = named
    return Shape(in: members.schema) { reader, root in
      let version = root.member("version")
      if let version, let number = version.number, number > Double(FeedDefinition.version) {
        // A newer definition would cause more defects, and all of them would be misleading.
        reader.fail("this agent knows version \(FeedDefinition.version)", at: version)
        return nil
      }
      reader.checkName(root)
      return members.read(reader, root)
    }
  }

  private static var named: Shape {
    object { member in
      var definition = FeedDefinition(
        name: FeedName(member.reader?.name ?? ""), files: [], items: ItemRules(each: []), kinds: [])
      member("version", .whole(in: FeedDefinition.version...FeedDefinition.version), is: .required)
      // Editors take it as the address of the schema. Here it only has to be a text.
      member("$schema", .text, "For editors.")
      member("comment", .anything, "Anything; it is not read.")
      member(
        "files", &definition.files, .files,
        #""<directory>/**" or "<name>.json", at the top of the cache; default the feed's directory."#)
      if definition.files.isEmpty {
        definition.files = [.below(directory: ExactText(member.reader?.name ?? ""))]
        if let root = member.object, member["files"] == nil {
          member.reader?.checkClaim(definition.files[0], at: root)
        }
      }
      member(
        "use", &definition.use, .word,
        "all (default): the files' items are one list. newest: only the newest file counts.")
      member(
        "timeZone", &definition.timeZone, .zone,
        "The zone of local times in the files, or a path that finds it. Default: the cache's.")
      let updated = Shape<TimeRule>.time(KnownNames("field", []), .file)
      member("updated", &definition.updated, updated, "When the file was written, by its own words.")
      member(
        "staleAfter", &definition.staleAfter, .age,
        "The age from which content is stale, such as PT24H. It wins over the setting.")
      member("marks", &definition.marks, .marks, "Boolean fields that readers may set.")
      member("words", &definition.words, .words, "What formats write instead of English words.")
      // With several files, the id decides which item counts, before the item has times.
      let isOneFile = if case .named = definition.files.first { definition.files.count == 1 } else { false }
      let items = member(
        "items",
        .items(marks: definition.marks.map(\.wrappedValue), idKnowsStart: definition.use == .newest || isOneFile),
        "Where items are in a file, what is known of each, and when each is in force.", is: .required)
      if let items, items.id == nil, let mark = member["marks"]?.elements?.first {
        member.reader?.fail("marks need 'id' in 'items'", at: mark)
      }
      member(
        "kinds", &definition.kinds, .kinds(items),
        #"Each is named as the feed, or as the feed with "-" and a word."#, is: .required)
      return items.map { items in
        definition.items = items
        return definition
      }
    }
  }
}

extension DefinitionReader {
  fileprivate func checkName(_ root: LocatedValue) {
    if !FeedDefinition.isName(name) {
      fail("invalid feed name \(quotedName(name)): \(FeedDefinition.nameRule)", at: root)
    } else if reserved.feeds.contains(name) {
      fail("a built-in feed is named \(quotedName(name)); give the file another name", at: root)
    } else if reserved.kinds.contains(name) {
      fail("a built-in kind is named \(quotedName(name)); give the file another name", at: root)
    }
  }

  fileprivate func checkClaim(_ files: FeedDefinition.Files, at value: LocatedValue) {
    guard let owner = reserved.owner(of: files) else { return }
    let claim = quotedName(files.description)
    fail("feed \(quotedName(name)) claims \(claim), which feed \(quotedName(owner)) reads", at: value)
  }
}

// MARK: Files

extension Shape where Value == [FeedDefinition.Files] {
  fileprivate static var files: Shape {
    Shape<FeedDefinition.Files>.claim.named("files")
      .orList(empty: #"expected "<directory>/**" or "<name>.json", found an empty list"#)
  }
}

extension Shape where Value == FeedDefinition.Files {
  fileprivate static var claim: Shape {
    let forms = #""<directory>/**" or "<name>.json""#
    return Shape<String>.text(forms).then { reader, value, text in
      guard let files = FeedDefinition.Files(text) else {
        let expected = "\(forms), at the top of the cache and not the agent's own"
        reader.fail("expected \(expected), found \(quotedName(text))", at: value)
        return nil
      }
      reader.checkClaim(files, at: value)
      return files
    }
    .with(
      #"""
      { "pattern": "^[^./*\\u0000-\\u001f][^/*\\u0000-\\u001f]*(/\\*\\*|\\.json)$",
        "not": { "enum": ["feeds/**", "snapshots/**", "cachesync.json"] } }
      """#)
  }
}

extension FeedDefinition.Files {
  fileprivate init?(_ text: String) {
    let isDirectory = text.hasSuffix("/**")
    let top = isDirectory ? String(text.dropLast(3)) : text
    let isOneName =
      !top.isEmpty && top.utf8.count <= 255 && !top.utf8.contains { $0 < 0x20 || $0 == 0x7f || "/*".utf8.contains($0) }
    guard isOneName, CacheLayout.isReadable(CachePath(top)) else { return nil }
    if isDirectory {
      if CacheLayout.reserved.contains(top) { return nil }
      self = .below(directory: ExactText(top))
    } else {
      guard top.hasSuffix(".json"), CachePath(top) != CacheLayout.settings else { return nil }
      self = .named(ExactText(top))
    }
  }
}

/// The names and claims that a definition may not use, because built-in feeds have them.
package struct ReservedNames: Sendable {
  package var feeds: Set<String> = []
  package var kinds: Set<String> = []
  /// The directories and files at the top of the cache that built-in feeds read, by the feed's name.
  package var claims: [String: CacheLayout.Claims] = [:]

  package init(feeds: Set<String> = [], kinds: Set<String> = [], claims: [String: CacheLayout.Claims] = [:]) {
    (self.feeds, self.kinds, self.claims) = (feeds, kinds, claims)
  }

  /// The built-in feed that reads these files. If several do, the first by name.
  func owner(of files: FeedDefinition.Files) -> String? {
    let owners = claims.filter { _, claims in
      switch files {
      case .below(let directory): claims.directories.contains { isSameText($0, directory.wrappedValue) }
      case .named(let name): claims.files.contains { isSameText($0, name.wrappedValue) }
      }
    }
    return owners.keys.min(by: { isOrdered($0, before: $1) })
  }
}

// MARK: Zone, age, marks, words and kinds

extension Shape where Value == FeedDefinition.Zone {
  fileprivate static var zone: Shape {
    Shape<String>.text("a time zone, or a path that finds one").then { reader, value, text in
      if ItemPath.begins(text) { return Shape<ItemPath>.path(.file).read(reader, value).map { .path($0) } }
      if reader.isTimeZone(text) { return .named(ExactText(text)) }
      reader.fail(
        "expected a time zone such as Europe/Berlin, or a path from '$', found \(quotedName(text))"
          + reader.advice { TimeZoneDatabase().nearestName(to: text) }, at: value)
      return nil
    }
  }
}

extension Shape where Value == Duration {
  fileprivate static var age: Shape {
    text("a duration such as PT24H or P2D") { ISODuration($0)?.duration }.with(#"{ "pattern": "^P" }"#)
  }
}

extension Shape where Value == [ExactText] {
  fileprivate static var marks: Shape {
    Shape<[String]>.list(of: .mark).then { reader, value, marks in
      var known: Set<ExactText> = []
      for element in value.elements ?? [] {
        guard let mark = element.text, !known.insert(ExactText(mark)).inserted else { continue }
        reader.fail("the mark \(quotedName(mark)) comes twice", at: element)
      }
      return marks.map { ExactText($0) }
    }
    .with(#"{ "uniqueItems": true }"#)
  }
}

extension Shape where Value == String {
  fileprivate static var mark: Shape {
    text("a word").then { reader, value, mark in
      if !FeedDefinition.isWord(mark) || mark.utf8.count > DefinitionReader.longestName {
        reader.fail("expected a word of a-z and 0-9, found \(quotedName(mark))", at: value)
      } else if KnownNames.reserved.contains(mark) {
        reader.fail("invalid mark name \(quotedName(mark)): it has a meaning already", at: value)
      } else {
        return mark
      }
      return nil
    }
    .with(#"{ "pattern": "^[a-z0-9]+$", "maxLength": 64, "not": { "enum": \#(KnownNames.reserved) } }"#)
  }
}

extension Shape where Value == TextMap<ExactText> {
  fileprivate static var words: Shape {
    Shape<[(key: String, value: String)]>.members(
      of: { _ in .text }, names: #"{ "enum": \#(englishWords) }"#,
      accepts: { reader, member in
        if englishWords.contains(member.key) { return true }
        let advice = reader.advice(for: member.key, among: englishWords)
        reader.fail("unknown word \(quotedName(member.key))\(advice)", atKeyOf: member)
        return false
      }
    )
    .map { TextMap($0.map { ($0.key, ExactText($0.value)) }) }
  }

  /// The English words that formats write.
  private static let englishWords: [String] = {
    let english = LocaleFormats.english
    return ["today", "tomorrow", "yesterday", "in N days", "N days ago"] + english.weekdays + english.months
      + english.shortWeekdays + english.shortMonths.filter { !english.months.contains($0) }
  }()
}

extension Shape where Value == [DefinedKind] {
  /// - Parameter items: nil if they could not be read; then every name is accepted.
  fileprivate static func kinds(_ items: ItemRules?) -> Shape {
    let items = KindNames(items)
    return Shape<[(key: String, value: DefinedKind)]>.members(
      of: { Shape<DefinedKind>.kind($0, items).named("kind") }, most: FeedDefinition.mostKinds, "kinds", nulls: false,
      names: #"{ "pattern": "^[a-z][a-z0-9]{0,30}(-[a-z0-9]+)?$", "maxLength": 64 }"#,
      accepts: { reader, member in
        reader.checkName(ofKind: member)
        return true
      }
    )
    .with(#"{ "minProperties": 1 }"#)
    .then { reader, value, kinds in
      if value.members?.isEmpty == true { reader.fail("expected at least one kind", at: value) }
      return kinds.map(\.value).sorted { $0.name < $1.name }
    }
  }
}

extension DefinitionReader {
  fileprivate func checkName(ofKind member: LocatedMember) {
    guard FeedDefinition.isName(name) else { return }
    let rest = member.key.utf8.dropFirst(name.utf8.count)
    let isOwn =
      member.key.utf8.starts(with: name.utf8)
      && (rest.isEmpty || rest.first == UInt8(ascii: "-") && FeedDefinition.isWord(String(rest.dropFirst()) ?? ""))
    if !isOwn {
      fail("expected a kind named '\(name)' or '\(name)-<word>', found \(quotedName(member.key))", atKeyOf: member)
    } else if member.key.utf8.count > Self.longestName {
      fail("the name of a kind has \(Self.longestName) bytes at most", atKeyOf: member)
    } else if reserved.kinds.contains(member.key) || ["day-index", "manifest"].contains(member.key) {
      fail("\(quotedName(member.key)) is the name of a built-in snapshot", atKeyOf: member)
    }
  }
}
