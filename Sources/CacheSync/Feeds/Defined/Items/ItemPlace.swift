/// Where an item is in the document, and what paths know of its surroundings.
struct ItemPlace {
  /// The item's value; of a row the object of its columns.
  var node: JSONTree.Index
  /// With columns: which element of each is the item's.
  var row: Int?
  /// The key, when the item is a member.
  var key: JSONTree.Index?
  /// Its place among ``count`` items, from 0.
  var index = 0
  var count = 1
  /// The objects around it, the nearest first.
  var around: [JSONTree.Index] = []

  /// The document as a whole, for what is no item's.
  static let document = ItemPlace(node: JSONTree.root)
}

/// What a path found.
enum Found {
  case node(JSONTree.Index)
  /// An item's `#index` or `#count`.
  case number(Int)
}

/// Why a path found nothing.
enum Lack {
  /// The object has no such member.
  case member(String, of: JSONTree.Index)
  /// There is null.
  case null(JSONTree.Index)
  /// What would have to hold the value is of another kind or too short.
  case holder(JSONTree.Index)
}
