import Testing

import CacheSync

/// A change that makes a good definition invalid in one way.
struct WrongDefinition: CustomTestStringConvertible {
  static let good = """
    {"version":1,
    "items":{"each":"$.bins[*]",
    "fields":{"title":"@.title","price":{"from":"@.price"}},
    "id":"{title}",
    "start":"@.start",
    "lasts":"PT1H"},
    "kinds":{"bins":{"show":"coming",
    "values":{"names":{"list":"title"}},
    "content":{"text":"{names}"},
    "items":{"title":"{title}"}}}}
    """

  /// Marks the byte at fault. It is removed before reading.
  static let mark = "»"

  private var good = Self.good
  var old: String
  var new: String
  var pointer: String
  var message: String

  /// - Parameters:
  /// - old: occurs once in ``good``.
  /// - new: replaces it, and contains one ``mark``.
  init(_ old: String, _ new: String, _ pointer: String, _ message: String) {
    self.old = old
    self.new = new
    self.pointer = pointer
    self.message = message
  }

  var marked: String { good.replacing(old, with: new) }

  var json: String { marked.replacing(Self.mark, with: "") }

  var testDescription: String { new }

  /// The same for a kind that shows items regardless of their times.
  var showingAll: WrongDefinition {
    var wrong = self
    wrong.good = good.replacing("\"coming\"", with: "\"all\"")
    return wrong
  }

  /// Expects this defect, and no other.
  func check() {
    #expect(good.split(separator: old, omittingEmptySubsequences: false).count == 2, "occurs once: \(old)")
    #expect(described(json) == expected)
  }

  /// "line:column: message [pointer]", counted in the text up to the mark.
  var expected: [String] {
    let before = marked.split(separator: Self.mark, omittingEmptySubsequences: false)[0]
    let lines = before.split(separator: "\n", omittingEmptySubsequences: false)
    return ["\(lines.count):\((lines.last ?? "").utf8.count + 1): \(message) [\(pointer)]"]
  }
}

/// What is wrong with a document, each as "line:column: message [pointer]".
func described(_ json: String, named name: String = "bins", reserved: ReservedNames = ReservedNames()) -> [String] {
  let bytes = Array(json.utf8)
  let zones = TimeZones(environment: nil)
  return bytes.withUnsafeBytes { bytes in
    let read = FeedDefinition.read(
      bytes, named: name, reserved: reserved, isTimeZone: { (try? zones.rules(named: $0)) != nil })
    return zip(read.defects, JSONPlace.of(read.defects, in: bytes)).map { defect, place in
      "\(place.line):\(place.column): \(defect.message) [\(place.pointer)]"
    }
  }
}
