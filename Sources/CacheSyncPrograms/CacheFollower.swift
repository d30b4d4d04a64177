public import CacheSync
import CacheSyncSystem
import Glibc
public import SystemPackage

/// When a program that keeps files up to date with a cache writes them again.
///
///     let follower = try CacheFollower(cache)
///     while true {
///       do { follower.wait(until: try write()) } catch { try follower.wait(after: error) }
///     }
///
/// It needs no connection to an agent: the kernel reports the publications. It blocks its thread.
public final class CacheFollower {
  private static let pauseAfterFailure = Duration.seconds(60)

  private let timer: WallTimer
  private let listener: SnapshotListener
  private var hasWritten = false

  /// Begins to follow: the first ``wait(until:)`` ends at once if something is published in between.
  ///
  /// - Throws: ``Failure`` if the process has no descriptor left.
  public init(_ cache: FilePath) throws {
    guard let timer = WallTimer() else {
      throw Failure("cannot create a timer: \(Errno(rawValue: errno))", .inputOutput)
    }
    self.timer = timer
    listener = SnapshotListener(cache: cache, kinds: nil, startingWithCurrent: false)
  }

  /// Waits after the files were written: for the next publication, or until what they say is out of date by the wall
  /// clock, also if that is set.
  ///
  /// - Parameter instant: nil: for the next publication only.
  public func wait(until instant: Instant?) {
    hasWritten = true
    pause(until: instant)
  }

  /// Reports a failure, and waits for the next publication, or for a minute, because the failure may end without one.
  ///
  /// - Throws: the failure, if nothing was written yet and it is one of the command line or of the settings. Later it
  ///   ends nothing, because settings may be corrected while the program runs.
  public func wait(after error: any Error) throws {
    let failure = Failure(error)
    guard hasWritten || failure.status == .noInput || failure.status == .inputOutput else { throw error }
    Terminal.error(failure.description)
    pause(until: .now.advanced(by: Self.pauseAfterFailure))
  }

  private func pause(until instant: Instant?) {
    while listener.nextChanged() == nil {
      // Armed before the clock is read, so that the timer reports every later step of the clock.
      timer.arm(at: instant)
      if let instant, Instant.now >= instant { break }
      var descriptors = [listener.descriptor, timer.descriptor].map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      poll(&descriptors, nfds_t(descriptors.count), Int32(clamping: listener.milliseconds ?? -1))
    }
    // One pass for all snapshots of a publication.
    while listener.nextChanged() != nil {}
  }
}
