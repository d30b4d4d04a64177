import CacheSync
import CacheSyncPictures
import CacheSyncPrograms
import CacheSyncSystem
import SystemPackage

/// A directory with a picture of each kind and family, as `KIND-FAMILY.svg`, and of each screen, as `screen-NAME.svg`.
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
    // Both before the first picture: a mistake in the settings then ends it with none written, or not at all.
    let snapshots = try await source.snapshots()
    let screens = try await source.screens()
    try drawing.requireFonts(for: snapshots)
    var status = ExitStatus.success
    func write(_ name: String, _ draw: () throws -> [UInt8]) {
      do {
        try OutputFile.write(draw(), to: path.appending("\(name).\(drawing.format.rawValue)"))
      } catch {
        Terminal.error("\(error)")
        let failed = (error as? Failure)?.status ?? .inputOutput
        if failed.rawValue > status.rawValue { status = failed }
      }
    }
    for snapshot in snapshots {
      for family in drawing.families(of: snapshot) {
        write("\(snapshot.kind)-\(family.rawValue)") {
          try drawing.picture(Widget(kind: snapshot.kind, family: family), of: snapshots, at: moment)
        }
      }
    }
    for screen in screens where !screen.cards.isEmpty && drawing.format != .txt {
      let plan = screen.with(drawing.form, isVector: drawing.format == .svg, isBitmap: drawing.format == .bmp)
      write("screen-\(screen.name ?? "")") {
        try Drawing(format: drawing.format, form: plan.form, tint: drawing.tint).screen(plan, of: snapshots, at: moment)
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
