import Glibc

/// One stage's work, to be timed.
struct Stage {
  var name: String
  /// How many things one call of the body handles; the result is per thing.
  var count = 1
  /// Whether the machine does other things between two turns, as between two drops. Then what a turn needs is no longer in
  /// the processor's caches.
  var isCold = false
  var body: () throws -> Void
}

/// What was measured: nanoseconds, and the same in units of this machine.
struct Measurement {
  var name: String
  var nanoseconds: Double
  /// How many times the yardstick fits in. Another machine, or a busy one, moves both alike, so this is what is compared.
  var units: Double
}

enum Stopwatch {
  static func nanoseconds() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  /// The median time of turns that come 25 ms apart.
  static func cold(_ stage: Stage, turns: Int) throws -> Double {
    var times: [UInt64] = []
    for _ in 0..<turns {
      usleep(25_000)
      let start = nanoseconds()
      try stage.body()
      times.append(nanoseconds() - start)
    }
    return Double(times.sorted()[turns / 2]) / Double(stage.count)
  }

  /// The least time per thing over several rounds: what disturbs a round only ever adds to it.
  static func least(_ stage: Stage, rounds: Int, roundNanoseconds: UInt64) throws -> Double {
    try stage.body()
    var calls = 1
    var least = Double.infinity
    var round = 0
    while round < rounds {
      let start = nanoseconds()
      for _ in 0..<calls { try stage.body() }
      let took = nanoseconds() - start
      least = min(least, Double(took) / Double(calls) / Double(stage.count))
      if took < roundNanoseconds / 2 { calls *= 2 } else { round += 1 }
    }
    return least
  }
}

/// A fixed piece of work: FNV-1a over 64 KiB. One unit is what it takes per KiB.
enum Yardstick {
  nonisolated(unsafe) static var sink: UInt64 = 0

  static func stage() -> Stage {
    let bytes = (0..<65_536).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    return Stage(name: "yardstick", count: 64) {
      var hash: UInt64 = 0xcbf2_9ce4_8422_2325
      for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
      sink ^= hash
    }
  }
}
