extension Language {
  /// English, where Britain writes other words.
  package static let britishEnglish = Language(.britishEnglish, .britishEnglish, plurals: .one) { phrase in
    switch phrase {
    case .addFavorites: "Add favourites to quick log"
    case .quickLogKindSummary: "Quickly log your favourite foods."
    case .fiber: "Fibre"
    default: inEnglish(phrase)
    }
  }
}
