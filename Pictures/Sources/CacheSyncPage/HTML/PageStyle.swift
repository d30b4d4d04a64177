import CacheSyncPictures

/// The page's stylesheet: the colours of the pictures, which are defined only there, and a file.
enum PageStyle {
  static let css = Array(colours.utf8) + PackageResources.page_css

  /// Of the style and the script. A page with another one loads again.
  static let version = String(EntityTag.hash(css + PackageResources.page_js), radix: 16)

  /// A variable for each token and tint, in light and dark, and the classes that pictures use. Browsers from before 2024
  /// do not know `light-dark()`.
  private static var colours: String {
    let tokens = Token.allCases.map { ("c-\($0.rawValue)", Paint.token($0)) }
    let tints = Token.allCases.filter(\.isAccent).map { ("c-tint-\($0.rawValue)", Paint.tint($0)) }
    let all = tokens + tints
    func variables(_ palette: Palette) -> String { all.map { "--\($0):\(palette[$1].hex)" }.joined(separator: ";") }
    let classes = all.map { name, _ in ".\(name){color:var(--\(name))}" }
    return """
      :root{\(variables(.light))}
      @media (prefers-color-scheme:dark){:root:not([data-appearance="light"]):not([data-appearance="eink"]){\(variables(.dark))}}
      :root[data-appearance="dark"]{\(variables(.dark))}
      :root[data-appearance="eink"]{\(variables(.paper(bits: 4)))}
      \(classes.joined(separator: "\n"))

      """
  }
}
