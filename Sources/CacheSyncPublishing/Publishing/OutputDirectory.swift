import CLinux
package import CacheSync
import CacheSyncSystem
import Glibc
import SystemPackage

/// The open `snapshots`, and the hidden directory in it where outputs are written before they are renamed into place.
///
/// The temporaries are below `snapshots`, so that they share its file system, its group and its default access list.
/// They are one level deeper, so that they do not wake readers who watch `snapshots`.
package final class OutputDirectory: Sendable {
  private let outputs: SharedDescriptor
  private let hidden: SharedDescriptor
  /// Whether this call created `snapshots`, so that its name may not be on disk yet.
  let isNew: Bool
  let device: UInt64

  var raw: Int32 { outputs.raw }
  var temporaries: Int32 { hidden.raw }

  /// - Parameters:
  ///   - creating: whether to create a missing `snapshots`, and to replace a hidden directory whose group or access list
  ///     differs. A missing hidden directory is created in any case.
  ///   - replacing: whether to replace the hidden directory.
  ///   - check: called with the open `snapshots` before anything is created in it.
  init(
    in root: CacheRoot, creating: Bool = false, replacing: Bool = false,
    check: (Int32) throws(PublishError) -> Void = { _ in }
  ) throws(PublishError) {
    let outputs = try OwnedDirectory(CacheLayout.snapshots, in: root.raw, mode: creating ? 0o755 : nil)
    try check(outputs.raw)
    var hidden = try Self.openHidden(in: outputs)
    // Never between two steps of a publication: that would remove its temporaries.
    if !hidden.isNew, replacing || (creating && !outputs.passesOn(to: hidden)) {
      hidden.removeTemporaries()
      if unlinkat(outputs.raw, CacheLayout.temporaries, AT_REMOVEDIR) != 0, errno == ENOTEMPTY || errno == EBUSY {
        // It contains files that the agent must not delete.
        let aside = ".replaced-" + String(clinux_random(), radix: 36)
        renameat(outputs.raw, CacheLayout.temporaries, outputs.raw, aside)
      }
      hidden = try Self.openHidden(in: outputs)
    }
    isNew = outputs.isNew
    device = outputs.device
    self.outputs = outputs.shared()
    self.hidden = hidden.shared()
  }

  private static func openHidden(in outputs: borrowing OwnedDirectory) throws(PublishError) -> OwnedDirectory {
    try OwnedDirectory(
      CacheLayout.temporaries, in: outputs.raw, below: CacheLayout.snapshots, mode: 0o700, isExact: true)
  }

  /// Tests whether files can be written in `snapshots` now; if it is missing, tests the other directory.
  package static func tryWriting(in root: CacheRoot, or other: Int32) throws(PublishError) {
    var directory: SharedDescriptor?
    do throws(PublishError) {
      let outputs = try OwnedDirectory(CacheLayout.snapshots, in: root.raw, mode: nil)
      directory = try openHidden(in: outputs).shared()
    } catch {
      guard error.reason == .noSuchFileOrDirectory else { throw error }
    }
    do throws(Errno) {
      let probe = try AtomicFile(in: directory?.raw ?? other, mode: 0o600, prefix: CacheLayout.temporaryPrefix)
      try probe.write([UInt8](repeating: 0x20, count: 4096))
    } catch {
      throw PublishError(.write, CacheLayout.snapshots, error)
    }
    withExtendedLifetime(directory) {}
  }

  /// Deletes the temporaries that a killed agent left behind.
  static func removeTemporaries(in root: CacheRoot) {
    guard let outputs = try? OwnedDirectory(CacheLayout.snapshots, in: root.raw, mode: nil),
      let hidden = try? OwnedDirectory(CacheLayout.temporaries, in: outputs.raw, mode: nil)
    else { return }
    hidden.removeTemporaries()
  }
}
