import Foundation

/// The calls by which a program changed the files of a directory, as strace lists them.
struct Recording {
  /// A call that succeeded. Paths are relative to the directory; "" is the directory itself.
  enum Call: Equatable {
    case create(String)
    case makeDirectory(String)
    case write(String, at: Int, [UInt8])
    case truncate(String, to: Int)
    case rename(String, to: String)
    case remove(String)
    /// fsync or fdatasync of a file or directory.
    case flush(String)
    /// syncfs of the file system.
    case flushAll
  }

  var calls: [Call] = []

  /// Runs a command to its end, and records its changes below a directory.
  init(of command: [String], in directory: String) throws {
    let log = directory + ".strace"
    let traced =
      "openat,write,ftruncate,lseek,renameat,renameat2,rename,mkdirat,mkdir,unlinkat,unlink,rmdir,fsync,fdatasync,syncfs"
    let process = try ChildProcess(
      // Every string is in hexadecimal digits, so that none contains a delimiter.
      ["strace", "-f", "-qq", "-y", "-xx", "-s", "10000000", "-e", "signal=none", "-o", log, "-e", "trace=" + traced]
        + command)
    let status = try process.wait()
    guard status == 0 else { throw TestFailure("\(command) ended with \(status): \(process.error)") }
    var reader = LineReader(directory: directory)
    for line in try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n") { reader.read(line) }
    calls = reader.calls
  }

  private struct LineReader {
    let directory: String
    var calls: [Call] = []
    private var unfinished: [Substring: Substring] = [:]
    private var offsets: [String: Int] = [:]
    private var sizes: [String: Int] = [:]

    init(directory: String) { self.directory = directory }

    /// Joins the two halves of a call that another thread interrupted. The call counts where it ended.
    mutating func read(_ line: Substring) {
      guard let space = line.firstIndex(of: " ") else { return }
      let thread = line[..<space]
      var call = line[space...].drop { $0 == " " }
      if call.hasSuffix(" <unfinished ...>") {
        unfinished[thread] = call.dropLast(" <unfinished ...>".count)
        return
      }
      if call.hasPrefix("<... "), let end = call.firstRange(of: " resumed>") {
        call = Substring(String(unfinished.removeValue(forKey: thread) ?? "") + call[end.upperBound...])
      }
      // No argument contains a parenthesis, but the reason of a failure does.
      guard let open = call.firstIndex(of: "("), let close = call.firstRange(of: ")") else { return }
      let result = call[close.upperBound...].drop { $0 == " " || $0 == "=" }
      guard !result.hasPrefix("-"), !result.hasPrefix("?") else { return }
      record(
        call[..<open], call[call.index(after: open)..<close.lowerBound].split(separator: ",").map(Self.trimmed), result)
    }

    private static func trimmed(_ text: Substring) -> Substring { text.drop { $0 == " " } }

    private mutating func record(_ name: Substring, _ arguments: [Substring], _ result: Substring) {
      func path(_ index: Int) -> String? { relative(Self.annotation(arguments[index])) }
      switch name {
      case "openat":
        guard let path = relative(Self.annotation(result)) else { return }
        offsets[path] = 0
        let flags = arguments[2]
        if flags.contains("O_CREAT"), sizes[path] == nil {
          // Without O_EXCL it may have existed. Creating it again changes nothing.
          calls.append(.create(path))
          sizes[path] = 0
        }
        if flags.contains("O_TRUNC") { calls.append(.truncate(path, to: 0)) }
      case "write":
        guard let path = path(0) else { return }
        let bytes = Self.bytes(arguments[1])
        calls.append(.write(path, at: offsets[path] ?? 0, bytes))
        offsets[path, default: 0] += bytes.count
        sizes[path] = max(sizes[path] ?? 0, offsets[path] ?? 0)
      case "ftruncate":
        guard let path = path(0), let size = Int(arguments[1]) else { return }
        calls.append(.truncate(path, to: size))
      case "lseek":
        guard let path = path(0), let offset = Int(result) else { return }
        offsets[path] = offset
      case "mkdirat": entry(arguments[0], arguments[1]).map { calls.append(.makeDirectory($0)) }
      case "unlinkat": entry(arguments[0], arguments[1]).map { calls.append(.remove($0)) }
      case "renameat", "renameat2":
        guard let old = entry(arguments[0], arguments[1]), let new = entry(arguments[2], arguments[3]) else { return }
        calls.append(.rename(old, to: new))
        sizes[new] = sizes.removeValue(forKey: old)
      case "fsync", "fdatasync": path(0).map { calls.append(.flush($0)) }
      case "syncfs": if path(0) != nil { calls.append(.flushAll) }
      default: break
      }
    }

    private func entry(_ directory: Substring, _ name: Substring) -> String? {
      let name = String(decoding: Self.bytes(name), as: UTF8.self)
      return relative(name.hasPrefix("/") ? name : Self.annotation(directory).map { $0 + "/" + name })
    }

    private func relative(_ path: String?) -> String? {
      guard let path else { return nil }
      if path == directory { return "" }
      return path.hasPrefix(directory + "/") ? String(path.dropFirst(directory.count + 1)) : nil
    }

    /// The path in `3<…>`.
    private static func annotation(_ text: Substring) -> String? {
      guard let open = text.firstIndex(of: "<"), let close = text.lastIndex(of: ">") else { return nil }
      return String(decoding: bytes(text[text.index(after: open)..<close]), as: UTF8.self)
    }

    /// The bytes of `\x7b\x7d`.
    private static func bytes(_ text: Substring) -> [UInt8] {
      text.split(separator: "\\x").compactMap { UInt8($0.prefix(2), radix: 16) }
    }
  }
}
