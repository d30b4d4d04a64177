package import CacheSync

/// Turns the nodes of a view into marks with places. The result depends only on the view and the fonts.
package struct Layout {
  let type: Typesetter

  package init(_ type: Typesetter) { self.type = type }

  /// The picture of an entry in a family; nil for the terminal family, which has no card.
  ///
  /// - Parameters:
  ///   - size: the card's size on a screen; nil: the family's own. In a smaller size a view leaves out its secondary lines
  ///     (`compactMode`) if fewer rows are not enough.
  ///   - isRedacted: whether blocks replace all words and numbers, for a screen that guests see. The title is then the
  ///     kind's own name, and there are no targets.
  package func picture(
    of entry: Snapshot.Entry, in snapshot: Snapshot, family: ViewFamily, size: (width: Double, height: Double)? = nil,
    isRedacted: Bool = false
  ) -> Picture? {
    guard var frame = Frame(family) else { return nil }
    var view = snapshot.view(of: entry, family: family)
    if let size {
      frame = frame.sized(size.width, size.height)
      if !fits(view, in: frame, snapshot.locale.language) {
        let compact = snapshot.compact.view(of: entry, family: family)
        if fits(compact, in: frame, snapshot.locale.language) { view = compact }
      }
    }
    let language = snapshot.locale.language
    if isRedacted {
      var picture = picture(of: view.redacted, in: frame, title: snapshot.kindDisplayName.clean, language: language)
      picture.targets = []
      return picture
    }
    let title = snapshot.displayName + (entry.state == .stale ? ", " + language(.stale) : "")
    var picture = picture(of: view, in: frame, title: title.clean, link: snapshot.deepLink, language: language)
    // When people hide the numbers, shares are drawn but not described.
    if entry.content["showsNumbers"]?.bool == false { picture.describeNoShares() }
    return picture
  }

  package func picture(
    of view: ViewNode, in frame: Frame, title: String, link: String? = nil,
    language: Language = CacheLocale.english.language
  )
    -> Picture
  {
    type.language = language.tag
    let measures = Measures(type: type, language: language)
    let view = fitting(view, in: frame, measures) ?? Squeeze.steps(for: view).last?.applied(to: view, language) ?? view
    var marks = Marks(measures: measures, frame: frame)
    marks.append(Mark(frame.card, .box(radius: frame.corner, fill: .token(.card), border: nil)))
    if let link { marks.targets.append(Picture.Target(box: frame.card, action: .link(link), label: title)) }
    if frame.family == .accessoryCircular { marks.placeInRoundCard(view) } else { marks.place(view, in: frame.content) }
    return Picture(
      width: frame.width, height: frame.height, marks: marks.marks, targets: marks.targets, title: title,
      language: language.tag)
  }

  /// The view after the first step that makes it low enough; nil: none does.
  private func fitting(_ view: ViewNode, in frame: Frame, _ measures: Measures) -> ViewNode? {
    Squeeze.steps(for: view).lazy.map { $0.applied(to: view, measures.language) }.first {
      measures.height($0, width: frame.content.width) <= frame.content.height
    }
  }

  /// Whether a view is low enough for a card once it has given way.
  private func fits(_ view: ViewNode, in frame: Frame, _ language: Language) -> Bool {
    type.language = language.tag
    return fitting(view, in: frame, Measures(type: type, language: language)) != nil
  }
}

extension Snapshot {
  /// The same with views that leave out every secondary line.
  fileprivate var compact: Snapshot {
    var compact = self
    var widget = widget ?? Widget(kind: kind, options: [:])
    widget.options["compactMode"] = .bool(true)
    compact.widget = widget
    return compact
  }
}
