import Testing

@testable import CacheSyncBridge

@Suite("A pool puts a key back")
struct PutBackTests {
  private static let day: Int64 = 86_400 * 1_000_000_000
  private static let now = 1_000 * day

  private typealias Copy = PutBack.Copy
  private typealias Found = PutBack.Found

  @Test(
    "only if the engine has nothing of it, or an older version",
    arguments: [
      // The engine was wiped.
      (Copy(version: now, isDeletion: false, sequence: 40), nil, 0),
      (Copy(version: now, isDeletion: true, sequence: 40), nil, 0),
      // It has the same, or what a client put since.
      (Copy(version: now, isDeletion: false), Found(version: now, sequence: 7), nil),
      (Copy(version: now, isDeletion: false), Found(version: now + 1, sequence: 8), nil),
      (Copy(version: now, isDeletion: true), Found(version: now + 1, sequence: 8), nil),
      // It was rolled back, or it was wiped and an `away` put back what it had.
      (Copy(version: now, isDeletion: false, sequence: 40), Found(version: now - 1, sequence: 7), 7),
      (Copy(version: now, isDeletion: true, sequence: 40), Found(version: now - 1, sequence: 7), 7),
      (Copy(version: now, isDeletion: true, sequence: 40), Found(version: now - 1, sequence: 99, isPutBack: true), 99),
      // What was put later, at a server whose clock is behind, stands.
      (Copy(version: now, isDeletion: false, sequence: 40), Found(version: now - 1, sequence: 41), nil),
      (Copy(version: now, isDeletion: true, sequence: 40), Found(version: now - 1, sequence: 41), nil),
      // Of an earlier run's copy no sequence is known.
      (Copy(version: now, isDeletion: false), Found(version: now - 1, sequence: 41), 41),
    ] as [(PutBack.Copy, PutBack.Found?, UInt64?)])
  func decision(copy: PutBack.Copy, found: PutBack.Found?, expected: UInt64?) {
    #expect(PutBack.expectedSequence(copy, found, now: Self.now) == expected)
  }

  @Test("unless it is a deletion that every client has had the time to read")
  func oldDeletions() {
    for (age, expected) in [(88, 0), (90, nil)] as [(Int64, UInt64?)] {
      let copy = Copy(version: Self.now - age * Self.day, isDeletion: true)
      #expect(PutBack.expectedSequence(copy, nil, now: Self.now) == expected)
    }
  }
}
