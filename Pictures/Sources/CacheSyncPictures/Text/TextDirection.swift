import CPango

extension String {
  /// Whether a line of this text reads from right to left, by its first letter (UAX #9, rule P2). Pango orders the
  /// painted text by the same rule.
  package var isRightToLeft: Bool {
    let functions = hb_unicode_funcs_get_default()
    for scalar in unicodeScalars where !scalar.isASCII || scalar.properties.isAlphabetic {
      let script = hb_unicode_script(functions, scalar.value)
      if script == HB_SCRIPT_COMMON || script == HB_SCRIPT_INHERITED { continue }
      return hb_script_get_horizontal_direction(script) == HB_DIRECTION_RTL
    }
    return false
  }

  /// Whether a reader that takes it for a text from left to right draws it alike: no part of it has another place then.
  package var isRightToLeftThroughout: Bool {
    isRightToLeft && embeddingLevels(PANGO_DIRECTION_LTR) == embeddingLevels(PANGO_DIRECTION_RTL)
  }

  /// The level of each character (UAX #9) in a text of this direction.
  private func embeddingLevels(_ direction: PangoDirection) -> [UInt8] {
    var direction = direction
    guard let levels = pango_log2vis_get_embedding_levels(self, Int32(utf8.count), &direction) else { return [] }
    defer { g_free(levels) }
    return [UInt8](UnsafeBufferPointer(start: levels, count: unicodeScalars.count))
  }
}
