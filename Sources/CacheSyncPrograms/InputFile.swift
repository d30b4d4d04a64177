package import CacheSync
import CacheSyncSystem
import Glibc
import SystemPackage

/// A file from the command line, or standard input, whose name is `-`.
public enum InputFile {
  /// Reads it whole.
  ///
  /// - Throws: ``Failure`` with the exit status for the reason.
  public static func read(_ name: CommandLineWord) throws -> [UInt8] {
    do {
      return try name == "-" ? FileDescriptor.standardInput.readAll() : FileDescriptor.readAll(at: name.path)
    } catch let reason as Errno {
      let status: ExitStatus =
        switch reason {
        case .noSuchFileOrDirectory, .notDirectory: .noInput
        case .permissionDenied: .noPermission
        default: .inputOutput
        }
      throw Failure("cannot read \(name == "-" ? "standard input" : name.forPeople): \(reason)", status)
    }
  }

  /// A name in the cache for a file that brings none.
  public static func uniqueName() -> String {
    let now = Instant.now.description.filter { $0 != ":" && $0 != "-" }
    return "\(now)-\(String(UInt64.random(in: .min ... .max), radix: 36))"
  }

  /// Returns when it was written and arrived.
  ///
  /// - Parameters:
  ///   - given: the moment that was given instead of the clock's; nil: none was.
  ///   - now: for standard input, which has no times.
  package static func times(_ name: CommandLineWord, given: Instant?, now: Instant) -> FileTimes {
    var about = stat()
    guard name != "-", name.path.withPlatformString({ stat($0, &about) }) == 0 else {
      return FileTimes(modified: now, arrived: now)
    }
    return FileTimes(of: FileIdentity(about), given: given)
  }
}
