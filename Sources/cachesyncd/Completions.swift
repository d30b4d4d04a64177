import ArgumentParser
import CacheSync
import CacheSyncPrograms
import CacheSyncPublishing
import CacheSyncSystem
import Glibc
import SystemPackage

// Completions for shells. The generated script contains the fixed lists; for the rest it runs this program.

/// The program as shells complete it. It has the options of `run`, because words without a command belong to `run`.
struct CompletedCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    var configuration = Cachesyncd.configuration
    configuration.subcommands = configuration.subcommands.map { command in
      if command == RenderCommand.self { return CompletedRender.self }
      return command == ServeCommand.self ? CompletedServe.self : command
    }
    return configuration
  }

  @OptionGroup var caches: CachesOptions
  @OptionGroup var settings: SettingsOptions
  @OptionGroup var publishing: PublishingOptions
  @OptionGroup var logging: LoggingOptions

  /// Returns the words of a script's request for completions, with the position of the cursor in its word.
  ///
  /// They are `---completion COMMAND -- ARGUMENT INDEX CURSOR WORD…`. Without a terminal, as in
  /// `fish -c 'complete -C …'`, fish 3.6 sends no CURSOR. With 0 this program offers everything, and fish itself
  /// selects what fits.
  static func withCursor(_ words: [String]) -> [String] {
    guard words.first == "---completion", let dashes = words.firstIndex(of: "--"), dashes + 3 < words.count,
      Int(words[dashes + 2]) != nil, Int(words[dashes + 3]) == nil
    else { return words }
    var words = words
    words.insert("0", at: dashes + 3)
    return words
  }
}

extension CompletionKind {
  // Feeds, kinds and intents, including the definitions of the cache in the command line.

  static var feeds: CompletionKind { names { $0.feeds.map { "\($0.name)" } } }

  static var droppable: CompletionKind { names(\.droppable) }

  static var kinds: CompletionKind { names { $0.kinds.map { "\($0.name)" } } }

  static var intents: CompletionKind { names { $0.intents.all.map(\.name) } }

  /// The feeds, kinds or types of intents for the word before.
  static var schemaNames: CompletionKind {
    .custom { words, _, prefix in
      let subject = words.lazy.compactMap(SchemaSubject.init).first
      return (subject?.names(in: place(in: words).registry) ?? []).filter { $0.hasPrefix(prefix) }
    }
  }

  private static func names(_ names: @escaping @Sendable (FeedRegistry) -> [String]) -> CompletionKind {
    .custom { words, _, prefix in names(place(in: words).registry).filter { $0.hasPrefix(prefix) } }
  }

  /// The screens of the cache.
  static var screens: CompletionKind {
    .custom { words, _, prefix in
      let folder = place(in: words).cache?.appending(CacheLayout.screens)
      let raw = folder?.withPlatformString { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
      guard let raw, let directory = Descriptor(raw), let files = try? Directory.list(directory.raw) else { return [] }
      let names = files.map { String(decoding: $0.name, as: UTF8.self) }
      return names.filter { $0.hasPrefix(prefix) && $0.hasSuffix(".json") }.map { String($0.dropLast(".json".count)) }
    }
  }

  /// Returns the cache in a command line, and its feeds.
  private static func place(in words: [String]) -> (cache: FilePath?, registry: FeedRegistry) {
    func value(_ options: String...) -> FilePath? {
      words.firstIndex(where: options.contains).flatMap {
        $0 + 1 < words.count ? CommandLineWord(argument: words[$0 + 1]).path : nil
      }
    }
    let zones = TimeZones(environment: nil)
    let named = value("--feeds") ?? DefaultCache.path(inVariable: "CACHESYNC_FEEDS")
    let shared = named.flatMap { try? SharedDefinitions(in: $0) }
    guard let cache = try? value("--cache", "-C") ?? DefaultCache.path else { return (nil, .builtIn) }
    return (cache, .inForce(in: cache, CacheEnvironment(zones: zones, shared: shared)))
  }

  static var sessionFiles: CompletionKind { .file(extensions: ["json", "ics", "JSON", "ICS"]) }

  /// `key=` for every field of the intent's type that has no value yet.
  static var intentFields: CompletionKind {
    .custom { words, _, prefix in
      let types = place(in: words).registry.intents.all
      guard let type = types.first(where: { words.contains($0.name) }) else { return [] }
      let keys = (type.fields.map(\.name) + ["id", "at"]).map { $0 + "=" }
      // The word under the cursor may already be in the list: a key is offered until its value begins.
      return keys.filter { key in key.hasPrefix(prefix) && !words.contains { $0.hasPrefix(key) && $0 != key } }
    }
  }

  static var timeZones: CompletionKind {
    .custom { _, _, prefix in TimeZoneDatabase().names.filter { $0.hasPrefix(prefix) } }
  }
}
