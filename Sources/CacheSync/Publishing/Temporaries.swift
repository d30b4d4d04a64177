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
  /// Held while all names are taken.
  private let retiring = Mutex(())

  /// A replaced file, by the name that it has among the temporaries.
  struct Spare {
    var number: UInt64
    /// Under which it was published.
    var name: String
    var identity: FileIdentity
    /// With which publication it was replaced.
    var generation: Int
    /// Holds the file, so that removing its name need not wait until its blocks are free: whoever deletes the cache would
    /// meet new names meanwhile.
    var holder: Int32
  }

  private struct State {
    /// Oldest first.
    var spares: [Spare] = []
    /// Open files without a name.
    var descriptors: [Int32] = []
    /// When a file was replaced last.
    var lastReplaced: Uptime?

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
  ///
  /// - Throws: `noSuchFileOrDirectory` also when somebody removed the file that was to be written, and so probably removes
  ///   everything.
  func makeFile(for name: String, reusingThrough generation: Int?, mode: UInt32) throws(Errno) -> AtomicFile {
    while let generation, let spare = state.withLock({ $0.take(name, through: generation) }) {
      if let file = AtomicFile(reusing: spare, in: raw, mode: mode) {
        close(spare.holder)
        return file
      }
      let isRemoved = errno == ENOENT
      retire(spare)
      if isRemoved { throw .noSuchFileOrDirectory }
    }
    return try AtomicFile(in: raw, mode: mode)
  }

  /// Gives a published file that is about to be replaced a name among the temporaries.
  ///
  /// - Parameter file: the file as it was published; what is not that file any more is left alone.
  /// - Returns: nil when it cannot have one.
  func link(_ name: String, _ file: PublishedFile?, in published: Int32, replacedBy generation: Int) -> Spare? {
    guard isReusing, let identity = file?.identity,
      (try? Directory.identity(of: CachePath(name), in: published)) == identity
    else { return nil }
    let holder = clinux_open_path(published, name, false)
    guard holder >= 0 else { return nil }
    let spare = Spare(
      number: clinux_random(), name: name, identity: identity, generation: generation, holder: holder)
    if !DescriptorReserve.isTouched(by: holder), linkat(published, name, raw, AtomicFile.name(spare.number), 0) == 0 {
      return spare
    }
    close(holder)
    return nil
  }

  /// Undoes ``link(_:_:in:replacedBy:)``.
  func unlink(_ spare: Spare) {
    unlinkat(raw, AtomicFile.name(spare.number), 0)
    close(spare.holder)
  }

  /// Whether a file was replaced a moment ago. What is published now and then leaves no names behind.
  var isInBurst: Bool {
    guard letsGoWhenQuiet else { return true }
    return state.withLock { $0.lastReplaced.map { Uptime.now() < $0.advanced(by: DiskWorkers.quiet) } ?? false }
  }

  /// How many files of one name wait to be written again. A judgement: with durability `flush` two do, since the directory is
  /// flushed beside the next publication.
  private static let mostSpares = 3

  /// Takes in a file that was replaced.
  func keep(_ spare: Spare) {
    var surplus: Spare?
    keep { state in
      state.spares.append(spare)
      if state.spares.count(where: { $0.name == spare.name }) > Self.mostSpares {
        surplus = state.take(spare.name, through: .max)
      }
    }
    surplus.map(retire)
  }

  /// Takes in a replaced file that has no name.
  func keep(_ descriptor: Int32) { keep { $0.descriptors.append(descriptor) } }

  /// Takes the name of a file that is not to be written again.
  private func retire(_ spare: Spare) {
    unlinkat(raw, AtomicFile.name(spare.number), 0)
    state.withLock { $0.descriptors.append(spare.holder) }
  }

  private func keep(_ change: (inout State) -> Void) {
    state.withLock { state in
      change(&state)
      state.lastReplaced = Uptime.now()
    }
    if letsGoWhenQuiet { DiskWorkers.shared.letGoWhenQuiet(of: self) }
  }

  /// Takes the names of all files that wait, also of those whose names another thread is taking. It is quick, because the
  /// files are held.
  func forgetNames() {
    retiring.withLock { _ in
      let spares = state.withLock { state in
        defer { state.spares = [] }
        return state.spares
      }
      for spare in spares { retire(spare) }
    }
  }

  package func letGo(keeping count: Int) -> Bool {
    if count == 0 { forgetNames() }
    let (descriptors, isEmpty) = state.withLock { state in
      let surplus = state.descriptors.prefix(max(0, state.descriptors.count - count))
      state.descriptors.removeFirst(surplus.count)
      return (surplus, state.descriptors.isEmpty && state.spares.isEmpty)
    }
    for descriptor in descriptors { close(descriptor) }
    return isEmpty
  }

  deinit { _ = letGo(keeping: 0) }
}
