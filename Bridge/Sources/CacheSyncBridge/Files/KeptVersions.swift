import Glibc
import SystemPackage

/// Which version of each key the bridge put into a cache, and with what bytes: a log that only grows, and that is written anew
/// at a start when most of it is old.
///
/// Lines: `put <key> <version> <sha-256> <temporary>`, `gone <key> <version>`, `left <key> <version> <sha-256>`, and
/// `aside <key> <temporary>` for a file that is moved aside to see whose it is. `away` keeps in the same way what it put into
/// the engine, with `-` for the temporary.
@BridgeActor
final class KeptVersions {
  struct Kept: Sendable, Equatable {
    /// Nanoseconds since 1970.
    var version: Int64
    /// Of the bytes that the bridge put; nil: it deleted the file, or found that it was not its own.
    var digest: String?
    /// The name that the bytes have in `.bridge` until they are renamed into the cache.
    var temporary: String?
    /// Whether another client deleted the key, and the file with these bytes stays in the cache.
    var isLeft = false
  }

  private let directory: BridgeDirectory
  private let file: Int32
  private(set) var kept: [String: Kept] = [:]
  /// Of files that were moved aside, the keys by the names that they have in `.bridge`.
  private(set) var aside: [String: String] = [:]

  init(in directory: BridgeDirectory) throws(Errno) {
    self.directory = directory
    let bytes: [UInt8]
    do throws(Errno) {
      bytes = try FileCall.read(Array(Self.name.utf8), in: directory.state)
    } catch {
      guard error == .noSuchFileOrDirectory else { throw error }
      bytes = []
    }
    // A line without its end was not finished, and what it announces was not begun.
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()
    var (kept, aside) = ([String: Kept](), [String: String]())
    for line in lines { Self.take(line, &kept, &aside) }
    let isWhole = bytes.last.map { $0 == UInt8(ascii: "\n") } ?? true
    if !isWhole || lines.count > 2 * kept.count + 64 {
      // Lines about files that were moved aside matter only as long as one lies there.
      if !(try FileCall.names(in: directory.state)).contains(where: { $0.hasPrefix("aside-") }) { aside = [:] }
      let text = kept.sorted { $0.key < $1.key }.map { Self.line($0.key, $0.value) }.joined()
      let moved = aside.sorted { $0.key < $1.key }.map { "aside \($0.value) \($0.key)\n" }.joined()
      try directory.replace(Self.name, with: Array((text + moved).utf8))
    }
    file = try FileCall.check(
      openat(directory.state, Self.name, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0o600))
    (self.kept, self.aside) = (kept, aside)
  }

  deinit { close(file) }

  private nonisolated static let name = "kept"

  private nonisolated static func take(
    _ line: ArraySlice<UInt8>, _ kept: inout [String: Kept], _ aside: inout [String: String]
  ) {
    let words = line.split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
    switch (words.first, words.count) {
    case ("put", 5):
      guard let version = Int64(words[2]) else { return }
      kept[words[1]] = Kept(version: version, digest: words[3], temporary: words[4])
    case ("gone", 3):
      guard let version = Int64(words[2]) else { return }
      kept[words[1]] = Kept(version: version)
    case ("left", 4):
      guard let version = Int64(words[2]) else { return }
      kept[words[1]] = Kept(version: version, digest: words[3], isLeft: true)
    case ("aside", 3): aside[words[2]] = words[1]
    default: return
    }
  }

  private nonisolated static func line(_ key: String, _ kept: Kept) -> String {
    guard let digest = kept.digest else { return "gone \(key) \(kept.version)\n" }
    if kept.isLeft { return "left \(key) \(kept.version) \(digest)\n" }
    return "put \(key) \(kept.version) \(digest) \(kept.temporary ?? "-")\n"
  }

  // MARK: Keeping

  /// Keeps versions, and returns when they are on disk.
  func keep(_ news: [(key: String, kept: Kept)]) throws(Errno) {
    guard !news.isEmpty else { return }
    try append(news.map { Self.line($0.key, $0.kept) }.joined())
    for (key, value) in news { kept[key] = value }
  }

  /// Keeps which key a file had that is about to be moved aside.
  func keep(aside temporary: String, of key: String) throws(Errno) {
    try append("aside \(key) \(temporary)\n")
    aside[temporary] = key
  }

  private func append(_ text: String) throws(Errno) {
    // A line that was cut short by a full disk must not be joined with the next one.
    let end = try FileCall.about(file).st_size
    do throws(Errno) {
      try FileCall.writeAll(Array(text.utf8), to: file)
      try FileCall.check(fdatasync(file))
    } catch {
      ftruncate(file, end)
      throw error
    }
  }
}
