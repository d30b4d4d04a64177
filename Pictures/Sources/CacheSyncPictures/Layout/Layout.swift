package import CacheSync

/// Turns the nodes of a view into marks with places. The result depends only on the view and the fonts.
package struct Layout {
  private let type: Typesetter

  package init(_ type: Typesetter) { self.type = type }

  /// The picture of an entry in a family; nil for the terminal family, which has no card.
  ///
  /// - Parameter isRedacted: whether blocks replace all words and numbers, for a screen that guests see. The title is
  ///   then the kind's own name, and there are no targets.
  package func picture(
    of entry: Snapshot.Entry, in snapshot: Snapshot, family: ViewFamily, isRedacted: Bool = false
  ) -> Picture? {
    guard let frame = Frame(family) else { return nil }
    let view = snapshot.view(of: entry, family: family)
    let language = snapshot.locale.language
    if isRedacted {
      var picture = picture(of: view.redacted, in: frame, title: snapshot.kindDisplayName.clean, language: language)
      picture.targets = []
      return picture
    }
    let title = snapshot.displayName + (entry.state == .stale ? ", " + language(.stale) : "")
    var picture = picture(of: view, in: frame, title: title.clean, link: snapshot.deepLink, language: language)
    // When people hide the numbers, shares are drawn but not described.
    if entry.content["showsNumbers"]?.bool == false { picture.describeTextsAlone() }
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
    let steps = Squeeze.steps(for: view)
    let fitting = steps.lazy.map { $0.applied(to: view, language) }.first {
      measures.height($0, width: frame.content.width) <= frame.content.height
    }
    let view = fitting ?? steps[steps.count - 1].applied(to: view, language)
    var marks = Marks(measures: measures, frame: frame)
    marks.append(Mark(frame.card, .box(radius: frame.corner, fill: .token(.card), border: nil)))
    if let link { marks.targets.append(Picture.Target(box: frame.card, action: .link(link), label: title)) }
    if frame.family == .accessoryCircular { marks.placeInRoundCard(view) } else { marks.place(view, in: frame.content) }
    return Picture(
      width: frame.width, height: frame.height, marks: marks.marks, targets: marks.targets, title: title,
      language: language.tag)
  }
}
