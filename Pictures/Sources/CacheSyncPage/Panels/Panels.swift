import CacheSync
import CacheSyncPictures
import CacheSyncSystem
import HTTPTypes
package import Logging

/// Answers e-ink panels of the TRMNL kind. They wake, ask what to show and when to ask again, fetch a picture if its name
/// is new, and sleep.
package actor Panels {
  /// What a panel tells of itself with each request.
  struct Asking: Sendable, Equatable {
    var address: PanelAddress
    var token: String?
    /// The firmware's version, such as 1.5.4; empty: unknown.
    var firmware: [Int] = []
    var width: Int?
    var height: Int?
    var volts: Double?
    var signal: Double?

    /// Firmware before this version reads BMP files only.
    private static let readsPNG = [1, 6]

    var format: ScreenFormat {
      !firmware.isEmpty && firmware.lexicographicallyPrecedes(Self.readsPNG) ? .bmp : .png
    }
  }

  /// The answer to a request for a screen.
  struct Display: Sendable, Equatable {
    /// Changes exactly when the picture changes.
    var name: String
    var picture: [UInt8]
    /// The seconds until the panel should ask again.
    var pause: Int
  }

  /// What a panel last reported.
  struct Report: Sendable, Equatable {
    var moment: Instant
    var volts: Double?
    var signal: Double?
  }

  private nonisolated let key: String
  private nonisolated let secret: String
  private let file: PanelFile
  private var version: PanelFile.Version?
  private var panels: [PanelAddress: Panel]
  private let pictures: PictureQueue
  private let logger: Logger
  private var reports: [PanelAddress: Report] = [:]
  /// The picture that each known panel was last told of, so that it gets the bytes whose name it was told.
  private var told: [PanelAddress: Display] = [:]
  /// The last picture of a panel that is being set up or not known. Only one, so that requests cannot fill the memory.
  private var lastNotice: (address: PanelAddress, display: Display)?

  /// - Throws: ``PanelFile/Failure`` when the file cannot be used.
  package init(file: PanelFile, key: String, pictures: PictureQueue, logger: Logger) throws(PanelFile.Failure) {
    version = PanelFile.Version(of: file.path)
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

  /// The picture for a panel that is being set up, and a sentence.
  func setUp(_ asking: Asking, view: CacheView) -> (display: Display, message: String) {
    readFile()
    let notice = panels[asking.address] == nil ? unknown(asking, view) : .ready(asking.address)
    return (keep(show(notice, as: .bmp, asking), of: asking.address), notice.title)
  }

  /// The screen of a panel, and when it should ask again.
  ///
  /// - Throws: ``Refusal`` 503 when too many others are requested.
  func display(_ asking: Asking, view: CacheView) async throws(Refusal) -> Display {
    readFile()
    guard let panel = panels[asking.address] else {
      return keep(show(unknown(asking, view), as: asking.format, asking), of: asking.address)
    }
    reports[asking.address] = Report(moment: view.moment, volts: asking.volts, signal: asking.signal)
    let shown = view.snapshots.filter { panel.kinds.contains($0.kind) }
    let change = shown.compactMap { $0.nextChange(after: view.moment) }.min()
    let pause = panel.hours.seconds(at: view.moment, until: change, in: view.calendar)
    let display: Display
    do throws(Painter.Failure) {
      let bytes = try await draw(panel, as: asking.format, view)
      display = Display(name: Self.name(of: bytes, asking.format), picture: bytes, pause: pause)
    } catch {
      if case .busy = error { throw Refusal(error) }
      let reason = error.reason
      logger.error("no picture for the panel \(asking.address): \(reason)")
      let notice = PanelNotice.failed(asking.address, reason)
      display = show(notice, as: asking.format, asking, panel.size, pause: .seconds(pause))
    }
    told[asking.address] = display
    return display
  }

  /// The bytes of a picture by its name. A panel that fetches late gets the present picture.
  func picture(_ name: String, of address: PanelAddress, view: CacheView) async throws(Refusal) -> [UInt8] {
    if let display = told[address], display.name == name { return display.picture }
    if let last = lastNotice, last.address == address, last.display.name == name { return last.display.picture }
    guard let dot = name.lastIndex(of: "."), let format = ScreenFormat(rawValue: String(name[dot...].dropFirst()))
    else {
      throw .notFound
    }
    guard let panel = panels[address] else {
      let asking = Asking(address: address)
      return show(unknown(asking, view), as: format, asking).picture
    }
    do {
      return try await draw(panel, as: format, view)
    } catch {
      throw Refusal(error)
    }
  }

  /// Draws a screen, with fewer greys if the file would be too large.
  private func draw(
    _ panel: Panel, as format: ScreenFormat, _ view: CacheView
  ) async throws(Painter.Failure) -> [UInt8] {
    for kind in panel.kinds where !view.snapshots.contains(where: { $0.kind == kind }) {
      throw .cannot(Refusal.absent(kind).message)
    }
    var panel = panel
    while true {
      let bytes = try await pictures.picture(PictureRequest(panel, format: format), of: view)
      if bytes.count <= panel.largestPicture { return bytes }
      guard format == .png, panel.bits > 1 else {
        throw .cannot(
          "the picture has \(bytes.count) bytes, and the panel takes \(panel.largestPicture): choose a smaller screen or fewer widgets"
        )
      }
      panel.bits /= 2
    }
  }

  private func unknown(_ asking: Asking, _ view: CacheView) -> PanelNotice {
    let kinds = view.snapshots.filter { $0.families.contains(ViewFamily.systemMedium.rawValue) }.map(\.kind)
    let size = Self.size(asking)
    return .unknown(asking.address, size: size, widgets: kinds.prefix(1).map { "\($0):medium" })
  }

  private func keep(_ display: Display, of address: PanelAddress) -> Display {
    lastNotice = (address, display)
    return display
  }

  private func show(
    _ notice: PanelNotice, as format: ScreenFormat, _ asking: Asking, _ size: (width: Int, height: Int)? = nil,
    pause: Duration = WakingHours.standardPause
  ) -> Display {
    let size = format == .bmp ? Self.standardSize : size ?? Self.size(asking)
    do {
      let bytes = try notice.bytes(as: format, width: size.width, height: size.height)
      return Display(name: Self.name(of: bytes, format), picture: bytes, pause: Int(pause.components.seconds))
    } catch {
      preconditionFailure("a text of this size can be drawn: \(error)")
    }
  }

  /// The display's size as the panel tells it, if such displays exist.
  private static func size(_ asking: Asking) -> (width: Int, height: Int) {
    guard let width = asking.width, let height = asking.height, sizes.contains(width), sizes.contains(height) else {
      return standardSize
    }
    return (width, height)
  }

  private static let standardSize = (width: 800, height: 480)
  private static let sizes = 100...2_560

  private static func name(of bytes: [UInt8], _ format: ScreenFormat) -> String {
    "\(RandomKey.digits(EntityTag.hash(bytes))).\(format.rawValue)"
  }

  // MARK: The file

  /// Reads the file again if it has changed. One that cannot be used changes nothing, and is reported once.
  private func readFile() {
    let found = PanelFile.Version(of: file.path)
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
}

extension Panel {
  /// The display's size in pixels.
  fileprivate var size: (width: Int, height: Int)? {
    let parts = screen.split { $0 == "x" || $0 == "×" }.compactMap { Int($0) }
    return parts.count == 2 ? (parts[0], parts[1]) : nil
  }

  /// How many bytes of a picture the panel takes. Read in the firmware 1.8.14: boards with a larger display than 800x480
  /// have the memory for more.
  fileprivate var largestPicture: Int {
    guard let size, size.width * size.height > 800 * 480 else { return 90_000 }
    return 750_000
  }
}
