import ArgumentParser
import CacheSyncBridge
import CacheSyncPrograms
import CacheSyncSystem
import Glibc
import SystemPackage

/// Caches on the command line: `DIR` or `DIR=NAME`.
enum CacheDirectory {
  /// The caches' paths, with every link resolved.
  ///
  /// - Parameter needsName: whether each must give its name, because its directory may have any name.
  static func resolve(_ arguments: [CommandLineWord], needsName: Bool = false) throws -> [(
    name: CacheName, path: FilePath
  )] {
    var caches: [(name: CacheName, path: FilePath)] = []
    for argument in arguments {
      let (directory, named) = split(argument.bytes)
      if needsName, named == nil { throw ValidationError("use --cache \(argument.forPeople)=NAME") }
      let path: FilePath
      do {
        path = try resolve(directory.path)
      } catch let failure as Failure {
        Terminal.error(failure.description)
        throw ExitCode(failure.status.rawValue)
      }
      let bytes = named ?? CommandLineWord(path).lastComponent
      guard let name = CacheName(bytes: bytes) else {
        throw ValidationError(
          "invalid cache name '\(EscapedText.forPeople(bytes))': use --cache \(directory.forPeople)=NAME")
      }
      guard !caches.contains(where: { $0.name == name }) else {
        throw ValidationError("two caches are called \(name): use --cache DIR=NAME")
      }
      caches.append((name, path))
    }
    return caches
  }

  /// The name follows the last `=`, unless a directory follows there.
  private static func split(_ bytes: [UInt8]) -> (directory: CommandLineWord, name: [UInt8]?) {
    guard let equals = bytes.lastIndex(of: UInt8(ascii: "=")), !bytes[equals...].contains(UInt8(ascii: "/")), equals > 0
    else { return (CommandLineWord(bytes: bytes), nil) }
    return (CommandLineWord(bytes: Array(bytes[..<equals])), Array(bytes[(equals + 1)...]))
  }

  static func resolve(_ directory: FilePath) throws -> FilePath {
    do {
      return try directory.resolvingLinks()
    } catch {
      throw Failure(DirectoryRefusal(directory, error))
    }
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

/// The default name of a bridge, for people.
enum HostName {
  static var current: String {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, 255) == 0 else { return "bridge" }
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
