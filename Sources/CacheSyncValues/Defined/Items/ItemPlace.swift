/// Where an item is in the document, and the surroundings that paths can reach.
struct ItemPlace {
  /// The item's value; for a row, the object of its columns.
  var node: JSONTree.Index
  /// With columns: the index of the item's element in each column.
  var row: Int?
  /// The key, if the item is a member of an object.
  var key: JSONTree.Index?
  /// The item's index among ``count`` items, from 0.
  var index = 0
  var count = 1
  /// The objects around the item, the nearest first.
  var around: [JSONTree.Index] = []
  /// The keys of the arrays and objects around the item, the nearest first; nil for one that is not a member.
  var aroundKeys: [JSONTree.Index?] = []

  /// The document as a whole, for values outside of items.
  static let document = ItemPlace(node: JSONTree.root)
}

enum Found {
  case node(JSONTree.Index)
  /// An item's `#index` or `#count`.
  case number(Int)
}

enum Lack: Error {
  /// The object has no such member.
  case member(String, of: JSONTree.Index)
  case null(JSONTree.Index)
  /// The value is not an object, or not an array that is long enough, for a step of the path.
  case step(ItemPath.Selector, in: JSONTree.Index)
  /// The value that should hold it is of another kind or too short.
  case holder(JSONTree.Index)
}

extension Lack? {
  /// Keeps the first null, which says more than a missing member before it; otherwise the first lack.
  mutating func add(_ lack: Lack) {
    if case .null? = self { return }
    if case .null = lack { self = lack }
    self = self ?? lack
  }
}
