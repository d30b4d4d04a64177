import CacheSync
import CacheSyncPictures

/// A link or button over an area of a picture, with a label.
struct CardTarget: Sendable, Equatable {
  enum Action: Sendable, Equatable {
    /// A URL in the form that ``DeepLink`` prints, or an absolute URL that does not run anything.
    case link(String)
    /// Drops an intent of a type. The number identifies it among the card's intents.
    case intent(type: String, number: Int)
  }

  var box: Rect
  var action: Action
  /// What it does, in words.
  var label: String

  var isButton: Bool { if case .intent = action { true } else { false } }

  /// WCAG 2.2, 2.5.8: the minimum side of a target, in CSS pixels.
  static let leastSide = 24.0

  /// A foreign object in the SVG, because the page's policy forbids style attributes, which would give an element its
  /// place.
  func html(kind: String, isEnabled: Bool, _ addresses: Addresses = Addresses()) -> HTML {
    """
    <foreignObject x="\(box.x)" y="\(box.y)" width="\(box.width)" height="\(box.height)">\
    \(element(kind, isEnabled, addresses))</foreignObject>
    """
  }

  private func element(_ kind: String, _ isEnabled: Bool, _ addresses: Addresses) -> HTML {
    switch action {
    case .link(let link): "<a href=\"\(link)\" aria-label=\"\(label)\"></a>"
    case .intent(let type, let number) where isEnabled:
      """
      <button form="form-\(kind)" formaction="\(addresses("intents/\(type)"))" name="action" value="\(number)" \
      aria-label="\(label)"></button>
      """
    case .intent: "<button disabled aria-label=\"\(label)\"></button>"
    }
  }
}

extension CardTarget {
  /// The targets of a picture in reading order. A target inside another one comes after it, and so lies over it.
  ///
  /// - Parameters:
  ///   - picture: its links without an address, or with one that runs something, are left out.
  ///   - isBuiltIn: whether the picture is of a kind whose links belong to our apps. Links of other kinds may lead
  ///     anywhere.
  ///   - number: returns the number of an intent on the card; called once for each.
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
        let language = picture.language.language
        let name = KnownIntent.title(of: type, in: language)
        let label = language(.intentOnRecord, [.name: name, .title: label(of: target, in: picture)])
        return CardTarget(box: box, action: .intent(type: type, number: number(type, fields)), label: label)
      }
    }
  }

  /// By lines, then from left to right, then the larger one first.
  private static func comesBefore(_ first: Picture.Target, _ second: Picture.Target) -> Bool {
    let (a, b) = (first.box, second.box)
    return (a.y, a.x, -a.width * a.height) < (b.y, b.x, -b.width * b.height)
  }

  /// The label of a target. A target with only an icon gets the label of the smallest target around it, so a task's
  /// circle gets the task's label.
  private static func label(of target: Picture.Target, in picture: Picture) -> String {
    if !target.label.isEmpty { return target.label }
    let around = picture.targets.filter { !$0.label.isEmpty && $0.box.contains(target.box) }
    return around.min { $0.box.width * $0.box.height < $1.box.width * $1.box.height }?.label ?? picture.title
  }
}

extension Rect {
  /// The same box, or a larger one around it with sides of at least this length, moved to stay inside.
  fileprivate func grown(toAtLeast side: Double, inside outer: Rect) -> Rect {
    var box = centred(width: max(width, side), height: max(height, side))
    box.x = max(outer.x, min(box.x, outer.maxX - box.width))
    box.y = max(outer.y, min(box.y, outer.maxY - box.height))
    return box
  }
}
