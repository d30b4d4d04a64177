extension Double {
  /// The same number, or the nearest finite one, because JSON has no infinity: values near the greatest double may add
  /// up to more. NaN counts as 0.
  var finite: Double {
    if isFinite { return self }
    return isNaN ? 0 : self > 0 ? .greatestFiniteMagnitude : -.greatestFiniteMagnitude
  }
}
