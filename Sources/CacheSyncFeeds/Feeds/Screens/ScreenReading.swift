import CacheSyncSystem

extension Shape where Value == ScreenConfiguration {
  /// A screen's file.
  ///
  /// - Parameter name: that of the file.
  static func screen(_ name: String) -> Shape {
    object(rules) { member in
      var screen = ScreenConfiguration(name)
      let widgets = member(
        "widgets",
        .list(
          of: .card, most: ScreenConfiguration.mostWidgets, "a list of widgets", empty: "expected at least one widget"),
        "Cards, in their order: KIND:FAMILY, or KIND for the greatest family that the room allows.", is: .required)
      member("size", &screen.size, .size, "In pixels as a person sees it, such as 800x480, or fill.")
      member("rotate", &screen.rotate, .among([0, 90, 180, 270]), "How far pictures are turned, in degrees.")
      member("bits", &screen.bits, .among([1, 2, 4, 8, 32]), "Of each pixel of pictures: grey, or 32 for colour.")
      member("appearance", &screen.appearance, .word)
      member("clock", &screen.hasClock, .flag, "Whether it shows the time of day.")
      member("title", &screen.title, .title)
      member("redacted", &screen.isRedacted, .flag, "Whether blocks stand in place of words and numbers.")
      member("columns", &screen.columns, .whole(in: 1...16))
      member("rotateEvery", &screen.rotateEvery, .pause, "How long a page of widgets is shown where not all fit.")
      if screen.bits < 32, screen.appearance == .light || screen.appearance == .dark {
        let advice = "use eink or auto, or remove bits"
        member.fail("\(screen.appearance.rawValue) needs 32 bits, not \(screen.bits): \(advice)", at: "appearance")
      }
      screen.widgets = widgets ?? []
      return widgets == nil ? nil : screen
    }
  }

  private static var rules: String {
    #"""
    { "if": { "required": ["bits"], "properties": { "bits": { "enum": [1, 2, 4, 8] } } },
      "then": { "properties": { "appearance": { "enum": ["auto", "eink", null] } } } }
    """#
  }
}

extension ScreenConfiguration {
  /// How many widgets a screen has at most.
  fileprivate static let mostWidgets = 64

  /// A screen's file, for editors.
  package static var schema: JSONSchema { Shape.screen("").schema(SchemaParts()) }
}

extension Shape where Value == ScreenConfiguration.Card {
  /// Which kinds there are and which families they have depends on other files.
  fileprivate static var card: Shape {
    let names = ViewFamily.ofWidgets.flatMap { [$0.rawValue, $0.word] }
    let pattern = "^[^:]+(:(\(names.joined(separator: "|"))))?$"
    return Shape(JSONSchema("string", with: ["pattern": .string(pattern)])) { reader, value in
      let expected = "KIND or KIND:FAMILY, such as calendar:large"
      guard let text = value.text else {
        reader.fail(expecting: expected, at: value)
        return nil
      }
      let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let place = JSONPlace.of(JSONDefect(offset: value.offset, message: "", place: .value), in: reader.document)
      var card = ScreenConfiguration.Card(kind: KindName(parts[0]), place: place)
      if parts[0].isEmpty {
        reader.fail("expected \(expected), found no kind", at: value)
        return nil
      }
      guard parts.count > 1 else { return card }
      card.family = ViewFamily.ofWidgets.first { isSameText($0.rawValue, parts[1]) || isSameText($0.word, parts[1]) }
      if card.family != nil { return card }
      let advice = NearestName.of(parts[1], among: names).map { "did you mean \($0)?" }
      let known = ViewFamily.ofWidgets.map(\.word).joined(separator: ", ")
      reader.fail("unknown family \(quotedName(parts[1])): \(advice ?? "use one of \(known)")", at: value)
      return nil
    }
  }
}

extension Shape where Value == ScreenConfiguration.Size? {
  fileprivate static var size: Shape {
    let (side, longest) = (ScreenConfiguration.Size.pattern, ScreenConfiguration.Size.longest)
    return Shape(JSONSchema("string", with: ["pattern": .string("^(fill|\(side)[x×]\(side))$")])) { reader, value in
      if let text = value.text {
        if isSameText(text, "fill") { return .some(nil) }
        if let size = ScreenConfiguration.Size(text) { return size }
      }
      reader.fail("expected fill, or WIDTHxHEIGHT in pixels from 1 to \(longest), such as 800x480", at: value)
      return nil
    }
  }
}

extension Shape where Value == Int {
  fileprivate static func among(_ numbers: [Int]) -> Shape {
    Shape(JSONSchema("integer", with: ["enum": .array(numbers.map(JSONValue.integer))])) { reader, value in
      let number = Shape.whole(in: .min ... .max).read(reader, value)
      if let number, !numbers.contains(number) {
        let known = numbers.map(\.description).joined(separator: ", ")
        reader.fail("expected one of \(known), found \(number)", at: value)
      }
      return number
    }
  }
}

extension Shape where Value == String {
  /// A duration from 5 s to a day.
  fileprivate static var pause: Shape {
    Shape(.duration) { reader, value in
      if let text = value.text, let pause = ISODuration(text)?.duration,
        (Duration.seconds(5)...Duration.seconds(24 * 3_600)).contains(pause)
      {
        return text
      }
      reader.fail("expected a duration from PT5S to P1D, such as PT30S", at: value)
      return nil
    }
  }
}
