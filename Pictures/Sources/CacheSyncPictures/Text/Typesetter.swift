package import CacheSync
import CPango

/// Measures texts with Pango's fonts. Widths do not depend on the scale, because metrics are not hinted, and glyphs may
/// be between pixels. Measured on Pango 1.50: with hinted metrics one text was 580 to 583 points wide, depending on the
/// scale.
///
/// A typesetter must stay on one thread.
package final class Typesetter {
  /// How glyphs are drawn. Their positions are the same for all.
  package enum Rendering: Sendable {
    case smooth
    /// For one bit per pixel: no grey edges, and stems on whole pixels.
    case sharp
  }

  private let fonts: UnsafeMutablePointer<PangoFontMap>
  private let context: OpaquePointer
  private var widths: [Key: Double] = [:]
  private var ascents: [TypeFace: Double] = [:]
  private var wrapped: [WrappedKey: [String]] = [:]

  /// The language of the texts: Chinese, Japanese and Korean write many characters in forms of their own.
  package var language = LanguageTag.english {
    didSet {
      guard language != oldValue else { return }
      pango_context_set_language(context, pango_language_from_string(language.rawValue))
      widths.removeAll()
      wrapped.removeAll()
      ascents.removeAll()
    }
  }

  private struct Key: Hashable {
    var text: String
    var face: TypeFace
    var isWrapped = false
  }

  private struct WrappedKey: Hashable {
    var text: Key
    var width: Double
  }

  package init(_ rendering: Rendering = .smooth) {
    fonts = pango_cairo_font_map_new()
    context = pango_font_map_create_context(fonts)
    pango_context_set_round_glyph_positions(context, 0)
    pango_context_set_language(context, pango_language_from_string(language.rawValue))
    let options = cairo_font_options_create()
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
    cairo_font_options_set_hint_style(options, rendering == .sharp ? CAIRO_HINT_STYLE_FULL : CAIRO_HINT_STYLE_NONE)
    cairo_font_options_set_antialias(options, rendering == .sharp ? CAIRO_ANTIALIAS_NONE : CAIRO_ANTIALIAS_GRAY)
    pango_cairo_context_set_font_options(context, options)
    cairo_font_options_destroy(options)
  }

  deinit {
    g_object_unref(UnsafeMutableRawPointer(context))
    g_object_unref(fonts)
  }

  // MARK: Measures

  /// The width of one line of the text, in points.
  package func width(of text: String, in face: TypeFace) -> Double { measured(text, face, isWrapped: false) }

  /// The width of the longest part of the text that no line breaks: a word, or in Chinese and Japanese a character.
  package func longestWord(of text: String, in face: TypeFace) -> Double { measured(text, face, isWrapped: true) }

  /// - Parameter isWrapped: whether a line breaks wherever it may.
  private func measured(_ text: String, _ face: TypeFace, isWrapped: Bool) -> Double {
    let key = Key(text: text, face: face, isWrapped: isWrapped)
    if let width = widths[key] { return width }
    let width = withLayout(of: text, in: face) { layout in
      if isWrapped {
        pango_layout_set_width(layout, 0)
        pango_layout_set_wrap(layout, PANGO_WRAP_WORD)
      }
      var box = PangoRectangle()
      pango_layout_get_extents(layout, nil, &box)
      return Double(box.width) / Double(PANGO_SCALE)
    }
    // A page that runs for months receives new texts for ever.
    if widths.count >= 4_096 { widths.removeAll() }
    widths[key] = width
    return width
  }

  /// The baseline of a line in this face, from the line's top. It centres the letters in the line's height.
  package func baseline(of face: TypeFace) -> Double {
    if let ascent = ascents[face] { return ascent }
    let description = Self.description(of: face)
    let metrics = pango_context_get_metrics(context, description, nil)
    let ascent = Double(pango_font_metrics_get_ascent(metrics)) / Double(PANGO_SCALE)
    let descent = Double(pango_font_metrics_get_descent(metrics)) / Double(PANGO_SCALE)
    pango_font_metrics_unref(metrics)
    pango_font_description_free(description)
    let baseline = (face.lineHeight - (ascent + descent)) / 2 + ascent
    ascents[face] = baseline
    return baseline
  }

  /// The first line of the text, of at most this width, and the rest. Breaks between words; a word that is longer than
  /// the line breaks anywhere.
  package func firstLine(of text: String, in face: TypeFace, width: Double) -> (line: Substring, rest: Substring) {
    let length = withLayout(of: text, in: face) { layout in
      pango_layout_set_width(layout, Int32((max(1, width) * Double(PANGO_SCALE)).rounded(.down)))
      pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR)
      return pango_layout_get_line_readonly(layout, 0).map { Int($0.pointee.length) } ?? 0
    }
    // Pango breaks between characters, never inside one.
    let end = text.utf8.index(text.startIndex, offsetBy: length, limitedBy: text.endIndex) ?? text.endIndex
    return (text[..<end], text[end...])
  }

  /// All lines of the text, of at most this width, with the blanks between them; see ``firstLine(of:in:width:)``.
  package func lines(of text: String, in face: TypeFace, width: Double) -> [String] {
    let key = WrappedKey(text: Key(text: text, face: face), width: width)
    if let lines = wrapped[key] { return lines }
    var (lines, rest): ([String], Substring) = ([], text[...])
    while !rest.isEmpty {
      let (line, others) = firstLine(of: String(rest), in: face, width: width)
      guard !line.isEmpty else { break }
      lines.append(String(line))
      rest = others
    }
    if wrapped.count >= 4_096 { wrapped.removeAll() }
    wrapped[key] = lines
    return lines
  }

  /// How many letters of a text no font has.
  package func unknownLetters(in text: String) -> Int {
    withLayout(of: text, in: TypeFace(size: 15, weight: .regular)) { Int(pango_layout_get_unknown_glyphs_count($0)) }
  }

  // MARK: Lines for painting

  /// Calls the closure with a layout of one line of the text, which is valid only during the call.
  package func withLayout<Result>(of text: String, in face: TypeFace, _ body: (OpaquePointer) -> Result) -> Result {
    let layout: OpaquePointer = pango_layout_new(context)
    defer { g_object_unref(UnsafeMutableRawPointer(layout)) }
    let description = Self.description(of: face)
    pango_layout_set_font_description(layout, description)
    pango_font_description_free(description)
    pango_layout_set_single_paragraph_mode(layout, 1)
    let features = pango_attr_list_new()
    pango_attr_list_insert(features, pango_attr_font_features_new("tnum=1"))
    pango_layout_set_attributes(layout, features)
    pango_attr_list_unref(features)
    pango_layout_set_text(layout, text, Int32(text.utf8.count))
    return body(layout)
  }

  private static func description(of face: TypeFace) -> OpaquePointer? {
    let description = pango_font_description_new()
    pango_font_description_set_family(description, TypeFace.families.joined(separator: ","))
    pango_font_description_set_weight(description, PangoWeight(rawValue: UInt32(face.weight.rawValue)))
    pango_font_description_set_absolute_size(description, face.size * Double(PANGO_SCALE))
    return description
  }
}
