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
        (.invalidData, "the definition of a kind that is named is invalid"),
        (.noInput, "the cache is missing"),
        (.noPermission, "permission denied")))
      """)

  // The parser allows one array of positional arguments, so this one also has the words of the command.
  @Argument(
    help: ArgumentHelp("The kinds to watch; a feed means its kinds. Default: all.", valueName: "kinds"),
    completion: .kinds)
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
      let wanted = try cache.kinds(kinds, shared)
      // Keeps only the path: while a process has a descriptor of a directory, the kernel does not report its deletion.
      let path = try CacheRoot(resolved: try CacheRoot.resolve(cache.path)).path
      let registry = try cache.registry(shared.environment())
      let ordered = registry.feeds.flatMap { $0.kinds.map(\.name) }.filter(wanted.contains).map(\.description)
      let output: SnapshotWatch.Output =
        command.isEmpty
        ? .standardOutput
        : .command(
          try CommandRunner(
            command, timeout: .milliseconds(Int((timeout ?? 30) * 1000)), cache: path, logger: logging.logger))
      var watch = try SnapshotWatch(path, kinds.isEmpty ? nil : ordered, format, startingWithCurrent: now)
      try watch.run(output)
    }
  }
}
