import CacheSyncSystem

/// The ages at which shown data become stale (settings.md: ages of single feeds).
package struct StaleAges: Sendable {
  /// Nil: never.
  package var standard: Duration?
  /// The ages of single feeds, which override ``standard``.
  package var byFeed: [FeedName: Duration] = [:]

  package init(_ standard: Duration? = nil) { self.standard = standard }

  /// The age for a kind: its definition's own, otherwise that of its feed.
  func age(of kind: Kind) -> Duration? { kind.staleAfter ?? kind.presentWith.first.flatMap { byFeed[$0] } ?? standard }
}
