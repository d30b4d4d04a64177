import CacheSyncSystem

/// One snapshot before it is encoded: a kind's timeline and the members around it (contract.md section 3).
package struct SnapshotDocument {
  package let kind: Kind
  package let timeline: Timeline
  package let problems: [Problem]
  package let timeZone: String
  package let locale: CacheLocale

  package init(
    kind: Kind, timeline: Timeline, problems: [Problem], timeZone: String, locale: CacheLocale = .english
  ) {
    self.kind = kind
    self.timeline = timeline
    self.problems = problems
    self.timeZone = timeZone
    self.locale = locale
  }

  package func encoded() -> OutputDocument {
    var json = JSONWriter(reserving: timeline.entries.reduce(512) { $0 + $1.content.count + 80 })
    var holes = OutputDocument.Holes()
    json.object { json in
      json.member("deepLink", kind.deepLink)
      json.array("entries") { json in for entry in timeline.entries { json.entry(entry) } }
      json.member("families", kind.families)
      json.hole(.generation, &holes)
      if let hours = locale.published.hourCycle { json.member("hourCycle", hours) }
      json.member("kind", kind.name.description)
      if let tag = locale.published.locale { json.member("locale", tag) }
      json.object("policy") { json in
        if let date = timeline.reloadAfter { json.member("date", date) }
        json.member("reload", timeline.reloadAfter == nil ? "never" : "after")
      }
      json.array("problems") { json in for problem in problems { json.problem(problem) } }
      json.hole(.publishedAt, &holes)
      json.member("schema", OutputDocument.schema)
      json.member("sourceCount", timeline.sources.count)
      json.member("sources", timeline.sources.named.map(\.description))
      if let symbol = kind.drawing?.symbol { json.member("symbol", symbol) }
      if let drawing = kind.drawing { json.member("template", drawing.template) }
      json.member("timeZone", timeZone)
      if let title = kind.drawing?.title { json.member("title", title.text(in: locale.language)) }
      if let widget = kind.widget {
        json.key("widget")
        json.widget(widget)
      }
      json.member("widgetKind", kind.widgetKind)
      if let words = kind.drawing?.words, !words.isEmpty {
        json.object("words") { json in
          for (name, word) in words.sorted(by: { isOrdered($0.key, before: $1.key) }) {
            json.key(named: name)
            json.string(word.wrappedValue)
          }
        }
      }
    }
    return OutputDocument(json.bytes, holes: holes)
  }
}

extension JSONWriter {
  /// Writes what a widget shows: its kind, every option and its title.
  package mutating func widget(_ widget: WidgetConfiguration) {
    object { json in
      json.member("kind", widget.kind.description)
      json.key("options")
      json.value(.object(widget.options))
      json.member("title", widget.title)
    }
  }

  fileprivate mutating func entry(_ entry: Timeline.Entry) {
    object { json in
      json.key("content")
      json.encoded(entry.content)
      json.member("date", entry.date)
      json.member("state", entry.state.rawValue)
    }
  }
}

extension SnapshotDocument {
  /// What ``encoded()`` writes for a kind, for editors.
  ///
  /// - Parameter content: the content of an entry.
  package static func schema(of kind: Kind, content: JSONSchema) -> JSONSchema {
    let entry = JSONSchema.written([
      ("content", content), ("date", .writtenDate), ("state", .word(SnapshotState.allCases.map(\.rawValue))),
    ])
    let policy = JSONSchema.written([("reload", .word(["after", "never"]))], optional: [("date", .writtenDate)])
    let members: [(String, JSONSchema)] = [
      ("deepLink", .text), ("entries", .list(of: entry)), ("families", .list(of: .text)),
      ("generation", OutputDocument.generation),
      ("kind", JSONSchema("string", with: ["const": .string(kind.name.description)])),
      ("policy", policy), ("problems", .list(of: problem)), ("publishedAt", .writtenDate),
      ("schema", OutputDocument.schemaVersion), ("sourceCount", .integer(in: 0 ... .max)),
      ("sources", .list(of: .text)), ("timeZone", .text), ("widgetKind", .text),
    ]
    let options = JSONSchema.object(kind.options.map { ($0.name, $0.schema.orNull) })
    let widget = JSONSchema.written([("kind", .text), ("options", options), ("title", .text.orNull)])
    return .written(
      members,
      optional: [
        ("hourCycle", OutputDocument.hourCycle), ("locale", .text), ("symbol", .text), ("template", .text),
        ("title", .text), ("widget", widget), ("words", .map(of: .text)),
      ])
  }

  private static let problem = JSONSchema.written([
    ("column", .integer(in: 1 ... .max)), ("line", .integer(in: 1 ... .max)), ("message", .text),
    ("path", .text.orNull), ("pointer", .text), ("severity", .knownWord(["error", "warning"])),
  ])
}
