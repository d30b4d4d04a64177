import ArgumentParser
import CacheSync
import CacheSyncPrograms
import CacheSyncPublishing
import CacheSyncSystem

struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Validate session files: print a line for each problem, and nothing for a valid file.",
    usage:
      "cachesyncd check [<paths> ...] [--feed <feed>] [--json] [--cache <dir>] [--time-zone <time-zone>] [--feeds <dir>]",
    discussion: """
      Without a path it checks the whole cache. An error makes a file unusable. A warning names a part that is left out.

      \(HelpText.examples(
        "cachesyncd check", "cachesyncd check ~/this-week.json --feed \(HelpText.feed)",
        "cachesyncd check --json | jq .problems"))

      \(ExitStatus.help(
        (.invalidData, "a file is unusable"),
        (.noInput, "the cache or the file is missing"),
        (.noPermission, "permission denied")))
      """)

  @Argument(help: "Files or directories, in the cache or elsewhere.", completion: .sessionFiles)
  var paths: [CommandLineWord] = []

  @Option(
    name: .long,
    help: ArgumentHelp("The feed to check files outside the cache for: \(FeedRegistry.builtIn.feedNames)."),
    completion: .droppable)
  var feed: String?

  @Flag(name: .long, help: "Print JSON.")
  var json = false

  @OptionGroup var cache: CacheOptions
  @OptionGroup var settings: SettingsOptions

  func validate() throws {
    if paths.contains("") { throw ValidationError("an empty path names nothing") }
  }

  func run() throws {
    try reporting {
      if let feed { try cache.checkFeed(feed, settings.shared) }
      var problems: [Problem] = []
      var status = ExitStatus.success
      if paths.isEmpty {
        problems = try SessionCheck(cache: cache.path, environment: settings.environment()).wholeCache()
      } else {
        let check = try SessionCheck(cache: cache.path, environment: settings.environment())
        for path in paths {
          do {
            problems += try file(path, check)
          } catch let failure as Failure {
            // The remaining files are still checked.
            Terminal.error(failure.description)
            status = max(status, failure.status)
          }
        }
      }
      if json {
        var writer = JSONWriter()
        writer.object { json in
          json.array("problems") { json in for problem in problems { json.problem(problem) } }
        }
        Terminal.line(writer.bytes)
      } else {
        for problem in problems { Terminal.line(problem.line()) }
      }
      return problems.contains { $0.severity == .error } ? max(status, .invalidData) : status
    }
  }

  private func file(_ path: CommandLineWord, _ check: SessionCheck) throws -> [Problem] {
    let name = path.forPeople
    do {
      return try check.file(path.path, feed: feed.map { FeedName($0) })
    } catch {
      switch error {
      case .missing: throw Failure("\(name) does not exist: name a file here, or one in the cache", .noInput)
      case .notRead(let reason): throw Failure("\(name) is never read: \(reason); rename it", .usage)
      case .noFeed: throw Failure("no feed reads \(name): name its feed with --feed", .usage)
      }
    }
  }
}
