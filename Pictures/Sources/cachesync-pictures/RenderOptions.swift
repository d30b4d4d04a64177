import ArgumentParser
import CacheSync
import CacheSyncPictures
import CacheSyncPrograms
import CacheSyncSystem
import SystemPackage

/// Options of the commands of cachesyncd, passed on to it.
struct CommonOptions: ParsableArguments {
  @Option(
    name: [.customShort("C"), .long], help: ArgumentHelp("The cache directory.", valueName: "dir"),
    completion: .directory)
  var cache: CommandLineWord?
  @Option(name: .long, help: "The time zone whose midnights count: an IANA name, or GMT+03:37.") var timeZone: String?
  @Option(
    name: .long,
    help: ArgumentHelp(
      "A directory with definitions of feeds for all caches. Default: $CACHESYNC_FEEDS.", valueName: "dir"),
    completion: .directory)
  var feeds: CommandLineWord?

  var path: FilePath {
    get throws { try cache?.path ?? DefaultCache.path }
  }

  /// The agent's program, which is given these options.
  var program: CachesyncdProgram {
    let settings: [(CommandLineWord, CommandLineWord?)] = [
      ("--time-zone", timeZone.map { CommandLineWord(argument: $0) }), ("--feeds", feeds),
    ]
    return CachesyncdProgram(
      cache: cache.map { ["--cache", $0] } ?? [],
      settings: settings.flatMap { name, value in value.map { [name, $0] } ?? [] })
  }
}

/// A family by its full name or by its last word.
struct FamilyArgument: ExpressibleByArgument {
  var family: ViewFamily

  static let allValueStrings = ViewFamily.drawn.map(\.rawValue)

  init?(argument: String) {
    let named = ViewFamily.drawn.first { argument == $0.rawValue || argument == $0.word }
    guard let named else { return nil }
    family = named
  }
}

extension ViewFamily {
  static let drawn = allCases.filter { $0 != .terminal }
  /// The last word of the name: `large`.
  var word: String { rawValue.drop { $0.isLowercase }.lowercased() }
}

enum PictureFormat: String, CaseIterable, ExpressibleByArgument {
  case svg, png, bmp, txt
}

extension Appearance: ExpressibleByArgument {}
extension Background: ExpressibleByArgument {}
extension Turn: ExpressibleByArgument {}
extension PixelSize: ExpressibleByArgument {
  package init?(argument: String) { self.init(argument) }
}

/// A colour as CSS writes it.
struct ColourArgument: ExpressibleByArgument {
  var colour: Colour

  init?(argument: String) {
    guard let colour = Colour(hex: argument) else { return nil }
    self.colour = colour
  }
}

/// The options for how pictures look.
struct PictureStyle: ParsableArguments {
  @Option(help: "light, dark, eink, or accented, which is one colour.")
  var appearance: Appearance?

  @Option(help: ArgumentHelp("With --appearance accented: the colour, such as '#30b0c7'.", valueName: "colour"))
  var tint: ColourArgument?

  @Option(help: "With --appearance accented: light (default) or dark. With any: none leaves the card out.")
  var background: Background?

  @Flag(help: "Draw blocks in place of all words and numbers.")
  var redacted = false
}

/// A kind, and a family to show it in.
struct Widget: Hashable, CustomStringConvertible {
  var kind: String
  /// nil: the first family in the snapshot of a kind that the cache defines.
  var family: ViewFamily?

  var description: String { kind.clean + (family.map { ":\($0.rawValue)" } ?? "") }

  /// - Parameter family: nil: the kind's first.
  /// - Throws: `ValidationError` for an invalid kind, and for a family that a built-in kind does not have.
  init(kind: String, family: ViewFamily?) throws {
    self.kind = kind
    self.family = family
    guard let known = KnownKind.all.first(where: { $0.name == kind }) else {
      // Only the agent's program knows the kinds that the cache itself defines.
      guard KnownKind.isName(kind) else {
        let advice =
          kind.contains(":")
          ? "a family beside a kind is for --screen; name it with --family"
          : NearestName.advice(for: kind, among: KnownKind.all.map(\.name).sorted())
        throw ValidationError("unknown kind '\(kind.clean)': \(advice)")
      }
      return
    }
    self.family = try chosenFamily(among: known.families)
  }

  /// The family in which a snapshot of the kind is drawn.
  ///
  /// - Throws: `ValidationError` when the snapshot does not have the family.
  func family(in snapshot: Snapshot) throws -> ViewFamily {
    try chosenFamily(among: snapshot.pictureFamilies)
  }

  private func chosenFamily(among families: [ViewFamily]) throws -> ViewFamily {
    guard let chosen = family ?? families.first else {
      let names = FamilyArgument.allValueStrings.joined(separator: ", ")
      throw ValidationError("\(kind) names no family that can be drawn: its families are \(names)")
    }
    guard families.contains(chosen) else {
      let names = families.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("\(kind) has no \(chosen.rawValue): use one of \(names)")
    }
    return chosen
  }

  /// Reads `KIND` or `KIND:FAMILY`.
  init(_ text: String) throws {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2 else {
      try self.init(kind: text, family: nil)
      return
    }
    guard let family = FamilyArgument(argument: parts[1])?.family else {
      let advice = NearestName.advice(for: parts[1], among: ViewFamily.drawn.map(\.word))
      throw ValidationError("unknown family '\(parts[1].clean)': \(advice)")
    }
    try self.init(kind: parts[0], family: family)
  }
}
