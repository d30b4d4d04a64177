import CacheSync
import CacheSyncPictures
import Foundation

/// `make bench-pictures`: the goals of pictures.md section 15 that are within one process, on the sample cache.
@main
struct PicturesBenchmark {
  static func main() throws {
    guard CommandLine.arguments.count == 3 else {
      print("usage: pictures-bench CACHESYNCD CACHE")
      exit(64)
    }
    let (program, cache) = (CommandLine.arguments[1], CommandLine.arguments[2])
    let moment = "2026-11-21T09:30:00+01:00"
    let json = try output(program, ["show", "--json", "--cache", cache, "--at", moment])
    let benchmark = PicturesBenchmark(snapshots: try Snapshot.computed([UInt8](json)))
    try benchmark.drawing()
  }

  let snapshots: [Snapshot]

  // MARK: In one process

  private func drawing() throws {
    var layout = Layout(Typesetter())
    let first = Self.milliseconds { _ = svgs(layout) }
    print(line("first drawing of all", first, goal: nil))
    var times: [Double] = []
    for _ in 0..<20 {
      // Measured texts are kept by a typesetter; each round begins without them, as a process does.
      layout = Layout(Typesetter())
      for (snapshot, family) in pictures {
        times.append(
          Self.milliseconds {
            let picture = layout.picture(of: snapshot.entries[0], in: snapshot, family: family)
            _ = picture?.svg(.palette(Palette(.light)))
          })
      }
    }
    print(line("layout + SVG, p95", Self.part(times, 0.95), goal: 2))
    let sizes = svgs(layout).map { Double($0.utf8.count) / 1_000 }
    print(line("SVG, median", Self.part(sizes, 0.5), goal: 6, unit: "KB"))
    print(line("SVG, largest", sizes.max() ?? 0, goal: 12, unit: "KB"))
    try painting(layout)
  }

  private func painting(_ layout: Layout) throws {
    let medium = pictures.filter { $0.1 == .systemMedium }.compactMap { snapshot, family in
      layout.picture(of: snapshot.entries[0], in: snapshot, family: family)
    }
    for (name, depth, palette, goal) in [
      ("PNG medium 2x, colour, p95", PNGDepth.colour, Palette(.light), 15.0),
      ("PNG medium 2x, 4 bits, p95", .grey(bits: 4), Palette(.eink, bits: 4), 6),
    ] {
      let painter = PNGPainter(scale: 2, palette: palette, depth: depth)
      _ = try painter.png(medium[0])
      let times = try (0..<5).flatMap { _ in
        try medium.map { picture in try Self.milliseconds { _ = try painter.png(picture) } }
      }
      print(line(name, Self.part(times, 0.95), goal: goal))
    }
    let two = Array(medium.prefix(2))
    let screen = Screen(two.compactMap { _ in Frame(.systemMedium) }, width: 800, height: 480)
    let painter = PNGPainter(scale: screen.scale, palette: Palette(.eink, bits: 1), depth: .grey(bits: 1))
    let placed = zip(two, screen.places).map {
      PNGPainter.Placed($0, x: $1.x, y: $1.y)
    }
    var bytes = try painter.png(placed, width: 800, height: 480)
    let times = try (0..<50).map { _ in
      try Self.milliseconds { bytes = try painter.png(placed, width: 800, height: 480) }
    }
    print(line("screen 800x480, 1 bit, p95", Self.part(times, 0.95), goal: 15))
    print(line("screen 800x480, 1 bit, size", Double(bytes.count) / 1_000, goal: 30, unit: "KB"))
  }

  private var pictures: [(Snapshot, ViewFamily)] {
    snapshots.flatMap { snapshot in snapshot.families.compactMap(ViewFamily.init).map { (snapshot, $0) } }
  }

  private func svgs(_ layout: Layout) -> [String] {
    pictures.compactMap { snapshot, family in
      layout.picture(of: snapshot.entries[0], in: snapshot, family: family)?.svg(.palette(Palette(.light)))
    }
  }

  private static func output(_ program: String, _ words: [String]) throws -> Data {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = words
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return data
  }

  // MARK: Figures

  private static func milliseconds(_ body: () throws -> Void) rethrows -> Double {
    let time = try ContinuousClock().measure(body)
    return Double(time.components.attoseconds) / 1e15 + Double(time.components.seconds) * 1_000
  }

  /// The value below which this share of the values lies.
  private static func part(_ values: [Double], _ share: Double) -> Double {
    values.sorted()[min(values.count - 1, Int(Double(values.count) * share))]
  }
}

private func line(_ name: String, _ value: Double, goal: Double?, unit: String = "ms") -> String {
  let goal =
    goal.map { "goal \($0.formatted(.number.precision(.fractionLength(0)))) \(unit)\(value > $0 ? ", missed" : "")" }
    ?? ""
  let figure = "\(value.formatted(.number.precision(.fractionLength(1)))) \(unit)"
  return name.padding(toLength: 34, withPad: " ", startingAt: 0)
    + figure.padding(toLength: 14, withPad: " ", startingAt: 0) + goal
}
