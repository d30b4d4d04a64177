import CacheSyncPictures
import CacheSync
import Testing

@testable import CacheSyncPage

@Suite("Markup")
struct HTMLTests {
  @Test("Inserted text is escaped, in text and in attributes")
  func escaping() {
    let evil = "<script>\"'&</script>"
    let html: HTML = "<p title=\"\(evil)\">\(evil)</p>"
    let escaped = "&lt;script&gt;&quot;&#39;&amp;&lt;/script&gt;"
    #expect(html.text == "<p title=\"\(escaped)\">\(escaped)</p>")
  }

  @Test("Inserted markup is kept")
  func nesting() {
    let items: [HTML] = ["<li>\("a<b")</li>", "<li>2</li>"]
    let html: HTML = "<ul>\(items)</ul>\("<hr>", if: false)\("<br>", if: true)"
    #expect(html.text == "<ul><li>a&lt;b</li><li>2</li></ul><br>")
  }

  @Test("Control characters for direction and terminals are dropped")
  func controls() {
    let html: HTML = "\("a\u{202E}b\u{0}c")"
    #expect(html.text == "abc")
  }

  @Test("Long texts are kept whole, because half an address leads nowhere")
  func long() {
    let address = "app://event/" + String(repeating: "a&", count: 1_000)
    let html: HTML = "<a href=\"\(address)\"></a>"
    #expect(html.text == "<a href=\"\(address.replacing("&", with: "&amp;"))\"></a>")
  }

  @Test(
    "Lengths have at most two decimals",
    arguments: [(1.0, "1"), (0.5, "0.5"), (12.345, "12.35"), (-2.25, "-2.25"), (3.05, "3.05"), (0.001, "0")])
  func lengths(length: Double, text: String) {
    let html: HTML = "\(length)"
    #expect(html.text == text)
  }

  @Test("Feeds, kinds and types have titles")
  func titles() {
    #expect("meal-plan".asHeading == "Meal plan" && "".asHeading == "")
  }
}
