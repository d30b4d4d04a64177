import CacheSyncSystem
import Glibc
public import SystemPackage

/// Collects what people did in readers, for the app that keeps the data.
///
///     let reader = IntentReader(cache: "/home/me/.cache/cachesync")
///     let pending = try reader.pending(types: ["complete-task"])
///     for found in pending { store.complete(found.intent.action.fields["taskId"]) }
///     try writer.write(store.session, name: "my-app")  // contains the effects
///     for found in pending { try reader.acknowledge(found) }
///
/// In this order nothing flickers. The session contains the effect of an intent before the file of the intent goes, and
/// a session that is dated later absorbs the intent in any case.
public struct IntentReader: Sendable {
  /// The cache directory.
  public let cache: FilePath

  /// Makes a reader of the intents in the cache at a path. It opens nothing yet.
  public init(cache: FilePath) { self.cache = cache }

  /// An intent, and the file that it is in.
  public struct Pending: Sendable, Equatable {
    /// What the person did, with the fields of its type.
    public let intent: Intent
    /// The file, relative to the cache, with `\xhh` for bytes that are not UTF-8.
    public var path: String { place.description }

    fileprivate let place: CachePath
    fileprivate let identity: FileIdentity
  }

  /// Why intents could not be read or acknowledged.
  public enum Failure: Error, Sendable, Equatable, CustomStringConvertible {
    /// The library knows no such type.
    case unknownType(String)
    /// The cache cannot be opened: why, on one line.
    case noCache(String)
    /// The file is another one by now, so it was not deleted.
    case changed(String)
    /// The system refused: what was tried, and its reason.
    case system(String, Errno)

    /// What happened and what to do, on one line.
    public var description: String {
      switch self {
      case .unknownType(let type):
        "unknown intent type \(JSONMessage.quoted(type)): "
          + NearestName.advice(for: type, among: FeedRegistry.builtIn.intents.all.map(\.name))
      case .noCache(let reason): reason
      case .changed(let path): "\(path) has changed since it was read: read the pending intents again"
      case .system(let what, let reason): "\(what): \(reason)"
      }
    }
  }

  /// The intents of these types that no session of their feed has absorbed yet, ascending by date, then id.
  ///
  /// They are all that there are, also those that the agent no longer shows. A session absorbs every intent that is dated before it. Of files with the same intent's id only the first counts,
  /// as for the agent. Files that cannot be read count as absent.
  ///
  /// - Parameter types: such as `add-task`; see ``KnownIntent/all``.
  public func pending(types: [String]) throws(Failure) -> [Pending] {
    let known = FeedRegistry.builtIn.intents
    var feeds: Set<FeedName> = []
    for type in types {
      guard let feed = known[type]?.feed else { throw .unknownType(type) }
      feeds.insert(feed)
    }
    let root = try open()
    let (set, found) = read(feeds.union([Self.feed]), in: root)
    let all = feeds.flatMap { feed in
      let (over, inForce) = set.countingIntents(
        on: set[feed] as? any IntentTarget, named: feed, at: Self.beginning)
      return over + inForce
    }
    return all.sorted { a, b in
      a.intent.at == b.intent.at ? isOrdered(a.intent.id, before: b.intent.id) : a.intent.at < b.intent.at
    }.compactMap { found[$0.path] }.filter { types.contains($0.intent.action.type) }
  }

  /// Deletes the file of an intent, and no other. It ignores a file that is gone already.
  public func acknowledge(_ pending: Pending) throws(Failure) {
    let root = try open()
    do throws(Errno) {
      guard let name = pending.place.components.last else { return }
      let parent = CachePath(bytes: Array(pending.place.bytes.dropLast(name.count + 1)))
      let directory = try Directory.open(parent, in: root.raw)
      let file = CachePath(bytes: Array(name))
      guard try Directory.identity(of: file, in: directory.raw) == pending.identity else {
        throw Errno.fileExists
      }
      guard file.withCString({ unlinkat(directory.raw, $0, 0) }) == 0 else { throw Errno(rawValue: errno) }
    } catch {
      switch error {
      case .noSuchFileOrDirectory: return
      case .fileExists: throw .changed(pending.path)
      default: throw .system("cannot delete \(pending.path)", error)
      }
    }
  }

  private static let feed = FeedName(Intent.feed)

  /// Early enough that no intent has ended by age: an app collects those too.
  private static let beginning = Instant.validRange.lowerBound.advanced(by: StoredIntent.lifetime)

  private func open() throws(Failure) -> CacheRoot {
    do throws(CacheError) {
      return try CacheRoot(resolved: try CacheRoot.resolve(cache))
    } catch {
      throw .noCache(error.description)
    }
  }

  /// Reads the files of some feeds, as the agent reads them.
  private func read(_ feeds: Set<FeedName>, in root: CacheRoot) -> (FeedSet, [CachePath: Pending]) {
    let set = FeedSet()
    var found: [CachePath: Pending] = [:]
    let reading = SessionReading(root: root)
    let limit = CacheSettings.inForce(in: root).maximumFileBytes ?? CacheSettings.defaultMaximumFileBytes
    let calendar = CivilCalendar(FeedRegistry.builtInZones.system())
    DirectoryWalk(root: root, layout: FeedRegistry.builtIn.layout).walk(
      from: .root, enter: { _, _ in },
      file: { path, feed in
        guard feeds.contains(feed) else { return }
        _ = try? reading.read(path, limit: limit) { bytes, identity in
          let file = SessionFile(path: path, times: FileTimes(of: identity, given: nil))
          guard set.read(bytes, of: feed, from: file, in: calendar).isEmpty, feed == Self.feed else { return }
          let document = JSONReader.read(bytes, times: file.times) {
            IntentFile.read(&$0, knowing: FeedRegistry.builtIn.intents)
          }
          if let intent = document.value?.intent {
            found[path] = Pending(intent: intent, place: path, identity: identity)
          }
        }
      }, failed: { _, _ in })
    return (set, found)
  }
}
