package import SystemPackage
import CacheSyncSystem

/// The settings of one cache (settings.md); each is nil if the file leaves the default.
package struct CacheSettings: Sendable, Equatable {
  package var timeZone: String?
  /// The tag of a language, as it is written in the file.
  package var locale: String?
  package var hourCycle: HourCycle?
  package var firstWeekday: Weekday?
  /// The age at which shown data become stale; nil: never.
  package var staleAfter: Duration?
  /// The ages for single feeds, which override ``staleAfter``.
  package var staleFeeds: [StaleFeed] = []
  package var durability: Durability?
  package var maximumFileBytes: Int?
  /// How often the agent compares the whole disk with what it knows.
  package var sweep: Duration?
  /// The addresses of the person whose cache it is, in lower case.
  package var me: [ExactText] = []

  /// The size of the largest session file that the agent reads, by default.
  package static let defaultMaximumFileBytes = 16_777_216

  /// How often the agent compares the whole disk with what it knows, by default, and what the setting allows.
  package static let defaultSweep = Duration.seconds(15 * 60)
  private static let sweeps = Duration.seconds(60)...Duration.seconds(60 * 60)

  package init() {}

  /// The age at which the data of one feed become stale.
  package struct StaleFeed: Sendable, Equatable {
    package var feed: FeedName
    package var age: Duration
    /// The place of the age in the settings file.
    package var place: JSONPlace
  }

  private enum Key: String, JSONKey {
    case timeZone, locale, hourCycle, firstWeekday, staleAfter, durability, maximumFileBytes, sweep, me
  }

  /// Reads `cachesync.json`. An unknown key or an invalid value is a defect that names it.
  package static func read(_ bytes: UnsafeRawBufferPointer, isTimeZone: (String) -> Bool)
    -> JSONReader.Document<CacheSettings>
  {
    var document = JSONReader.read(bytes) { json in
      json.rejectsUnknownKeys = true
      var settings = CacheSettings()
      let isObject = json.object(Key.self) { json, key in
        switch key {
        case .timeZone:
          let expected: StaticString = "an IANA time zone or GMT+03:37"
          guard let name = json.stringBytes(expected, { String(decoding: $0, as: UTF8.self) }) else { break }
          settings.timeZone = name
          if isTimeZone(name) { break }
          let near = TimeZoneDatabase().nearestName(to: name).map { "; did you mean '\($0)'?" } ?? ""
          json.fail("expected \(expected), found \(json.valueText)\(near)")
        case .locale:
          settings.locale = json.stringBytes(LanguageTag.expectation) { bytes in
            let tag = String(decoding: bytes, as: UTF8.self)
            return CacheLocale(tag) == nil ? nil : tag
          }
        case .hourCycle: settings.hourCycle = json.integer(12, or: 24).flatMap(HourCycle.init)
        case .firstWeekday:
          settings.firstWeekday = json.stringBytes("a weekday from monday to sunday, in lower case") {
            Weekday(word: String(decoding: $0, as: UTF8.self))
          }
        // The object is read below: its keys are names of feeds.
        case .staleAfter where json.next == .object: break
        case .staleAfter:
          settings.staleAfter = json.stringBytes("a duration such as PT24H or P2D") {
            ISODuration(String(decoding: $0, as: UTF8.self))?.duration
          }
        case .durability: settings.durability = json.word(Durability.self)
        case .maximumFileBytes: settings.maximumFileBytes = json.integer(in: 1 ... .max)
        case .sweep:
          settings.sweep = json.stringBytes("a duration from PT1M to PT1H") { bytes in
            ISODuration(String(decoding: bytes, as: UTF8.self)).map(\.duration).flatMap {
              sweeps.contains($0) ? $0 : nil
            }
          }
        case .me:
          _ = json.array { json in
            let address = json.stringBytes("an address such as kim@example.org") { bytes in
              let text = String(decoding: bytes.trimmed, as: UTF8.self).lowercased()
              return text.contains("@") ? ExactText(String(text.trimmingPrefix("mailto:"))) : nil
            }
            if let address { settings.me.append(address) }
          }
        }
      }
      return isObject ? settings : nil
    }
    guard let tree = JSONTree.read(bytes).tree else { return document }
    let root = LocatedValue(tree: tree, node: JSONTree.root)
    for member in root.member("staleAfter")?.members ?? [] where !member.value.isNull {
      guard let age = member.value.text.flatMap({ ISODuration($0)?.duration }) else {
        let found = tree.description(of: member.value.node)
        let message = "expected a duration such as PT24H or P2D, found \(found)"
        document.defects.append(JSONDefect(offset: member.value.offset, message: message, place: .value))
        continue
      }
      if member.key == "default" {
        document.value?.staleAfter = age
      } else {
        let place = JSONPlace.of(JSONDefect(offset: member.value.offset, message: "", place: .value), in: bytes)
        document.value?.staleFeeds.append(StaleFeed(feed: FeedName(member.key), age: age, place: place))
      }
    }
    if !document.defects.isEmpty { document.value = nil }
    document.defects.sort { $0.offset < $1.offset }
    return document
  }

  /// How the cache's texts are written.
  package var cacheLocale: CacheLocale {
    CacheLocale(locale ?? "en", hourCycle: hourCycle) ?? .english
  }

  package var staleAges: StaleAges {
    var ages = StaleAges(staleAfter)
    for feed in staleFeeds { ages.byFeed[feed.feed] = feed.age }
    return ages
  }

  /// A warning for each age of a feed that does not exist, or not yet.
  package func warnings(knowing registry: FeedRegistry) -> [Problem] {
    staleFeeds.filter { registry.feed(named: $0.feed) == nil }.map { unknown in
      let name = unknown.feed.description
      let near = NearestName.of(name, among: registry.feeds.map(\.name.description)).map { "; did you mean '\($0)'?" }
      return Problem(
        .warning, path: CacheLayout.settings, line: unknown.place.line, column: unknown.place.column,
        pointer: unknown.place.pointer, message: "there is no feed \(quotedName(name))\(near ?? "")")
    }
  }

  /// The settings file, for editors. It does not know the names of time zones and languages, and takes any duration.
  package static var schema: JSONSchema {
    .object(Key.allCases.map { ($0.rawValue, schema(of: $0).orNull) }, isClosed: true)
  }

  private static func schema(of key: Key) -> JSONSchema {
    switch key {
    case .timeZone, .locale: return .text.notEmpty
    case .hourCycle: return JSONSchema("integer", with: ["enum": .array([.integer(12), .integer(24)])])
    case .firstWeekday: return .word(Weekday.allCases.map(\.word))
    case .staleAfter:
      var ages = JSONSchema.duration.or("object")
      ages.keywords["additionalProperties"] = JSONSchema.duration.orNull.value
      return ages
    case .durability: return .word(Durability.allCases.map(\.rawValue))
    case .maximumFileBytes: return .integer(in: 1 ... .max)
    case .sweep: return .duration
    case .me: return .list(of: JSONSchema("string", with: ["pattern": .string("@")]))
    }
  }

  /// The size limit of a settings file; a larger file is there by mistake.
  package static let maximumBytes = 1 << 20

  /// The settings that an agent that starts now would use: the defaults if the file is missing or invalid.
  ///
  /// - Parameter cache: the defaults too if there is no such directory.
  package static func inForce(in cache: FilePath) -> CacheSettings {
    (try? CacheRoot(resolved: CacheRoot.resolve(cache))).map { inForce(in: $0) } ?? CacheSettings()
  }

  /// The same for an open cache.
  package static func inForce(in root: CacheRoot) -> CacheSettings {
    let zones = TimeZones(environment: nil)
    let settings = try? SessionReading(root: root).read(CacheLayout.settings, limit: maximumBytes) { bytes, _ in
      read(bytes) { (try? zones.rules(named: $0)) != nil }.value
    }
    return (settings ?? nil) ?? CacheSettings()
  }
}

/// What a written file survives: a snapshot, or a session file that is dropped.
public enum Durability: String, Sendable {
  /// Power loss: the data are on disk before the rename, and the name is after it.
  case flush
  /// A crash of the program, but not power loss: after that, a session file may be the old one, missing or damaged. An
  /// agent repairs damaged snapshots at its next start.
  case rename
}

extension Durability: JSONWord {
  package static let words = JSONWords<Self>()
}

/// Settings of the command line or an app, which override the cache's own file.
package struct SettingsOverrides: Sendable, Equatable {
  package var timeZone: String?
  package var durability: Durability?

  package init(timeZone: String? = nil, durability: Durability? = nil) {
    self.timeZone = timeZone
    self.durability = durability
  }
}
