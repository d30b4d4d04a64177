extension Double {
  /// The same number, or the nearest that JSON can hold, which has no word for the infinite: values near the greatest
  /// double may add up to more. What is no number at all counts as 0.
  var finite: Double {
    if isFinite { return self }
    return isNaN ? 0 : self > 0 ? .greatestFiniteMagnitude : -.greatestFiniteMagnitude
  }
}
