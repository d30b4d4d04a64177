import CacheSync
import Glibc

// cachesync-bench [--filter TEXT] [--save]: times every stage and compares with Benchmarks/thresholds.json, from the package's
// folder.
// Exit status 1: a stage takes more than its threshold allows.

let arguments = Array(CommandLine.arguments.dropFirst())
let filter = arguments.firstIndex(of: "--filter").flatMap {
  arguments.indices.contains($0 + 1) ? arguments[$0 + 1] : nil
}
let thresholdsPath = "Benchmarks/thresholds.json"

/// How much slower than its threshold a stage may be before it counts: what disturbs a machine is less than this.
let allowance = 1.5

let yardstick = Yardstick.stage()
let cache = try ScratchCache()
let wholeCache = try ScratchCache()
let fullCache = try ScratchCache()
let stages = try Stages()
let all =
  [stages.route(), stages.decode()] + stages.project() + stages.change() + [stages.encode()]
  + (try stages.publish(in: cache)) + (try stages.whole(in: wholeCache)) + [try stages.start(in: fullCache)]
let chosen = all.filter { stage in filter.map { stage.name.contains($0) } ?? true }

var measured: [Measurement] = []
for stage in chosen {
  // The yardstick is measured beside each stage, so that a clock that changes its pace changes both.
  let unit = try Stopwatch.least(yardstick, rounds: 5, roundNanoseconds: 5_000_000)
  let time =
    try stage.isCold
    ? Stopwatch.cold(stage, turns: 100) : Stopwatch.least(stage, rounds: 10, roundNanoseconds: 20_000_000)
  measured.append(Measurement(name: stage.name, nanoseconds: time, units: time / unit))
}

let thresholds = Thresholds.read(thresholdsPath)
if arguments.contains("--save") {
  try Thresholds.write(thresholds.merging(measured.map { ($0.name, $0.units) }) { $1 }, to: thresholdsPath)
}
let tooSlow = Report.print(measured, thresholds: arguments.contains("--save") ? [:] : thresholds, allowance: allowance)
if !tooSlow.isEmpty {
  print("\nslower than thresholds.json allows: \(tooSlow.joined(separator: ", "))")
  exit(1)
}
