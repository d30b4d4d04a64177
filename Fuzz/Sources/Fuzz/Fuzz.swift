import Glibc

/// The target that the fuzzer calls with each input. A target traps when it finds a defect in the code.
enum Target: String, CaseIterable {
  case json, feeds, cache, definitions, texts, rules, tzif, posix, settings, snapshots, log

  func run(_ bytes: [UInt8]) {
    switch self {
    case .json: JSONTargets.values(bytes)
    case .feeds: FeedTargets.decoders(bytes)
    case .cache: FeedTargets.cache(bytes)
    case .definitions: DefinitionTargets.definitions(bytes)
    case .texts: DefinitionTargets.texts(bytes)
    case .rules: ClockTargets.rules(bytes)
    case .tzif: ClockTargets.tzif(bytes)
    case .posix: ClockTargets.posix(bytes)
    case .settings: JSONTargets.settings(bytes)
    case .snapshots: JSONTargets.snapshots(bytes)
    case .log: LogTarget.records(bytes)
    }
  }
}

/// Ends the process with a crash. The fuzzer reports it and keeps its input.
func require(_ holds: @autoclosure () -> Bool, _ message: @autoclosure () -> String) {
  if !holds() { fatalError(message()) }
}

/// Whether to make a mistake on purpose, to check that an oracle finds it: see README.
func isSeeded(_ fault: String) -> Bool { seeded == fault }

private let seeded = getenv("SEEDED_FAULT").map { String(cString: $0) }

/// The target in `FUZZ_TARGET`. Without it the program prints the names and ends.
private let target: Target = {
  if let name = getenv("FUZZ_TARGET"), let target = Target(rawValue: String(cString: name)) { return target }
  print(Target.allCases.map(\.rawValue).joined(separator: "\n"))
  exit(0)
}()

private nonisolated(unsafe) var seededMemory: [[UInt8]] = []

@_cdecl("LLVMFuzzerTestOneInput")
func testOneInput(_ data: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  if isSeeded("time") { while true {} }
  if isSeeded("memory") { seededMemory.append([UInt8](repeating: 1, count: 1 << 30)) }
  target.run([UInt8](UnsafeBufferPointer(start: data, count: count)))
  return 0
}

@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
  _ count: UnsafeMutablePointer<Int32>, _ words: UnsafeMutableRawPointer,
  _ callback: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32

/// SwiftPM gives an executable's entry point this name. So the program does not start in libFuzzer's own `main`, and
/// must call its driver.
@_cdecl("Fuzz_main")
func fuzzMain(_ count: Int32, _ words: UnsafeMutableRawPointer?) -> Int32 {
  _ = target
  var (count, words) = (count, words)
  return withUnsafeMutablePointer(to: &words) { runDriver(&count, $0) { testOneInput($0, $1) } }
}
