import CacheSyncSystem
import FoundationEssentials
import Glibc
package import SystemPackage

/// A file that keeps the key between runs, readable only by its owner.
package struct KeyFile: Sendable {
  package struct Failure: Error, Sendable, Equatable, CustomStringConvertible {
    package var description: String
    package var isPermission: Bool
  }

  private let path: FilePath

  package init(path: FilePath) { self.path = path }

  /// For messages.
  private var name: String { EscapedText.forPeople(path) }

  /// A key that is not stored.
  package static func newKey() -> String { RandomKey.make() }

  /// The file's key. If the file is missing, creates it with mode 0600 and a new key, and its directory with mode 0700.
  package func key() throws(Failure) -> String {
    // If this fails, making the file says why.
    try? FileManager.default.createDirectory(
      atPath: path.removingLastComponent().string, withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    do {
      return try made()
    } catch .fileExists {
      return try kept()
    } catch {
      throw failure("cannot make the key file \(name): \(error); name another with --key-file", error)
    }
  }

  private func made() throws(Errno) -> String {
    let key = RandomKey.make()
    do {
      let file = try FileDescriptor.open(
        path, .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec], permissions: .ownerReadWrite)
      _ = try file.closeAfter { try file.writeAll(Array("\(key)\n".utf8)) }
    } catch {
      throw error as? Errno ?? .ioError
    }
    return key
  }

  private func kept() throws(Failure) -> String {
    // More bytes than a key with its newline.
    var bytes = [UInt8](repeating: 0, count: 64)
    var about = stat()
    do {
      let file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking])
      let count = try file.closeAfter {
        fstat(file.rawValue, &about)
        return try bytes.withUnsafeMutableBytes { try file.read(into: $0) }
      }
      bytes.removeSubrange(count...)
    } catch {
      throw failure("cannot read the key file \(name): \(error); name another with --key-file", error as? Errno)
    }
    guard about.st_mode & 0o077 == 0 else {
      throw Failure(description: "others may read the key file \(name): chmod 600 it, or remove it", isPermission: true)
    }
    let text = String(decoding: bytes, as: UTF8.self)
    let key = text.hasSuffix("\n") ? String(text.dropLast()) : text
    guard RandomKey.isKey(key) else {
      throw Failure(
        description: "the key file \(name) holds no key of 32 hexadecimal digits: remove it, and a new one is made",
        isPermission: false)
    }
    return key
  }

  private func failure(_ description: String, _ reason: Errno?) -> Failure {
    Failure(description: description, isPermission: reason == .permissionDenied || reason == .notPermitted)
  }
}

/// 128 random bits from the kernel, as 32 hexadecimal digits.
enum RandomKey {
  static func make() -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<2).map { _ in digits(generator.next()) }.joined()
  }

  /// 16 hexadecimal digits.
  static func digits(_ number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  static func isKey(_ text: some StringProtocol) -> Bool {
    text.utf8.count == 32 && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }

  /// Compares in a time that does not reveal the position of the first difference.
  static func areEqual(_ first: some StringProtocol, _ second: some StringProtocol) -> Bool {
    first.utf8.count == second.utf8.count && zip(first.utf8, second.utf8).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
