extension CacheContents {
  /// Takes over what earlier runs left behind, once the lock is ours: their temporaries go, what they published is known,
  /// and their last good versions stand in for files that are unusable now. From here on the log keeps ours.
  func takeOver(_ store: SnapshotStore, _ state: StateDirectory) {
    state.removeTemporaries()
    let loaded = LastGoodLog.load(from: state.raw)
    store.goBeyond(loaded.generation)
    store.takeStock(of: FeedRegistry.kinds.map(\.name.fileName) + [CacheLayout.dayIndex])
    takeKnownOutputs(store.known)
    let log = LastGoodLog(directory: state.raw)
    log.open(after: loaded)
    self.log = log
    begin(with: loaded)
  }
}
