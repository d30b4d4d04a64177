import CacheSync
import Testing

@Suite("Views of kinds")
struct KindViewTests {
  /// The views of each kind for a full and for an empty entry.
  private static func views(_ family: ViewFamily = .terminal) throws -> [(
    kind: KindName, state: String, node: ViewNode
  )] {
    let harness = try FeedHarness(zone: "America/New_York")
    let at = "2026-11-21T17:00:00Z"
    func all(_ state: String) throws -> [(KindName, String, ViewNode)] {
      try FeedRegistry.builtIn.kinds.map { kind in
        let content = try harness.content(kind.name, at: at)
        let input = ViewInput(
          content, try #require(Snapshot.State(rawValue: state)), family: family, at: try harness.instant(at),
          in: harness.calendar)
        return (kind.name, state, kind.view(input))
      }
    }
    let empty = try all("empty")
    for (path, text) in Self.sessions { try harness.put(path, text) }
    let views = empty + (try all("current"))
    try #require(views.count == 2 * FeedRegistry.builtIn.kinds.count && !views.isEmpty)
    return views
  }

  private static let sessions = [
    "nutrition/a.json": NutritionFixtures.session(),
    "tasks/a.json": #"[{"id":"a b","title":"t","completed":false,"createdAt":"2026-11-20T08:00:00Z"}]"#,
    "events/a.json":
      #"[{"id":1,"title":"e","startTime":"2026-11-22T10:00:00Z","endTime":"2026-11-22T11:00:00Z","location":"x"}]"#,
    "shoes/a.json":
      #"{"shoes":[{"id":1,"name":"s"}],"suggestions":[{"shoeId":1,"reason":"r","confidence":0.5}]}"#,
  ]

  @Test("Each family's view has text, with or without data", arguments: ViewFamily.allCases)
  func something(family: ViewFamily) throws {
    for (kind, state, node) in try Self.views(family) {
      let lines = TerminalView(style: .plain).lines(of: node)
      #expect(!lines.isEmpty && lines.allSatisfy { !$0.isEmpty }, "\(kind), \(state)")
    }
  }

  @Test("Actions are links that apps know, or intents that the agent accepts")
  func actions() throws {
    var links = 0
    var intents: Set<String> = []
    for (kind, _, node) in try Self.views() {
      for action in node.actions {
        switch action {
        case .link(let link):
          #expect(DeepLink(link) != nil, "\(kind): \(link)")
          links += 1
        case .intent(let type, let fields):
          let arguments = fields.map { "\($0.key)=\($0.value)" }
          #expect(throws: Never.self, "\(kind)") {
            try IntentDocument(type: type, arguments: arguments, at: Instant.referenceDate)
          }
          intents.insert(type)
        }
      }
    }
    #expect(links > 3 && intents == ["log-food", "complete-task", "select-shoe"])
  }

  @Test(
    "Each family that the kind names has its own tree", arguments: FeedRegistry.builtIn.kinds.map(\.name))
  func ownTrees(kind: KindName) throws {
    let kind = try #require(FeedRegistry.builtIn.kind(named: kind))
    let terminal = try Self.views()
    for family in kind.families {
      let views = try Self.views(try #require(ViewFamily(rawValue: family)))
      for (view, plain) in zip(views, terminal) where view.kind == kind.name {
        #expect(view.node != plain.node, "\(family), \(view.state)")
      }
    }
  }

  @Test("A lock screen's line is one text", arguments: ["calories", "todays-tasks", "current-shoe"])
  func inline(kind: String) throws {
    let views = try Self.views(.accessoryInline).filter { $0.kind == KindName(kind) }
    #expect(views.map(\.state) == ["empty", "current"])
    for view in views {
      guard case .text(let text) = view.node.form else {
        Issue.record("\(kind), \(view.state): \(view.node)")
        continue
      }
      #expect(!text.words.isEmpty, "\(kind), \(view.state)")
    }
  }

  @Test("An unknown kind is shown as its fields, and numbers are never cut")
  func unknownKind() throws {
    let content = #"{"steps":12,"name":"Trail","worn":true,"since":null}"#
    let view = ViewNode.fields(try ViewInput(content, .systemSmall))
    #expect(view.words == "name · Trail · since · — · steps · 12 · worn · yes")
    #expect(view.texts.filter { $0.role != .text }.map(\.words) == ["12"])
    #expect(view.room.more == 0)
    let lines = "name: Trail, since: —, steps: 12, worn: yes"
    #expect(ViewNode.fields(try ViewInput(content, .accessoryInline)).words == lines)
    let circle = ViewNode.fields(try ViewInput(content, .accessoryCircular))
    #expect(circle.texts.map(\.words).joined(separator: ", ") == lines && circle.room.more == 0)
    let terminal = TerminalView(style: .plain).lines(of: .fields(try ViewInput(content, .terminal)))
    #expect(terminal.joined(separator: ", ") == lines)
  }
}
