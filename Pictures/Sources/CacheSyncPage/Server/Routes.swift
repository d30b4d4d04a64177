import CacheSync
import CacheSyncPictures
import CacheSyncPrograms
import HTTPTypes
import HummingbirdCore
import NIOCore
import ServiceLifecycle

/// Answers each address of the page. Every request passes the guards first.
struct Routes: Sendable {
  let page: LivePage
  var guards: Guard
  let pictures: PictureQueue
  let panels: Panels?

  func answer(to request: Request) async -> Answer {
    do throws(Refusal) {
      return try await checkedAnswer(to: request)
    } catch {
      return Answer(error, isPage: Self.isPage(request))
    }
  }

  /// Whether a browser shows the answer as a page.
  static func isPage(_ request: Request) -> Bool {
    request.isReading && (request.uri.path == "/" || screenName(request.uri.path) != nil)
  }

  /// The screen whose page has this path; nil for another path.
  private static func screenName(_ path: String) -> String? {
    let name = path.dropFirst("/screen/".count)
    return path.hasPrefix("/screen/") && KnownKind.isName(String(name)) ? String(name) : nil
  }

  private func checkedAnswer(to request: Request) async throws(Refusal) -> Answer {
    try guards.checkHost(request.head)
    guard request.head.path?.hasPrefix("/") == true else { throw .badRequest }
    var query = Query(of: request.uri)
    let isReading = request.isReading
    let path = request.uri.path
    if let panels, let rest = panels.path(below: path) {
      var answer = try await answer(panels, rest, request)
      // A panel sleeps after its answer. Hundreds wake at midnight, and each connection counts while it lasts.
      answer.endsConnection = true
      return answer
    }
    let data = PublishedData(path: path)
    let isForm = path.hasPrefix("/intents/")
    // A form requires the cookie, so that a link with the key cannot press a button. In a frame there is no cookie.
    let isPress = isForm && request.method == .post
    let given = isPress && guards.frames.isEmpty ? [] : query.all("key") + Guard.bearers(of: request.head)
    if !guards.opens(data, with: given) {
      try guards.checkKey(request.head, others: given, orThrow: data == nil ? .noKey : .noBearer)
    }
    query.resolve("at") { $0.instant(inPublished: page.timeZone, now: page.now()) }
    if isForm {
      guard request.method == .post else { throw .onlyPosting }
      return try await drop(String(path.dropFirst("/intents/".count)), request, query)
    }
    guard isReading else { throw .onlyReading }
    if let data { return try await answer(data, query) }
    guard let answer = try await read(path, query, request) else { throw .notFound }
    return answer
  }

  private func read(_ path: String, _ query: Query, _ request: Request) async throws(Refusal) -> Answer? {
    switch path {
    case "/": return try await show(query, request)
    case "/page.css": return Answer(type: "text/css; charset=utf-8", bytes: PageStyle.css)
    case "/page.js": return Answer(type: "text/javascript; charset=utf-8", bytes: PackageResources.page_js)
    case "/events": return try events(query, request)
    default:
      if let name = Self.screenName(path) { return try await showScreen(name, query, request) }
      guard var picture = try PictureRequest(path: path, query) else { return nil }
      if let name = picture.screen {
        let screens = await page.currentScreens()
        guard var plan = screens[name], !plan.cards.isEmpty else { throw .noScreen(name, among: screens) }
        plan.form.size = picture.size ?? plan.form.size
        plan.form.isRedacted = picture.redacted ?? plan.form.isRedacted
        (picture.plan, picture.kinds, picture.isRedacted) = (plan, plan.cards.map(\.kind), plan.form.isRedacted)
      }
      var answer = try await file(picture)
      // Other pages may show a picture whose address they know with the key.
      if guards.isKey(query.all("key")) { answer.fields[Answer.resourcePolicy] = "cross-origin" }
      return answer
    }
  }

  // MARK: The page

  private func show(_ query: Query, _ request: Request) async throws(Refusal) -> Answer {
    let asked = try query.value("at") { Instant($0) }
    let chosen = try query.value("appearance") { PageAppearance(rawValue: $0) }
    let addresses = addresses(of: query)
    let place = addresses(asked.map { "?at=\($0)" } ?? "")
    if !query.all("key").isEmpty, addresses.key == nil, let key = guards.key {
      return entrance(to: place, key, request)
    }
    if let chosen {
      var answer = Answer.redirect(to: place)
      answer.fields[.setCookie] =
        "\(Self.appearanceCookie)=\(chosen.rawValue); Path=/; HttpOnly; SameSite=Strict; Max-Age=31536000"
      return answer
    }
    if let step = try query.value("step", { Int($0) }) {
      return .redirect(to: addresses(try await stepped(to: step, query)))
    }
    let appearance =
      Guard.cookies(Self.appearanceCookie, of: request.head).first.flatMap(PageAppearance.init) ?? .system
    var page = if let asked { await page.page(at: asked, appearance) } else { await page.page(appearance) }
    page.addresses = addresses
    return answer(
      page.error == nil ? .ok : .serviceUnavailable, page.html, addresses, request)
  }

  private func showScreen(_ name: String, _ query: Query, _ request: Request) async throws(Refusal) -> Answer {
    try query.check(only: ["at", "window"])
    let asked = try query.value("at") { Instant($0) }
    let window = try query.value("window") { PixelSize($0) }
    let addresses = addresses(of: query, root: "../")
    if !query.all("key").isEmpty, addresses.key == nil, let key = guards.key {
      return entrance(to: name + (asked.map { "?at=\($0)" } ?? ""), key, request)
    }
    var screen = await page.screenPage(name, in: window, at: asked)
    screen.addresses = addresses
    let isThere = screen.plan?.cards.isEmpty == false
    return answer(
      !isThere ? .notFound : screen.error == nil ? .ok : .serviceUnavailable, screen.html, addresses, request)
  }

  /// A redirect, which removes the key from the address bar and the history. The cookie gets the server's key: the request
  /// may have combined an outdated key in its address with a valid cookie.
  private func entrance(to place: String, _ key: String, _ request: Request) -> Answer {
    var answer = Answer.redirect(to: place)
    answer.fields[.setCookie] = guards.cookie(key, for: request.head)
    return answer
  }

  private func answer(
    _ status: HTTPResponse.Status, _ html: HTML, _ addresses: Addresses, _ request: Request
  ) -> Answer {
    var answer = Answer(status, type: "text/html; charset=utf-8", bytes: Array(html.text.utf8))
    // The key is in the page's address.
    if addresses.key != nil { answer.fields[Answer.referrerPolicy] = "no-referrer" }
    // Browsers forget a cookie after 400 days, so a display that hangs for longer gets it again and again.
    if guards.isKeyKept, let key = guards.key { answer.fields[.setCookie] = guards.cookie(key, for: request.head) }
    return answer
  }

  /// With the key, if the page may be in a frame and has the key in its own address.
  private func addresses(of query: Query, root: String = "./") -> Addresses {
    Addresses(root: root, key: guards.frames.isEmpty || query.all("key").isEmpty ? nil : guards.key)
  }

  private static let appearanceCookie = "cachesync-appearance"

  /// The query of the page at a step of the slider. The steps are the boundaries after a given moment.
  private func stepped(to step: Int, _ query: Query) async throws(Refusal) -> String {
    guard let since = try query.value("since", { Instant($0) }) else { throw .badQuery("since") }
    guard step > 0, var view = try? await page.present() else { return "" }
    view.moment = since
    guard let boundary = view.boundaries.dropFirst(step - 1).first else { throw .badQuery("step") }
    return "?at=\(boundary)"
  }

  /// The snapshots at a moment; nil: now.
  func view(at moment: Instant? = nil) async throws(Refusal) -> CacheView {
    do {
      return try await page.view(at: moment)
    } catch {
      throw Refusal(status: .serviceUnavailable, message: "\(error)")
    }
  }

  private func file(_ request: PictureRequest) async throws(Refusal) -> Answer {
    do throws(Refusal) {
      return try await drawn(request)
    } catch {
      // A reason may name what the cache has.
      let isHidden = request.isRedacted && error.status != .badRequest && error.retryAfter == nil
      throw isHidden
        ? Refusal(status: error.status, message: "it cannot be drawn: ask without redacted to see why") : error
    }
  }

  private func drawn(_ request: PictureRequest) async throws(Refusal) -> Answer {
    let view = try await view(at: request.moment)
    // A kind that the cache does not have is a card of a named screen.
    for kind in request.kinds where request.plan == nil && KnownKind.isName(kind) {
      let snapshot = view.snapshots.first { $0.kind == kind }
      guard let snapshot else { throw .absent(kind, among: view.snapshots.map(\.kind)) }
      guard let family = request.family, !snapshot.pictureFamilies.contains(family) else { continue }
      throw .noFamily(family.rawValue, of: kind, among: snapshot.pictureFamilies.map(\.rawValue))
    }
    do {
      return Answer(type: request.type, bytes: try await pictures.picture(request, of: view))
    } catch {
      throw Refusal(error)
    }
  }

  // MARK: Events

  private func events(_ query: Query, _ request: Request) throws(Refusal) -> Answer {
    var since = try query.value("since") { Int($0) }
    // A browser sends this field when it reconnects.
    let last = request.headers.first { $0.name.canonicalName == "last-event-id" }
    if let last { since = Int(last.value) }
    let server = query.all("server").first
    var shown = Shown.gallery
    if let name = query.all("screen").first {
      shown = .screen(name, Shown.window(try query.value("window") { PixelSize($0) } ?? Shown.usualWindow))
    }
    return Answer(type: "text/event-stream") { [since, shown, page] writer in
      let listener = await page.listen(to: shown, since: since, server: server)
      nonisolated(unsafe) var output = writer
      // One task that is cancelled. In a task group, each task would keep kilobytes as long as the page listens.
      let writing = Task { try await listener.writeAll { try await output.write(contentsOf: $0) } }
      try? await withGracefulShutdownHandler {
        try await request.body.consumeWithInboundCloseHandler { _ in
          try await writing.value
        } onInboundClosed: {
          writing.cancel()
        }
      } onGracefulShutdown: {
        writing.cancel()
      }
      await page.leave(listener, shown)
      try await writer.finish(nil)
    }
  }

  // MARK: Intents

  private func drop(_ type: String, _ request: Request, _ query: Query) async throws(Refusal) -> Answer {
    try guards.checkOrigin(request.head)
    guard let intent = KnownIntent.all.first(where: { $0.type == type }) else { throw .notFound }
    let form = try await form(of: request)
    guard let token = form.all("token").first, let number = form.all("action").first.flatMap({ Int($0) }) else {
      throw .oldToken
    }
    var typed: [String: String] = [:]
    for field in intent.fields where field.value == .text {
      if let text = form.all(field.name).first { typed[field.name] = text }
    }
    switch await page.press(type: type, token: token, number: number, typed: typed) {
    case .done(let element):
      let addresses = addresses(of: query, root: "../")
      return .redirect(to: element.hasPrefix("screen/") ? addresses(element) : "\(addresses())#\(element)")
    case .unknownToken: throw .oldToken
    case .failed(let reason): throw Refusal(status: .internalServerError, message: reason)
    }
  }

  private static let maximumForm = 4_096
  /// The timeout for the body; the head has its own.
  private static let patience = Duration.seconds(10)

  private func form(of request: Request) async throws(Refusal) -> Query {
    guard request.headers[.contentType]?.hasPrefix("application/x-www-form-urlencoded") == true else { throw .noForm }
    let body = try await body(of: request, upTo: Self.maximumForm, orThrow: .tooLong)
    return Query(form: String(decoding: body, as: UTF8.self))
  }

  /// - Parameter refusal: what a longer body gets.
  func body(of request: Request, upTo limit: Int, orThrow refusal: Refusal) async throws(Refusal) -> [UInt8] {
    if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > limit { throw refusal }
    do {
      let body = try await withTimeLimit(Self.patience) {
        try await request.body.collect(upTo: limit)
      } orThrow: {
        Refusal.tooSlow
      }
      return Array(buffer: body)
    } catch let refusal as Refusal {
      throw refusal
    } catch {
      throw refusal
    }
  }
}

extension Request {
  var isReading: Bool { method == .get || method == .head }
}
