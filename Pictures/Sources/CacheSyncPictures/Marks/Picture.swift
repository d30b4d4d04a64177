package import CacheSync

/// A drawn view: marks for painters, targets for links and buttons, and a description for people who do not see it.
package struct Picture: Sendable, Equatable {
  /// An area that opens a link or drops an intent.
  package struct Target: Sendable, Equatable {
    package var box: Rect
    package var action: ViewNode.Action
    /// What it does, in words.
    package var label: String
  }

  /// In points.
  package var width: Double
  package var height: Double
  /// In the order of painting. The first one is the card itself.
  package var marks: [Mark]
  /// A target inside another one comes after it.
  package var targets: [Target]
  package var language: LanguageTag
  /// The widget's name and, if not current, its state: "Macros, stale".
  package var title: String

  /// All texts in order, each ring and bar as "62 percent".
  package var description: String { marks.compactMap(\.says).joined(separator: ", ") }

  /// Removes rings and bars from the description.
  mutating func describeNoShares() {
    for index in marks.indices {
      switch marks[index].shape {
      case .text, .icon: break
      case .box, .ring: marks[index].says = nil
      }
    }
  }

  package var label: String { description.isEmpty ? title : "\(title). \(description)" }

  package init(
    width: Double, height: Double, marks: [Mark], targets: [Target] = [], title: String,
    language: LanguageTag = .english
  ) {
    self.width = width
    self.height = height
    self.marks = marks
    self.targets = targets
    self.title = title
    self.language = language
  }
}
