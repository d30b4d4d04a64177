import ArgumentParser
import CacheSync
import CacheSyncAgent
import SystemPackage

@main
struct Cachesyncd: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cachesyncd",
    abstract: "Keeps today's view of a cache of session files published, for widgets and other readers.",
    discussion: """
      Apps drop session JSON files into a cache directory; cachesyncd watches it and publishes one snapshot file per \
      kind of widget under snapshots/, at every change and at every local midnight. Without a subcommand it runs the agent.

      The cache directory is --cache, else $CACHESYNC_CACHE, else $XDG_CACHE_HOME/cachesync, else ~/.cache/cachesync.

      \(HelpText.examples(
        "cachesyncd run", "cachesyncd show", "cachesyncd drop \(HelpText.feed) this-week.json --wait",
        "cachesyncd help drop"))
      """,
    version: CacheSyncVersion.current,
    subcommands: [
      RunCommand.self, SyncCommand.self, ShowCommand.self, CheckCommand.self, StatusCommand.self, NextCommand.self,
      WatchCommand.self, WaitCommand.self, DropCommand.self, IntentCommand.self, FeedsCommand.self, FeedCommand.self,
      RenderCommand.self, ServeCommand.self,
    ],
    defaultSubcommand: RunCommand.self
  )

  static func main() { runAndEnd(arguments) }

  /// The words after the program's name.
  ///
  /// Read from /proc where `CommandLine` has none: the Swift runtime looks for the words beside the environment, and a
  /// preloaded library that moves the environment, such as libfaketime, hides them (measured with Swift 6.3.1). The agent
  /// would then serve the default cache instead of the one it was given.
  static var arguments: [String] {
    guard CommandLine.arguments.isEmpty, let words = try? commandLineOfKernel() else {
      return Array(CommandLine.arguments.dropFirst())
    }
    return Array(words.dropFirst())
  }

  /// Every word ends with a zero byte (proc(5)).
  private static func commandLineOfKernel() throws -> [String] {
    let file = try FileDescriptor.open("/proc/self/cmdline", .readOnly, options: .closeOnExec)
    return try file.closeAfter {
      try file.readAll().split(separator: 0, omittingEmptySubsequences: false).dropLast().map {
        String(decoding: $0, as: UTF8.self)
      }
    }
  }
}
