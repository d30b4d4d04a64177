import CacheSync
import CacheSyncPictures
import CacheSyncPrograms
import CacheSyncSystem
import HTTPTypes

/// Why a request is refused: the status, and a line for people.
struct Refusal: Error, Equatable {
  var status: HTTPResponse.Status
  var message: String
  /// Whether the connection ends, because the rest of the request will not be read.
  var endsConnection = false
  /// After how many seconds the client should ask again.
  var retryAfter: Int?
  /// The methods that the address takes, for a request with another one.
  var methods: String?

  static let misdirected = Refusal(
    status: .misdirectedRequest, message: "this server is not called that: use its address, or serve with --allow-host")
  static let noKey = Refusal(
    status: .forbidden, message: "the key is missing or old: open the address that cachesyncd serve printed",
    endsConnection: true)
  static let noBearer = Refusal(
    status: .unauthorized, message: "the key is missing or old: send it as Authorization: Bearer KEY, or as ?key=KEY",
    endsConnection: true)
  static let crowded = Refusal(
    status: .serviceUnavailable, message: "too many programs are connected: try again later", endsConnection: true,
    retryAfter: 10)
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
  static let onlyReading = wrongMethod("GET, HEAD")
  static let onlyPosting = wrongMethod("POST")

  private static func wrongMethod(_ methods: String) -> Refusal {
    Refusal(
      status: .methodNotAllowed, message: "this address takes only \(methods)", endsConnection: true, methods: methods)
  }

  /// - Parameter own: the kinds of the cache.
  static func absent(_ kind: String, among own: [String] = []) -> Refusal {
    let known = KnownKind.all.map(\.name) + own
    let near = NearestName.of(kind, among: known).map { "did you mean \($0)?" }
    let advice = known.contains(kind) ? "drop a session file of its feed" : near ?? "see cachesyncd kinds"
    return Refusal(status: .notFound, message: "the cache has no \(kind) yet: \(advice)")
  }

  static func noFamily(_ name: String, of kind: String, among families: [String]) -> Refusal {
    let advice = NearestName.advice(for: name, among: families)
    return Refusal(status: .notFound, message: "\(kind) has no family '\(EscapedText.forPeople(name))': \(advice)")
  }

  /// - Parameter screens: those of the cache, perhaps with one of the name whose file was never good.
  static func noScreen(_ name: String, among screens: [String: ScreenPlan]) -> Refusal {
    let near = NearestName.of(name, among: screens.keys.sorted()).map { "did you mean \($0)?" }
    let advice =
      screens[name]?.problems.first ?? near ?? "put its file into the cache, as screens/\(name).json"
    return Refusal(status: .notFound, message: "there is no screen \(name): \(advice)")
  }

  /// - Parameter value: the one that cannot be used; nil: there is none, or several.
  static func badQuery(_ name: String, _ value: String? = nil) -> Refusal {
    if let value, name == "at" { return Refusal(status: .badRequest, message: WrittenMoment.refusal(of: value)) }
    let what = value.map { "'\(EscapedText.forPeople($0))' in the address cannot be used as \(name)" }
    return Refusal(
      status: .badRequest,
      message: "\(what ?? "the address must have \(name), and once"): see cachesyncd serve --help")
  }
}

extension Refusal {
  /// The same for people who see it in a browser. It loads again by itself if that may help.
  var html: HTML {
    let mayPass = status == .forbidden || status.kind == .serverError
    let help: HTML =
      status == .forbidden
      ? """
      <p>To get in, open the address that <code>cachesyncd serve</code> printed when it started. It ends with \
      <code>?key=</code> and the key. If serve keeps the key in a file (<code>--key-file</code>), the key is there.</p>
      """ : ""
    return """
      <!doctype html>
      <html lang="en"><head><meta charset="utf-8"><title>CacheSync</title>\
      <meta name="viewport" content="width=device-width, initial-scale=1">\
      \("<meta http-equiv=\"refresh\" content=\"60\">", if: mayPass)</head>
      <body><h1>CacheSync</h1><p>There is no page to show: \(message).</p>\(help)</body></html>

      """
  }

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
