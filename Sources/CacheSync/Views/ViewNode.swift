/// A node of a view: what a kind shows, as a tree without places or fonts.
///
/// A kind describes its view once for each family. ``TerminalView`` draws the tree as text; the pictures' layout gives its
/// nodes places and draws them as SVG and PNG. Text is as it stands in the content; the drawing makes it harmless.
public struct ViewNode: Sendable, Equatable {
  /// The six nodes.
  public indirect enum Form: Sendable, Equatable {
    /// Several nodes.
    case stack(Axis, [ViewNode])
    /// One text.
    case text(Text)
    /// A share of something as a ring, with what stands inside it.
    case ring(Ring, center: ViewNode)
    /// A share of something as a bar.
    case bar(Bar)
    /// A line of a list: an icon or a badge, a text that may be cut, and values that line up with those of the rows around it.
    case row(ViewNode?, [ViewNode])
    /// A symbol.
    case icon(Symbol)
  }

  /// How a stack orders its nodes.
  public enum Axis: Sendable, Equatable {
    /// Side by side.
    case horizontal
    /// One under another, from the leading edge.
    case vertical
    /// One under another, in the middle.
    case centred
  }

  /// What a tap on a node does.
  public enum Action: Sendable, Equatable {
    /// Opens a link of the content.
    case link(String)
    /// Drops an intent of a type with these fields, beside `id` and `at`.
    case intent(String, [String: String])
  }

  /// What the node is.
  public var form: Form
  /// What a tap on it does; nil: what a tap on the node around it does.
  public var action: Action?
  /// What the action acts on, for people who do not see it; nil: the texts inside of the node say it.
  public var label: String?
  /// How it takes and gives room. A terminal has room enough and does not look at it.
  public var room = Room()

  /// A node by itself.
  public init(_ form: Form, action: Action? = nil) {
    self.form = form
    self.action = action
  }

  /// The node with each of the nodes directly inside it replaced.
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
  /// A text, and how it gives way where there is little room.
  public struct Text: Sendable, Equatable {
    /// As it stands in the content, on one line: ends of lines and tabs are a space.
    public var words: String
    /// Its colour.
    public var tint = Tint.ink
    /// What it is.
    public var role: Role
    /// Its size and weight; a terminal has one.
    public var size = Size.body
    /// How many lines it may take, 1 or 2.
    public var lineLimit = 1
    /// Whether a picture draws a bar in place of the words, which are not known yet.
    public var isWithheld = false

    /// A text of a role.
    public init(_ words: String, _ role: Role, tint: Tint = .ink) {
      self.words = words.onOneLine
      self.role = role
      self.tint = tint
    }
  }

  /// A ring: from 12 o'clock clockwise on a track.
  public struct Ring: Sendable, Equatable {
    /// The share, 0…1; above 1 it is too much; nil: there is nothing to measure.
    public var progress: Double?
    /// Its colour.
    public var tint = Tint.green
    /// Its diameter in points.
    public var diameter = 80.0
    /// Where a dot stands on the ring, 0…1; nil: none.
    public var dot: Double?

    /// A ring of a share.
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

    /// The share, 0…1; above 1 it is too much; nil: there is nothing to measure.
    public var progress: Double?
    /// Its colour.
    public var tint = Tint.green
    /// Several shares of one whole, side by side, in place of the progress; empty: there is one share.
    public var parts: [Part] = []
    /// Whether it stands, and grows from its foot.
    public var isUpright = false

    /// A bar of a share.
    public init(_ progress: Double?, tint: Tint = .green) {
      self.progress = progress
      self.tint = tint
    }
  }

  /// A symbol by the name that snapshots use.
  public struct Symbol: Sendable, Equatable {
    /// Such as `fork.knife`.
    public var name: String
    /// The sign that stands for it in text.
    public var sign: String
    /// Its colour.
    public var tint = Tint.ink
    /// The length of its sides in points.
    public var side = 16.0
  }

  /// A colour, by what it means.
  public enum Tint: String, Sendable, Equatable {
    case ink
    /// Of less importance.
    case soft
    /// The accents, by which kinds and nutrients are told apart. Green is also what is done or chosen, red what is too much or
    /// too late, orange a doubt.
    case blue, orange, purple, green, red, pink
  }

  /// What a text is, which decides how it gives way where there is little room.
  public enum Role: Sendable, Equatable {
    /// A name or a sentence of the content, which may end in an ellipsis.
    case text
    /// A short text or a time of the content, which is never cut for the sake of others.
    case label
    /// A number of the content with its unit: never cut either, and at the end of its column.
    case value
    /// A word of the view's own, which says nothing of the content and stays where the content is withheld.
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

    /// By points.
    public static func < (lhs: Size, rhs: Size) -> Bool { lhs.rawValue < rhs.rawValue }
  }

  /// How a node takes and gives room in a picture.
  public struct Room: Sendable, Equatable {
    /// What a stack leaves between its nodes, in points.
    public var gap = 8.0
    /// What lies beneath.
    public var ground = Ground.none
    /// Whether it takes what is left along the stack it is in, in equal parts with others that do.
    public var grows = false
    /// Parts with a number go where there is too little room, the lowest first; nil: the node stays.
    public var dropOrder: Int?
    /// A stack of rows, of which the last ones give way to "+N more", where N counts these rows and this many more; nil: all
    /// of them stay.
    public var more: Int?
  }

  /// What lies beneath a node.
  public enum Ground: Sendable, Equatable {
    case none
    /// A tile with padding.
    case tile
    /// A tile with a border, for what is chosen.
    case chosen(Tint)
    /// A little of an accent, with padding.
    case tinted(Tint)
    /// A thin line in place of the node, across the stack it is in.
    case divider
  }
}

extension ViewNode.Action {
  /// Opens the link that a part of the content has; nil: it has none.
  package init?(linkOf part: JSONValue) {
    guard let link = part["deepLink"]?.string else { return nil }
    self = .link(link)
  }
}
