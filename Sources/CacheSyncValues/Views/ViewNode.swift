/// A node of a view: what a kind shows, as a tree without positions or fonts.
///
/// A kind describes its view once for each family. ``TerminalView`` draws the tree as text. The pictures' layout gives
/// its nodes positions and draws them as SVG and PNG. The text is the content's own; the code that draws it escapes it.
public struct ViewNode: Sendable, Equatable {
  /// The six nodes.
  public indirect enum Form: Sendable, Equatable {
    /// Several nodes.
    case stack(Axis, [ViewNode])
    /// One text.
    case text(Text)
    /// A share as a ring, with a node inside it.
    case ring(Ring, center: ViewNode)
    /// A share as a bar.
    case bar(Bar)
    /// A line of a list: an icon or a badge, a text that may be cut, and values that are aligned with those of the rows
    /// around it.
    case row(ViewNode?, [ViewNode])
    /// A symbol.
    case icon(Symbol)
  }

  /// How a stack arranges its nodes.
  public enum Axis: Sendable, Equatable {
    /// Side by side.
    case horizontal
    /// One under another, from the leading edge.
    case vertical
    /// One under another, centred.
    case centred
  }

  /// What a tap on a node does.
  public enum Action: Sendable, Equatable {
    /// Opens a link of the content.
    case link(String)
    /// Drops an intent of a type with these fields, besides `id` and `at`.
    case intent(String, [String: String])
  }

  /// What the node is.
  public var form: Form
  /// The action of a tap on it; nil: that of the node around it.
  public var action: Action?
  /// Describes it for people who cannot see it: the target of its action, or what an icon without one stands for. Nil:
  /// the texts inside the node do.
  public var label: String?
  /// How it takes and gives space. A terminal ignores it.
  public var room = Room()

  /// A node by itself.
  public init(_ form: Form, action: Action? = nil) {
    self.form = form
    self.action = action
  }

  /// The node with each of its direct children replaced.
  public func mapped(_ change: (ViewNode) -> ViewNode) -> ViewNode {
    var node = self
    switch form {
    case .stack(let axis, let nodes): node.form = .stack(axis, nodes.map(change))
    case .row(let icon, let fields): node.form = .row(icon.map(change), fields.map(change))
    case .ring(let ring, let center): node.form = .ring(ring, center: change(center))
    case .text, .bar, .icon: break
    }
    return node
  }
}

extension ViewNode {
  /// A text, and how it behaves if space is short.
  public struct Text: Sendable, Equatable {
    /// The content's text, on one line: line ends and tabs become a space.
    public var words: String
    /// Its colour.
    public var tint = Tint.ink
    /// Its role.
    public var role: Role
    /// Its size and weight; a terminal has only one.
    public var size = Size.body
    /// How many lines it may take, 1 or 2.
    public var lineLimit = 1
    /// Whether a picture draws a bar in place of the words, which are not known yet.
    public var isWithheld = false

    /// A text with a role.
    public init(_ words: String, _ role: Role, tint: Tint = .ink) {
      self.words = words.onOneLine
      self.role = role
      self.tint = tint
    }
  }

  /// A ring on a track, clockwise from 12 o'clock.
  public struct Ring: Sendable, Equatable {
    /// The share, 0…1; above 1: too much; nil: there is nothing to measure.
    public var progress: Double?
    /// Its colour.
    public var tint = Tint.green
    /// Its diameter in points.
    public var diameter = 80.0
    /// The position of a dot on the ring, 0…1; nil: none.
    public var dot: Double?

    /// A ring that shows a share.
    public init(_ progress: Double?, tint: Tint = .green, diameter: Double = 80, dot: Double? = nil) {
      self.progress = progress
      self.tint = tint
      self.diameter = diameter
      self.dot = dot
    }
  }

  /// A bar on a track.
  public struct Bar: Sendable, Equatable {
    /// A part of a bar, 0…1 of its length.
    public struct Part: Sendable, Equatable {
      /// 0…1.
      public var share: Double
      /// Its colour.
      public var tint: Tint

      /// A part of a bar.
      public init(_ share: Double, _ tint: Tint) {
        self.share = share
        self.tint = tint
      }
    }

    /// The share, 0…1; above 1: too much; nil: there is nothing to measure.
    public var progress: Double?
    /// Its colour.
    public var tint = Tint.green
    /// Several shares of one whole, side by side, instead of the progress; empty: there is one share.
    public var parts: [Part] = []
    /// Whether the bar is vertical and grows from its foot.
    public var isUpright = false
    /// Whether a picture draws what is left of the whole behind it.
    public var hasTrack = true

    /// A bar that shows a share.
    public init(_ progress: Double?, tint: Tint = .green) {
      self.progress = progress
      self.tint = tint
    }
  }

  /// A symbol, named as in snapshots.
  public struct Symbol: Sendable, Equatable {
    /// Such as `fork.knife`.
    public var name: String
    /// The sign that replaces it in text.
    public var sign: String
    /// Its colour.
    public var tint = Tint.ink
    /// The length of its sides in points.
    public var side = 16.0
    /// Whether it replaces a word or a number of the content, such as the direction of a trend.
    public var isValue = false
  }

  /// A colour, by what it means.
  public enum Tint: String, Sendable, Equatable {
    case ink
    /// Of less importance.
    case soft
    /// The accents that distinguish kinds and nutrients. Green also means done or chosen, red too much or too late, and
    /// orange a doubt.
    case blue, orange, purple, green, red, pink
  }

  /// The role of a text, which decides how it behaves if space is short.
  public enum Role: Sendable, Equatable {
    /// A name or a sentence of the content, which may end in an ellipsis.
    case text
    /// A short text or a time of the content, which is never cut to make room for others.
    case label
    /// A number of the content with its unit: never cut, and at the end of its column.
    case value
    /// A word of the view itself. It reveals nothing of the content, so it stays where the content is withheld.
    case word
  }

  /// Size and weight of a text: points, and bold or semibold from ``headline`` up.
  public enum Size: Int, Sendable, Comparable, CaseIterable {
    case micro = 11
    case caption = 12
    case body = 15
    case headline = 17
    case number = 22
    case title = 28
    case display = 48
    case huge = 84

    /// By points.
    public static func < (lhs: Size, rhs: Size) -> Bool { lhs.rawValue < rhs.rawValue }
  }

  /// How a node takes and gives space in a picture.
  public struct Room: Sendable, Equatable {
    /// The space between the nodes of a stack, in points.
    public var gap = 8.0
    /// The background.
    public var ground = Ground.none
    /// Whether it takes the remaining space along its stack, in equal parts with others that do.
    public var grows = false
    /// Nodes with a number are dropped if space is short, the lowest first; nil: the node stays.
    public var dropOrder: Int?
    /// For a stack of rows: if space is short, "+N more" replaces the last ones, where N counts those rows and this
    /// many more. Nil: all rows stay.
    public var more: Int?
    /// Whether a picture draws a bar in place of "+N more".
    public var withholdsMore = false
  }

  /// The background of a node.
  public enum Ground: Sendable, Equatable {
    case none
    /// A tile with padding.
    case tile
    /// A tile with a border, for a chosen item.
    case chosen(Tint)
    /// A light tint of an accent, with padding.
    case tinted(Tint)
    /// A circle in an accent. Texts on it have the colour of the card.
    case disc(Tint)
    /// A thin line instead of the node, across its stack.
    case divider
  }
}

extension ViewNode.Action {
  /// Opens the link of a part of the content; nil if it has none.
  package init?(linkOf part: JSONValue) {
    guard let link = part["deepLink"]?.string else { return nil }
    self = .link(link)
  }
}
