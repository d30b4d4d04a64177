import ArgumentParser
import CacheSync
import CacheSyncPrograms
import CacheSyncSystem

struct WatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch", abstract: "Print a line for each snapshot that changes from now on, or run a command.",
    usage: """
      cachesyncd watch [<kinds> ...] [--now] [--format <format>] [--timeout <seconds>] [--cache <dir>] [--feeds <dir>] \
      [--log-level <log-level>] [-- <command> ...]
      """,
    discussion: """
      A line is the whole snapshot (json), the entry in force as JSON (entry), its first line of text (line), or JSON for \
      Waybar's custom modules (waybar). With the last three, watch also prints a line when the next entry comes into force. \
      For a slow reader it leaves out all but the newest snapshot of each kind.

      With a command, watch prints nothing. It runs the command for each line, one at a time and without a shell. The command \
      gets the line on standard input, and CACHESYNC_CACHE, CACHESYNC_KIND, CACHESYNC_GENERATION and CACHESYNC_STATE in its \
      environment. Changes that happen meanwhile are pending, the newest of each kind, so the last publication of a kind is \
      always followed by a run. A command that takes too long gets SIGTERM, and SIGKILL 5 s later. watch never reads a command \
      from a file in the cache, so a program that may write there cannot run others as you.

      \(HelpText.examples(
        "cachesyncd watch", "cachesyncd watch \(HelpText.kind) --now --format line",
        "cachesyncd watch \(HelpText.kind) --format line -- xargs -d '\\n' notify-send"))

      \(ExitStatus.help(
        (.noInput, "the cache is missing"),
        (.noPermission, "permission denied")))
      """)

  // The parser allows one array of positional arguments, so this one also has the words of the command.
  @Argument(help: ArgumentHelp("The kinds to watch. Default: all.", valueName: "kinds"), completion: .kinds)
  var words: [String] = []

  @Flag(name: .long, help: "Print the current snapshots first.")
  var now = false

  @Option(name: .long, help: "Output format.")
  var format = SnapshotFormat.json

  @Option(help: ArgumentHelp("How many seconds a command may take. Default: 30.", valueName: "seconds"))
  var timeout: Double?

  @OptionGroup var cache: CacheOptions
  @OptionGroup var shared: FeedsOptions
  @OptionGroup var logging: LoggingOptions

  private var kinds: [String] { words.dropLast(command.count) }

  /// A command and its arguments, which follow `--`.
  private var command: [CommandLineWord] {
    let arguments = CommandLineWord.all
    return arguments.firstIndex(of: "--").map { Array(arguments[($0 + 1)...]) } ?? []
  }

  func validate() throws {
    if command.isEmpty {
      if CommandLineWord.all.contains("--") { throw ValidationError("-- is followed by a command") }
      if timeout != nil { throw ValidationError("--timeout is for a command, which follows --") }
    }
    if command.first?.isEmpty == true { throw ValidationError("the command after -- has no name") }
    if let timeout, !(timeout > 0 && timeout <= 1e9) {
      throw ValidationError("--timeout takes a number of seconds, more than 0")
    }
  }

  func run() throws {
    try reporting {
      try KindArguments.validate(kinds, in: cache.knownFeeds(shared))
      // Keeps only the path: while a process has a descriptor of a directory, the kernel does not report its deletion.
      let path = try CacheRoot(resolved: try CacheRoot.resolve(cache.path)).path
      let registry = try cache.registry(shared.environment())
      let output: SnapshotWatch.Output =
        command.isEmpty
        ? .standardOutput
        : .command(
          try CommandRunner(
            command, timeout: .milliseconds(Int((timeout ?? 30) * 1000)), cache: path, logger: logging.logger))
      var watch = try SnapshotWatch(path, KindArguments.ordered(kinds, in: registry), format, startingWithCurrent: now)
      try watch.run(output)
    }
  }
}

enum KindArguments {
  /// - Parameter registry: the feeds of the cache, evaluated only for a kind that is not built in. Nil when they cannot
  ///   be read; the command reports that later.
  /// Called when a command runs, not when it is parsed: of an unknown option that is followed by a value, the parser says that
  /// the option is unknown, after it has taken the value for a kind.
  static func validate(_ kinds: [String], in registry: @autoclosure () -> FeedRegistry?) throws {
    let others = kinds.filter { FeedRegistry.builtIn.kind(named: KindName($0)) == nil }
    guard !others.isEmpty, let registry = registry() else { return }
    for kind in others where registry.kind(named: KindName(kind)) == nil {
      let advice = NearestName.advice(for: kind, among: registry.kinds.map(\.name.description))
      throw ValidationError("unknown kind '\(EscapedText.forPeople(kind))': \(advice)")
    }
  }

  /// Returns the given kinds in the order of the documentation; nil, which means all, when none is given.
  static func ordered(_ kinds: [String], in registry: FeedRegistry) -> [String]? {
    if kinds.isEmpty { return nil }
    return registry.feeds.flatMap { $0.kinds.map(\.name.description) }.filter(kinds.contains)
  }
}
