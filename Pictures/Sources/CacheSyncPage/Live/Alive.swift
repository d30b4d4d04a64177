import CacheSync
import NIOCore

/// The event that tells a page that it is connected, what it now shows, and the words for when it no longer is.
enum Alive {
  /// Which server a page is from. The buttons of a page from another one no longer count.
  static let server = RandomKey.digits(.random(in: .min ... .max))

  /// - Parameters:
  ///   - view: the newest that could be read.
  ///   - generation: the publication that the page shows completely with this event; nil: unknown.
  ///   - layout: of the page that is sent now; nil: unknown.
  static func event(of view: CacheView, generation: Int?, layout: String?) -> ByteBuffer {
    let (language, formats, clock) = (view.language, view.language.formats, view.clock(view.moment))
    let day = view.calendar.day(of: view.moment)
    let midnight = view.calendar.end(of: day)
    let date = formats.joined(formats.weekdayAndDay(day, today: day), clock, as: formats.dateTime.text)
    var data: TextMap<JSONValue> = [
      "version": .string(PageStyle.version), "midnight": .string("\(midnight)"),
      "rest": .integer(Int((midnight - view.moment).components.seconds)),
      "today": .string(language(.notConnected, [.time: clock])),
      "later": .string(language(.notConnected, [.time: date])),
    ]
    if let generation { data["generation"] = .integer(generation) }
    if let layout { data["layout"] = .string(layout) }
    let text = HTML(markup: String(decoding: JSONValue.object(data).bytes, as: UTF8.self))
    var event = ByteBuffer(string: generation.map { "id: \($0)\n" } ?? "")
    event.writeImmutableBuffer(ByteBuffer(event: "alive", data: text))
    return event
  }
}
