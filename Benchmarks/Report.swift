import CacheSync
import Glibc
import SystemPackage

/// What each stage may take, in units, as it was saved.
enum Thresholds {
  static func read(_ path: String) -> [String: Double] {
    guard let file = fopen(path, "r") else { return [:] }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = fread(&bytes, 1, bytes.count, file)
    let value = bytes[..<count].withUnsafeBytes { JSONValue.parse($0) }
    let members = value?.object ?? [:]
    return Dictionary(
      uniqueKeysWithValues: members.compactMap { member in member.value.double.map { (member.key, $0) } })
  }

  static func write(_ thresholds: [String: Double], to path: String) throws {
    let lines = thresholds.sorted { $0.key < $1.key }.map { "  \"\($0.key)\": \(($0.value * 100).rounded() / 100)" }
    let text = "{\n" + lines.joined(separator: ",\n") + "\n}\n"
    guard let file = fopen(path, "w") else { throw Errno(rawValue: errno) }
    defer { fclose(file) }
    fputs(text, file)
  }
}

enum Report {
  /// Prints a table; returns the stages that take too long.
  static func print(_ measured: [Measurement], thresholds: [String: Double], allowance: Double) -> [String] {
    var tooSlow: [String] = []
    Swift.print(row("stage", "µs", "units", "threshold"))
    for stage in measured {
      let threshold = thresholds[stage.name]
      if let threshold, stage.units > threshold * allowance { tooSlow.append(stage.name) }
      Swift.print(
        row(stage.name, text(stage.nanoseconds / 1000), text(stage.units), threshold.map(text) ?? "-"))
    }
    return tooSlow
  }

  private static func row(_ name: String, _ columns: String...) -> String {
    padded(name, 24, left: true) + columns.map { padded($0, 12, left: false) }.joined()
  }

  private static func text(_ value: Double) -> String {
    let hundredths = Int((value * 100).rounded())
    let fraction = hundredths % 100
    return "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction)"
  }

  private static func padded(_ text: String, _ width: Int, left: Bool) -> String {
    let space = String(repeating: " ", count: max(1, width - text.count))
    return left ? text + space : space + text
  }
}
