import Logging

extension CacheContents {
  /// Takes over what earlier runs left behind, once the lock is ours: their temporaries go, what they published is known,
  /// and their last good versions stand in for files that are unusable now. From here on the log keeps ours.
  func takeOver(_ store: SnapshotStore, _ state: StateDirectory, _ logger: Logger) {
    state.removeTemporaries()
    let loaded = LastGoodLog.load(from: state.raw)
    if let damage = loaded.damage {
      logger.warning(
        "\(nameOfLog) is good for its first \(loaded.wholeBytes) bytes (\(damage)): last good versions after them are lost"
      )
    }
    store.goBeyond(loaded.generation)
    store.takeStock(of: FeedRegistry.kinds.map(\.name.fileName) + [CacheLayout.dayIndex])
    takeKnownOutputs(store.known)
    let log = LastGoodLog(directory: state.raw)
    log.open(after: loaded)
    self.log = log
    begin(with: loaded)
  }

  /// The log of last good versions, for people.
  var nameOfLog: String {
    let file = CachePath(CacheLayout.state).appending(CacheLayout.lastGood.utf8)
    return EscapedText.forPeople(root.path.appending(bytes: file.bytes).bytes)
  }
}
