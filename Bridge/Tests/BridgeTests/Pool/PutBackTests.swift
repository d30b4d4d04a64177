import Testing

@testable import CacheSyncBridge

@Suite("A pool puts a key back")
struct PutBackTests {
  private static let day: Int64 = 86_400 * 1_000_000_000
  private static let now = 1_000 * day

  private typealias Found = PutBack.Found

  @Test(
    "A key is put back only if the engine does not have it, or has an older version",
    arguments: [
      // The engine was wiped.
      (KeptVersion(version: now, digest: "d1", sequence: 40), nil, 0),
      (KeptVersion(version: now, sequence: 40), nil, 0),
      // It has the same, or what a client has put since.
      (KeptVersion(version: now, digest: "d1"), Found(version: now, sequence: 7), nil),
      (KeptVersion(version: now, digest: "d1"), Found(version: now + 1, sequence: 8), nil),
      (KeptVersion(version: now), Found(version: now + 1, sequence: 8), nil),
      // It was rolled back, or it was wiped and an `away` put back its version.
      (KeptVersion(version: now, digest: "d1", sequence: 40), Found(version: now - 1, sequence: 7), 7),
      (KeptVersion(version: now, sequence: 40), Found(version: now - 1, sequence: 7), 7),
      (KeptVersion(version: now, sequence: 40), Found(version: now - 1, sequence: 99, isPutBack: true), 99),
      // A later put at a server whose clock is behind stays.
      (KeptVersion(version: now, digest: "d1", sequence: 40), Found(version: now - 1, sequence: 41), nil),
      (KeptVersion(version: now, sequence: 40), Found(version: now - 1, sequence: 41), nil),
      // The sequence of an earlier run's copy is unknown.
      (KeptVersion(version: now, digest: "d1"), Found(version: now - 1, sequence: 41), 41),
    ] as [(KeptVersion, PutBack.Found?, UInt64?)])
  func decision(copy: KeptVersion, found: PutBack.Found?, expected: UInt64?) {
    #expect(PutBack.expectedSequence(copy, found, now: Self.now) == expected)
  }

  @Test("A deletion is not put back once every client has had time to read it")
  func oldDeletions() {
    for (age, expected) in [(88, 0), (90, nil)] as [(Int64, UInt64?)] {
      let copy = KeptVersion(version: Self.now - age * Self.day)
      #expect(PutBack.expectedSequence(copy, nil, now: Self.now) == expected)
    }
  }
}
