import CacheSync
import CacheSyncPictures

/// Draws the pictures that programs and panels request: one at a time, and each one once. A request for what is being
/// drawn, or was drawn last, from the same entries gets the same bytes.
package actor PictureQueue {
  private struct Drawn {
    var shown: [Snapshot]
    var drawing: Task<Result<[UInt8], Painter.Failure>, Never>
    /// 0 until it is drawn.
    var byteCount = 0
    /// Which request last asked for it.
    var use: Int
  }

  private let painter: Painter
  private var drawn: [PictureRequest: Drawn] = [:]
  private var uses = 0
  /// Ends after every drawing that was requested so far.
  private var last: Task<Void, Never>?
  /// How many drawings have not ended.
  private(set) var waiting = 0
  /// How long a drawing takes, by the recent ones; nil before the first, which also loads the fonts.
  private var typical: Duration?

  private let now: @Sendable () -> ContinuousClock.Instant

  package init(painter: Painter, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
    self.painter = painter
    self.now = now
  }

  /// How long a request may wait for its turn. Panels give up after 10 seconds or later. With 4, all of 300 panels have an
  /// answer by then, because those that would wait longer are refused at once.
  private static let patience = Duration.seconds(4)
  /// What is kept. A screen of 800x480 has 5 to 30 KB.
  private static let mostBytes = 32 << 20
  private static let mostPictures = 1_000

  /// The bytes of a picture.
  ///
  /// - Throws: ``Painter/Failure``, of which ``Painter/Failure/busy(seconds:)`` comes at once when the drawings before
  ///   this one would take too long.
  func picture(_ request: PictureRequest, of view: CacheView) async throws(Painter.Failure) -> [UInt8] {
    uses += 1
    var request = request
    (request.locale, request.timeZone) = (view.locale, view.timeZone)
    if request.plan?.hasClock == true { request.minute = Int(view.moment.seconds / 60) }
    let shown = view.shown(request.kinds)
    if drawn[request]?.shown == shown {
      drawn[request]?.use = uses
    } else {
      let wait = (typical ?? .zero) * waiting
      guard wait <= Self.patience else { throw .busy(seconds: Int(wait.components.seconds) + 1) }
      forget(request)
      drawn[request] = Drawn(shown: shown, drawing: draw(request, shown, view.moment), use: uses)
    }
    guard let drawing = drawn[request]?.drawing else { preconditionFailure("the drawing was just found or added") }
    let result = await drawing.value
    if drawn[request]?.drawing == drawing { keep(result, as: request) }
    return try result.get()
  }

  private func draw(
    _ request: PictureRequest, _ shown: [Snapshot], _ moment: Instant
  ) -> Task<Result<[UInt8], Painter.Failure>, Never> {
    waiting += 1
    let earlier = last
    let asked = now()
    let drawing: Task<Result<[UInt8], Painter.Failure>, Never> = Task.detached { [painter, now] in
      await earlier?.value
      let began = now()
      guard began - asked <= Self.patience else {
        await self.end(after: nil)
        return .failure(.busy(seconds: 1))
      }
      let result = Result { () throws(Painter.Failure) in try painter.paint(request, shown, moment) }
      await self.end(after: now() - began)
      return result
    }
    last = Task { _ = await drawing.value }
    return drawing
  }

  /// - Parameter duration: how long the drawing took; nil: there was none.
  private func end(after duration: Duration?) {
    waiting -= 1
    guard let duration else { return }
    // Busy processors make some drawings slow, and a request that waits too long because of a low estimate is refused in
    // its turn.
    typical = typical.map { $0 == .zero ? duration : min(duration, ($0 * 3 + duration) / 4) } ?? .zero
  }

  /// Keeps what was drawn, but no failure, and drops the least recently requested pictures if there are too many.
  private func keep(_ result: Result<[UInt8], Painter.Failure>, as request: PictureRequest) {
    guard case .success(let bytes) = result else { return forget(request) }
    drawn[request]?.byteCount = bytes.count
    while drawn.count > Self.mostPictures || drawn.values.reduce(0, { $0 + $1.byteCount }) > Self.mostBytes {
      guard let oldest = drawn.filter({ $0.value.byteCount > 0 }).min(by: { $0.value.use < $1.value.use }) else {
        return
      }
      forget(oldest.key)
    }
  }

  private func forget(_ request: PictureRequest) { drawn[request] = nil }
}

extension CacheView {
  /// All that pictures of these kinds are drawn from: equal pictures have equal values.
  fileprivate func shown(_ kinds: [String]) -> [Snapshot] {
    snapshots.filter { kinds.contains($0.kind) }.map { snapshot in
      var shown = snapshot
      shown.entries = [snapshot.entry(at: moment)]
      (shown.generation, shown.publishedAt, shown.reloadAfter) = (0, .referenceDate, nil)
      (shown.sources, shown.sourceCount, shown.bytes) = ([], 0, [])
      return shown
    }
  }
}
