import CPango

/// Paints a picture's figures on a canvas. Boxes begin and end on whole pixels, and baselines are on whole pixels, so
/// that edges are sharp.
struct FigurePainter {
  let canvas: Canvas
  let typesetter: Typesetter
  let palette: Palette
  /// Pixels per point.
  let scale: Double
  /// The picture's upper left corner, in pixels.
  let x: Double
  let y: Double

  private var cairo: OpaquePointer { canvas.context }

  func paint(_ figure: Figure) {
    switch figure {
    case .box(let box, let radius, let paint):
      setColour(paint)
      addBox(pixels(box), radius: radius * scale)
      cairo_fill(cairo)
    case .border(let box, let radius, let width, let paint):
      setColour(paint)
      let outer = pixels(box)
      let width = lineWidth(width)
      addBox(outer, radius: radius * scale)
      addBox(outer.inset(by: width), radius: max(0, radius * scale - width))
      fillBetween()
    case .ring(let box, let width, let share, let paint):
      setColour(paint)
      let circle = circle(in: box)
      let width = lineWidth(width)
      let top = -Double.pi / 2
      cairo_set_line_width(cairo, width)
      cairo_set_line_cap(cairo, CAIRO_LINE_CAP_ROUND)
      cairo_new_path(cairo)
      cairo_arc(
        cairo, circle.midX, circle.midY, (circle.width - width) / 2, top, top + (share ?? 1) * 2 * Double.pi)
      if share == nil { cairo_close_path(cairo) }
      cairo_stroke(cairo)
    case .ringBorder(let box, let ringWidth, let width, let paint):
      setColour(paint)
      let outer = circle(in: box)
      let inner = outer.inset(by: lineWidth(ringWidth))
      let width = lineWidth(width)
      for circle in [outer, outer.inset(by: width), inner.inset(by: -width), inner] { addCircle(circle) }
      fillBetween()
    case .dot(let box, let width, let share, let radius, let paint):
      setColour(paint)
      let point = circle(in: box).pointOnRing(share, width: lineWidth(width))
      let radius = radius * scale
      addCircle(Rect(x: point.x - radius, y: point.y - radius, width: 2 * radius, height: 2 * radius))
      cairo_fill(cairo)
    case .text(let box, let line):
      setColour(.token(line.tint))
      paint(line, in: box)
    case .icon(let box, let icon, let token):
      setColour(.token(token))
      paint(icon, in: box)
    }
  }

  // MARK: Shapes

  private func setColour(_ paint: Paint) {
    let colour = palette[paint]
    cairo_set_source_rgb(cairo, Double(colour.red) / 255, Double(colour.green) / 255, Double(colour.blue) / 255)
  }

  private func pixel(x: Double) -> Double { (self.x + x * scale).rounded() }
  private func pixel(y: Double) -> Double { (self.y + y * scale).rounded() }

  /// The box with its sides on whole pixels. It is at least one pixel wide and high.
  private func pixels(_ box: Rect) -> Rect {
    let (left, top) = (pixel(x: box.x), pixel(y: box.y))
    return Rect(
      x: left, y: top, width: max(1, pixel(x: box.maxX) - left), height: max(1, pixel(y: box.maxY) - top))
  }

  /// The square box with its sides on whole pixels, so that the four quarters of a circle look the same.
  private func circle(in box: Rect) -> Rect {
    let side = max(1, (box.width * scale).rounded())
    return Rect(x: pixel(x: box.x), y: pixel(y: box.y), width: side, height: side)
  }

  /// The width in whole pixels; at least one.
  private func lineWidth(_ width: Double) -> Double { max(1, (width * scale).rounded()) }

  /// Fills the area that an odd number of the added shapes covers.
  private func fillBetween() {
    cairo_set_fill_rule(cairo, CAIRO_FILL_RULE_EVEN_ODD)
    cairo_fill(cairo)
    cairo_set_fill_rule(cairo, CAIRO_FILL_RULE_WINDING)
  }

  private func addCircle(_ box: Rect) {
    cairo_new_sub_path(cairo)
    cairo_arc(cairo, box.midX, box.midY, box.width / 2, 0, 2 * Double.pi)
    cairo_close_path(cairo)
  }

  private func addBox(_ box: Rect, radius: Double) {
    let radius = min(radius, box.width / 2, box.height / 2)
    guard radius > 0 else { return cairo_rectangle(cairo, box.x, box.y, box.width, box.height) }
    let quarter = Double.pi / 2
    cairo_new_sub_path(cairo)
    cairo_arc(cairo, box.maxX - radius, box.y + radius, radius, -quarter, 0)
    cairo_arc(cairo, box.maxX - radius, box.maxY - radius, radius, 0, quarter)
    cairo_arc(cairo, box.x + radius, box.maxY - radius, radius, quarter, 2 * quarter)
    cairo_arc(cairo, box.x + radius, box.y + radius, radius, 2 * quarter, 3 * quarter)
    cairo_close_path(cairo)
  }

  private func paint(_ icon: Icon, in box: Rect) {
    cairo_save(cairo)
    defer { cairo_restore(cairo) }
    cairo_translate(cairo, pixel(x: box.x), pixel(y: box.y))
    cairo_scale(cairo, box.width * scale / Icon.side, box.height * scale / Icon.side)
    cairo_set_line_width(cairo, IconPath.strokeWidth)
    cairo_set_line_cap(cairo, CAIRO_LINE_CAP_ROUND)
    cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND)
    for path in icon.paths {
      cairo_new_path(cairo)
      for command in path.commands {
        switch command {
        case .move(let point): cairo_move_to(cairo, point.x, point.y)
        case .line(let point): cairo_line_to(cairo, point.x, point.y)
        case .curve(let first, let second, let end):
          cairo_curve_to(cairo, first.x, first.y, second.x, second.y, end.x, end.y)
        case .close: cairo_close_path(cairo)
        }
      }
      switch path.paint {
      case .stroke: cairo_stroke(cairo)
      case .fill: cairo_fill(cairo)
      }
    }
  }

  // MARK: Text

  private func paint(_ line: Mark.Line, in box: Rect) {
    cairo_save(cairo)
    defer { cairo_restore(cairo) }
    cairo_translate(cairo, x + box.x * scale, pixel(y: line.baseline))
    cairo_scale(cairo, scale, scale)
    typesetter.withLayout(of: line.text, in: line.type) { layout in
      pango_cairo_update_layout(cairo, layout)
      var left = 0.0
      var next = pango_layout_get_line_readonly(layout, 0)?.pointee.runs
      while let node = next {
        let run = node.pointee.data.assumingMemoryBound(to: PangoGlyphItem.self).pointee
        if let font = run.item.pointee.analysis.font, let glyphs = run.glyphs {
          cairo_move_to(cairo, left, 0)
          paint(glyphs, of: font, from: left)
          left += Double(pango_glyph_string_get_width(glyphs)) / Double(PANGO_SCALE)
        }
        next = node.pointee.next
      }
    }
  }

  /// Paints letters as shapes, because Cairo 1.16 puts glyphs on whole pixels, which makes the gaps between letters
  /// uneven. Sharp letters are on whole pixels anyway, and emoji do not have shapes.
  private func paint(
    _ glyphs: UnsafeMutablePointer<PangoGlyphString>, of font: UnsafeMutablePointer<PangoFont>, from left: Double
  ) {
    if hb_ot_color_has_png(hb_font_get_face(pango_font_get_hb_font(font))) != 0 {
      showEmoji(glyphs, of: font)
      addEmoji(glyphs, of: font, from: left)
    } else if canvas.depth == .grey(bits: 1) {
      pango_cairo_show_glyph_string(cairo, font, glyphs)
    } else {
      pango_cairo_glyph_string_path(cairo, font, glyphs)
      cairo_fill(cairo)
    }
  }

  /// Paints emoji in their own colours; in an accented picture as silhouettes in the colour of the text.
  private func showEmoji(_ glyphs: UnsafeMutablePointer<PangoGlyphString>, of font: UnsafeMutablePointer<PangoFont>) {
    guard case .accented = palette else { return pango_cairo_show_glyph_string(cairo, font, glyphs) }
    cairo_push_group(cairo)
    pango_cairo_show_glyph_string(cairo, font, glyphs)
    let shapes = cairo_pop_group(cairo)
    cairo_mask(cairo, shapes)
    cairo_pattern_destroy(shapes)
  }

  /// Adds the pixels of a run's emoji to the canvas's list.
  private func addEmoji(
    _ glyphs: UnsafeMutablePointer<PangoGlyphString>, of font: UnsafeMutablePointer<PangoFont>, from left: Double
  ) {
    let unit = scale / Double(PANGO_SCALE)
    var (originX, originY) = (left, 0.0)
    cairo_user_to_device(cairo, &originX, &originY)
    for glyph in UnsafeBufferPointer(start: glyphs.pointee.glyphs, count: Int(glyphs.pointee.num_glyphs)) {
      var ink = PangoRectangle()
      pango_font_get_glyph_extents(font, glyph.glyph, &ink, nil)
      let x = (originX + Double(glyph.geometry.x_offset) * unit).rounded() + Double(ink.x) * unit
      let y = (originY + Double(glyph.geometry.y_offset) * unit).rounded() + Double(ink.y) * unit
      canvas.emoji.append(
        Canvas.PixelBox(
          columns: Int(x.rounded(.down))..<Int((x + Double(ink.width) * unit).rounded(.up)),
          rows: Int(y.rounded(.down))..<Int((y + Double(ink.height) * unit).rounded(.up))))
      originX += Double(glyph.geometry.width) * unit
    }
  }
}
