import CacheSync
import CacheSyncPrograms
import CacheSyncSystem
import Glibc
import SystemPackage

/// A directory with a picture of each kind and family, as `KIND-FAMILY.svg`.
struct PictureDirectory {
  let path: FilePath
  let drawing: Drawing
  let source: SnapshotSource
  /// The cache to follow.
  let cache: FilePath?

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

  /// Draws all pictures now, after each publication and at each boundary, until the program is terminated. After the
  /// first drawing it survives every failure, because settings may be corrected while it runs.
  func follow() async throws -> ExitStatus {
    let changes = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    guard let cache else { return try await draw().status }
    let updates = SnapshotUpdates(cache: cache).makeAsyncIterator()
    let listening = Task {
      var updates = updates
      while await updates.next() != nil { changes.continuation.yield() }
      changes.continuation.finish()
    }
    defer { listening.cancel() }
    var news = changes.stream.makeAsyncIterator()
    var hasDrawn = false
    while true {
      var boundary: Instant?
      do {
        boundary = try await draw().boundary
        hasDrawn = true
      } catch let failure as Failure
        where hasDrawn || failure.status == .noInput || failure.status == .inputOutput
      {
        Terminal.error(failure.description)
        // The cache may come back, or the failure may end, without a publication.
        boundary = Instant.now.advanced(by: Self.pauseAfterFailure)
      }
      let waiting = Self.waiting(until: boundary, changes.continuation)
      defer { waiting.cancel() }
      guard await news.next() != nil else { return .success }
    }
  }

  private static let pauseAfterFailure = Duration.seconds(60)

  /// Sends news at the boundary. Checks the time every minute, because the clock may be set meanwhile.
  private static func waiting(until boundary: Instant?, _ news: AsyncStream<Void>.Continuation) -> Task<Void, Never> {
    Task {
      guard let boundary else { return }
      while Instant.now < boundary {
        let rest = boundary - Instant.now
        do { try await Task.sleep(for: min(rest, .seconds(60))) } catch { return }
      }
      news.yield()
    }
  }
}
