extension DefinedFileReading {
  /// The places of the items, in document order. Stops the reading at the first item beyond the limit.
  ///
  /// The first path of `each` that finds its array or object counts, even if that is empty. If no path finds one, that
  /// is a defect.
  mutating func itemPlaces() -> [ItemPlace] {
    var places: [ItemPlace] = []
    var lack: Lack?
    for path in definition.items.each {
      var search = Search(path.selectors[...])
      forEach(path.selectors[...], from: .document, &search) { reading, place in
        if reading.definition.items.hasColumns {
          reading.appendRows(of: place, to: &places)
        } else {
          reading.append(place, to: &places)
        }
      }
      // An empty outer array is not an error.
      if search.hasFound || search.lack == nil || isStopped { return places }
      lack = lack ?? search.lack
    }
    fail(lack ?? .holder(JSONTree.root), expecting: "an array or object of items")
    return places
  }

  private mutating func append(_ place: ItemPlace, to places: inout [ItemPlace]) {
    guard places.count < Self.mostItems else { return stop(at: place.node, "more than 10,000 items") }
    places.append(place)
  }

  /// Appends a row for each element of the columns, which are the array members of an object. Columns must be equally
  /// long.
  private mutating func appendRows(of place: ItemPlace, to places: inout [ItemPlace]) {
    let object = place.node
    guard tree.kind(of: object) == .object else { return fail(.holder(object), expecting: "an object of columns") }
    let columns = columns(of: object)
    var lengths: [Int: Int] = [:]
    for column in columns { lengths[column.count, default: 0] += 1 }
    // The length that most columns have is right; in a tie, that of the first column. The others are at fault.
    guard let most = lengths.values.max(), let length = columns.first(where: { lengths[$0.count] == most })?.count
    else {
      return
    }
    for column in columns where column.count != length {
      fail(column.node, "expected a column of \(counted(length, "element")) as the others, found \(column.count)")
    }
    var row = ItemPlace(node: object, count: length, around: [object] + place.around)
    for index in 0..<length where !isStopped {
      row.row = index
      row.index = index
      if places.count == Self.mostItems, let first = columns.first(where: { $0.count == length }),
        let element = tree.element(index, of: first.node)
      {
        return stop(at: element, "more than 10,000 items")
      }
      append(row, to: &places)
    }
  }

  private mutating func columns(of object: JSONTree.Index) -> [(node: JSONTree.Index, count: Int)] {
    var columns: [(node: JSONTree.Index, count: Int)] = []
    for key in tree.children(of: object) where tree.kind(of: key + 1) == .array {
      columns.append((key + 1, tree.count(of: key + 1)))
    }
    return columns
  }
}
