import CacheSyncPictures

/// The page's stylesheet: the colours of the pictures, which are defined only there, and a file.
enum PageStyle {
  static let css = Array(colours.utf8) + PackageResources.page_css

  /// A variable for each token and tint, in light and dark, and the classes that pictures use.
  private static var colours: String {
    let tokens = Token.allCases.map { ("c-\($0.rawValue)", Paint.token($0)) }
    let tints = Token.allCases.filter(\.isAccent).map { ("c-tint-\($0.rawValue)", Paint.tint($0)) }
    let all = tokens + tints
    let variables = all.map { name, paint in
      "--\(name):light-dark(\(Palette.light[paint].hex),\(Palette.dark[paint].hex))"
    }
    let classes = all.map { name, _ in ".\(name){color:var(--\(name))}" }
    return ":root{\(variables.joined(separator: ";"))}\n\(classes.joined(separator: "\n"))\n"
  }
}

extension Token {
  /// Whether it distinguishes kinds or nutrients, and so has a tint.
  fileprivate var isAccent: Bool {
    switch self {
    case .card, .tile, .track, .ink, .soft: false
    case .blue, .orange, .purple, .green, .red, .pink: true
    }
  }
}
