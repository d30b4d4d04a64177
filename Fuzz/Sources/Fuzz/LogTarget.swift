import CacheSync
import CacheSyncSystem

/// The log of last good versions.
enum LogTarget {
  /// Every record that was found is found again after it is written.
  static func records(_ bytes: [UInt8]) {
    let found = scan(bytes)
    var writer = LogFormat.Writer()
    for (path, identity, document) in found {
      writer.append(.session, path: path.bytes, identity: identity, document: document)
    }
    // Bytes that are not a record, as paths and documents.
    writer.append(.session, path: Array(bytes.prefix(40)), identity: someIdentity, document: bytes)
    var log = LogFormat.header + writer.pieces.flatMap { $0 }
    if isSeeded("log"), log.count > 60 { log[60] ^= 1 }
    let again = scan(log)
    require(again.count == found.count + 1 && again.last?.document == bytes, "what was written is not found again")
  }

  private static let someIdentity = FileIdentity(
    device: 1, inode: 2, size: 3, modifiedNanoseconds: 4, changedNanoseconds: 5)

  private static func scan(_ bytes: [UInt8]) -> [(path: CachePath, identity: FileIdentity, document: [UInt8])] {
    var found: [(CachePath, FileIdentity, [UInt8])] = []
    bytes.withUnsafeBytes { raw in
      guard LogFormat.hasHeader(raw) else { return }
      LogFormat.scan(raw, from: LogFormat.header.count) { record, _ in
        if case .session(let path, let identity, let range) = record {
          found.append((path, identity, Array(bytes[range])))
        }
      }
    }
    return found
  }
}
