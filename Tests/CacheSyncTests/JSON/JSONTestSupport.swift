import CacheSync

/// A document as text or as bytes, so that tables can hold both.
func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

/// Reads a whole document with a decoder.
func read<Value>(
  _ document: [UInt8], pruning: Bool = false, _ body: (inout JSONReader) -> Value?
) -> JSONReader.Document<Value> {
  document.withUnsafeBytes { JSONReader.read($0, pruning: pruning, body) }
}

func read<Value>(_ document: String, _ body: (inout JSONReader) -> Value?) -> JSONReader.Document<Value> {
  read(bytes(document), body)
}

/// The defects of a document when nothing is read.
func skipping(_ document: [UInt8]) -> [JSONDefect] {
  read(document) { json in
    json.skipValue()
    return true
  }.defects
}

/// The defects of a document when every value is read.
func readingAll(_ document: [UInt8]) -> [JSONDefect] {
  document.withUnsafeBytes { JSONTree.read($0, strictly: true).defects }
}

func places(_ defects: [JSONDefect], in document: [UInt8]) -> [JSONPlace] {
  document.withUnsafeBytes { JSONPlace.of(defects, in: $0) }
}

/// A record with one field of each type that feeds use.
struct Record: Equatable {
  enum Color: String, JSONWord {
    static let words = JSONWords<Self>()

    case red, green
    case long = "a colour of many letters"
  }
  enum Key: String, JSONKey {
    case id, count, ratio, color, done, note, tags, child
    case longest = "a_key_that_is_longer_than_sixteen_bytes"
  }

  var id: String?
  var count: Int?
  var ratio: Double?
  var color: Color?
  var done: Bool?
  var note: String?
  var tags: [String] = []
  var longest: Int?
  var children: [Record] = []

  static func read(_ json: inout JSONReader) -> Record? { read(&json, required: [.id]) }

  static func read(_ json: inout JSONReader, required: [Key]) -> Record? {
    var record = Record()
    let isWhole = json.object(Key.self, required: required) { json, key in
      switch key {
      case .id: record.id = json.string()
      case .count: record.count = json.integer(in: 0...6)
      case .ratio: record.ratio = json.number(in: 0...1)
      case .color: record.color = json.word(Color.self)
      case .done: record.done = json.bool()
      case .note: record.note = json.string()
      case .longest: record.longest = json.integer()
      case .tags: _ = json.array { json in json.string().map { record.tags.append($0) } }
      case .child: Record.read(&json, required: []).map { record.children.append($0) }
      }
    }
    return isWhole ? record : nil
  }
}

/// A document with every construct, as text so that it can be cut anywhere.
let sample = """
  {
    "id": "s\\u00e9ance \\"x\\" \\ud83d\\ude00 é😀",
    "count": 6.0,
    "ratio": 5e-1,
    "color": "green",
    "done": true,
    "note": null,
    "unknown": [[], {}, [{"a": [1, -0, 0.5, 1e9]}], "skipped \\t", false, null],
    "tags": ["a", "", "bb"],
    "a_key_that_is_longer_than_sixteen_bytes": -12,
    "child": { "id": "inner", "nothing": {"id": 1, "id": 2, "huge": 1e999} }
  }

  """
