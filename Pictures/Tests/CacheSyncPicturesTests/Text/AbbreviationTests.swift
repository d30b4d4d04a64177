import Testing

@testable import CacheSyncPictures

@Suite("Abbreviated texts")
struct AbbreviationTests {
  @Test(
    "Numbers are shortened, rounded toward zero",
    arguments: [
      ("999", "999"), ("999.9 g", "999.9 g"), ("1000", "1k"), ("1099", "1k"), ("1100", "1.1k"), ("12345", "12.3k"),
      ("12300", "12.3k"), ("999999", "999.9k"), ("1000000", "1M"), ("4567890 kcal", "4.5M kcal"),
      ("999999999", "999.9M"), ("1000000000", "1e9"), ("9990000000000000", "9.9e15"), ("1e+300", "1e300"),
      ("−1234567", "−1.2M"), ("1234 / 2000", "1.2k / 2k"), ("2147483647.25 g", "2.1e9 g"),
      ("1.7976931348623157e+308", "1.7e308"), ("3 tasks today", "3 tasks today"), ("", ""), ("no number", "no number"),
      ("1500.", "1.5k."), ("1500e", "1.5ke"), ("1e+", "1e+"), ("2000.5.6", "2k.6"), ("١٢٣٤٥", "١٢٣٤٥"),
      ("🍎12345🍎", "🍎12.3k🍎"),
    ])
  func numbers(text: String, short: String) { #expect(text.abbreviated() == short) }

  @Test(
    "Four digits behind a word or in a date stay, and others do not",
    arguments: [
      ("1 Jan 2026 29.90 €", "1 Jan 2026 29.90 €"), ("Room 1204 B", "Room 1204 B"), ("2026-12-01", "2026-12-01"),
      ("01.12.2026", "01.12.2026"), ("12/1/2026", "12/1/2026"), ("Größe 1204", "Größe 1204"),
      ("Total 12045 kcal", "Total 12k kcal"), ("€ 1204", "€ 1.2k"), ("of 1204.5", "of 1.2k"), ("12 1204", "12 1.2k"),
    ])
  func names(text: String, short: String) { #expect(text.abbreviated() == short) }

  @Test(
    "A decimal comma is read and written, and a list's comma is not one",
    arguments: [
      ("12345", "12,3k"), ("1234,5 / 2000 kcal", "1,2k / 2k kcal"), ("1,5 g", "1,5 g"), ("1500, 2", "1,5k, 2"),
      ("1.500", "1.500"),
    ])
  func comma(text: String, short: String) { #expect(text.abbreviated(",") == short) }

  @Test(
    "Decimals are left out",
    arguments: [
      ("145.9 / 163.2 g", "145 / 163 g"), ("12.3k", "12k"), ("−0.42 kg", "−0 kg"), ("9.9e15", "9e15"),
      ("1500.", "1500."), ("Mr. 7", "Mr. 7"),
    ])
  func decimals(text: String, whole: String) {
    #expect(text.withoutDecimals() == whole)
    #expect(text.replacing(".", with: ",").withoutDecimals(",") == whole.replacing(".", with: ","))
  }
}
