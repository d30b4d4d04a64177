import CacheSync
import CacheSyncPrograms
import CacheSyncSystem
import SystemPackage

/// A directory with a picture of each kind and family, as `KIND-FAMILY.svg`.
struct PictureDirectory {
  let path: FilePath
  let drawing: Drawing
  let source: SnapshotSource

  struct Pass {
    var status: ExitStatus
    /// When the first of the pictures changes by time; nil: none does.
    var boundary: Instant?
  }

  /// Draws all pictures once. A failure of one picture does not stop the others, and does not remove any.
  func draw() async throws -> Pass {
    try OutputFile.makeDirectory(path)
    let moment = source.moment
    let snapshots = try await source.snapshots()
    try drawing.requireFonts(for: snapshots)
    var status = ExitStatus.success
    for snapshot in snapshots {
      for family in drawing.families(of: snapshot) {
        do {
          let widget = try Widget(kind: snapshot.kind, family: family)
          let bytes = try drawing.picture(widget, of: snapshots, at: moment)
          let name = "\(snapshot.kind)-\(family.rawValue).\(drawing.format.rawValue)"
          try OutputFile.write(bytes, to: path.appending(name))
        } catch {
          Terminal.error("\(error)")
          let failed = (error as? Failure)?.status ?? .inputOutput
          if failed.rawValue > status.rawValue { status = failed }
        }
      }
    }
    let boundaries = snapshots.flatMap { snapshot in
      snapshot.entries.map(\.date) + (snapshot.reloadAfter.map { [$0] } ?? [])
    }
    return Pass(status: status, boundary: boundaries.filter { $0 > moment }.min())
  }

  /// Draws all pictures now, after each publication and at each boundary, until the program is terminated. It blocks
  /// its thread, because the program does nothing else meanwhile.
  func follow(_ cache: FilePath) async throws -> Never {
    let follower = try CacheFollower(cache)
    while true {
      do { follower.wait(until: try await draw().boundary) } catch { try follower.wait(after: error) }
    }
  }
}
