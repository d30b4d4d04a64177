import Testing

@testable import CacheSyncPictures

@Suite("The typesetter")
struct TypesetterTests {
  private let type = Typesetter()
  private let body = TypeFace(size: 15, weight: .regular)

  @Test("All digits have the same width, and a text has the same width every time")
  func digits() {
    let widths = (0...9).map { type.width(of: "\($0)", in: body) }
    #expect(Set(widths).count == 1 && widths[0] > 5)
    #expect(type.width(of: "a family of words", in: body) == Typesetter().width(of: "a family of words", in: body))
  }

  @Test("Widths depend only on the size")
  func sizes() {
    let large = TypeFace(size: 30, weight: .regular)
    #expect(abs(type.width(of: "Dinner", in: large) - 2 * type.width(of: "Dinner", in: body)) < 0.1)
    #expect(type.width(of: "Dinner", in: TypeFace(size: 15, weight: .bold)) > type.width(of: "Dinner", in: body))
    #expect(type.width(of: "", in: body) == 0)
  }

  @Test("Letters are inside the line", arguments: [11.0, 12, 15, 17, 22, 28, 48])
  func baselines(size: Double) {
    let face = TypeFace(size: size, weight: .bold)
    #expect((0.7 * size...1.1 * size).contains(type.baseline(of: face)))
  }

  @Test("Lines break between words, and in a long word anywhere")
  func lines() {
    let (line, rest) = type.firstLine(of: "one two three four", in: body, width: 60)
    #expect(line == "one two " && rest == "three four")
    let word = String(repeating: "W", count: 40)
    let (start, end) = type.firstLine(of: word, in: body, width: 100)
    #expect(!start.isEmpty && start + end == word && type.width(of: String(start), in: body) <= 100)
    let (family, _) = type.firstLine(of: "👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦", in: body, width: 25)
    #expect(family == "👨‍👩‍👧‍👦", "no character is cut")
    #expect(type.firstLine(of: "", in: body, width: 10).line.isEmpty)
  }

  @Test("The longest part that no line breaks is a word, in Japanese a character")
  func longestWord() {
    #expect(type.longestWord(of: "a family of words", in: body) == type.width(of: "words", in: body))
    #expect(type.longestWord(of: "予定を追加", in: body) < 2 * type.width(of: "予", in: body))
    #expect(type.longestWord(of: "", in: body) == 0)
  }
}
