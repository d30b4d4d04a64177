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
}
