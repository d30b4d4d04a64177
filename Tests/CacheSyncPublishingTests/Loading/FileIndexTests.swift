import CacheSync
@testable import CacheSyncPublishing
import CacheSyncSystem
import Testing

@Suite("The index of files")
struct FileIndexTests {
  static let path = CachePath("tasks/a.json")
  static let now = Uptime(nanoseconds: 1_000_000_000_000)
  static let soon = now.advanced(by: CacheContents.stillness)

  /// What happens to a file.
  enum Event: String, CaseIterable {
    /// The file was read: it is good, it is bad, or reading failed.
    case good, bad, failed
    /// The file looks bad and changed a moment ago.
    case young
    case missing, back, gone
    /// The deadline passed.
    case due

    func apply(to index: inout FileIndex) {
      let record = FileRecord(identity: identity(1), mustReadAgain: false)
      let problem = Problem(path: path, message: rawValue)
      let at = Instant(seconds: 1)
      switch self {
      case .good: index.accept(path, record)
      case .bad:
        let isHeld = index[path]?.verdict?.isHeld ?? false
        _ = index.reject(path, record, because: problem, at: at, isHeld: isHeld, retry: nil)
      case .failed:
        let isHeld = index[path]?.verdict?.isHeld ?? false
        let retry = Retry(after: index[path]?.verdict?.rejection?.retry, at: now)
        _ = index.reject(path, record, because: problem, at: at, isHeld: isHeld, retry: retry)
      case .young: index.waitForStillness(of: path, as: identity(2), until: soon)
      case .missing: index.waitForReturn(of: path, until: soon)
      case .back: index.endWait(for: path)
      case .gone: _ = index.remove(path)
      case .due: _ = index.dequeue(until: now.advanced(by: .seconds(3600)))
      }
    }
  }

  static func identity(_ inode: UInt64) -> FileIdentity {
    FileIdentity(device: 1, inode: inode, size: 1, modifiedNanoseconds: 0, changedNanoseconds: 0)
  }

  /// A state in one or two words, such as `settling after usable`.
  private func name(_ state: FileState?) -> String {
    switch state {
    case nil: "none"
    case .judged(let verdict): name(verdict)
    case .settling(let settling):
      (settling.due == nil ? "still" : "settling") + (settling.previous.map { " after " + name($0) } ?? "")
    case .vanished(let verdict, _): "vanished " + name(verdict)
    }
  }

  private func name(_ verdict: FileVerdict) -> String {
    switch verdict {
    case .usable: "usable"
    case .rejected(_, let rejection):
      (rejection.retry == nil ? "rejected" : "unreadable") + (rejection.isHeld ? " held" : "")
    }
  }

  /// Each state, with the events that lead to it, and its next state after each further event in the order of `Event`.
  static let transitions: [([Event], String, [String])] = [
    ([], "none", ["usable", "rejected", "unreadable", "settling", "none", "none", "none", "none"]),
    (
      [.good], "usable",
      [
        "usable", "rejected held", "unreadable held", "settling after usable", "vanished usable", "usable", "none",
        "usable",
      ]
    ),
    (
      [.bad], "rejected",
      [
        "usable", "rejected", "unreadable", "settling after rejected", "vanished rejected", "rejected", "none",
        "rejected",
      ]
    ),
    (
      [.good, .failed], "unreadable held",
      [
        "usable", "rejected held", "unreadable held", "settling after unreadable held", "vanished unreadable held",
        "unreadable held", "none", "unreadable held",
      ]
    ),
    ([.young], "settling", ["usable", "rejected", "unreadable", "settling", "none", "none", "none", "still"]),
    (
      [.good, .young], "settling after usable",
      [
        "usable", "rejected held", "unreadable held", "settling after usable", "vanished usable", "usable", "none",
        "still after usable",
      ]
    ),
    (
      [.bad, .young, .due], "still after rejected",
      [
        "usable", "rejected", "unreadable", "settling after rejected", "vanished rejected", "rejected", "none",
        "still after rejected",
      ]
    ),
    (
      [.good, .missing], "vanished usable",
      [
        "usable", "rejected held", "unreadable held", "settling after usable", "vanished usable", "usable", "none",
        "vanished usable",
      ]
    ),
    (
      [.failed, .missing], "vanished unreadable",
      [
        "usable", "rejected", "unreadable", "settling after unreadable", "vanished unreadable", "unreadable", "none",
        "vanished unreadable",
      ]
    ),
  ]

  @Test(
    "Each event leads from each state to the expected one, and the derived values follow", arguments: transitions)
  func transition(before: [Event], expected: String, after: [String]) {
    var start = FileIndex()
    for event in before { event.apply(to: &start) }
    #expect(name(start[Self.path]) == expected)
    for (event, expected) in zip(Event.allCases, after) {
      var index = start
      event.apply(to: &index)
      let state = index[Self.path]
      #expect(name(state) == expected, "\(event)")
      #expect(index.count == (state == nil ? 0 : 1))
      #expect((index.rejections[Self.path] == nil) == (state?.verdict?.rejection == nil), "\(event)")
      let isUsable = if case .usable = state?.verdict { true } else { false }
      #expect((index.place(of: Self.identity(1)) == Self.path) == isUsable, "\(event)")
      if event == .due {
        #expect(index.nextDeadline == nil && index.waits.isEmpty)
      } else if before.last != .due || state?.due != start[Self.path]?.due {
        #expect(index.nextDeadline == state?.due, "\(event)")
        #expect(index.waits[Self.path] == state?.waitDue, "\(event)")
      }
    }
  }

  @Test("A recurring problem is counted since its first time, and a different problem is reported as new")
  func problems() throws {
    var index = FileIndex()
    func reject(_ message: String, at second: Int64) -> Bool {
      index.reject(
        Self.path, FileRecord(identity: Self.identity(1), mustReadAgain: false),
        because: Problem(path: Self.path, message: message), at: Instant(seconds: second), isHeld: false, retry: nil)
    }
    #expect(reject("a", at: 1) && !reject("a", at: 2) && reject("b", at: 3))
    let note = try #require(index.rejections[Self.path]?.note)
    #expect(note.count == 3 && note.since == Instant(seconds: 1) && note.problem.message == "b")
    Event.good.apply(to: &index)
    #expect(reject("b", at: 4) && index.rejections[Self.path]?.note.count == 1)
  }

  @Test("A missing file gets 250 ms once, however often it is looked for")
  func missingTwice() {
    var index = FileIndex()
    Event.good.apply(to: &index)
    Event.missing.apply(to: &index)
    index.waitForReturn(of: Self.path, until: Self.soon.advanced(by: .seconds(1)))
    #expect(index.nextDeadline == Self.soon)
    #expect(index.dequeue(until: Self.soon) == [Self.path])
  }

  @Test("A moved file is found by its former path until that path has another file")
  func places() {
    var index = FileIndex()
    Event.good.apply(to: &index)
    let second = CachePath("tasks/b.json")
    index.accept(second, FileRecord(identity: Self.identity(1), mustReadAgain: false))
    _ = index.remove(Self.path)
    #expect(index.place(of: Self.identity(1)) == second, "the place is the later one's")
    index.accept(second, FileRecord(identity: Self.identity(2), mustReadAgain: false))
    #expect(index.place(of: Self.identity(1)) == nil && index.place(of: Self.identity(2)) == second)
  }

  @Test("A file with two names is found by the one that was read last, or by the other when that is removed")
  func twoNames() {
    var index = FileIndex()
    Event.good.apply(to: &index)
    let second = CachePath("tasks/b.json")
    index.accept(second, FileRecord(identity: Self.identity(1), mustReadAgain: false))
    // Removing one name changes the file's change time, so the agent reads the file again by the other name.
    Event.good.apply(to: &index)
    _ = index.remove(second)
    #expect(index.place(of: Self.identity(1)) == Self.path)
  }

  @Test("A link is forgotten with its file, and every record can be marked for reading again")
  func linksAndRecords() {
    var index = FileIndex()
    Event.young.apply(to: &index)
    index.recordLink(at: Self.path)
    index.distrustAll()
    #expect(index.links == [Self.path] && index[Self.path]?.verdict == nil)
    for wait in [Event.young, .missing] {
      Event.bad.apply(to: &index)
      wait.apply(to: &index)
      index.distrustAll()
      #expect(index[Self.path]?.verdict?.record.mustReadAgain == true, "\(wait)")
    }
    Event.gone.apply(to: &index)
    #expect(index.links.isEmpty)
  }

  @Test("A file's state takes no more memory than its record, because a cache may have tens of thousands")
  func size() {
    #expect(MemoryLayout<FileState>.stride == MemoryLayout<FileRecord>.stride)
    #expect(MemoryLayout<FileRecord>.stride == 48)
  }
}
