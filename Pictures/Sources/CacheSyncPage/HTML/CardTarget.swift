import CacheSync
import CacheSyncPictures

/// A place on a picture that acts: a real link or button over it, with words.
struct CardTarget: Sendable, Equatable {
  enum Action: Sendable, Equatable {
    /// As ``DeepLink`` prints it, or an absolute URL that runs nothing.
    case link(String)
    /// Drops an intent of a type; the number says which of the card's.
    case intent(type: String, number: Int)
  }

  var box: Rect
  var action: Action
  /// What it does, in words.
  var label: String

  var isButton: Bool { if case .intent = action { true } else { false } }

  /// WCAG 2.2, 2.5.8: the least size of a target, in CSS pixels.
  static let leastSide = 24.0

  /// An SVG's foreign object, because the page's policy lets no element carry a style and so a place of its own.
  func html(kind: String, isEnabled: Bool) -> HTML {
    """
    <foreignObject x="\(box.x)" y="\(box.y)" width="\(box.width)" height="\(box.height)">\
    \(element(kind, isEnabled))</foreignObject>
    """
  }

  private func element(_ kind: String, _ isEnabled: Bool) -> HTML {
    switch action {
    case .link(let link): "<a href=\"\(link)\" aria-label=\"\(label)\"></a>"
    case .intent(let type, let number) where isEnabled:
      """
      <button form="form-\(kind)" formaction="/intents/\(type)" name="action" value="\(number)" \
      aria-label="\(label)"></button>
      """
    case .intent: "<button disabled aria-label=\"\(label)\"></button>"
    }
  }
}

extension CardTarget {
  /// The places of a picture that act, in reading order, so that what lies inside another comes after it and over it.
  ///
  /// - Parameters:
  ///   - picture: of which links that lead nowhere, or run something, are left out.
  ///   - isBuiltIn: whether the picture is of a kind whose links are those of our apps; others may lead anywhere.
  ///   - number: says which of the card's intents that is; called once for each.
  static func targets(of picture: Picture, isBuiltIn: Bool = true, number: (String, [String: String]) -> Int)
    -> [CardTarget]
  {
    let card = Rect(width: picture.width, height: picture.height)
    return picture.targets.sorted(by: comesBefore).compactMap { target in
      let box = target.box.grown(toAtLeast: leastSide, inside: card)
      switch target.action {
      case .link(let text):
        guard let link = DeepLink(text)?.description ?? (!isBuiltIn && DeepLink.mayOpen(text) ? text : nil) else {
          return nil
        }
        return CardTarget(box: box, action: .link(link), label: label(of: target, in: picture))
      case .intent(let type, let fields):
        let label = "\(type.asTitle): \(label(of: target, in: picture))"
        return CardTarget(box: box, action: .intent(type: type, number: number(type, fields)), label: label)
      }
    }
  }

  /// By lines, then from left to right, then what is larger.
  private static func comesBefore(_ first: Picture.Target, _ second: Picture.Target) -> Bool {
    let (a, b) = (first.box, second.box)
    return (a.y, a.x, -a.width * a.height) < (b.y, b.x, -b.width * b.height)
  }

  /// A place that shows an icon alone is called as the smallest place around it: the circle of a task as the task.
  private static func label(of target: Picture.Target, in picture: Picture) -> String {
    if !target.label.isEmpty { return target.label }
    let around = picture.targets.filter { !$0.label.isEmpty && $0.box.contains(target.box) }
    return around.min { $0.box.width * $0.box.height < $1.box.width * $1.box.height }?.label ?? picture.title
  }
}

extension Rect {
  /// The same box, or one around it with sides of that length at least, moved so that it stays inside.
  fileprivate func grown(toAtLeast side: Double, inside outer: Rect) -> Rect {
    var box = centred(width: max(width, side), height: max(height, side))
    box.x = max(outer.x, min(box.x, outer.maxX - box.width))
    box.y = max(outer.y, min(box.y, outer.maxY - box.height))
    return box
  }
}
