import CacheSync
import CacheSyncPictures

/// The page's colours: the system's choice, light, or dark.
enum PageAppearance: String, Sendable, CaseIterable {
  case system, light, dark

  /// Links to the other colours. They keep the moment that the page shows.
  func links(at moment: Instant?) -> HTML {
    let place = moment.map { "/?at=\($0)&" } ?? "/?"
    let links = Self.allCases.map { choice -> HTML in
      """
      <a href="\(place)appearance=\(choice.rawValue)" data-appearance="\(choice.rawValue)"\
      \(" aria-current=\"true\"", if: choice == self)>\(choice.rawValue.asTitle)</a>
      """
    }
    return "<nav class=\"appearances\" aria-label=\"Colours\">\(links)</nav>"
  }
}
