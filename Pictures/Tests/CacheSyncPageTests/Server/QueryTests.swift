import CacheSync
import CacheSyncPrograms
import HTTPTypes
import HummingbirdCore
import Testing

@testable import CacheSyncPage

@Suite("Queries and forms")
struct QueryTests {
  @Test("Values are decoded, and a plus is a blank only in a form")
  func values() throws {
    let query = Query(of: URI("/?at=2026-11-24T12:00:00+01:00&widget=a%3Ab&widget=c"))
    #expect(try query.value("at") { Instant($0) } == Instant("2026-11-24T11:00:00Z"))
    #expect(query.all("widget") == ["a:b", "c"])
    #expect(Query(form: "title=Beans+%26+rice%2B&x=://y").all("title") == ["Beans & rice+"])
  }

  @Test(
    "An invalid value is refused and named, and so are two where one is expected",
    arguments: [("n=x", "x"), ("n=9", "9"), ("n=1&n=1", nil)])
  func refusing(query: String, value: String?) {
    #expect(throws: Refusal.badQuery("n", value)) {
      try Query(of: URI("/?\(query)")).value("n", { Int($0) }, where: { $0 < 5 })
    }
  }

  @Test("A moment as people write it becomes RFC 3339; anything else is refused when it is read")
  func moments() throws {
    var query = Query(of: URI("/?at=2026-12-01&_=09:00"))
    query.resolve("at") { $0.instant(inPublished: "Europe/Berlin", now: .now) }
    #expect(query.all("at") == ["2026-11-30T23:00:00Z"] && query.all("_") == ["09:00"])
    var wrong = Query(of: URI("/?at=soon"))
    wrong.resolve("at") { _ in .now }
    #expect(throws: Refusal.badQuery("at", "soon")) { try wrong.value("at") { Instant($0) } }
    #expect(Refusal.badQuery("at", "tomorow").message == "invalid time 'tomorow': did you mean tomorrow?")
    #expect(Refusal.absent("bin-soon", among: ["bins-soon"]).message.hasSuffix("yet: did you mean bins-soon?"))
  }

  @Test(
    "A kind that the cache does not have is named with the nearest, or with how it gets there",
    arguments: [
      ("calender", "did you mean calendar?"), ("calendar", "drop a session file of its feed"),
      ("weather", "see cachesyncd kinds"),
    ])
  func absent(kind: String, advice: String) {
    #expect(Refusal.absent(kind).message == "the cache has no \(kind) yet: \(advice)")
  }

  @Test(
    "An unknown family is named with the nearest, or with those of the kind",
    arguments: [
      ("calories/accesoryInline.svg", "calories has no family 'accesoryInline': did you mean accessoryInline?"),
      ("mine/systemSmal.png", "mine has no family 'systemSmal': did you mean systemSmall?"),
      ("mine/tiny.svg", "mine has no family 'tiny': use one of systemSmall, systemMedium, systemLarge, acc"),
      ("mine/terminal.txt", "mine has no family 'terminal': use one of systemSmall, systemMedium, systemLarge, acc"),
      ("calories/systemLarge.svg", "calories has no family 'systemLarge': use one of accessoryCircular, acc"),
      ("budget/large.png", "budget has no family 'large': use one of systemSmall, systemMedium"),
    ])
  func families(path: String, message: String) {
    let refusal = #expect(throws: Refusal.self) {
      try PictureRequest(path: "/picture/\(path)", Query(of: URI("/")))
    }
    #expect(refusal?.status == .notFound && refusal?.message.hasPrefix(message) == true, "\(refusal?.message ?? "")")
  }

  @Test("A query becomes arguments of render")
  func pictures() throws {
    let query = Query(of: URI("/?scale=2&bits=1&at=2026-11-24T12:00:00Z&key=1&&_=1&_&"))
    let request = try #require(try PictureRequest(path: "/picture/calories/accessoryInline.svg", query))
    #expect(
      request.words == [
        "--family=accessoryInline", "--format=svg", "--scale=2", "--bits=1", "--at=2026-11-24T12:00:00Z", "--",
        "calories",
      ])
    #expect(request.moment == Instant("2026-11-24T12:00:00Z") && request.kinds == ["calories"])
    let screen = try #require(
      try PictureRequest(path: "/screen.png", Query(of: URI("/?size=800x480&widget=a:b&widget=--all"))))
    #expect(screen.words == ["--format=png", "--screen=800x480", "--", "a:b", "--all"] && screen.type == "image/png")
    let turned = try #require(
      try PictureRequest(
        path: "/screen.bmp", Query(of: URI("/?size=1x1&rotate=90&appearance=eink&redacted=true&widget=a:b"))))
    #expect(
      turned.words == [
        "--format=bmp", "--bits=1", "--screen=1x1", "--rotate=90", "--appearance=eink", "--redacted", "--", "a:b",
      ])
    #expect(turned.type == "image/bmp" && turned.isRedacted && !screen.isRedacted)
    let named = try #require(
      try PictureRequest(path: "/screen.bmp", Query(of: URI("/?size=1x1&bits=2&redacted=false"))))
    #expect(named.words == ["--format=bmp", "--screen=1x1", "--bits=2", "--"], "render refuses it")
    #expect(throws: Refusal.badQuery("size")) { try PictureRequest(path: "/screen.png", Query(of: URI("/?widget=a"))) }
  }

  @Test(
    "An unknown parameter is refused by its name",
    arguments: [
      ("/screen.png", "sise=1", "unknown parameter 'sise': did you mean size?"),
      ("/screen.png", "scale=2", "'scale'"), ("/screen.bmp", "at=2026-11-24T12:00:00Z&__=1", "'__'"),
      ("/screen.bmp", "=1", "''"), ("/screen.png", "Key=1", "did you mean key?"), ("/screen.png", "_x", "'_x'"),
      ("/picture/calories/accessoryInline.svg", "rotate=90", "'rotate'"),
      ("/picture/calories/accessoryInline.svg", "size=1x1", "'size'"),
      ("/picture/calories/accessoryInline.txt", "a%0Ab=1", "'a%0Ab'"),
    ])
  func unknown(path: String, query: String, message: String) {
    let refusal = #expect(throws: Refusal.self) { try PictureRequest(path: path, Query(of: URI("/?\(query)"))) }
    #expect(refusal?.status == .badRequest && refusal?.message.contains(message) == true, "\(refusal?.message ?? "")")
  }

  @Test("A query may name a picture of a defined kind")
  func definedKind() throws {
    let request = try #require(try PictureRequest(path: "/picture/bins-next/systemSmall.png", Query(of: URI("/"))))
    #expect(request.words == ["--family=systemSmall", "--format=png", "--", "bins-next"])
    #expect(request.kinds == ["bins-next"] && request.family == .systemSmall)
  }

  @Test(
    "Another path names no picture",
    arguments: [
      "/picture/No%2Fthing/accessoryInline.svg", "/picture/manifest/systemSmall.svg",
      "/picture/day-index/systemSmall.svg", "/picture/calories/accessoryInline.gif",
      "/picture/calories/accessoryInline", "/picture/calories/x/accessoryInline.svg", "/picture//accessoryInline.svg",
      "/pictures/calories/accessoryInline.svg", "/screen.svg", "/screen", "/screen.bmp/",
    ])
  func noPicture(path: String) throws {
    #expect(try PictureRequest(path: path, Query(of: URI("/"))) == nil)
  }
}
