import CLinux
import Glibc
import Synchronization
import SystemPackage

/// The directory in which files are written before they are published, and the files that were replaced a moment ago: the
/// next publication writes into them, and what is left is let go when all is quiet.
///
/// A new file is dear on ext4 where many were deleted lately (measured in a burst, for the three files of a publication: 120
/// to 1,300 us made anew, 30 to 80 us written again). Readers notice nothing, because a file is written again only if
/// - it is the one that was published, with the permissions of today, and no other name of it is left,
/// - nobody has it open, and whoever might still open it waits until it is whole (``AtomicFile/init(reusing:in:mode:)``),
/// - its pages in memory are left to those to whom they were sent, such as a socket,
/// - the rename that replaced it is on disk, where publications are to survive power loss.
package final class Temporaries: Sendable, HeldFiles {
  private let directory: Descriptor
  private let isReusing: Bool
  private let letsGoWhenQuiet: Bool
  private let state = Mutex(State())

  /// A replaced file, by the name that it has among the temporaries.
  struct Spare {
    var number: UInt64
    /// Under which it was published.
    var name: String
    var identity: FileIdentity
    /// With which publication it was replaced.
    var generation: Int
  }

  private struct State {
    /// Oldest first.
    var spares: [Spare] = []
    /// Those that cannot be written again.
    var spent: [Spare] = []
    /// Open files without a name.
    var descriptors: [Int32] = []

    mutating func take(_ name: String, through generation: Int) -> Spare? {
      spares.firstIndex { $0.name == name && $0.generation <= generation }.map { spares.remove(at: $0) }
    }
  }

  init(_ directory: consuming Descriptor, letsGoWhenQuiet: Bool) {
    // Elsewhere a new file is cheap, or a reader on another machine could have the old one open.
    isReusing = clinux_filesystem_is_ext(clinux_filesystem_type(directory.raw))
    self.directory = directory
    self.letsGoWhenQuiet = letsGoWhenQuiet
  }

  var raw: Int32 { directory.raw }

  /// A file to write into: one that was replaced up to a generation under the same name, so that its size is near and no
  /// block must be freed (measured with online discard: 1.1 ms), or else a new one.
  func makeFile(for name: String, reusingThrough generation: Int?, mode: UInt32) throws(Errno) -> AtomicFile {
    while let generation, let spare = state.withLock({ $0.take(name, through: generation) }) {
      if let file = AtomicFile(reusing: spare, in: raw, mode: mode) { return file }
      state.withLock { $0.spent.append(spare) }
    }
    return try AtomicFile(in: raw, mode: mode)
  }

  /// Gives a published file that is about to be replaced a name of its own.
  ///
  /// - Parameter identity: the file as it was published; what is not that file any more is left alone.
  /// - Returns: nil when it cannot have one.
  func link(_ name: String, in published: Int32, _ identity: FileIdentity, replacedBy generation: Int) -> Spare? {
    guard isReusing, (try? Directory.identity(of: CachePath(name), in: published)) == identity else { return nil }
    let spare = Spare(number: clinux_random(), name: name, identity: identity, generation: generation)
    return linkat(published, name, raw, AtomicFile.name(spare.number), 0) == 0 ? spare : nil
  }

  /// Undoes ``link(_:in:_:replacedBy:)``.
  func unlink(_ spare: Spare) { unlinkat(raw, AtomicFile.name(spare.number), 0) }

  /// Takes in a file that was replaced.
  func keep(_ spare: Spare) {
    state.withLock { $0.spares.append(spare) }
    if letsGoWhenQuiet { DiskWorkers.shared.letGoWhenQuiet(of: self) }
  }

  /// Takes in a replaced file that has no name.
  func keep(_ descriptor: Int32) {
    state.withLock { $0.descriptors.append(descriptor) }
    if letsGoWhenQuiet { DiskWorkers.shared.letGoWhenQuiet(of: self) }
  }

  package func letGo(keeping count: Int) -> Bool {
    let (names, descriptors, isEmpty) = state.withLock { state in
      var surplus = max(0, state.spent.count + state.descriptors.count + state.spares.count - count)
      let spent = Self.take(surplus, of: &state.spent)
      surplus -= spent.count
      let descriptors = Self.take(surplus, of: &state.descriptors)
      surplus -= descriptors.count
      return (
        spent + Self.take(surplus, of: &state.spares), descriptors,
        state.spent.isEmpty && state.descriptors.isEmpty && state.spares.isEmpty
      )
    }
    for spare in names { unlink(spare) }
    for descriptor in descriptors { close(descriptor) }
    return isEmpty
  }

  private static func take<Element>(_ count: Int, of list: inout [Element]) -> ArraySlice<Element> {
    defer { list.removeFirst(min(count, list.count)) }
    return list.prefix(count)
  }
}
