import CacheSync

/// Contents that no app should write, but that one may write some day: a sample content with some of its values
/// replaced.
struct AwkwardContent {
  private var random: SeededGenerator
  /// How many of a hundred values are replaced.
  private let share: Int
  private let replacesTexts: Bool

  init(seed: UInt64, replacesTexts: Bool = true) {
    self.replacesTexts = replacesTexts
    random = SeededGenerator(state: seed)
    share = [5, 25, 60][Int(seed % 3)]
  }

  static let numbers: [Double] = [0, -1, 1, 0.5, -0.4, 9.99, 999, 1_000, 12_345.6, -250, 1e9, -1e9, 1e300, 4.5e15]

  static let texts = [
    "", " ", "x", "Soup", "Wintergemüse-Eintopf mit selbst gebackenem Brot und einer Nachspeise",
    String(repeating: "Donaudampfschifffahrt", count: 5_000), "漢字とかなのまじった長い文がここに続いていきます",
    "عصير البرتقال مع الثلج", "ארוחת ערב עם המשפחה", "पनीर टिक्का मसाला", "👨‍👩‍👧‍👦 👩🏽‍🚀 🏳️‍🌈", "🇩🇪🇫🇷🇯🇵",
    "Z̷̛̛̛̛̛̛̛̛̛a̴̴̴̴̴̴l̵̵̵̵̵g̶̶̶̶o", "two\nlines\tand\r\na tab", "a\u{202E}b\u{2067}c", "<b>&\"'</b>]]>",
    "\u{1B}[31m" + (Unicode.Scalar(0xFFFE as UInt32).map { "\($0)" } ?? ""),
    "1234567890 / 2000", "999999 tasks", "−12345 g",
    // One character each, of which only the first scalar is markup.
    "&\u{301} \"\u{301}", "<\u{200D}b x='1'/>",
  ]

  mutating func content(like value: JSONValue) -> JSONValue {
    switch value {
    case .object(let members):
      // In the order of the keys, because the order of a dictionary varies from run to run.
      var changed: TextMap<JSONValue> = [:]
      for (key, value) in members.sorted(by: { $0.key < $1.key }) { changed[key] = member(key, value) }
      return .object(changed)
    case .array(let values): return array(values, count: isReplaced ? 0...8 : values.count...values.count)
    case .string: return replacesTexts && isReplaced ? .string(Self.texts.randomElement(using: &random) ?? "") : value
    case .integer, .digits, .number:
      return isReplaced ? .number(Self.numbers.randomElement(using: &random) ?? 0) : value
    case .bool: return isReplaced ? .bool(Bool.random(using: &random)) : value
    case .null: return value
    }
  }

  private mutating func array(_ values: [JSONValue], count: ClosedRange<Int>) -> JSONValue {
    let count = Int.random(in: count, using: &random)
    return .array((0..<count).compactMap { values.isEmpty ? nil : content(like: values[$0 % values.count]) })
  }

  /// The number of elements in lists for which the feeds publish a fixed number (feeds.md).
  private static let counts = [
    "macros": 3...3, "week": 7...7, "actions": 3...3, "meals": 3...6, "foods": 0...4, "tasks": 0...5, "events": 0...5,
    "top": 0...4, "suggestions": 0...4,
  ]

  /// Moments, days, ids and links are the agent's own and always well-formed. The rest may be anything of its type, or
  /// null.
  private mutating func member(_ key: String, _ value: JSONValue) -> JSONValue {
    if value.instant != nil || ["date", "deepLink", "id", "symbol", "circular"].contains(key) { return value }
    if let values = value.array, let count = Self.counts[key] { return array(values, count: count) }
    if key == "more" { return .integer([0, 1, 7, 12_345][Int.random(in: 0...3, using: &random)]) }
    if isReplaced, Int.random(in: 0..<8, using: &random) == 0 { return .null }
    return content(like: value)
  }

  private var isReplaced: Bool {
    mutating get { Int.random(in: 0..<100, using: &random) < share }
  }
}
