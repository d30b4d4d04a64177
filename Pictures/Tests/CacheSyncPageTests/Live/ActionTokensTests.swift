import Testing

@testable import CacheSyncPage

@Suite("Tokens of cards")
struct ActionTokensTests {
  private let oats = ActionTokens.Action(type: "log-food", fields: ["foodId": "oats"])
  private let eggs = ActionTokens.Action(type: "log-food", fields: ["foodId": "eggs"])

  @Test("A token is valid once for each button")
  func once() {
    var tokens = ActionTokens()
    let token = tokens.issue([oats, eggs], on: "card-quick-log")
    #expect(tokens.redeem(token, 1) == .first(eggs, id: "\(token)-1", on: "card-quick-log"))
    // A failed press does not count.
    #expect(tokens.redeem(token, 1) == .first(eggs, id: "\(token)-1", on: "card-quick-log"))
    tokens.press(token, 1)
    #expect(tokens.redeem(token, 1) == .again(on: "card-quick-log"))
    #expect(tokens.redeem(token, 0) == .first(oats, id: "\(token)-0", on: "card-quick-log"))
    #expect(tokens.isUsed(token))
  }

  @Test("A token stands for the text of the first press, and for no other text")
  func typed() {
    var tokens = ActionTokens()
    let token = tokens.issue([ActionTokens.Action(type: "add-task", fields: [:])], on: "form-add-task")
    tokens.press(token, 0, typed: ["title": "Beans"])
    #expect(tokens.redeem(token, 0, typed: ["title": "Beans"]) == .again(on: "form-add-task"))
    #expect(tokens.redeem(token, 0, typed: ["title": "Rice"]) == .unknown)
  }

  @Test("A token is unknown if it was never issued, is for another button, or too many followed")
  func unknown() {
    var tokens = ActionTokens(capacity: 2)
    let first = tokens.issue([oats], on: "a")
    #expect(
      tokens.redeem("0", 0) == .unknown && tokens.redeem(first, 1) == .unknown && tokens.redeem(first, -1) == .unknown)
    let second = tokens.issue([oats], on: "b")
    #expect(!tokens.isUsed(first))
    _ = tokens.issue([oats], on: "c")
    #expect(tokens.redeem(first, 0) == .unknown && tokens.isUsed(first))
    #expect(tokens.redeem(second, 0) != .unknown)
  }

  @Test("A token has 128 random bits")
  func random() {
    var tokens = ActionTokens()
    let issued = (0..<100).map { _ in tokens.issue([], on: "") }
    #expect(Set(issued).count == 100)
    #expect(issued.allSatisfy { RandomKey.isKey($0) })
  }
}
