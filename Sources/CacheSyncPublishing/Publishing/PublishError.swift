import CacheSync
package import CacheSyncSystem
package import SystemPackage

/// Why the agent could not write, in one line that names the place and the remedy.
package struct PublishError: Error, Sendable, Equatable, CustomStringConvertible {
  package enum Operation: String, Sendable {
    case create, write, flush, rename, open
  }

  package var operation: Operation
  /// The path of the file or directory in the cache.
  package var path: String
  package var reason: Errno
  /// The problem, when the system's reason does not explain it, such as a link in place of a directory.
  package var explanation: String?

  /// Another program removed the outputs during a publication.
  package static let outputsRemoved = PublishError(
    .rename, CacheLayout.snapshots, .noSuchFileOrDirectory, explanation: "another program removed what was there")

  package init(_ operation: Operation, _ path: String, _ reason: Errno, explanation: String? = nil) {
    self.operation = operation
    self.path = path
    self.reason = reason
    self.explanation = explanation
  }

  package var description: String { text(path) }

  /// The description with the whole path, for people who may have several caches.
  package func description(in cache: FilePath) -> String {
    text(EscapedText.forPeople(cache.appending(bytes: Array(path.utf8)).bytes))
  }

  private func text(_ path: String) -> String {
    "cannot \(operation.rawValue) \(path): " + (explanation ?? "\(reason)\(advice)")
  }

  /// Returns the error that a closure throws; nil when it succeeds.
  package static func caught(_ body: () throws(PublishError) -> Void) -> PublishError? {
    do throws(PublishError) {
      try body()
      return nil
    } catch {
      return error
    }
  }

  /// Whether writing fewer files at once might succeed.
  var isLackOfSpace: Bool { reason == .noSpace || reason == .diskQuotaExceeded }

  private var advice: String {
    switch reason {
    case .isDirectory: ": move away the directory that is there"
    case .noSpace: ": free space or inodes on the cache's file system"
    case .diskQuotaExceeded: ": raise the owner's quota"
    case .readOnlyFileSystem: ": mount the cache's file system writable"
    case .permissionDenied, .notPermitted: ": run as the owner of the cache directory"
    case .ioError: ": the disk reports an error; see the kernel's log"
    default: ""
    }
  }

  package var status: ExitStatus {
    switch reason {
    case .permissionDenied, .notPermitted: .noPermission
    case .readOnlyFileSystem: .cannotCreate
    default: operation == .create ? .cannotCreate : .inputOutput
    }
  }
}
