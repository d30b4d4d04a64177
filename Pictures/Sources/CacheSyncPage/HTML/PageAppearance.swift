import CacheSync

/// The page's colours: the system's choice, light, or dark.
enum PageAppearance: String, Sendable, CaseIterable {
  case system, light, dark

  private var name: Phrase {
    switch self {
    case .system: .systemColours
    case .light: .lightColours
    case .dark: .darkColours
    }
  }

  /// Links to the other colours. They keep the moment that the page shows.
  func links(at moment: Instant?, _ language: Language, _ addresses: Addresses) -> HTML {
    let place = moment.map { "?at=\($0)&" } ?? "?"
    let links = Self.allCases.map { choice -> HTML in
      """
      <a href="\(addresses("\(place)appearance=\(choice.rawValue)"))" data-appearance="\(choice.rawValue)"\
      \(" aria-current=\"true\"", if: choice == self)>\(language(choice.name))</a>
      """
    }
    return "<nav class=\"appearances\" aria-label=\"\(language(.colours))\">\(links)</nav>"
  }
}
