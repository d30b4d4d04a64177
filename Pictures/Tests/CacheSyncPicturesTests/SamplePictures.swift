@testable import CacheSyncPictures

/// Hand-made pictures for painters, with every shape and texts of many scripts.
enum SamplePictures {
  /// A ring, bars and their texts.
  static func progress() -> Picture {
    var sample = Builder(width: 364, height: 170)
    sample.ring(Rect(x: 16, y: 43, width: 84, height: 84), width: 8.4, progress: 0.62, .green)
    sample.text("1240", 15, .bold, .ink, centred: Rect(x: 16, y: 68, width: 84, height: 18))
    sample.text("cal left", 12, .regular, .soft, centred: Rect(x: 16, y: 86, width: 84, height: 15))
    let bars: [(String, String, Double, Token)] = [
      ("Protein", "82 g", 0.5, .blue), ("Carbs", "211 g", 1, .red), ("Fat", "1.1 g", 0.02, .purple),
    ]
    for (index, bar) in bars.enumerated() {
      let y = 22 + Double(index) * 44
      sample.text(bar.0, 15, .semibold, .ink, x: 120, y: y)
      sample.text(bar.1, 15, .regular, bar.3, maxX: 348, y: y)
      sample.bar(Rect(x: 120, y: y + 24, width: 228, height: 6), progress: bar.2, bar.3)
    }
    return sample.picture("Progress")
  }

  /// Tiles with icons, a border, tints, a divider, and rings at both ends, with a dot, and without a value.
  static func tiles() -> Picture {
    var sample = Builder(width: 364, height: 170)
    let icons: [(String, Token)] = [
      ("fork.knife", .pink), ("figure.run", .blue), ("flame.fill", .orange), ("leaf.fill", .green),
      ("checkmark.circle.fill", .purple), ("no such icon", .red),
    ]
    for (index, icon) in icons.enumerated() {
      let tile = Rect(x: 16 + Double(index) * 56, y: 16, width: 48, height: 48)
      let fill: Paint = index < 2 ? .token(.tile) : .tint(icon.1)
      sample.add(Mark(tile, .box(radius: 8, fill: fill, border: index == 1 ? .blue : nil)))
      sample.add(Mark(tile.centred(width: 24, height: 24), .icon(icon.0, icon.1)))
    }
    sample.add(Mark(Rect(x: 16, y: 76, width: 332, height: 1), .box(radius: 0, fill: .token(.track), border: nil)))
    let rings: [(Double?, Double?, Token)] = [
      (nil, nil, .green), (0, nil, .green), (0.03, nil, .blue), (0.97, nil, .blue), (1, nil, .red),
      (0.4, 0.75, .orange),
    ]
    for (index, ring) in rings.enumerated() {
      let box = Rect(x: 16 + Double(index) * 56, y: 92, width: 50, height: 50)
      sample.ring(box, width: 5, progress: ring.0, ring.2, dot: ring.1)
    }
    sample.add(Mark(Rect(x: 16, y: 150, width: 30, height: 12), .box(radius: 4, fill: .token(.track), border: nil)))
    return sample.picture("Tiles & <rings>, \"stale\"")
  }

  /// Texts of many scripts, including right to left, emoji, and characters that XML must escape.
  static func scripts() -> Picture {
    var sample = Builder(width: 364, height: 382)
    let texts = [
      "Grüße, naïve façade; 11:11", "Grillgemüse & <Reis> \"fein\"", "日本語の朝食と 100 g の米", "السلام عليكم (82 g)!",
      "שלום, עולם 12:30 abc", "Привет, Γειά σου", "🍎 Apple 🥑🥑 avocado 👨‍👩‍👧 🇫🇷", "é combining ñ, ligatures ffi",
      "two  spaces −0.35 kg",
    ]
    for (index, text) in texts.enumerated() {
      sample.text(text, 15, index % 3 == 0 ? .semibold : .regular, .ink, x: 16, y: 14 + Double(index) * 24)
    }
    var y = 262.0
    for (size, weight) in [(48.0, TypeFace.Weight.bold), (28, .bold)] {
      sample.text("3 Tasks 😀", size, weight, .blue, x: 16, y: y)
      y += size * 1.2
    }
    sample.text("micro 0123456789 the quick brown fox", 11, .regular, .soft, x: 16, y: 356)
    return sample.picture("Scripts")
  }

  /// A circle.
  static func circle() -> Picture {
    var sample = Builder(width: 76, height: 76, corner: 38)
    sample.ring(Rect(x: 6, y: 6, width: 64, height: 64), width: 6.4, progress: 0.37, .blue)
    sample.add(Mark(Rect(x: 28, y: 28, width: 20, height: 20), .icon("fork.knife", .ink)))
    return sample.picture("Circle")
  }

  static let all: [(name: String, picture: Picture)] = [
    ("progress", progress()), ("tiles", tiles()), ("scripts", scripts()), ("circle", circle()),
  ]
}

/// Adds marks to a card.
struct Builder {
  private let typesetter = Typesetter()
  private let card: Rect
  private var marks: [Mark] = []

  init(width: Double, height: Double, corner: Double = 22) {
    card = Rect(width: width, height: height)
    marks = [Mark(card, .box(radius: corner, fill: .token(.card), border: nil))]
  }

  func picture(_ title: String) -> Picture {
    Picture(width: card.width, height: card.height, marks: marks, title: title)
  }

  mutating func add(_ mark: Mark) { marks.append(mark) }

  mutating func ring(_ box: Rect, width: Double, progress: Double?, _ tint: Token, dot: Double? = nil) {
    let says = progress.map { "\(Int($0 * 100)) percent" }
    add(Mark(box, .ring(Mark.Ring(width: width, progress: progress, tint: tint, dot: dot)), says: says))
  }

  mutating func bar(_ box: Rect, progress: Double, _ tint: Token) {
    add(Mark(box, .box(radius: 3, fill: .token(.track), border: nil), says: "\(Int(progress * 100)) percent"))
    var filled = box
    filled.width = max(6, box.width * progress)
    add(Mark(filled, .box(radius: 3, fill: .token(tint), border: nil)))
  }

  mutating func text(
    _ text: String, _ size: Double, _ weight: TypeFace.Weight, _ tint: Token, x: Double? = nil, maxX: Double = 0,
    y: Double
  ) {
    let face = TypeFace(size: size, weight: weight)
    let width = typesetter.width(of: text, in: face)
    let box = Rect(x: x ?? maxX - width, y: y, width: width, height: face.lineHeight)
    let line = Mark.Line(text: text, type: face, tint: tint, baseline: y + typesetter.baseline(of: face))
    add(Mark(box, .text(line), says: text))
  }

  mutating func text(
    _ text: String, _ size: Double, _ weight: TypeFace.Weight, _ tint: Token, centred box: Rect
  ) {
    let width = typesetter.width(of: text, in: TypeFace(size: size, weight: weight))
    self.text(text, size, weight, tint, x: box.midX - width / 2, y: box.y)
  }
}
