import CacheSync
import CacheSyncPictures
import CacheSyncSystem
package import SystemPackage

struct Panel: Sendable, Equatable {
  /// What is nil is that of its screen's file, and the size then what the panel tells.
  var form = ScreenForm()
  /// nil: as its screen's file says.
  var redacted: Bool?
  /// The name of a screen of the cache; nil: it has widgets of its own.
  var screen: String?
  var hours = WakingHours(awake: nil, every: WakingHours.standardPause)
  /// In the form of `render --screen`: "calendar:medium".
  var widgets: [String] = []

  /// The panel with what its screen's file says. The device is the panel's own.
  func with(_ plan: ScreenPlan?) -> Panel {
    var panel = self
    panel.form.isRedacted = redacted ?? plan?.form.isRedacted ?? false
    panel.form.size = form.size ?? plan?.form.size
    panel.form.turn = form.turn ?? plan?.form.turn
    panel.form.bits = form.bits ?? plan?.form.bits ?? 1
    return panel
  }

  /// The file of a screen that shows the same; nil: it names one.
  var screenFile: String? {
    guard screen == nil else { return nil }
    var members: TextMap<JSONValue> = ["widgets": .array(widgets.map { .string($0) })]
    if let size = form.size { members["size"] = .string(size.description) }
    return String(decoding: JSONValue.object(members).bytes, as: UTF8.self)
  }
}

/// The file that lists the panels, which `serve` reads again once it has changed.
package struct PanelFile: Sendable {
  /// Why the file cannot be used, in one line.
  package struct Failure: Error, Sendable, Equatable, CustomStringConvertible {
    package var description: String
  }

  let path: FilePath
  /// Refuses screens that cannot be drawn.
  private let check: @Sendable (PictureRequest) throws(Painter.Failure) -> Void

  package init(path: FilePath, painter: Painter) {
    self.path = path
    check = painter.check
  }

  /// For messages.
  var name: String { EscapedText.forPeople(path) }

  /// Far above what a house full of panels needs.
  private static let largest = 1 << 20

  func read() throws(Failure) -> [PanelAddress: Panel] {
    let bytes: [UInt8]
    do {
      bytes = try FileDescriptor.readAll(at: path, limit: Self.largest)
    } catch {
      throw Failure(description: "cannot read the panels' file \(name): \(error); name another with --panels")
    }
    return try panels(in: bytes)
  }

  func panels(in bytes: [UInt8]) throws(Failure) -> [PanelAddress: Panel] {
    guard let document = JSONValue(bytes) else {
      throw failure("", JSONValue.defect(in: bytes) ?? "it is larger than a file of panels can be")
    }
    let members = try object(document, "", allowing: ["panels"])
    guard let list = members["panels"]?.object else {
      throw failure("", "'panels' is missing: write {\"panels\": {…}}")
    }
    var panels: [PanelAddress: Panel] = [:]
    for name in list.keys.sorted() {
      guard let address = PanelAddress(name) else {
        throw failure("panels", "'\(name)' is not a MAC address: write it as on the panel, such as 94:A9:90:8C:6D:18")
      }
      guard panels[address] == nil else {
        throw failure("panels", "'\(name)' is there twice: it is the address \(address)")
      }
      panels[address] = try panel(list[name] ?? .null, "panels, \(name)")
    }
    return panels
  }

  private func panel(_ value: JSONValue, _ place: String) throws(Failure) -> Panel {
    let members = try object(
      value, place, allowing: ["screen", "bits", "rotate", "redacted", "awake", "every", "widgets"])
    var panel = Panel()
    if let screen = members["screen"] {
      let text = try read(
        screen.string, place, "screen", "the name of a screen, or a size in pixels such as \"800x480\"")
      if text.first?.isLowercase == true, KnownKind.isName(text) {
        panel.screen = text
      } else {
        panel.form.size = try read(
          PixelSize(text), place, "screen",
          "the name of a screen, or a size in pixels up to 8192x8192, such as \"800x480\"")
      }
    }
    if let bits = members["bits"] { panel.form.bits = try read(bits.int, place, "bits", "1, 2, 4 or 8") }
    if let turn = members["rotate"] {
      panel.form.turn = try read(turn.int.flatMap { Turn(rawValue: $0) }, place, "rotate", "0, 90, 180 or 270")
    }
    if let redacted = members["redacted"] {
      panel.redacted = try read(redacted.bool, place, "redacted", "true or false")
    }
    if let awake = members["awake"] {
      panel.hours.awake = try read(
        awake.string.flatMap { WakingHours.Window($0) }, place, "awake", "two different times, such as \"06:30-23:00\"")
    }
    if let every = members["every"] {
      let pause = every.string.flatMap { ISODuration($0) }?.duration
      panel.hours.every = try read(
        pause.flatMap { Self.pauses.contains($0) ? $0 : nil }, place, "every",
        "a duration from \"PT1M\" to \"P1D\", such as \"PT15M\"")
    }
    if let screen = panel.screen {
      guard members["widgets"] == nil else {
        throw failure(
          place, "the file of the screen \(screen) names its widgets: remove 'widgets', or name a size as 'screen'")
      }
      if let bits = panel.form.bits, ![1, 2, 4, 8].contains(bits) {
        throw failure(place, "invalid 'bits': write 1, 2, 4 or 8")
      }
      return panel
    }
    let widgets = members["widgets"]?.array?.map(\.string)
    guard let widgets, !widgets.isEmpty, !widgets.contains(nil) else {
      throw failure(place, "'widgets' is missing or invalid: list a \"KIND:FAMILY\" or more")
    }
    panel.widgets = widgets.compactMap(\.self)
    do {
      // Without a size, only the panel knows what fits.
      try check(PictureRequest(panel.with(nil), .png, PixelSize(width: PixelSize.most, height: PixelSize.most)))
    } catch {
      throw failure(place, error.reason)
    }
    return panel
  }

  private static let pauses = Duration.seconds(WakingHours.shortestPause)...Duration.seconds(86_400)

  private func object(_ value: JSONValue, _ place: String, allowing names: [String]) throws(Failure) -> TextMap<
    JSONValue
  > {
    guard let members = value.object else { throw failure(place, "expected an object: {…}") }
    if let name = members.keys.sorted().first(where: { !names.contains($0) }) {
      throw failure(place, "unknown name '\(name)': \(NearestName.advice(for: name, among: names))")
    }
    return members
  }

  private func read<Value>(_ value: Value?, _ place: String, _ name: String, _ expected: String) throws(Failure)
    -> Value
  {
    guard let value else { throw failure(place, "invalid '\(name)': write \(expected)") }
    return value
  }

  private func failure(_ place: String, _ reason: String) -> Failure {
    let place = place.isEmpty ? name : "\(name): \(EscapedText.forPeople(place))"
    return Failure(description: "invalid panels' file \(place): \(EscapedText.forPeople(reason))")
  }
}

extension PictureRequest {
  /// The screen of a panel.
  ///
  /// - Parameters:
  ///   - size: of a panel whose file has none.
  ///   - plan: of the screen that it names.
  init(_ panel: Panel, _ format: ScreenFormat, _ size: PixelSize, _ plan: ScreenPlan? = nil) {
    type = format.type
    kinds = Panels.kinds(of: panel, plan)
    var form = panel.form
    form.size = form.size ?? size
    if format == .bmp { form.bits = 1 }
    isRedacted = form.isRedacted
    if var plan {
      plan.form = form
      (self.plan, words) = (plan, ["--screen=\(plan.name ?? "")", "--format=\(format.rawValue)"])
      return
    }
    words = form.words + ["--format=\(format.rawValue)", "--"] + panel.widgets
  }
}

/// The files of screens.
enum ScreenFormat: String, Sendable, CaseIterable {
  case png
  /// One bit a pixel.
  case bmp

  var type: String { "image/\(rawValue)" }
}
