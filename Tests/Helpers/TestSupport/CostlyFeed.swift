import CacheSync

/// A feed `x` whose kinds take long: what 16 of them make of thousands of items takes some tenths of a second of the processor.
package enum CostlyFeed {
  package static let definition: String = {
    let kind =
      #"{"show":"coming","within":31,"hours":[\#((0..<24).map(String.init).joined(separator: ","))],"#
      + #""values":{"a":{"of":"next","sum":"n"},"b":{"of":"now","max":"n"}},"content":{"t":"{a} {b}"},"#
      + #""items":{"title":"{n}"}}"#
    let kinds = (1...16).map { #""x-k\#($0)":"# + kind }.joined(separator: ",")
    return #"{"version":1,"items":{"each":"$[*]","fields":{"n":"@.n"},"start":{"at":"@.s","as":"unix"},"#
      + #""lasts":"PT1M"},"kinds":{\#(kinds)}}"#
  }()

  /// A file with an item for each minute from now on.
  package static func items(_ count: Int) -> String {
    let now = Int(Instant.now.seconds)
    return "[" + (0..<count).map { #"{"n":\#($0),"s":\#(now + 60 * $0)}"# }.joined(separator: ",") + "]"
  }
}
