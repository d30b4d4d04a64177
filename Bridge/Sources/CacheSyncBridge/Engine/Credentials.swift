import CacheSyncSystem
import Glibc
package import SystemPackage

/// The bridge's identity for the engine, from a file that only its owner may read.
package enum Credentials: Sendable, Equatable {
  /// A `.creds` file, as `nsc` writes it.
  case file(FilePath)
  /// A file with an nkey's seed, and the seed's public key.
  case seed(FilePath, publicKey: String)
  case password(user: String, password: String)

  package enum Failure: Error, Sendable, Equatable, CustomStringConvertible {
    case unreadable(FilePath, Errno)
    case isOpen(FilePath)
    case unknown(FilePath)

    private var file: FilePath {
      switch self {
      case .unreadable(let file, _), .isOpen(let file), .unknown(let file): file
      }
    }

    package var description: String {
      let name = EscapedText.forPeople(file)
      return switch self {
      case .unreadable(_, let reason): "cannot read the credentials \(name): \(reason)"
      case .isOpen: "others may read the credentials \(name): chmod 600 it"
      case .unknown: "\(name) holds no credentials: a .creds file, an nkey seed, or user:password"
      }
    }
  }

  /// - Parameter file: a file that only its owner may read.
  package static func read(_ file: FilePath) throws(Failure) -> Credentials {
    let bytes: [UInt8]
    do {
      let descriptor = try FileDescriptor.open(file, .readOnly, options: .closeOnExec)
      defer { try? descriptor.close() }
      var about = stat()
      guard fstat(descriptor.rawValue, &about) == 0, about.st_mode & 0o077 == 0 else { throw Failure.isOpen(file) }
      bytes = try descriptor.readAll(limit: 65_536)
    } catch let failure as Failure {
      throw failure
    } catch {
      throw .unreadable(file, error as? Errno ?? .ioError)
    }
    return try parse(String(decoding: bytes, as: UTF8.self), file: file)
  }

  static func parse(_ text: String, file: FilePath) throws(Failure) -> Credentials {
    if text.contains("BEGIN NATS USER JWT") { return .file(file) }
    let lines = text.split(whereSeparator: \.isNewline)
    if let line = lines.first(where: { $0.hasPrefix("SU") }), let key = NKey.publicKey(ofSeed: String(line)) {
      return .seed(file, publicKey: key)
    }
    guard lines.count == 1, let colon = lines[0].firstIndex(of: ":"), colon > lines[0].startIndex else {
      throw .unknown(file)
    }
    return .password(
      user: String(lines[0][..<colon]), password: String(lines[0][lines[0].index(after: colon)...]))
  }
}
