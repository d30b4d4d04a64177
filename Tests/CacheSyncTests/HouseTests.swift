import CacheSync
import CacheSyncAgent
import Foundation
import Glibc
import Testing

/// Rules about the structure of the sources, checked by reading them.
@Suite("The house")
struct HouseTests {
  static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  static let sources = tests.deletingLastPathComponent().appendingPathComponent("Sources")

  static func files(in directory: URL = sources) throws -> [(path: String, text: String)] {
    let found = FileManager.default.enumerator(at: directory, includingPropertiesForKeys: nil)
    let files = try (found?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "swift" }.map {
      (String($0.path.dropFirst(directory.path.count + 1)), String(decoding: try Data(contentsOf: $0), as: UTF8.self))
    }
    // Without any files, most rules would pass.
    try #require(files.count > 100)
    return files
  }

  /// The most lines of Swift below the `Sources` of the three packages. CONTRIBUTING.md (The budget) says how it changes.
  static let budget = 72_384

  @Test("The sources fit the budget")
  func budget() throws {
    let root = Self.tests.deletingLastPathComponent()
    let lines = try ["Sources", "Bridge/Sources", "Pictures/Sources"].map { directory in
      let found = FileManager.default.enumerator(
        at: root.appendingPathComponent(directory), includingPropertiesForKeys: nil)
      let files = (found?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "swift" }
      return try files.reduce(0) { try $0 + Data(contentsOf: $1).count { $0 == UInt8(ascii: "\n") } }
    }
    #expect(lines.allSatisfy { $0 > 1_000 }, "every package is counted: \(lines)")
    #expect(lines.reduce(0, +) <= Self.budget, "make something smaller, or say who would miss what this pays for")
  }

  @Test("A folder has at most fifteen files")
  func folders() throws {
    let folders = Dictionary(grouping: try Self.files().map(\.path)) { $0.split(separator: "/").dropLast() }
    for (folder, files) in folders {
      #expect(files.count <= 15, "\(folder.joined(separator: "/"))")
    }
  }

  @Test("Only one file uses the C library")
  func oneImporter() throws {
    let importers = try Self.files().filter { $0.text.contains("import CInotify") }.map(\.path)
    #expect(importers == ["CacheSyncAgent/Watching/InotifyLibrary.swift"])
  }

  @Test("Only Clock reads the system's clock or zone or counts a day's seconds; only commands ask for the current time")
  func civilTime() throws {
    for (path, text) in try Self.files() where !path.contains("/Clock/") {
      for forbidden in [
        "Date()", "Calendar.current", "TimeZone.current", "CLOCK_REALTIME, &", "86400", "86_400", "gettimeofday",
      ] {
        #expect(!text.contains(forbidden), "\(path) says \(forbidden)")
      }
      if path.contains(/^CacheSync(?:Agent\/Agent|Publishing\/Loading)\//), !path.contains("/Answering/") {
        #expect(!text.contains("Uptime.now()"), "\(path) is given its clock")
      }
      // The libraries are given their clock. A command's moment is the time at which it was started.
      let code = text.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("///") }
      if path.hasPrefix("CacheSync"), !path.hasPrefix("CacheSyncPrograms/") {
        #expect(!code.contains { $0.contains("Instant.now") || $0.contains(": .now") }, "\(path) asks for now")
      }
    }
  }

  @Test("Feeds and views name phrases, and write no words of their own")
  func words() throws {
    let units: Set = ["g", "kcal", "kg", "km"]
    let node = #"(?:ViewNode|[ (\[{])\.(?:word|text|label|value)\(|\.nothing\("[^"]*", "[^"]*", "#
    let member = #"json\.member\("(?:text|title|message|inline|rectangular)", "#
    let shown = try Regex<Substring>("(?:\(node)|\(member))\"")
    let files = try Self.files().filter {
      $0.path.contains(/^CacheSync(Feeds\/Feeds\/(?!Defined\/Guessing)|Values\/(Views|Defined\/(?!Items)))/)
    }
    for (path, text) in files {
      for found in text.matches(of: shown) {
        let literal = Self.literal(text[found.range.upperBound...])
        let words = literal.split { !$0.isLetter }.map(String.init)
        #expect(Set(words).isSubset(of: units), "\(path): \(literal)")
      }
    }
  }

  /// Keys, symbols and names of feeds are one word in lower case, or have no blank.
  @Test("No literal of a view is a sentence or a heading")
  func sentences() throws {
    let files = try Self.files().filter {
      $0.path.contains(/^CacheSync(?:Feeds\/Feeds|Values\/(?:Views|Defined))\/.*(?:View|Picture)[^\/]*\.swift$/)
    }
    #expect(files.count > 25)
    for (path, text) in files {
      let code = text.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("//") }.joined(separator: "\n")
      for literal in Self.literals(in: code) {
        #expect(!literal.contains(#/[A-Za-z]{2,} [A-Za-z]{2,}|^[A-Z][a-z]/#), "\(path): \(literal)")
      }
    }
  }

  /// Every literal, without the values in it and the literals in those.
  static func literals(in code: String) -> [String] {
    var found: [String] = []
    var rest = code[...]
    while let quote = rest.firstIndex(of: "\"") {
      rest = rest[rest.index(after: quote)...]
      found.append(literal(rest))
      var depth = 0
      var previous: Character = " "
      rest = rest.drop { character in
        defer { previous = character }
        if depth == 0, character == "\"", previous != "\\" { return false }
        if character == "(", depth > 0 || previous == "\\" { depth += 1 }
        if character == ")", depth > 0 { depth -= 1 }
        return true
      }.dropFirst()
    }
    return found
  }

  /// The text up to the quotation mark that ends a literal, without the values in it.
  static func literal(_ text: Substring) -> String {
    var literal = ""
    var depth = 0
    var previous: Character = " "
    for character in text {
      if depth == 0, character == "\"" { break }
      if character == "(", depth > 0 || previous == "\\" {
        depth += 1
      } else if depth > 0, character == ")" {
        depth -= 1
      } else if depth == 0 {
        literal.append(character)
      }
      previous = character
    }
    return literal
  }

  @Test("The time limit of a test ends one that hangs, and none that others delay: it is longer than all of them take")
  func timeLimits() throws {
    let call = ".timeLimit" + "("
    let limits = try Self.files(in: Self.tests).flatMap { path, text in
      text.components(separatedBy: call).dropFirst().map { (path, $0.prefixMatch(of: /\.minutes\((\d+)\)/)) }
    }
    #expect(!limits.isEmpty)
    for (path, limit) in limits { #expect(limit.flatMap { Int($0.1) } ?? 0 >= 10, "\(path)") }
  }

  @Test("The library does not import Foundation")
  func noFoundation() throws {
    for (path, text) in try Self.files() { #expect(!text.contains("import Foundation"), "\(path)") }
  }

  @Test("What only computes imports the C library in one file")
  func pureRooms() throws {
    let importers = try Self.files().filter {
      $0.path.contains(/^CacheSync(?:Feeds|Values)\/(?!Clock\/)/) && $0.text.contains("import Glibc")
    }
    #expect(importers.map(\.path) == ["CacheSyncValues/Model/CLibrary.swift"])
  }

  @Test("Libraries that apps link do not tune the allocator")
  func oneTuner() throws {
    let callers = try Self.files().filter { $0.text.contains("clinux_tune_allocator") }.map(\.path)
    #expect(callers == ["CacheSyncPrograms/OneHeap.swift"])
    let users = try Self.files().filter { $0.text.contains("useOneHeap()") }.map(\.path)
    #expect(users.allSatisfy { $0.hasPrefix("CacheSyncPrograms/") || $0.hasPrefix("cachesyncd/") }, "\(users)")
  }

  /// The directories of each library in order: each uses those before it, and none after it. The compiler keeps the
  /// order of the libraries.
  static let rooms = [
    "CacheSyncValues": ["Model", "Clock", "JSON", "Words", "Views", "Defined"],
    "CacheSyncFeeds": ["Records", "Exporting", "Feeds", "Projecting"],
    "CacheSync": ["Files", "Reading", "Writing"],
    "CacheSyncPublishing": ["Loading", "Publishing"],
    "CacheSyncAgent": ["Watching", "Agent"],
  ]

  @Test("A directory does not use a type of a later one", arguments: rooms.keys.sorted())
  func order(library: String) throws {
    let rooms = try #require(Self.rooms[library])
    let files = try Self.files().filter { $0.path.hasPrefix("\(library)/") && $0.path != "\(library)/Exports.swift" }
    #expect(Set(files.map { Self.room(of: $0.path) }) == Set(rooms))
    // Only types that are declared at the beginning of a line: code cannot name a nested type without its outer type.
    let declaration =
      /\n(?:@\w+ )*(?:(?:public|package|final|indirect) )*(?:class|struct|enum|actor|protocol|typealias) (\w+)/
    for (place, name) in rooms.enumerated() {
      let later = files.filter { rooms[(place + 1)...].contains(Self.room(of: $0.path)) }
      let types = Set(later.flatMap { ("\n" + $0.text).matches(of: declaration).map(\.output.1) })
      let room = files.filter { Self.room(of: $0.path) == name }
      // A nested type may have the same name as a later type.
      let own = Set(room.flatMap { $0.text.matches(of: /(?:struct|enum|class) (\w+)/).map(\.output.1) })
      for (path, text) in room {
        // Languages may use any word.
        let code = (name == "Words" ? text.replacing(/"[^"\n]*"/, with: "") : text)
          .split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("//") }
        let words = Set(code.flatMap { $0.split { !$0.isLetter && !$0.isNumber && $0 != "_" } })
        let used = types.intersection(words).subtracting(own)
        #expect(used.isEmpty, "\(path)")
      }
    }
  }

  @Test("A target has at most two hundred files")
  func targets() throws {
    let targets = Dictionary(grouping: try Self.files().map(\.path)) { $0.prefix { $0 != "/" } }
    for (target, files) in targets { #expect(files.count <= 200, "\(target)") }
  }

  /// The directory of the library that contains a file.
  static func room(of path: String) -> String {
    String(path.split(separator: "/").dropFirst().first ?? "")
  }

  @Test("The catalog of the library lists every type that apps see, and no other")
  func catalog() throws {
    let declaration = /\n(?:@\w+ )*public (?:(?:final|indirect) )*(?:class|struct|enum|actor|protocol) (\w+)/
    let libraries = ["CacheSync/", "CacheSyncFeeds/", "CacheSyncValues/"]
    let files = try Self.files().filter { file in libraries.contains { file.path.hasPrefix($0) } }
    let types = Set(files.flatMap { ("\n" + $0.text).matches(of: declaration).map(\.output.1) })
    let page = Self.sources.appendingPathComponent("CacheSync/CacheSync.docc/CacheSync.md")
    let listed = try String(contentsOf: page, encoding: .utf8).matches(of: /\n- ``(\w+)``/).map(\.output.1)
    #expect(types.count > 30 && types.sorted() == listed.sorted())
  }

  /// The code of every file outside the feeds' own directories. The languages have the texts of all feeds.
  static func shared() throws -> [(path: String, code: String)] {
    try files().filter { !$0.path.contains(/\/Feeds\/\w+\/|\/Words\//) }.map { path, text in
      let code = text.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("//") }
      return (path, code.joined(separator: "\n"))
    }
  }

  @Test("Only the feeds' directories name a feed, a kind, an intent or an app")
  func names() throws {
    // The contract's counter of the kernel's events has the name of a feed.
    let others = [
      "CacheSyncAgent/Agent/Answering/CacheStatus.swift": "events",
      "CacheSyncAgent/Agent/Answering/StatusMetrics.swift": "events",
    ]
    let kinds = FeedRegistry.builtIn.kinds
    var names = FeedRegistry.builtIn.feeds.map { $0.name.description }
    names += kinds.map { $0.name.description }
    names += FeedRegistry.builtIn.intents.all.map { $0.name }
    try #require(names.count > 30)
    // A name with hyphens is not an ordinary word, so it must not appear in a help text either.
    var patterns = names.map { (name: $0, part: $0, pattern: $0.contains("-") ? "\\b\($0)\\b" : "\"\($0)[\"/.]") }
    patterns += kinds.map { ($0.widgetKind, $0.widgetKind, "\"\($0.widgetKind)\"") }
    let links = kinds.map { (link: $0.deepLink, app: String($0.deepLink.prefix { $0 != "/" }) + "//") }
    patterns += links.map { ($0.link, $0.app, $0.app) }
    let files = try Self.shared()
    for (name, part, pattern) in patterns {
      let regex = try Regex(pattern)
      // Few files have the part that every match has. Searching for that first takes a hundredth of the time.
      let naming = files.filter { strstr($0.code, part) != nil && $0.code.contains(regex) && others[$0.path] != name }
      #expect(naming.isEmpty, "\(name) is named in \(naming.map(\.path))")
    }
  }

  @Test("Only the feeds' directories use a feed's type, and the registry names each feed once")
  func types() throws {
    let declaration = /\n(?:package |public )?(?:final )?(?:class|struct|enum|actor|protocol) (\w+)/
    let feeds = Set(FeedRegistry.builtIn.feeds.map { Substring(String(describing: type(of: $0.make()))) })
    // The directory of the feed `intents` also has what all feeds with intents share. `Defined`, `Screens` and `Widgets`
    // belong to no feed.
    let folders = try Self.files().filter {
      $0.path.contains(/\/Feeds\/(?!Intents\/|Defined\/|Screens\/|Widgets\/)\w+\//)
    }
    let types = feeds.union(folders.flatMap { ("\n" + $0.text).matches(of: declaration).map(\.output.1) })
    try #require(types.isSuperset(of: ["MealPlanFeed", "TaskKinds", "ShoesSession"]))
    try #require(feeds.count == FeedRegistry.builtIn.feeds.count)
    for (path, code) in try Self.shared() {
      let words = code.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
      if path.hasSuffix("/FeedRegistry.swift") {
        #expect(words.filter(types.contains).sorted() == feeds.sorted())
      } else {
        let used = types.intersection(words)
        #expect(used.isEmpty, "\(path)")
      }
    }
  }

  @Test("every intent acts on a feed that takes intents")
  func intents() {
    #expect(Set(FeedRegistry.builtIn.intents.all.map(\.name)).count == FeedRegistry.builtIn.intents.all.count)
    for type in FeedRegistry.builtIn.intents.all {
      #expect(FeedRegistry.builtIn.feed(named: type.feed)?.make() is any IntentTarget, "\(type.name)")
      let example = type.example.split(separator: " ", omittingEmptySubsequences: true).map(String.init)
      #expect(throws: Never.self, "\(type.name)") {
        try IntentDocument(type: type.name, arguments: example, at: Instant.referenceDate)
      }
    }
  }

  @Test("every kind has a name of its own, a widget and feeds that exist")
  func registry() {
    let feeds = Set(FeedRegistry.builtIn.feeds.map { $0.name })
    #expect(!FeedRegistry.builtIn.kinds.isEmpty)
    #expect(Set(FeedRegistry.builtIn.kinds.map(\.name)).count == FeedRegistry.builtIn.kinds.count)
    #expect(Set(FeedRegistry.builtIn.kinds.map(\.widgetKind)).count == FeedRegistry.builtIn.kinds.count)
    for kind in FeedRegistry.builtIn.kinds {
      #expect(!kind.widgetKind.isEmpty && !kind.families.isEmpty, "\(kind.name)")
      #expect(!kind.feeds.isEmpty && feeds.isSuperset(of: kind.feeds), "\(kind.name)")
      #expect(DeepLink(kind.deepLink) != nil, "\(kind.name)")
    }
  }
}
