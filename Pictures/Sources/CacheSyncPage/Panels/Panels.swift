import CacheSync
package import CacheSyncPictures
package import Logging

/// Answers e-ink panels of the TRMNL kind. They wake, ask what to show and when to ask again, fetch a picture if its name
/// is new, and sleep.
package actor Panels {
  /// What a panel tells of itself with each request.
  struct Asking: Sendable, Equatable {
    var address: PanelAddress
    var token: String?
    /// Whether its firmware is one of TRMNL's that reads BMP files only, by its version and the panel's model; nil: it has no
    /// version, as old firmware at setup.
    var readsBMP: Bool? = false
    /// The display's size, if such displays exist.
    var size: PixelSize?
    var volts: Double?
    var signal: Double?
  }

  /// The answer to a request for a screen.
  struct Display: Sendable, Equatable {
    /// Changes exactly when the picture changes.
    var name: String
    var picture: [UInt8]
    /// The seconds until the panel should ask again.
    var pause: Int
    /// What is missing for its screen, in words.
    var message: String?
  }

  struct Report: Sendable, Equatable {
    var moment: Instant
    var volts: Double?
    var signal: Double?
  }

  private nonisolated let key: String
  private nonisolated let secret: String
  private let file: PanelFile
  private var version: FileVersion?
  private var panels: [PanelAddress: Panel]
  private let pictures: PictureQueue
  private let logger: Logger
  private let screens: @Sendable () async -> [String: ScreenPlan]
  private var reports: [PanelAddress: Report] = [:]
  /// The picture that each known panel was last told of, so that it gets the bytes whose name it was told.
  private var told: [PanelAddress: Display] = [:]
  /// The last picture of a panel that is being set up or not known. Only one, so that requests cannot fill the memory.
  private var lastNotice: (address: PanelAddress, display: Display)?

  /// - Throws: ``PanelFile/Failure`` when the file cannot be used.
  package init(
    file: PanelFile, key: String, pictures: PictureQueue, logger: Logger,
    screens: @escaping @Sendable () async -> [String: ScreenPlan] = { [:] }
  ) throws(PanelFile.Failure) {
    self.screens = screens
    version = FileVersion(of: file.path)
    panels = try file.read()
    self.file = file
    self.key = key
    self.pictures = pictures
    self.logger = logger
    secret = DerivedKey.panels(from: key)
  }

  /// The rest of a path below the panels' address; nil for another path.
  nonisolated func path(below path: String) -> String? {
    guard path.hasPrefix("/") else { return nil }
    let parts = path.dropFirst().split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard RandomKey.areEqual(parts[0], secret) else { return nil }
    return parts.count == 2 ? String(parts[1]) : ""
  }

  nonisolated func token(of address: PanelAddress) -> String { DerivedKey.token(of: address, from: key) }

  /// - Throws: ``Refusal`` 401 for a panel without its token.
  nonisolated func checkToken(_ asking: Asking) throws(Refusal) {
    guard let token = asking.token, RandomKey.areEqual(token, self.token(of: asking.address)) else { throw .noToken }
  }

  /// The path of a picture below the server's root.
  nonisolated func place(of name: String, for address: PanelAddress) -> String {
    let digits = address.description.filter { $0 != ":" }
    return "/\(secret)/picture/\(digits)/\(DerivedKey.picture(of: address, from: key))/\(name)"
  }

  /// Whether the secret of a picture's path is that of the panel.
  nonisolated func opens(_ address: PanelAddress, with given: some StringProtocol) -> Bool {
    RandomKey.areEqual(given, DerivedKey.picture(of: address, from: key))
  }

  // MARK: Answers

  /// Whether what a panel gets must not name what the cache has.
  func isRedacted(_ address: PanelAddress) async -> Bool { await plan(of: address).panel?.form.isRedacted == true }

  /// A panel with what its screen's file says, and the file.
  private func plan(of address: PanelAddress) async -> (panel: Panel?, plan: ScreenPlan?) {
    guard let panel = panels[address] else { return (nil, nil) }
    guard let name = panel.screen else { return (panel.with(nil), nil) }
    let plan = await screens()[name]
    return (panel.with(plan), plan)
  }

  /// The picture for a panel that is being set up, and a sentence.
  func setUp(_ asking: Asking, view: CacheView) async -> (display: Display, message: String) {
    readFile()
    let panel = await plan(of: asking.address).panel
    let notice =
      panel.map { .ready(asking.address, isRedacted: $0.form.isRedacted) } ?? unknown(asking, view)
    let format = format(for: panel, asking, atSetup: true)
    return (keep(show(notice, format, for: panel, asking), of: asking.address), notice.title)
  }

  /// The screen of a panel, and when it should ask again.
  ///
  /// - Throws: ``Refusal`` 503 when too many others are requested.
  func display(_ asking: Asking, view: CacheView) async throws(Refusal) -> Display {
    readFile()
    let (known, plan) = await plan(of: asking.address)
    guard let panel = known else {
      let notice = unknown(asking, view)
      var display = show(notice, format(for: nil, asking), for: nil, asking)
      display.message = "\(notice.title): add it to the file of serve --panels"
      return keep(display, of: asking.address)
    }
    reports[asking.address] = Report(moment: view.moment, volts: asking.volts, signal: asking.signal)
    let kinds = Self.kinds(of: panel, plan)
    let shown = view.snapshots.filter { kinds.contains($0.kind) }
    let change = shown.compactMap { $0.nextChange(after: view.moment) }.min()
    let pause = panel.hours.seconds(at: view.moment, until: change, in: view.calendar)
    let format = format(for: panel, asking)
    var display: Display
    do throws(Painter.Failure) {
      let bytes = try await draw(panel, plan, format, asking, view)
      display = Display(name: Self.name(of: bytes, format), picture: bytes, pause: pause)
      if panel.form.size == nil, asking.size == nil {
        display.message =
          "Width and Height are missing: the picture is \(ScreenForm.standardSize); name the display's size as "
          + (panel.screen.map { "size in screens/\($0).json" } ?? "screen in the panels' file")
      }
    } catch {
      if case .busy = error { throw Refusal(error) }
      let reason = error.reason
      logger.error("no picture for the panel \(asking.address): \(reason)")
      let notice = PanelNotice.failed(asking.address, reason, isRedacted: panel.form.isRedacted)
      display = show(notice, format, for: panel, asking, pause: .seconds(pause))
      display.message = notice.lines.first
    }
    told[asking.address] = display
    return display
  }

  /// The bytes of a picture by its name. A panel that fetches late gets the present picture.
  func picture(_ name: String, _ asking: Asking, view: CacheView) async throws(Refusal) -> [UInt8] {
    let address = asking.address
    if let display = told[address], display.name == name { return display.picture }
    if let last = lastNotice, last.address == address, last.display.name == name { return last.display.picture }
    guard let dot = name.lastIndex(of: "."), let format = ScreenFormat(rawValue: String(name[dot...].dropFirst()))
    else {
      throw .notFound
    }
    let (known, plan) = await plan(of: address)
    guard let panel = known else { return show(unknown(asking, view), format, for: nil, asking).picture }
    do {
      return try await draw(panel, plan, format, asking, view)
    } catch {
      throw Refusal(panel.form.isRedacted ? error.redacted : error)
    }
  }

  /// Draws a screen, with fewer greys if the file would be too large.
  private func draw(
    _ panel: Panel, _ plan: ScreenPlan?, _ format: ScreenFormat, _ asking: Asking, _ view: CacheView
  ) async throws(Painter.Failure) -> [UInt8] {
    if let name = panel.screen, plan?.cards.isEmpty != false {
      throw .cannot(Refusal.noScreen(name, among: await screens()).message)
    }
    for kind in plan == nil ? Self.kinds(of: panel, nil) : [] where !view.snapshots.contains(where: { $0.kind == kind })
    {
      throw .cannot(Refusal.absent(kind, among: view.snapshots.map(\.kind)).message)
    }
    let size = Self.size(of: panel, asking)
    let largest = Self.largestPicture(of: size)
    var panel = panel
    while true {
      let bytes = try await pictures.picture(PictureRequest(panel, format, size, plan), of: view)
      if bytes.count <= largest { return bytes }
      guard format == .png, let bits = panel.form.bits, bits > 1 else {
        throw .cannot(
          "the picture has \(bytes.count) bytes, and the panel takes \(largest): choose a smaller screen or fewer widgets"
        )
      }
      panel.form.bits = bits / 2
    }
  }

  /// The kinds on its screen.
  static func kinds(of panel: Panel, _ plan: ScreenPlan?) -> [String] {
    plan?.cards.map(\.kind) ?? panel.widgets.map { String($0.prefix { $0 != ":" }) }
  }

  /// What to tell people at the start: names of screens that do not exist, and the files of screens that would replace widgets.
  package func advice() async -> (warnings: [String], hints: [String]) {
    var (warnings, hints): ([String], [String]) = ([], [])
    let screens = await screens()
    for (address, panel) in panels.sorted(by: { $0.key < $1.key }) {
      if let name = panel.screen, screens[name]?.cards.isEmpty != false {
        warnings.append("panel \(address): \(Refusal.noScreen(name, among: screens).message)")
      }
      if let file = panel.screenFile {
        hints.append(
          "panel \(address): screens/NAME.json in the cache with \(file) would replace its widgets; then write \"screen\": \"NAME\""
        )
      }
    }
    return (warnings, hints)
  }

  /// How many bytes of a picture a panel takes. Read in the firmware 1.8.14: boards with a larger display than 800x480 have the
  /// memory for more.
  private static func largestPicture(of size: PixelSize) -> Int {
    size.width * size.height > 800 * 480 ? 750_000 : 90_000
  }

  private func unknown(_ asking: Asking, _ view: CacheView) -> PanelNotice {
    let kinds = view.snapshots.filter { $0.families.contains(ViewFamily.systemMedium.rawValue) }.map(\.kind)
    let size = asking.size ?? ScreenForm.standardSize
    return .unknown(asking.address, size: size, widgets: kinds.prefix(1).map { "\($0):medium" })
  }

  private func keep(_ display: Display, of address: PanelAddress) -> Display {
    lastNotice = (address, display)
    return display
  }

  /// - Parameter panel: nil: one that the file does not list.
  private func show(
    _ notice: PanelNotice, _ format: ScreenFormat, for panel: Panel?, _ asking: Asking,
    pause: Duration = WakingHours.standardPause
  ) -> Display {
    do {
      let bytes = try notice.bytes(as: format, Self.size(of: panel, asking), panel?.form.turn ?? .none)
      return Display(name: Self.name(of: bytes, format), picture: bytes, pause: Int(pause.components.seconds))
    } catch {
      preconditionFailure("a text of this size can be drawn: \(error)")
    }
  }

  /// What a person sees: the size in the file, or that of the display, turned back.
  private static func size(of panel: Panel?, _ asking: Asking) -> PixelSize {
    panel?.form.size ?? (asking.size ?? ScreenForm.standardSize).turned(by: panel?.form.turn ?? .none)
  }

  /// BMP for old firmware of TRMNL's first panel, which reads nothing else; no other panel does.
  private func format(for panel: Panel?, _ asking: Asking, atSetup: Bool = false) -> ScreenFormat {
    let file = Self.size(of: panel, asking).turned(by: panel?.form.turn ?? .none)
    return asking.readsBMP ?? atSetup && file == ScreenForm.standardSize ? .bmp : .png
  }

  private static func name(of bytes: [UInt8], _ format: ScreenFormat) -> String {
    "\(RandomKey.digits(EntityTag.hash(bytes))).\(format.rawValue)"
  }

  // MARK: The file

  /// Reads the file again if it has changed. One that cannot be used changes nothing, and is reported once.
  private func readFile() {
    let found = FileVersion(of: file.path)
    guard found != version else { return }
    version = found
    do throws(PanelFile.Failure) {
      panels = try file.read()
      reports = reports.filter { panels[$0.key] != nil }
      told = told.filter { panels[$0.key] != nil }
    } catch {
      logger.error("\(error); the panels stay as they were")
    }
  }

  // MARK: Logs and metrics

  /// Logs a panel's log at debug level.
  ///
  /// - Throws: ``Refusal`` 400 for anything else than a log.
  func log(_ bytes: [UInt8], of address: PanelAddress) throws(Refusal) {
    let value = JSONValue(bytes)
    guard let entries = value?["log"]?["logs_array"]?.array ?? value?["logs"]?.array else { throw .badLog }
    for entry in entries {
      logger.debug("panel \(address.friendlyID): \(String(decoding: entry.bytes, as: UTF8.self))")
    }
  }

  /// What the panels reported, in the format of Prometheus.
  var metrics: String {
    typealias Metric = (name: String, help: String, value: (Report) -> String?)
    let metrics: [Metric] = [
      ("battery_volts", "Voltage of the panel's battery.", { $0.volts.map { "\($0)" } }),
      ("rssi_dbm", "Strength of the radio signal at the panel.", { $0.signal.map { "\($0)" } }),
      ("last_seen_timestamp_seconds", "When the panel last asked.", { "\($0.moment.seconds)" }),
    ]
    let reports = reports.sorted { $0.key < $1.key }
    return metrics.map { metric in
      let name = "cachesync_panel_\(metric.name)"
      let samples = reports.compactMap { address, report in
        metric.value(report).map { "\(name){panel=\"\(address)\"} \($0)\n" }
      }
      return "# HELP \(name) \(metric.help)\n# TYPE \(name) gauge\n" + samples.joined()
    }.joined()
  }
}

extension Painter.Failure {
  /// In one line.
  var reason: String {
    switch self {
    case .usage(let reason), .cannot(let reason): reason
    case .busy: "too many pictures are requested: ask again later"
    }
  }

  static let redacted = Painter.Failure.cannot("It cannot be drawn: cachesyncd serve prints why.")

  /// The same without the reason, which may name what the cache has.
  var redacted: Painter.Failure {
    if case .busy = self { self } else { .redacted }
  }
}
