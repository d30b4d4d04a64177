import CacheSync
import CacheSyncPictures
import HTTPTypes
import HummingbirdCore

extension Routes {
  /// Answers a request of a panel, a refusal with its reason as `message`.
  ///
  /// - Parameter path: what follows the panels' address.
  func answer(_ panels: Panels, _ path: String, _ request: Request) async throws(Refusal) -> Answer {
    do throws(Refusal) {
      return try await screen(panels, path, request)
    } catch {
      var (answer, message) = (Answer(error), error.message)
      if error.status == .serviceUnavailable, let asking = try? Panels.Asking(request.head),
        await panels.isRedacted(asking.address)
      {
        message = Painter.Failure.redacted.reason
      }
      // Without a `status`: some of its numbers make a panel forget its network.
      let told = json(["message": .string(message)])
      (answer.type, answer.body) = (told.type, told.body)
      return answer
    }
  }

  private func screen(_ panels: Panels, _ path: String, _ request: Request) async throws(Refusal) -> Answer {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    switch parts {
    case ["api", "setup"], ["api", "setup", ""]:
      guard request.isReading else { throw .onlyReading }
      return try await setUp(panels, request)
    case ["api", "display"]:
      guard request.isReading else { throw .onlyReading }
      return try await display(panels, request)
    case ["api", "log"]:
      guard request.method == .post else { throw .onlyPosting }
      return try await log(panels, request)
    default:
      guard parts.count == 4, parts[0] == "picture" else { throw .notFound }
      guard request.isReading else { throw .onlyReading }
      return try await picture(panels, request, digits: parts[1], secret: parts[2], name: String(parts[3]))
    }
  }

  private func setUp(_ panels: Panels, _ request: Request) async throws(Refusal) -> Answer {
    let asking = try Panels.Asking(request.head)
    let (display, message) = await panels.setUp(asking, view: try await view())
    return json([
      "status": .integer(200), "api_key": .string(panels.token(of: asking.address)),
      "friendly_id": .string(asking.address.friendlyID),
      "image_url": .string(address(of: display, panels, asking, request)), "filename": .string(display.name),
      "message": .string(message),
    ])
  }

  private func display(_ panels: Panels, _ request: Request) async throws(Refusal) -> Answer {
    let asking = try Panels.Asking(request.head)
    try panels.checkToken(asking)
    let display = try await panels.display(asking, view: try await view())
    var members: TextMap<JSONValue> = [
      "status": .integer(0), "image_url": .string(address(of: display, panels, asking, request)),
      "filename": .string(display.name), "refresh_rate": .integer(display.pause), "reset_firmware": .bool(false),
      "update_firmware": .bool(false), "firmware_url": .null, "special_function": .string("none"),
    ]
    if let message = display.message { members["message"] = .string(message) }
    return json(members)
  }

  private func log(_ panels: Panels, _ request: Request) async throws(Refusal) -> Answer {
    // Only browsers send it, and panels have none.
    guard request.headers[.origin] == nil else { throw .foreignOrigin }
    let asking = try Panels.Asking(request.head)
    try panels.checkToken(asking)
    let bytes = try await body(of: request, upTo: Self.maximumLog, orThrow: .longLog)
    try await panels.log(bytes, of: asking.address)
    return Answer(.noContent, type: "application/json", bytes: [])
  }

  private static let maximumLog = 65_536

  private func picture(
    _ panels: Panels, _ request: Request, digits: Substring, secret: Substring, name: String
  ) async throws(Refusal) -> Answer {
    guard let address = PanelAddress(String(digits)), panels.opens(address, with: secret) else { throw .notFound }
    let asking = Panels.Asking(address, request.head)
    let bytes = try await panels.picture(name, asking, view: try await view())
    return Answer(type: "image/\(name.hasSuffix(".bmp") ? "bmp" : "png")", bytes: bytes)
  }

  /// Absolute, on the host that the panel asked, and below the path that a trusted proxy takes off.
  private func address(
    of display: Panels.Display, _ panels: Panels, _ asking: Panels.Asking, _ request: Request
  ) -> String {
    "\(request.head.scheme ?? "http")://\(request.head.authority ?? "")"
      + "\(request.headers[.forwardedPrefix] ?? "")\(panels.place(of: display.name, for: asking.address))"
  }

  private func json(_ members: TextMap<JSONValue>) -> Answer {
    var answer = Answer(type: "application/json", bytes: JSONValue.object(members).bytes)
    answer.hasTag = false
    return answer
  }
}

extension Panels.Asking {
  /// - Throws: ``Refusal`` 400 without a valid address.
  init(_ head: HTTPRequest) throws(Refusal) {
    guard let address = Self.field("ID", of: head).flatMap({ PanelAddress($0) }) else { throw .noAddress }
    self.init(address, head)
  }

  init(_ address: PanelAddress, _ head: HTTPRequest) {
    func field(_ name: String) -> String? { Self.field(name, of: head) }
    let (width, height) = (field("Width").flatMap { Int($0) } ?? 0, field("Height").flatMap { Int($0) } ?? 0)
    self.init(
      address: address, token: field("Access-Token"),
      readsBMP: [nil, "og"].contains(field("Model")?.lowercased())
        ? field("FW-Version").map(Self.isBeforePNG) : false,
      size: Self.sides.contains(width) && Self.sides.contains(height) ? PixelSize(width: width, height: height) : nil,
      volts: field("Battery-Voltage").flatMap { Double($0) }.flatMap { $0.isFinite ? $0 : nil },
      signal: field("RSSI").flatMap { Double($0) }.flatMap { $0.isFinite ? $0 : nil })
  }

  /// The value of a field; nil if it is missing or empty.
  private static func field(_ name: String, of head: HTTPRequest) -> String? {
    HTTPField.Name(name).flatMap { head.headerFields[$0] }.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Firmware before 1.6.0 reads BMP files only. A version that cannot be read is none of TRMNL's.
  private static func isBeforePNG(_ version: String) -> Bool {
    let numbers = version.split(separator: ".").map { Int($0.prefix { $0.isNumber }) }.prefix { $0 != nil }
    return !numbers.isEmpty && numbers.compactMap(\.self).lexicographicallyPrecedes([1, 6])
  }

  /// Of displays that exist, in pixels.
  private static let sides = 100...4_096
}
