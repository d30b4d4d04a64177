extension ViewFamily {
  /// Those that have a picture.
  package static let ofWidgets = allCases.filter { $0 != .terminal }

  /// Those that have a picture, the greatest first.
  public static let greatestFirst: [ViewFamily] = [
    .systemLarge, .systemMedium, .systemSmall, .accessoryRectangular, .accessoryInline, .accessoryCircular,
  ]

  /// The families that a card of a screen may have, the greatest first.
  ///
  /// - Parameters:
  ///   - named: the one that the screen names. If the kind does not have it, it does not count.
  ///   - families: those of the kind; nil: the kind is unknown.
  public static func choices(naming named: ViewFamily?, of families: [ViewFamily]?) -> [ViewFamily] {
    let known = greatestFirst.filter { families?.contains($0) ?? true }
    guard let named, families == nil || known.contains(named) else { return known.isEmpty ? greatestFirst : known }
    return [named]
  }

  /// The width and height of its picture, in points; zero for ``terminal``, which has none.
  public var size: (width: Double, height: Double) {
    switch self {
    case .systemSmall: (170, 170)
    case .systemMedium: (364, 170)
    case .systemLarge: (364, 382)
    case .accessoryCircular: (76, 76)
    case .accessoryRectangular: (172, 76)
    case .accessoryInline: (257, 26)
    case .terminal: (0, 0)
    }
  }

  /// The least size in which a view of the family is still laid out, on displays that are short of room. The accessory
  /// families have no smaller one.
  public var leastSize: (width: Double, height: Double) {
    switch self {
    case .systemSmall: (150, 170)
    case .systemMedium: (290, 170)
    case .systemLarge: (290, 356)
    case .accessoryCircular, .accessoryRectangular, .accessoryInline, .terminal: size
    }
  }
}
