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
  /// Whether what is at the path belongs to another user.
  package var isForeign = false

  /// Another program removed the outputs during a publication.
  package static let outputsRemoved = PublishError(
    .rename, CacheLayout.snapshots, .noSuchFileOrDirectory, explanation: "another program removed what was there")

  package init(_ operation: Operation, _ path: String, _ reason: Errno, explanation: String? = nil) {
    self.operation = operation
    self.path = path
    self.reason = reason
    self.explanation = explanation
  }

  /// The directory at the path belongs to another user.
  package init(foreign path: String) {
    self.init(.open, path, .notPermitted, explanation: "it belongs to another user")
    isForeign = true
  }

  package var description: String { text(path, nil) }

  /// The description for people who know which cache it is about.
  package func message(in cache: FilePath) -> String { text(path, accessAdvice(in: cache)) }

  /// The description with the whole path, for people who may have several caches.
  ///
  /// - Parameter note: what else to say, before a command to paste.
  package func description(in cache: FilePath, note: String = "") -> String {
    text(EscapedText.forPeople(place(in: cache).bytes), accessAdvice(in: cache), note: note)
  }

  private func place(in cache: FilePath) -> FilePath { cache.appending(bytes: Array(path.utf8)) }

  private func text(_ path: String, _ accessAdvice: String?, note: String = "") -> String {
    let what = "cannot \(operation.rawValue) \(path)"
    guard let accessAdvice else { return "\(what): \(explanation ?? "\(reason)\(advice)")\(note)" }
    // The advice names the other user.
    return isForeign ? "\(what)\(note): \(accessAdvice)" : "\(what): \(reason)\(note): \(accessAdvice)"
  }

  private func accessAdvice(in cache: FilePath) -> String? {
    guard isForeign || (explanation == nil && AccessAdvice.isNeeded(for: reason)) else { return nil }
    var place = place(in: cache)
    // Outputs are replaced, so their directory counts.
    if !isForeign, path.hasPrefix("\(CacheLayout.snapshots)/") { place.removeLastComponent() }
    return AccessAdvice.forWriting(place, in: cache)
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

  /// Whether the kernel refuses to rename from the directory of the temporaries.
  var isAcrossDevices: Bool { operation == .rename && reason == .improperLink }

  private var advice: String {
    switch reason {
    case .isDirectory: ": move away the directory that is there"
    case .noSpace: ": free space or inodes on the cache's file system"
    case .diskQuotaExceeded: ": raise the owner's quota"
    case .improperLink:
      ": \(CacheLayout.snapshots)/\(CacheLayout.temporaries) must be on its file system, with its project id; remove it"
    case .readOnlyFileSystem: ": mount the cache's file system writable"
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
