import ArgumentParser
import CacheSync
import CacheSyncPrograms
import CacheSyncPublishing
import CacheSyncSystem

struct SchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Print the JSON Schema of a file, with which editors complete and check it.",
    usage: "cachesyncd schema <file> [<name>] [--list] [--cache <dir>] [--feeds <dir>]",
    discussion: """
      The files, and the names that three of them need:

        session FEED        what apps drop: a feed's session file in JSON
        snapshot KIND       what readers get: a kind's snapshot
        intent TYPE         what a person did in a reader
        widget              CACHE/widgets/NAME.json
        screen              CACHE/screens/NAME.json
        settings            CACHE/cachesync.json
        definition          a feed of your own: CACHE/feeds/NAME.json
        panels              e-ink panels: the file of serve --panels
        manifest, day-index the other two files in CACHE/snapshots

      A schema accepts every valid file. It checks types, ranges and missing fields; cachesyncd check also checks what one \
      field says of another.

      \(HelpText.examples(
        "cachesyncd schema session \(HelpText.feed) >session.schema.json",
        "cachesyncd schema snapshot \(HelpText.kind)", "cachesyncd schema --list"))

      \(ExitStatus.help(
        (.invalidData, "the definition of what is named is invalid"),
        (.noInput, "the directory of definitions is missing")))
      """)

  @Argument(
    help: "The file: \(SchemaSubject.words).", completion: .list(SchemaSubject.allCases.map(\.rawValue)))
  var file: String?

  @Argument(help: "Its feed, kind or type of intent.", completion: .schemaNames)
  var name: String?

  @Flag(name: .long, help: "List every schema: the words to print it with.")
  var list = false

  @OptionGroup var cache: CacheOptions
  @OptionGroup var shared: FeedsOptions

  private func validateWords() throws {
    if list {
      if file != nil { throw ValidationError("--list needs no other words") }
      return
    }
    guard let file else { throw ValidationError("name a file: \(SchemaSubject.words)") }
    guard let subject = SchemaSubject(rawValue: file) else {
      let advice = NearestName.advice(for: file, among: SchemaSubject.allCases.map(\.rawValue))
      throw ValidationError("no schema of '\(EscapedText.forPeople(file))': \(advice)")
    }
    guard let names = subject.names(in: .builtIn) else {
      if name != nil { throw ValidationError("\(file) needs no name") }
      return
    }
    guard let name else {
      throw ValidationError("\(file) needs a name: \(names.joined(separator: ", "))")
    }
    if names.contains(where: { isSameText($0, name) }) { return }
    // Nil when the cache's feeds cannot be read: the command reports that later.
    guard let feeds = try? cache.knownFeeds(shared), let known = subject.names(in: feeds.registry) else { return }
    if known.contains(where: { isSameText($0, name) }) { return }
    try feeds.throwMistake(behind: name)
    let advice = NearestName.advice(for: name, among: known)
    throw ValidationError("no schema of \(file) '\(EscapedText.forPeople(name))': \(advice)")
  }

  func run() throws {
    try reporting {
      try validateWords()
      // It is an error when the directory of definitions does not exist.
      let environment = try shared.environment()
      let registry = (try? cache.registry(environment)) ?? .builtIn
      if list {
        for words in SchemaSubject.all(in: registry) { Terminal.line(words) }
        return .success
      }
      guard let subject = file.flatMap(SchemaSubject.init), let schema = subject.schema(name, in: registry) else {
        throw Failure("no schema of these words: cachesyncd schema --list lists those that exist", .usage)
      }
      Terminal.line(schema)
      return .success
    }
  }
}

extension SchemaSubject {
  fileprivate static var words: String { allCases.map(\.rawValue).joined(separator: ", ") }
}
