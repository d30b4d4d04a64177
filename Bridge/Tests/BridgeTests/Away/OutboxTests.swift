import CacheSync
import Testing

@testable import CacheSyncBridge

@Suite struct OutboxTests {
  private static func key(_ name: String) throws -> SessionKey {
    let cache = try #require(CacheName("kitchen"))
    return try #require(SessionKey(cache: cache, path: Array("tasks/\(name).json".utf8)))
  }

  private static func found(_ version: Int64, _ digest: String?, sequence: UInt64 = 7) -> Outbox.Found? {
    Outbox.Found(version: version, sequence: sequence, digest: digest)
  }

  private static func kept(_ version: Int64, _ content: Outbox.Kept.Content) -> Outbox.Kept {
    Outbox.Kept(version: version, content: content)
  }

  private static let none = Outbox.Found?.none

  private static func sent(_ digest: String?, _ modified: Int64 = 1, expecting: UInt64 = 3) -> Outbox.Sent {
    let content = digest.map { Outbox.Sent.Content.file(digest: $0, modified: modified) } ?? .deletion
    return Outbox.Sent(content: content, expecting: expecting)
  }

  // MARK: Deciding

  @Test("a new or edited file is put immediately, whatever the engine has")
  func edits() {
    #expect(Outbox.decide(local: "b", kept: nil, found: nil) == .put(expecting: nil))
    #expect(Outbox.decide(local: "b", kept: Self.kept(5, .file("a")), found: nil) == .put(expecting: nil))
    #expect(Outbox.decide(local: "b", kept: Self.kept(5, .gone), found: nil) == .put(expecting: nil))
    #expect(Outbox.decide(local: "b", kept: Self.kept(5, .goneElsewhere("a")), found: nil) == .put(expecting: nil))
    for found in [Self.found(4, "a"), Self.found(5, "a"), Self.found(9, "c"), Self.found(9, nil)] {
      let decision = Outbox.decide(local: "b", kept: Self.kept(5, .file("a")), found: .some(found))
      #expect(decision == .put(expecting: 7))
    }
    let decision = Outbox.decide(local: "b", kept: Self.kept(5, .file("a")), found: .some(nil))
    #expect(decision == .put(expecting: 0))
  }

  @Test("a file that the engine has already is not put again")
  func adopted() {
    let decision = Outbox.decide(local: "b", kept: nil, found: .some(Self.found(9, "b")))
    #expect(decision == .settled(Self.kept(9, .file("b"))))
  }

  @Test("an unanswered put is not repeated over a file that was written later")
  func unanswered() {
    let later = Outbox.Found(version: 9, sequence: 7, digest: "c", modified: 200)
    let earlier = Outbox.Found(version: 9, sequence: 7, digest: "c", modified: 100)
    let sent = [Self.sent("b", 150)]
    #expect(
      Outbox.decide(local: "b", kept: nil, found: .some(later), sent: sent) == .settled(Self.kept(8, .file("b"))))
    let put = Outbox.Decision.put(expecting: 7)
    #expect(Outbox.decide(local: "b", kept: nil, found: .some(earlier), sent: sent) == put)
    #expect(Outbox.decide(local: "b", kept: nil, found: .some(later)) == put)
    // The file that was sent is not the one to be sent now.
    #expect(Outbox.decide(local: "a", kept: nil, found: .some(later), sent: sent) == put)
    #expect(Outbox.decide(local: "b", kept: nil, found: .some(later), sent: [Self.sent(nil)]) == put)
    // A file that was there before: one with an old date replaces one that was deleted.
    #expect(Outbox.decide(local: "b", kept: Self.kept(9, .gone), found: .some(later), sent: sent) == put)
    #expect(
      Outbox.decide(local: "b", kept: nil, found: .some(later), sent: [Self.sent("b", 150, expecting: 7)]) == put)
  }

  @Test("a message that may still arrive will be refused: the current file is sent with the same expectation")
  func underWay() {
    let keeps = [nil, Self.kept(5, .file("a")), Self.kept(5, .file("b")), Self.kept(5, .gone)]
    for kept in keeps + [Self.kept(5, .goneElsewhere("a"))] {
      for found in [Self.none, Self.found(5, "a"), Self.found(9, nil)] {
        let last = found?.sequence ?? 0
        for sent in [Self.sent("b", expecting: last), Self.sent(nil, expecting: last)] {
          let all = [Self.sent("c", expecting: 3), sent]
          #expect(
            Outbox.decide(local: "a", kept: kept, found: .some(found), sent: all) == .put(expecting: last))
          #expect(Outbox.decide(local: nil, kept: kept, found: .some(found), sent: all) == .delete(expecting: last))
        }
      }
    }
    // Messages that expect another sequence can no longer arrive.
    let dead = [Self.sent("b", expecting: 3)]
    #expect(Outbox.decide(local: nil, kept: nil, found: .some(Self.found(9, "c")), sent: dead) == .settled(nil))
  }

  @Test("after something was sent, the engine is asked before anything is decided")
  func asking() {
    for local in [nil, "a", "b"] {
      for kept in [nil, Self.kept(5, .file("a")), Self.kept(5, .gone), Self.kept(5, .goneElsewhere("a"))] {
        for sent in [Self.sent("b"), Self.sent(nil)] {
          #expect(Outbox.decide(local: local, kept: kept, found: nil, sent: [sent]) == .read)
        }
      }
    }
  }

  @Test("a message that arrived is recognized by its bytes and its date, and counts as agreed")
  func arrival() {
    let sent = [Self.sent("z", 1), Self.sent("b", 150)]
    let deletion = [Self.sent("z", 1), Self.sent(nil)]
    func found(_ version: Int64, _ digest: String?, _ modified: Int64) -> Outbox.Found {
      Outbox.Found(version: version, sequence: 7, digest: digest, modified: modified)
    }
    for kept in [nil, Self.kept(5, .file("a")), Self.kept(5, .gone), Self.kept(5, .goneElsewhere("a"))] {
      #expect(Outbox.arrived(sent, kept: kept, found: found(9, "b", 150)) == Self.kept(9, .file("b")))
      #expect(Outbox.arrived(sent, kept: kept, found: found(9, "b", 151)) == nil, "another client's")
      #expect(Outbox.arrived(sent, kept: kept, found: found(9, "c", 150)) == nil)
      #expect(Outbox.arrived(sent, kept: kept, found: found(9, nil, 150)) == nil)
      #expect(Outbox.arrived(sent, kept: kept, found: nil) == nil)
      #expect(Outbox.arrived(deletion, kept: kept, found: found(9, nil, 9)) == Self.kept(9, .gone))
      #expect(Outbox.arrived(deletion, kept: kept, found: found(9, "b", 150)) == nil)
      #expect(Outbox.arrived([], kept: kept, found: found(9, "b", 150)) == nil)
    }
    let kept = Self.kept(9, .file("a"))
    for older in [found(9, "b", 150), found(8, "b", 150)] {
      #expect(Outbox.arrived(sent, kept: kept, found: older) == nil)
    }
    #expect(Outbox.arrived(deletion, kept: kept, found: found(8, nil, 8)) == nil)
  }

  @Test("an unchanged file is put back with its version only if the engine has nothing or an older version")
  func puttingBack() {
    let kept = Self.kept(5, .file("a"))
    #expect(Outbox.decide(local: "a", kept: kept, found: nil) == .read)
    #expect(Outbox.decide(local: "a", kept: kept, found: .some(nil)) == .putBack(version: 5, expecting: 0))
    #expect(
      Outbox.decide(local: "a", kept: kept, found: .some(Self.found(4, "z"))) == .putBack(version: 5, expecting: 7))
    #expect(
      Outbox.decide(local: "a", kept: kept, found: .some(Self.found(4, nil))) == .putBack(version: 5, expecting: 7))
    // The sequence does not help: a wiped engine gives the same ones again.
    #expect(Outbox.decide(local: "a", kept: kept, found: .some(Self.found(5, "a", sequence: 1))) == .settled(kept))
    #expect(Outbox.decide(local: "a", kept: kept, found: .some(Self.found(6, "z"))) == .settled(kept))
  }

  @Test("a file that another client deleted is not put back, but its deletion is")
  func deletedElsewhere() {
    let left = Self.kept(6, .goneElsewhere("a"))
    #expect(
      Outbox.decide(local: "a", kept: Self.kept(5, .file("a")), found: .some(Self.found(6, nil))) == .settled(left))
    #expect(Outbox.decide(local: "a", kept: left, found: nil) == .read)
    #expect(Outbox.decide(local: "a", kept: left, found: .some(nil)) == .deleteAgain(version: 6, expecting: 0))
    #expect(
      Outbox.decide(local: "a", kept: left, found: .some(Self.found(5, "a"))) == .deleteAgain(version: 6, expecting: 7))
    #expect(Outbox.decide(local: "a", kept: left, found: .some(Self.found(6, nil))) == .settled(left))
    #expect(Outbox.decide(local: "a", kept: left, found: .some(Self.found(9, "z"))) == .settled(left))
    #expect(Outbox.decide(local: nil, kept: left, found: .some(Self.found(6, nil))) == .settled(Self.kept(6, .gone)))
  }

  @Test("a key is deleted only while it is our own")
  func deletion() {
    let kept = Self.kept(5, .file("a"))
    #expect(Outbox.decide(local: nil, kept: nil, found: nil) == .settled(nil))
    #expect(Outbox.decide(local: nil, kept: kept, found: nil) == .read)
    #expect(Outbox.decide(local: nil, kept: kept, found: .some(Self.found(5, "a"))) == .delete(expecting: 7))
    #expect(Outbox.decide(local: nil, kept: kept, found: .some(Self.found(6, "a"))) == .settled(nil))
    #expect(Outbox.decide(local: nil, kept: kept, found: .some(Self.found(6, nil))) == .settled(Self.kept(6, .gone)))
    // The engine forgot it, and the home may still have it.
    #expect(Outbox.decide(local: nil, kept: kept, found: .some(nil)) == .delete(expecting: 0))
    #expect(Outbox.decide(local: nil, kept: kept, found: .some(Self.found(4, "z"))) == .delete(expecting: 7))
  }

  @Test("a deletion that the engine forgot is sent again with its version")
  func deletionAgain() {
    let gone = Self.kept(6, .gone)
    #expect(Outbox.decide(local: nil, kept: gone, found: .some(nil)) == .deleteAgain(version: 6, expecting: 0))
    #expect(
      Outbox.decide(local: nil, kept: gone, found: .some(Self.found(5, "a"))) == .deleteAgain(version: 6, expecting: 7))
    #expect(Outbox.decide(local: nil, kept: gone, found: .some(Self.found(6, nil))) == .settled(gone))
    #expect(Outbox.decide(local: nil, kept: gone, found: .some(Self.found(8, "z"))) == .settled(gone))
  }

  @Test("a put has the version of its message, of the sequence before a later message, or none while it is unknown")
  func acknowledgement() {
    #expect(
      Outbox.acknowledged(.file("a"), sequence: 7, found: Self.found(5, "a", sequence: 7)) == Self.kept(5, .file("a")))
    #expect(
      Outbox.acknowledged(.file("a"), sequence: 7, found: Self.found(9, "z", sequence: 8)) == Self.kept(8, .file("a")))
    #expect(Outbox.acknowledged(.gone, sequence: 7, found: Self.found(4, "a", sequence: 6)) == nil)
    #expect(Outbox.acknowledged(.gone, sequence: 7, found: nil) == nil)
  }

  // MARK: Looking

  private static let patience = Outbox.patience

  private static func file(_ digest: String, isWhole: Bool = true, stamp: Int64 = 1) -> Outbox.Look {
    .file(digest: digest, isWhole: isWhole, stamp: [stamp])
  }

  @Test("a complete file is sent immediately, and one that is not JSON once it has not changed for 250 ms")
  func stillness() throws {
    let (a, b) = (try Self.key("a"), try Self.key("b"))
    var outbox = Outbox()
    outbox.receive(a)
    outbox.receive(a)
    outbox.receive(b)
    #expect(outbox.next(now: 0) == a)
    #expect(outbox.look(a, Self.file("a"), kept: nil, now: 0) == .work(local: "a", mustRead: false))
    #expect(outbox.next(now: 0) == b)
    #expect(outbox.look(b, Self.file("x", isWhole: false, stamp: 1), kept: nil, now: 0) == .nothing)
    #expect(outbox.next(now: Self.patience - 1) == nil && outbox.due == Self.patience)
    // It grew meanwhile, without an event.
    #expect(outbox.next(now: Self.patience) == b)
    #expect(
      outbox.look(b, Self.file("y", isWhole: false, stamp: 2), kept: nil, now: Self.patience) == .nothing)
    // An event restarts the 250 ms.
    outbox.receive(b)
    #expect(outbox.next(now: Self.patience + 10) == b)
    #expect(outbox.look(b, Self.file("y", isWhole: false, stamp: 2), kept: nil, now: Self.patience + 10) == .nothing)
    #expect(outbox.next(now: 2 * Self.patience + 9) == nil)
    #expect(outbox.next(now: 2 * Self.patience + 10) == b)
    #expect(
      outbox.look(b, Self.file("y", isWhole: false, stamp: 2), kept: nil, now: 2 * Self.patience + 10)
        == .work(local: "y", mustRead: false))
  }

  @Test("an absence counts after 250 ms, and not if the file comes back in time")
  func absence() throws {
    let a = try Self.key("a")
    let kept = Self.kept(5, .file("a"))
    var outbox = Outbox()
    outbox.receive(a)
    #expect(outbox.next(now: 0) == a && outbox.look(a, .absent, kept: kept, now: 0) == .nothing)
    outbox.receive(a)
    #expect(outbox.next(now: 100) == a && outbox.look(a, Self.file("a"), kept: kept, now: 100) == .nothing)
    #expect(outbox.next(now: Self.patience) == nil && outbox.due == nil)
    outbox.receive(a)
    #expect(outbox.next(now: 300) == a && outbox.look(a, .absent, kept: kept, now: 300) == .nothing)
    #expect(outbox.next(now: 300 + Self.patience) == a)
    #expect(outbox.look(a, .absent, kept: kept, now: 300 + Self.patience) == .work(local: nil, mustRead: false))
    outbox.finish(a)
    // A file that was never sent needs no deletion.
    outbox.receive(a)
    #expect(outbox.next(now: 0) == a && outbox.look(a, .absent, kept: nil, now: 0) == .nothing && outbox.due == nil)
  }

  @Test("after an unanswered message the engine is asked, whatever is kept and whatever the file is now")
  func sent() throws {
    let a = try Self.key("a")
    let sent = [Self.sent("b")]
    for kept in [nil, Self.kept(5, .file("a")), Self.kept(5, .gone), Self.kept(5, .goneElsewhere("a"))] {
      for local in ["a", "b"] {
        var outbox = Outbox()
        outbox.receive(a)
        #expect(outbox.next(now: 0) == a)
        #expect(
          outbox.look(a, Self.file(local), kept: kept, sent: sent, now: 0) == .work(local: local, mustRead: true))
      }
      // Its absence may cause a deletion, so it counts after 250 ms too.
      var outbox = Outbox()
      outbox.receive(a)
      #expect(outbox.next(now: 0) == a && outbox.look(a, .absent, kept: kept, sent: sent, now: 0) == .nothing)
      #expect(outbox.next(now: Self.patience - 1) == nil && outbox.next(now: Self.patience) == a)
      #expect(
        outbox.look(a, .absent, kept: kept, sent: sent, now: Self.patience) == .work(local: nil, mustRead: true))
    }
  }

  @Test("no absence counts while more files vanish, because the whole cache may be about to be deleted")
  func vanishing() throws {
    var outbox = Outbox()
    for number in 0..<20 {
      let (key, now) = (try Self.key("\(number)"), Int64(number) * (Self.patience - 1))
      outbox.receive(key)
      #expect(outbox.next(now: now) == key, "and none of the others")
      #expect(outbox.look(key, .absent, kept: Self.kept(5, .file("a")), now: now) == .nothing)
      #expect(outbox.next(now: now) == nil)
    }
    #expect(outbox.next(now: 20 * Self.patience) == (try Self.key("0")))
  }

  @Test("in a rename the put comes before the deletion, even if it must be retried")
  func renaming() throws {
    let (old, new) = (try Self.key("old"), try Self.key("new"))
    let kept = Self.kept(5, .file("a"))
    var outbox = Outbox()
    outbox.receive(old)
    outbox.receive(new)
    #expect(outbox.next(now: 0) == old && outbox.look(old, .absent, kept: kept, now: 0) == .nothing)
    #expect(outbox.next(now: 0) == new)
    #expect(outbox.look(new, Self.file("a"), kept: nil, now: 0) == .work(local: "a", mustRead: false))
    #expect(outbox.next(now: Self.patience) == nil, "the put is under way")
    outbox.fail(new, now: Self.patience, isPassing: true) { _ in 1_000 }
    #expect(outbox.next(now: Self.patience) == nil, "the put is to be tried again")
    #expect(outbox.next(now: Self.patience + 1_000) == new)
    #expect(outbox.look(new, Self.file("a"), kept: nil, now: 0) == .work(local: "a", mustRead: true))
    outbox.finish(new)
    #expect(outbox.next(now: Self.patience + 1_000) == old)
  }

  @Test("a file that the engine refuses does not block a deletion")
  func refusal() throws {
    let (old, large) = (try Self.key("old"), try Self.key("large"))
    var outbox = Outbox()
    outbox.receive(large)
    #expect(outbox.next(now: 0) == large)
    #expect(outbox.look(large, Self.file("a"), kept: nil, now: 0) == .work(local: "a", mustRead: false))
    outbox.fail(large, now: 0, pause: nil)
    #expect(outbox.due == nil)
    outbox.receive(old)
    #expect(outbox.next(now: 0) == old)
    #expect(outbox.look(old, .absent, kept: Self.kept(5, .file("a")), now: 0) == .nothing)
    #expect(outbox.next(now: Self.patience) == old)
  }

  @Test("after a connection the engine is asked about every key, and an answer counts until the next connection")
  func doubt() throws {
    let a = try Self.key("a")
    let kept = Self.kept(5, .file("a"))
    var outbox = Outbox()
    for _ in 0..<2 {
      outbox.doubt(a)
      #expect(outbox.next(now: 0) == a)
      #expect(outbox.look(a, Self.file("a"), kept: kept, now: 0) == .work(local: "a", mustRead: true))
      outbox.finish(a)
      outbox.receive(a)
      #expect(outbox.next(now: 0) == a && outbox.look(a, Self.file("a"), kept: kept, now: 0) == .nothing)
    }
  }

  @Test("events of a key in progress are processed afterwards, including doubts that arose meanwhile")
  func meanwhile() throws {
    let a = try Self.key("a")
    let kept = Self.kept(5, .file("a"))
    var outbox = Outbox()
    outbox.receive(a)
    #expect(outbox.next(now: 0) == a)
    #expect(outbox.look(a, Self.file("a"), kept: nil, now: 0) == .work(local: "a", mustRead: false))
    outbox.doubt(a)
    #expect(outbox.next(now: 0) == nil)
    outbox.finish(a)
    #expect(outbox.next(now: 0) == a)
    #expect(outbox.look(a, Self.file("a"), kept: kept, now: 0) == .work(local: "a", mustRead: true))
  }

  @Test("a limited number of keys is in progress at a time")
  func limit() throws {
    var outbox = Outbox()
    for number in 0..<40 { outbox.receive(try Self.key("\(number)")) }
    var count = 0
    while let key = outbox.next(now: 0) {
      #expect(outbox.look(key, Self.file("\(count)"), kept: nil, now: 0) != .nothing)
      count += 1
    }
    #expect(count == Outbox.greatestWorkCount && outbox.pendingCount == 40)
    outbox.finish(try Self.key("0"))
    #expect(outbox.next(now: 0) != nil)
  }
}
