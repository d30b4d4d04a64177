public import CacheSync
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

  /// Returns the time when it was last written; nil for standard input.
  public static func modificationTime(_ name: CommandLineWord) -> Instant? {
    var about = stat()
    guard name != "-", name.path.withPlatformString({ stat($0, &about) }) == 0 else { return nil }
    return FileIdentity(about).modified
  }
}
