import ArgumentParser
import CacheSync
import CacheSyncPage
import CacheSyncPictures
import CacheSyncPrograms
import CacheSyncSystem
import Glibc
import Logging
import SystemPackage

struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Serve a live page of all pictures, for browsers on this machine.",
    usage: """
      cachesyncd serve [--listen <address>] [--key-file <file>] [--allow-host <name> ...] [--trust-proxy <address> ...]
        [--allow-frame <origin> ...] [options]
      cachesyncd serve --panels <file> --key-file <file> [--listen <address>] [--allow-host <name> ...] [options]
      cachesyncd serve --share <feed> --key-file <file> [--listen <address>] [--allow-host <name>] [options]
      """,
    discussion: """
      It prints the address with a key, or one for each address of this machine if it listens on all. Requests without the key are refused. A browser keeps the key as a cookie. Other \
      programs send it with each request, as ?key=. A unix socket needs no key.

      Programs can request these pictures:
        /picture/KIND/FAMILY.svg, .png or .txt, with scale=, bits=, appearance=, tint=, background=, redacted and at=, \
      which mean the same as the options of render. at= takes the same words, such as at=tomorrow.
        /screen.png or .bmp, with size=, rotate=, a widget=KIND:FAMILY for each picture, and the same except scale=.
        /screen/NAME.svg, .png or .bmp, a screen of the cache, with the same except widget=. /screen/NAME is its live page.

      And these data, with the key also as "Authorization: Bearer KEY":
        /kinds.json, /snapshots/KIND.json, /day-index.json, /manifest.json, /entry/KIND.json with at=, \
      /calendars/FEED.ics, and /metrics.

      --share prints the address of one calendar, with a key that opens nothing else, for a phone or a hosted calendar. The \
      address works while a server with the same key file runs.

      --panels answers e-ink panels of the TRMNL kind, which ask a server of your own. The file lists them by their MAC \
      addresses, and is in effect as soon as it is saved; docs/reference/panels.md describes it. The address to type into \
      the panels is printed. It opens what panels ask for, and nothing else.

      Behind a proxy the page works below any path that the proxy takes off. --trust-proxy lets that proxy, and no other, \
      say in X-Forwarded-Proto, X-Forwarded-Host and X-Forwarded-Prefix what the browser asked. --allow-host must still name \
      each host.

      In a frame of another page, browsers send no cookie. With --allow-frame, /?key=KEY answers with the page itself, whose \
      addresses then have the key.

      Examples:
        cachesyncd serve
        cachesyncd serve --listen 0.0.0.0:8735
        cachesyncd serve --listen unix:/run/user/1000/cachesync.sock
        cachesyncd serve --listen 127.0.0.1:9000 --key-file ~/.config/cachesync.key
        cachesyncd serve --share tasks --key-file ~/.config/cachesync.key
        cachesyncd serve --listen 192.168.1.10:8735 --panels ~/.config/panels.json --key-file ~/.config/cachesync.key

      \(ExitStatus.help(
        (.noInput, "the cache is missing"),
        (.unavailable, "a program is not installed"),
        (.temporaryFailure, "the address is taken"),
        (.noPermission, "permission denied"),
        (.configuration, "the settings, the key file or the panels' file are invalid")))
      """)

  @Option(
    help: ArgumentHelp(
      "127.0.0.1:8735, another address with its port, or unix:PATH. 0.0.0.0 and [::] are all addresses of this machine.",
      valueName: "address"))
  var listen = ListenAddress.standard

  @Option(help: ArgumentHelp("Keep the key in this file. It is made if it is missing.", valueName: "file"))
  var keyFile: CommandLineWord?

  @Option(help: ArgumentHelp("Another name by which browsers may address this server.", valueName: "name"))
  var allowHost: [String] = []

  @Option(
    help: ArgumentHelp(
      "A proxy whose X-Forwarded-Proto, -Host and -Prefix count: an address, a network such as 10.0.0.0/8, or unix.",
      valueName: "address"))
  var trustProxy: [TrustedProxy] = []

  @Option(
    help: ArgumentHelp(
      "An origin whose pages may show this one in a frame, such as https://dashboard.example.", valueName: "origin"))
  var allowFrame: [String] = []

  @Option(
    help: ArgumentHelp(
      "Print the address of this feed's calendar, and end. The address opens that calendar alone.", valueName: "feed"))
  var share: String?

  @Option(help: ArgumentHelp("Answer the e-ink panels that this file lists.", valueName: "file"))
  var panels: CommandLineWord?

  @Option(help: "The least severe messages about panels to print on standard error.")
  var logLevel = LogLevel.error

  @OptionGroup var common: CommonOptions

  func validate() throws {
    if panels != nil {
      guard keyFile != nil else {
        throw ValidationError("--panels needs --key-file, because panels keep the address that is made from the key")
      }
      if case .unix = listen {
        throw ValidationError("panels cannot reach a unix socket: leave --panels out, or listen on an address")
      }
      guard share == nil else { throw ValidationError("--share ends at once: leave --panels out") }
      guard panels?.isEmpty == false else { throw ValidationError("--panels needs a file") }
    }
    if share != nil, keyFile == nil {
      throw ValidationError("--share needs --key-file, because the address is valid as long as the key is")
    }
    if share != nil, case .unix = listen {
      throw ValidationError("a unix socket has no address to share: leave --share out, or listen on an address")
    }
    if keyFile?.isEmpty == true { throw ValidationError("--key-file needs a file") }
    if let name = allowHost.first(where: { $0.isEmpty || $0.contains { $0 == "/" || $0.isWhitespace } }) {
      throw ValidationError("invalid host name '\(name)': write it as in the address bar, without http://")
    }
    if let origin = allowFrame.first(where: { !Access.isOrigin($0) }) {
      throw ValidationError(
        "invalid origin '\(EscapedText.forPeople(origin))': write it as https://HOST or https://HOST:PORT, without a path"
      )
    }
    if case .unix = listen, !allowHost.isEmpty, !trustProxy.contains(.unix) {
      throw ValidationError(
        "a unix socket is called localhost alone: leave --allow-host out, add --trust-proxy unix, or listen on an address"
      )
    }
  }

  func run() async throws {
    try await reporting {
      let program = common.program
      // Reports early what would prevent every computation: a missing cache, a missing permission, invalid settings.
      _ = try await program.output(of: ["next", "--json", "--count", "0"] + program.options)
      if let share {
        try await printAddress(of: share, program)
        return .success
      }
      try warnAboutFonts()
      let key = try serverKey()
      let questions = CacheQuestions(
        shown: { try await program.show(at: "\($0)") }, status: { try await program.agent() },
        printed: { try await program.output(for: $0) })
      let pictures = PictureQueue(painter: .render)
      let page = LivePage(cache: try common.path, timeZone: common.timeZone, questions: questions, now: { .now })
      let panels = try panels(key, pictures, page)
      let advice = await panels?.advice()
      let server = PageServer(
        page: page, pictures: pictures, address: listen,
        access: Access(
          allowedHosts: allowHost, key: key, isKeyKept: keyFile != nil, proxies: trustProxy, frames: allowFrame),
        panels: panels, logger: logger)
      do {
        try await server.run { address in
          announce(address, key)
          for warning in advice?.warnings ?? [] { StandardError.write(warning, .warning) }
          for hint in advice?.hints ?? [] { Terminal.line(hint.prefix(1).uppercased() + hint.dropFirst()) }
        }
      } catch let error as ListenError {
        throw Failure(error.description, error.status)
      }
      return .success
    }
  }

  /// The page has words without a font here, because browsers bring their own. PNG files and panels have none.
  private func warnAboutFonts() throws {
    let published = try? SnapshotReader(cache: common.path).consistent()
    let locale = published?.snapshots.values.first?.locale ?? .english
    guard let missing = Layout(Typesetter()).missingFont(for: locale.language) else { return }
    StandardError.write(missing.description, .warning)
  }

  /// What panels ask; nil without `--panels`.
  private func panels(_ key: String?, _ pictures: PictureQueue, _ page: LivePage) throws -> Panels? {
    guard let panels, let key else { return nil }
    do {
      return try Panels(
        file: PanelFile(path: panels.path, painter: .render), key: key, pictures: pictures, logger: logLevel.logger,
        screens: { await page.currentScreens() })
    } catch {
      throw Failure(error.description, .configuration)
    }
  }

  private func names(port: Int) -> [String] { allowHost.map { $0.contains(":") ? $0 : "\($0):\(port)" } }

  /// The name by which other devices address this server.
  private func host(_ address: ListenAddress, port: Int) -> String {
    names(port: port).first ?? address.forBrowsers()[0]
  }

  private func printAddress(of feed: String, _ program: CachesyncdProgram) async throws {
    do {
      _ = try await program.output(for: .calendar(feed: feed))
    } catch is CacheQuestions.NoSuch {
      throw ValidationError(
        "unknown calendar '\(EscapedText.forPeople(feed))': see cachesyncd export --help")
    }
    guard let key = try serverKey(), case .tcp(_, let port) = listen else { return }
    let own = isKeyShown ? DerivedKey.calendar(of: feed, from: key) : "KEY"
    Terminal.line("http://\(host(listen, port: port))/calendars/\(feed).ics?key=\(own)")
    if !isKeyShown { StandardError.write("the key is printed on a terminal only", .warning) }
  }

  /// A stored key must not appear in the log of a service, which receives output that does not go to a terminal.
  private var isKeyShown: Bool { keyFile == nil || isatty(STDOUT_FILENO) != 0 }

  /// The key from the file, or a new one. nil on a unix socket, whose mode decides who may connect.
  private func serverKey() throws -> String? {
    if case .unix = listen { return nil }
    guard let keyFile else { return KeyFile.newKey() }
    do {
      return try KeyFile(path: keyFile.path).key()
    } catch {
      throw Failure(error.description, error.isPermission ? .noPermission : .configuration)
    }
  }

  private func announce(_ address: ListenAddress, _ key: String?) {
    let query = key.map { isKeyShown ? "?key=\($0)" : "?key=KEY, with the key of \(keyFile?.forPeople ?? "")" } ?? ""
    var places = address.forBrowsers()
    if case .tcp(_, let port) = address {
      if address.isEverywhere { places += names(port: port).filter { !places.contains($0) } }
      places = places.map { "http://\($0)/\(query)" }
    }
    for place in places { Terminal.line("The page is at \(place)") }
    if panels != nil, let key, case .tcp(_, let port) = address {
      let own = isKeyShown ? DerivedKey.panels(from: key) : "KEY, which is printed on a terminal only"
      Terminal.line("Panels use http://\(host(address, port: port))/\(own)")
    }
    if !address.isLocal {
      StandardError.write("others may read what goes to and from \(address), because it is not encrypted", .warning)
    }
  }

  /// Logs the errors of the server's library, such as a failure to accept connections. The library does not log keys or
  /// the addresses of requests.
  private var logger: Logger { LogLevel.error.logger }
}

extension ListenAddress: ExpressibleByArgument {
  /// Reads the option's value.
  public init?(argument: String) { self.init(CommandLineWord(argument: argument).bytes) }

  /// The default in the help.
  public var defaultValueDescription: String { description }
}

extension TrustedProxy: ExpressibleByArgument {
  /// Reads the option's value.
  public init?(argument: String) { self.init(argument) }
}

extension ListenError {
  fileprivate var status: ExitStatus {
    switch reason {
    case .addressInUse: .temporaryFailure
    case .notPermitted: .noPermission
    case .noSuchAddress: .usage
    case .other: .inputOutput
    }
  }
}

extension Painter {
  /// Parses a request's words as the arguments of the command.
  static let render = Painter { (request, snapshots, moment) throws(Painter.Failure) in
    let command = try parsed(request)
    do {
      let plan = request.plan.map { command.plan($0) }
      var drawing = try command.drawing(of: plan)
      (drawing.locale, drawing.timeZone) = (request.locale, request.timeZone)
      return try command.bytes(of: snapshots, at: moment, with: drawing, plan: plan)
    } catch let error as ValidationError {
      throw .usage(error.message)
    } catch {
      throw .cannot("\(error)")
    }
  } check: { (request) throws(Painter.Failure) in
    _ = try parsed(request)
  }

  private static func parsed(_ request: PictureRequest) throws(Painter.Failure) -> RenderCommand {
    do {
      let command = try RenderCommand.parse(request.words)
      try command.validateWords()
      return command
    } catch {
      throw .usage(RenderCommand.message(for: error))
    }
  }
}
