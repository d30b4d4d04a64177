import CacheSync
@testable import CacheSyncPictures
import Testing

@testable import CacheSyncPage

@Suite("Targets of cards")
struct CardTargetTests {
  private func targets(_ targets: [Picture.Target]) -> [CardTarget] {
    var numbers: [String] = []
    let picture = Picture(width: 170, height: 170, marks: [], targets: targets, title: "Todays tasks")
    return CardTarget.targets(of: picture) { type, fields in
      numbers.append("\(type) \(fields["taskId"] ?? "")")
      return numbers.count - 1
    }
  }

  private func target(
    _ x: Double, _ y: Double, _ width: Double, _ height: Double, _ action: ViewNode.Action, _ label: String
  )
    -> Picture.Target
  {
    Picture.Target(box: Rect(x: x, y: y, width: width, height: height), action: action, label: label)
  }

  @Test("Targets are ordered by lines, and a nested target follows the outer one")
  func order() {
    let found = targets([
      target(0, 0, 170, 170, .link("cafe://dashboard"), "Todays tasks"),
      target(16, 54, 14, 14, .intent("complete-task", ["taskId": "2"]), ""),
      target(16, 50, 138, 22, .link("cafe://task/2"), "Second"),
      target(16, 20, 138, 22, .link("cafe://task/1"), "First"),
    ])
    #expect(found.map(\.label) == ["Todays tasks", "First", "Second", "Complete task: Second"])
  }

  @Test("A target is at least 24 points wide and high, and inside the picture")
  func size() {
    let found = targets([
      target(16, 54, 14, 14, .link("cafe://dashboard"), "a"), target(160, 165, 5, 5, .link("cafe://dashboard"), "b"),
    ])
    #expect(found[0].box == Rect(x: 11, y: 49, width: 24, height: 24))
    #expect(found[1].box == Rect(x: 146, y: 146, width: 24, height: 24))
  }

  @Test("Targets link only to our apps")
  func links() {
    let links = ["javascript:alert(1)", "https://example.org/", "//example.org", "cafe://nowhere", "CAFE://dashboard"]
    let found = targets(links.map { target(0, 0, 50, 50, .link($0), $0) })
    #expect(found.map(\.action) == [.link("cafe://dashboard")])
  }

  @Test("A defined kind may link anywhere, except to scripts and files")
  func linksOfDefinedKinds() {
    let links = [
      "javascript:alert(1)", "JAVASCRIPT:alert(1)", "java\tscript:alert(1)", " javascript:alert(1)", "data:text/html,a",
      "file:///etc/passwd", "/intents/add-task", "//example.org", "https://a/\"onclick=", "https://example.org/?a=1",
      "CAFE://dashboard",
    ]
    let picture = Picture(
      width: 170, height: 170, marks: [],
      targets: links.map { target(0, 0, 50, 50, .link($0), $0) }, title: "Bins")
    let found = CardTarget.targets(of: picture, isBuiltIn: false) { _, _ in 0 }
    #expect(found.map(\.action) == [.link("https://example.org/?a=1"), .link("cafe://dashboard")])
  }

  @Test("Targets are real links and buttons with labels, and are disabled at another moment")
  func markup() {
    let button = CardTarget(
      box: Rect(x: 1, y: 2, width: 24, height: 24), action: .intent(type: "complete-task", number: 3),
      label: "Do \"it\"")
    #expect(
      button.html(kind: "todays-tasks", isEnabled: true).text == """
        <foreignObject x="1" y="2" width="24" height="24"><button form="form-todays-tasks" \
        formaction="./intents/complete-task" name="action" value="3" aria-label="Do &quot;it&quot;"></button></foreignObject>
        """)
    #expect(
      button.html(kind: "todays-tasks", isEnabled: false).text == """
        <foreignObject x="1" y="2" width="24" height="24"><button disabled aria-label="Do &quot;it&quot;"></button>\
        </foreignObject>
        """)
  }
}
