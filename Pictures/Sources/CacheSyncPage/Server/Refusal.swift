import HTTPTypes

/// Why a request is refused: the status, and a line for people.
struct Refusal: Error, Equatable {
  var status: HTTPResponse.Status
  var message: String
  /// Whether the connection ends, because the rest of the request will not be read.
  var endsConnection = false
  /// After how many seconds the client should ask again.
  var retryAfter: Int?

  static let misdirected = Refusal(
    status: .misdirectedRequest, message: "this server is not called that: use its address, or serve with --allow-host")
  static let noKey = Refusal(
    status: .forbidden, message: "the key is missing or old: open the address that cachesyncd serve printed",
    endsConnection: true)
  static let noBearer = Refusal(
    status: .unauthorized, message: "the key is missing or old: send it as Authorization: Bearer KEY, or as ?key=KEY",
    endsConnection: true)
  static let foreignOrigin = Refusal(
    status: .forbidden, message: "the request comes from another page", endsConnection: true)
  static let noForm = Refusal(status: .forbidden, message: "the request is not a form", endsConnection: true)
  static let oldToken = Refusal(
    status: .forbidden, message: "the card is too old: load the page again, and press once more")
  static let tooLong = Refusal(status: .contentTooLarge, message: "the form is too long", endsConnection: true)
  static let tooSlow = Refusal(status: .requestTimeout, message: "the request took too long", endsConnection: true)
  static let badRequest = Refusal(status: .badRequest, message: "bad request path", endsConnection: true)
  static let noToken = Refusal(
    status: .unauthorized, message: "the panel's token is missing or not of this server: set the panel up again",
    endsConnection: true)
  static let noAddress = Refusal(status: .badRequest, message: "ID is missing, or is not a MAC address")
  static let badLog = Refusal(status: .badRequest, message: "this is not a panel's log")
  static let longLog = Refusal(status: .contentTooLarge, message: "the log is too long", endsConnection: true)
  static let notFound = Refusal(status: .notFound, message: "there is nothing here: the page is at /")
  static let wrongMethod = Refusal(
    status: .methodNotAllowed, message: "this address does not take such requests", endsConnection: true)

  static func absent(_ kind: String) -> Refusal {
    Refusal(status: .notFound, message: "the cache has no \(kind) yet: drop a session file of its feed")
  }

  static func badQuery(_ name: String) -> Refusal {
    Refusal(
      status: .badRequest, message: "the value of \(name) in the address cannot be used: see cachesyncd serve --help")
  }
}

extension Refusal {
  /// Why there is no picture.
  init(_ failure: Painter.Failure) {
    switch failure {
    case .usage: self.init(status: .badRequest, message: failure.reason)
    case .cannot: self.init(status: .serviceUnavailable, message: failure.reason)
    case .busy(let seconds):
      self.init(
        status: .serviceUnavailable, message: failure.reason, endsConnection: true, retryAfter: seconds)
    }
  }
}
