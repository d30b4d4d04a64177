import CacheSync
import CacheSyncPictures

/// A text that a panel shows in place of its screen.
struct PanelNotice: Equatable {
  var title: String
  var lines: [String]

  static func unknown(_ address: PanelAddress, size: PixelSize, widgets: [String]) -> PanelNotice {
    let widgets = widgets.map { "\"\($0)\"" }.joined(separator: ", ")
    return PanelNotice(
      title: "This panel is \(address)",
      lines: [
        "Add this to the file of serve --panels:",
        "\"\(address)\": { \"screen\": \"\(size)\", \"bits\": 1,", "\"widgets\": [\(widgets)] }",
        "It asks again in \(WakingHours.standardPause.components.seconds / 60) minutes.",
      ])
  }

  /// - Parameter isRedacted: whether it shows neither numbers nor reasons.
  static func ready(_ address: PanelAddress, isRedacted: Bool) -> PanelNotice {
    if isRedacted { return PanelNotice(title: "This panel is set up", lines: ["Its screen follows."]) }
    return PanelNotice(
      title: "Panel \(address.friendlyID) is set up", lines: ["Its address is \(address). Its screen follows."])
  }

  static func failed(_ address: PanelAddress, _ reason: String, isRedacted: Bool) -> PanelNotice {
    if isRedacted { return PanelNotice(title: "This panel has no picture", lines: [Painter.Failure.redacted.reason]) }
    return PanelNotice(title: "Panel \(address.friendlyID) has no picture", lines: [reason])
  }

  /// In black and white.
  ///
  /// - Parameter size: before it is turned.
  func bytes(as format: ScreenFormat, _ size: PixelSize, _ turn: Turn) throws(PNGError) -> [UInt8] {
    let (width, height) = (size.width, size.height)
    // As large as texts of these lengths fit, and large enough to be read on small displays.
    let scale = max(1.25, Double(min(width, height)) / 340)
    let frame = Frame.display(width: Double(width) / scale, height: Double(height) / scale)
    let picture = Layout(Typesetter()).picture(of: view, in: frame, title: title)
    let painter = PNGPainter(scale: scale, palette: Palette(.eink, bits: 1), depth: .grey(bits: 1), turn: turn)
    let placed = [PNGPainter.Placed(picture, x: 0, y: 0)]
    return switch format {
    case .png: try painter.png(placed, width: width, height: height)
    case .bmp: try painter.bmp(placed, width: width, height: height)
    }
  }

  private var view: ViewNode {
    var heading = ViewNode.Text(title, .text)
    heading.size = .number
    heading.lineLimit = 2
    let texts = lines.map { line in
      var text = ViewNode.Text(line, .text)
      text.lineLimit = 2
      return text
    }
    var view = ViewNode(.stack(.centred, ([heading] + texts).map { ViewNode(.text($0)) }))
    view.room.gap = 16
    view.room.grows = true
    return view
  }
}
