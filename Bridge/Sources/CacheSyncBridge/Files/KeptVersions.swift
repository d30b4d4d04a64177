import CacheSyncSystem
import Glibc
import SystemPackage

/// Records which version of each key the bridge put into a cache, and with what bytes: a log that is rewritten when
/// most of its lines are outdated.
///
/// Lines:
///
/// - `put <key> <version> <sha-256> <temporary>`: a file that the bridge put.
/// - `gone <key> <version>`: a deletion.
/// - `left <key> <version> <sha-256>`: another client deleted the key, and the file stays.
/// - `aside <key> <temporary>`: a file that is moved aside to check whether the bridge put it.
/// - `sent <key> <modified> <sha-256> <sequence>`: a message that `away` is about to send. The digest of a deletion is
///   `-`; the sequence is that of the message which it replaces.
///
/// `away` records what it put into the engine with the same lines, with `-` for the temporary. The next `put`, `gone`
/// or `left` of a key settles its `sent` lines.
@LoopActor
final class KeptVersions {
  private let directory: BridgeDirectory
  /// -1: the log was rewritten, and is not open yet.
  private var file: Int32 = -1
  private var lineCount = 0
  /// How many lines the log may have before it is rewritten.
  private var longest = 0
  private(set) var kept: [String: KeptVersion] = [:]
  /// The keys of the files that were moved aside, by the files' names in `.bridge`.
  private(set) var aside: [String: String] = [:]
  /// The messages that were about to be sent, by key, until their outcome is recorded.
  private(set) var sent: [String: [Outbox.Sent]] = [:]

  init(in directory: BridgeDirectory) throws(Errno) {
    self.directory = directory
    let bytes: [UInt8]
    do throws(Errno) {
      bytes = try FileCall.read(Array(Self.name.utf8), in: directory.state)
    } catch {
      guard error == .noSuchFileOrDirectory else { throw error }
      bytes = []
    }
    // A line without its end was not finished, and the step that it announces was not begun.
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()
    for line in lines { read(line) }
    lineCount = lines.count
    let names = Set(try FileCall.names(in: directory.state))
    aside = aside.filter { names.contains($0.key) }
    if bytes.last.map({ $0 != UInt8(ascii: "\n") }) ?? false || lineCount > mostLines { try compact() }
    longest = mostLines
  }

  deinit { if file >= 0 { close(file) } }

  private var mostLines: Int { 2 * (kept.count + aside.count + sent.values.joined().count) + 64 }

  /// Rewrites the log with only the lines that still count.
  private func compact() throws(Errno) {
    // Version 0 without a digest means that the key must come again, and so does a missing line.
    kept = kept.filter { $0.value.version != 0 || $0.value.digest != nil }
    let lines =
      kept.sorted { $0.key < $1.key }.map { Self.line($0.key, $0.value) }
      + aside.sorted { $0.key < $1.key }.map { Self.line(aside: $0.key, of: $0.value) }
      + sent.sorted { $0.key < $1.key }.flatMap { key, messages in messages.map { Self.line(sent: $0, of: key) } }
    // Close the old log even if this throws: the new log may already have its name.
    if file >= 0 { close(file) }
    file = -1
    try directory.replace(Self.name, with: Array(lines.joined().utf8))
    lineCount = lines.count
  }

  /// A failed rewrite is retried when the log has doubled again. Until then the log is only longer than needed.
  private func compactIfLong() {
    guard lineCount > max(longest, mostLines) else { return }
    longest = (try? compact()) == nil ? 2 * lineCount : mostLines
  }

  private nonisolated static let name = "kept"

  private func read(_ line: ArraySlice<UInt8>) {
    let words = line.split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
    switch (words.first, words.count) {
    case ("put", 5):
      guard let version = Int64(words[2]) else { return }
      settle(words[1], with: KeptVersion(version: version, digest: words[3], temporary: words[4]))
    case ("gone", 3):
      guard let version = Int64(words[2]) else { return }
      settle(words[1], with: KeptVersion(version: version))
    case ("left", 4):
      guard let version = Int64(words[2]) else { return }
      settle(words[1], with: KeptVersion(version: version, digest: words[3], isLeft: true))
    case ("aside", 3): aside[words[2]] = words[1]
    case ("sent", 5):
      guard let modified = Int64(words[2]), let expecting = UInt64(words[4]) else { return }
      let content = words[3] == "-" ? Outbox.Sent.Content.deletion : .file(digest: words[3], modified: modified)
      sent[words[1], default: []].append(Outbox.Sent(content: content, expecting: expecting))
    default: return
    }
  }

  /// Sets the version of a key in memory, and drops its `sent` messages.
  private func settle(_ key: String, with value: KeptVersion) { (kept[key], sent[key]) = (value, nil) }

  private nonisolated static func line(aside temporary: String, of key: String) -> String {
    "aside \(key) \(temporary)\n"
  }

  private nonisolated static func line(sent: Outbox.Sent, of key: String) -> String {
    switch sent.content {
    case .file(let digest, let modified): "sent \(key) \(modified) \(digest) \(sent.expecting)\n"
    case .deletion: "sent \(key) 0 - \(sent.expecting)\n"
    }
  }

  private nonisolated static func line(_ key: String, _ kept: KeptVersion) -> String {
    guard let digest = kept.digest else { return "gone \(key) \(kept.version)\n" }
    if kept.isLeft { return "left \(key) \(kept.version) \(digest)\n" }
    return "put \(key) \(kept.version) \(digest) \(kept.temporary ?? "-")\n"
  }

  // MARK: Keeping

  /// Records versions. Returns when they are on disk.
  func record(_ news: [(key: String, kept: KeptVersion)]) throws(Errno) {
    guard !news.isEmpty else { return }
    try append(news.map { Self.line($0.key, $0.kept) })
    for (key, value) in news { settle(key, with: value) }
    compactIfLong()
  }

  /// Removes these keys, as if they had never been there.
  func remove(_ keys: [String]) throws(Errno) {
    let known = keys.filter { kept[$0] != nil }
    guard !known.isEmpty else { return }
    try append(known.map { Self.line($0, KeptVersion(version: 0)) })
    for key in known { (kept[key], sent[key]) = (nil, nil) }
    compactIfLong()
  }

  func recordSequence(_ sequence: UInt64, of key: String) { kept[key]?.sequence = sequence }

  /// Records a message that is about to be sent. This run remembers it even if the call throws.
  ///
  /// The line is not flushed, because a flush takes longer than the sending. A killed program leaves what it has
  /// written; only a power failure may lose it.
  func recordSending(_ message: Outbox.Sent, of key: String) throws(Errno) {
    // A retry sends the same message again.
    guard sent[key]?.contains(message) != true else { return }
    sent[key, default: []].append(message)
    try append([Self.line(sent: message, of: key)], isFlushed: false)
    compactIfLong()
  }

  /// Records the key of a file that is about to be moved aside.
  func recordAside(_ temporary: String, of key: String) throws(Errno) {
    try append([Self.line(aside: temporary, of: key)])
    aside[temporary] = key
  }

  /// Removes a file that was moved aside, and has been put back or deleted.
  func removeAside(_ temporary: String) { aside[temporary] = nil }

  private func append(_ lines: [String], isFlushed: Bool = true) throws(Errno) {
    if file < 0 {
      file = try FileCall.check(
        openat(directory.state, Self.name, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0o600))
    }
    // A line that a full disk cut short must not be joined with the next one.
    let end = try FileCall.about(file).st_size
    do throws(Errno) {
      try AtomicFile.writeAll(Array(lines.joined().utf8), to: file)
      if isFlushed { try FileCall.check(fdatasync(file)) }
    } catch {
      ftruncate(file, end)
      throw error
    }
    lineCount += lines.count
  }
}

/// The version of a key that the bridge has put into a cache, or of the deletion that it has made there.
struct KeptVersion: Sendable, Equatable {
  /// Nanoseconds since 1970. 0: the key must come again.
  var version: Int64
  /// The digest of the bytes that the bridge put. nil: it deleted the file, or found that the file was not its own.
  var digest: String?
  /// The name of the file in `.bridge` until it is renamed into the cache.
  var temporary: String?
  /// Whether another client deleted the key while the file with these bytes stays in the cache.
  var isLeft = false
  /// The message's sequence; 0: unknown. It is valid for this run only, because an engine that was wiped assigns the
  /// same numbers again.
  var sequence: UInt64 = 0
}
