import HTTPTypes
import HummingbirdCore
import NIOCore

struct Answer {
  enum Body {
    case bytes([UInt8])
    /// Written piece by piece, until the client disconnects.
    case stream(@Sendable (inout any ResponseBodyWriter) async throws -> Void)
  }

  var status = HTTPResponse.Status.ok
  var type: String
  var body: Body
  var fields = HTTPFields()
  var endsConnection = false
  /// Whether a client that has the same bytes gets 304.
  var hasTag = true

  init(_ status: HTTPResponse.Status = .ok, type: String, bytes: [UInt8]) {
    self.status = status
    self.type = type
    body = .bytes(bytes)
  }

  init(type: String, stream: @escaping @Sendable (inout any ResponseBodyWriter) async throws -> Void) {
    self.type = type
    body = .stream(stream)
  }

  /// - Parameter isPage: whether people see it in a browser, which then asks again by itself.
  init(_ refusal: Refusal, isPage: Bool = false) {
    self.init(
      refusal.status, type: "text/\(isPage ? "html" : "plain"); charset=utf-8",
      bytes: Array((isPage ? refusal.html.text : "\(refusal.message)\n").utf8))
    endsConnection = refusal.endsConnection
    if let methods = refusal.methods { fields[.allow] = methods }
    if let seconds = refusal.retryAfter { fields[.retryAfter] = "\(seconds)" }
    if refusal.status == .unauthorized { fields[.wwwAuthenticate] = "Bearer" }
  }

  /// Redirects to another address, with GET.
  static func redirect(to place: String) -> Answer {
    var answer = Answer(.seeOther, type: "text/plain; charset=utf-8", bytes: [])
    answer.fields[.location] = place
    return answer
  }

  /// The response to a request, with the fields of every response.
  ///
  /// - Parameter frames: the origins whose pages may show this one in a frame.
  func response(to head: HTTPRequest, frames: [String] = []) -> Response {
    var headers = fields
    headers[.contentType] = type
    headers[.cacheControl] = "no-cache"
    headers[.xContentTypeOptions] = "nosniff"
    headers[.contentSecurityPolicy] =
      "\(Self.policy)\(frames.isEmpty ? "'none'" : frames.joined(separator: " "))"
    headers[.vary] = "Cookie, Authorization"
    for (name, value) in Self.isolation where headers[name] == nil { headers[name] = value }
    if endsConnection { headers[.connection] = "close" }
    switch body {
    case .stream(let write):
      // nginx passes events on at once, and proxies compress nothing that would then wait in their buffers.
      headers[.cacheControl] = "no-cache, no-transform"
      headers[Self.buffering] = "no"
      return Response(
        status: status, headers: headers, body: head.method == .head ? ResponseBody() : ResponseBody(write))
    case .bytes(let bytes):
      if status == .ok, hasTag {
        let tag = EntityTag.of(bytes)
        headers[.eTag] = tag
        if EntityTag.matches(head.headerFields[values: .ifNoneMatch], tag) {
          return Response(status: .notModified, headers: headers)
        }
      }
      // RFC 9110, section 8.6: not with 204.
      if status != .noContent { headers[.contentLength] = "\(bytes.count)" }
      let body = head.method == .head ? ResponseBody() : ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
      return Response(status: status, headers: headers, body: body)
    }
  }

  /// Allows only the server's own style, script, connections and forms.
  private static let policy = """
    default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; form-action 'self'; \
    base-uri 'none'; frame-ancestors \

    """

  /// Hides responses and addresses from other pages. With `no-referrer` browsers would send `Origin: null`.
  private static let isolation = [
    (HTTPField.Name.known("Cross-Origin-Opener-Policy"), "same-origin"),
    (resourcePolicy, "same-origin"), (referrerPolicy, "same-origin"),
  ]
  static let resourcePolicy = HTTPField.Name.known("Cross-Origin-Resource-Policy")
  static let referrerPolicy = HTTPField.Name.known("Referrer-Policy")
  private static let buffering = HTTPField.Name.known("X-Accel-Buffering")
}

/// Strong entity tags (RFC 9110, section 8.8.3): equal bytes have equal tags, even after a restart.
enum EntityTag {
  private static let compressions = ["gzip", "br", "zstd"].flatMap { ["-\($0)", ";\($0)"] }

  /// FNV-1a with 64 bits, and the length.
  static func of(_ bytes: [UInt8]) -> String { "\"\(String(hash(bytes), radix: 16))-\(bytes.count)\"" }

  static func hash(_ bytes: [UInt8]) -> UInt64 {
    bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }

  /// Whether the client already has the response. Tags may be marked as weak, and a star matches any. A proxy that
  /// compresses marks tags, in the manner of Apache.
  static func matches(_ fields: [String], _ tag: String) -> Bool {
    fields.flatMap { $0.split(separator: ",") }.contains { given in
      let given = given.trimmingPrefix { $0 == " " }.prefix { $0 != " " }
      if given == "*" { return true }
      let own = given.hasPrefix("W/") ? given.dropFirst(2) : given
      return own == tag || compressions.contains { own == tag.dropLast() + $0 + "\"" }
    }
  }
}
