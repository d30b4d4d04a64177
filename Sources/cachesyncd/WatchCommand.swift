import ArgumentParser
import CacheSync
import CacheSyncAgent

struct WatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch", abstract: "Print each snapshot that changes from now on, as one line of JSON.",
    usage: "cachesyncd watch [<kinds> ...] [--cache <dir>]",
    discussion: "Exit status 66: no such cache. 77: not permitted.")

  @Argument(help: "The kinds to watch; none: all.")
  var kinds: [String] = []

  @OptionGroup var cache: CacheOptions
  @OptionGroup(visibility: .hidden) var settings: SettingsOptions
  @OptionGroup(visibility: .hidden) var publishing: PublishingOptions
  @OptionGroup(visibility: .hidden) var logging: LoggingOptions

  func validate() throws { try KindArguments.validate(kinds) }

  func run() throws {
    try reporting {
      // Keeps only its path: while a process holds a descriptor of a directory, the kernel does not report its deletion.
      let path = try CacheRoot(resolved: try CacheRoot.resolve(cache.path)).path
      let updates = SnapshotUpdates(cache: path, kinds: kinds.isEmpty ? nil : kinds)
      return try Supervisor.run { _ in
        for await snapshot in updates { Terminal.write(snapshot.bytes) }
        return ExitStatus.success
      }
    }
  }
}

enum KindArguments {
  static func validate(_ kinds: [String]) throws {
    for kind in kinds where FeedRegistry.kind(named: KindName(kind)) == nil {
      let known = FeedRegistry.kinds.map(\.name.description).joined(separator: ", ")
      throw ValidationError("unknown kind '\(EscapedText.forPeople(kind))': use one of \(known)")
    }
  }
}
