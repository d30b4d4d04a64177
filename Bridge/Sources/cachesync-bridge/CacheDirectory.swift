import ArgumentParser
import CacheSync
import CacheSyncBridge
import CacheSyncPrograms
import Glibc
import SystemPackage

/// Caches on the command line: `DIR` or `DIR=NAME`.
enum CacheDirectory {
  /// The paths with every link resolved.
  ///
  /// - Parameter needsName: whether each must say its name, as where the directory may be called anything.
  static func resolve(_ arguments: [String], needsName: Bool = false) throws -> [(name: CacheName, path: FilePath)] {
    var caches: [(name: CacheName, path: FilePath)] = []
    for text in arguments {
      let (directory, named) = split(text)
      if needsName, named == nil { throw ValidationError("use --cache \(EscapedText.forPeople(text))=NAME") }
      let path: FilePath
      do {
        path = try resolve(directory)
      } catch let failure as Failure {
        Terminal.error(failure.description)
        throw ExitCode(failure.status.rawValue)
      }
      let bytes = named.map { Array($0.utf8) } ?? path.lastComponent.map { Array($0.string.utf8) } ?? []
      guard let name = CacheName(bytes: bytes) else {
        throw ValidationError("'\(EscapedText.forPeople(bytes))' is no cache's name: use --cache \(directory)=NAME")
      }
      guard !caches.contains(where: { $0.name == name }) else {
        throw ValidationError("two caches are called \(name): use --cache DIR=NAME")
      }
      caches.append((name, path))
    }
    return caches
  }

  /// The name is behind the last `=`, unless a directory follows there.
  private static func split(_ text: String) -> (directory: String, name: String?) {
    guard let equals = text.lastIndex(of: "="), !text[equals...].contains("/"), equals > text.startIndex else {
      return (text, nil)
    }
    return (String(text[..<equals]), String(text[text.index(after: equals)...]))
  }

  static func resolve(_ directory: String) throws -> FilePath {
    guard let real = realpath(directory, nil) else {
      throw Failure(DirectoryRefusal(FilePath(directory), Errno(rawValue: errno)))
    }
    defer { free(real) }
    return FilePath(platformString: real)
  }
}

extension Failure {
  init(_ refusal: DirectoryRefusal) {
    let status: ExitStatus =
      switch refusal {
      case .missing, .notDirectory: .noInput
      case .held, .heldByAgent, .heldBySync: .temporaryFailure
      case .foreign: .noPermission
      case .notEmpty: .usage
      case .system(_, let reason): reason == .permissionDenied ? .noPermission : .inputOutput
      }
    self.init(refusal.description, status)
  }
}

/// What people see of a bridge that was given no name.
enum HostName {
  static var current: String {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, 255) == 0 else { return "bridge" }
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
