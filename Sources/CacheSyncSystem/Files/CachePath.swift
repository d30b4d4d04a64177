import Glibc

/// The path of a file or directory in a cache: relative, with `/`, as the bytes in the file system.
///
/// Names on Linux are bytes and need not be UTF-8, so a path is never stored as a `String`. Paths are ordered by their
/// bytes, like every order in the contract.
package struct CachePath: Hashable, Comparable, Sendable, CustomStringConvertible {
  package var bytes: [UInt8]

  package init(bytes: [UInt8]) { self.bytes = bytes }

  package init(_ text: String) { bytes = Array(text.utf8) }

  /// The path that a file names; nil if it is not relative, or has an empty component, `.` or `..`.
  package init?(relative bytes: some Collection<UInt8>) {
    let components = bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    for component in components
    where component.isEmpty || component.elementsEqual(".".utf8) || component.elementsEqual("..".utf8)
      || component.contains(0)
    {
      return nil
    }
    self.init(bytes: Array(bytes))
  }

  /// The cache directory itself.
  package static let root = CachePath(bytes: [])

  package var isRoot: Bool { bytes.isEmpty }

  /// Returns the path of `name` inside this directory.
  package func appending(_ name: some Collection<UInt8>) -> CachePath {
    if bytes.isEmpty { return CachePath(bytes: Array(name)) }
    var joined = [UInt8]()
    joined.reserveCapacity(bytes.count + 1 + name.count)
    joined.append(contentsOf: bytes)
    joined.append(UInt8(ascii: "/"))
    joined.append(contentsOf: name)
    return CachePath(bytes: joined)
  }

  /// The first component.
  package var top: CachePath {
    bytes.firstIndex(of: UInt8(ascii: "/")).map { CachePath(bytes: Array(bytes[..<$0])) } ?? self
  }

  /// The components between the slashes.
  package var components: [ArraySlice<UInt8>] { bytes.split(separator: UInt8(ascii: "/")) }

  /// Whether this path is `directory` or is below it.
  package func isWithin(_ directory: CachePath) -> Bool {
    guard !directory.isRoot else { return true }
    return bytes.starts(with: directory.bytes)
      && (bytes.count == directory.bytes.count || bytes[directory.bytes.count] == UInt8(ascii: "/"))
  }

  /// Whether this path is below one of the directories.
  package func isBelow(anyOf directories: Set<CachePath>) -> Bool {
    guard !directories.isEmpty else { return false }
    return bytes.indices.contains {
      bytes[$0] == UInt8(ascii: "/") && directories.contains(CachePath(bytes: Array(bytes[..<$0])))
    }
  }

  package func hash(into hasher: inout Hasher) {
    // Hashes all bytes at once: an array's own hash reads them one by one (a twentieth of the cost of a file in a
    // burst).
    bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    hasher.combine(bytes.count)
  }

  package static func == (a: CachePath, b: CachePath) -> Bool {
    a.bytes.count == b.bytes.count && order(a, b, a.bytes.count) == 0
  }

  package static func < (a: CachePath, b: CachePath) -> Bool {
    let order = order(a, b, min(a.bytes.count, b.bytes.count))
    return order != 0 ? order < 0 : a.bytes.count < b.bytes.count
  }

  /// Compares the first bytes all at once, like the hash.
  private static func order(_ a: CachePath, _ b: CachePath, _ count: Int) -> CInt {
    a.bytes.withUnsafeBufferPointer { a in
      b.bytes.withUnsafeBufferPointer { b in
        // An empty array has no address.
        guard count > 0, let a = a.baseAddress, let b = b.baseAddress else { return 0 }
        return memcmp(a, b, count)
      }
    }
  }

  /// The path for programs: bytes that are not UTF-8 become `\xhh`, four characters in lower case.
  package var description: String { EscapedText.forPrograms(bytes) }

  /// The path for people. In addition, control and bidirectional characters are escaped, so that a file's name cannot
  /// move a terminal's cursor or look like another name.
  package var forPeople: String { EscapedText.forPeople(bytes) }

  package func withCString<Result>(_ body: (UnsafePointer<CChar>) throws -> Result) rethrows -> Result {
    try withUnsafeTemporaryAllocation(of: CChar.self, capacity: bytes.count + 2) { buffer in
      for (index, byte) in bytes.enumerated() { buffer[index] = CChar(bitPattern: byte) }
      var end = bytes.count
      if end == 0 {
        buffer[0] = CChar(bitPattern: UInt8(ascii: "."))
        end = 1
      }
      buffer[end] = 0
      guard let base = buffer.baseAddress else {
        preconditionFailure("a temporary buffer of one byte or more has a base")
      }
      return try body(base)
    }
  }
}
