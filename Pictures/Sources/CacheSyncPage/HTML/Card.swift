/// A kind's card on the page: its picture in each family, with the links and buttons over it.
struct Card: Sendable, Equatable {
  /// A family's picture.
  struct Drawing: Sendable, Equatable {
    var width: Double
    var height: Double
    /// The markup has classes for colours.
    var svg: HTML
    var targets: [CardTarget]
  }

  var kind: String
  /// The kind in words and, if not current, its state: "Macros, stale".
  var title: String
  var drawings: [Drawing]
  /// The token that its buttons send; nil: they are disabled, because the page shows another moment.
  var token: String?

  var id: String { "card-\(kind)" }

  var html: HTML { html(Addresses()) }

  func html(_ addresses: Addresses) -> HTML {
    let form: HTML = """
      <form id="form-\(kind)" method="post"><input type="hidden" name="token" value="\(token ?? "")"></form>
      """
    let hasButtons = drawings.contains { $0.targets.contains(where: \.isButton) }
    return """
      <article class="card" id="\(id)" aria-labelledby="\(id)-title"><h3 id="\(id)-title">\(title)</h3>\
      <div class="pictures">\(drawings.map { html(of: $0, addresses) })</div>\(form, if: hasButtons && token != nil)</article>
      """
  }

  private func html(of drawing: Drawing, _ addresses: Addresses) -> HTML {
    let size: HTML = """
      width="\(drawing.width)" height="\(drawing.height)" viewBox="0 0 \(drawing.width) \(drawing.height)"
      """
    let targets = drawing.targets.map { $0.html(kind: kind, isEnabled: token != nil, addresses) }
    let overlay: HTML = "<svg class=\"targets\" \(size)>\(targets)</svg>"
    return "<div class=\"picture\">\(drawing.svg)\(overlay, if: !targets.isEmpty)</div>"
  }
}
