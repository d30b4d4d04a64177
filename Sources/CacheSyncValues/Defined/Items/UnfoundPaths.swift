package import CacheSyncSystem

/// The paths of a definition's fields and times that find nothing in any item of a feed's files. Most are misspelt.
package struct UnfoundPaths {
  /// The paths of one value: the first that finds something counts.
  private struct Group {
    var paths: [ItemPath]
    var advice: String?
  }

  private let definition: FeedDefinition
  private var groups: [Group]
  private var itemCount = 0

  package init(_ definition: FeedDefinition) {
    self.definition = definition
    groups = definition.items.wantedPaths.filter { !$0.isEmpty }.map { Group(paths: $0) }
  }

  /// Whether every path has found something, so that further files change nothing.
  package var isEmpty: Bool { groups.isEmpty }

  /// Looks at the items of another file.
  package mutating func look(in bytes: UnsafeRawBufferPointer, zones: TimeZones) {
    guard !isEmpty, let tree = JSONTree.read(bytes).tree else { return }
    var reading = DefinedFileReading(definition, tree, byteCount: bytes.count, zones: zones)
    let places = reading.itemPlaces()
    itemCount += places.count
    for place in places {
      groups.removeAll { group in group.paths.contains { (try? reading.find($0, from: place)) != nil } }
      if isEmpty { return }
    }
    guard let place = places.first else { return }
    for index in groups.indices where groups[index].advice == nil {
      groups[index].advice = reading.nearest(to: groups[index].paths[0], from: place)
    }
  }

  /// A warning for each of them; none without items.
  ///
  /// - Parameters:
  ///   - document: the definition's bytes, which may be newer than the definition.
  ///   - path: the definition's file.
  package func problems(in document: [UInt8], at path: CachePath) -> [Problem] {
    if itemCount == 0 { return [] }
    return document.withUnsafeBytes { bytes in
      let root = JSONTree.read(bytes).tree.map { LocatedValue(tree: $0, node: JSONTree.root) }
      let parts = root?.member("items")?.members?.filter { $0.key != "each" }.map(\.value) ?? []
      return groups.map { group in
        let texts = group.paths.map(\.description).joined(separator: " and ")
        let verb = group.paths.count == 1 ? "is" : "are"
        let advice = group.advice.map { "; did you mean \($0)?" } ?? ""
        let offset = parts.lazy.compactMap { $0.offset(ofPath: group.paths[0]) }.first ?? 0
        let message = "\(texts) \(verb) found in none of \(counted(itemCount, "item"))\(advice)"
        let defect = JSONDefect(offset: offset, message: message, place: .value)
        return Problem(.warning, path: path, defect, at: JSONPlace.of(defect, in: bytes), scope: definition.name)
      }
    }
  }
}

extension ItemRules {
  /// The paths of each value that items are meant to have. A field with `else`, a flag and exceptions may be missing.
  fileprivate var wantedPaths: [[ItemPath]] {
    var paths = fields.filter { $0.otherwise == nil }.flatMap { [$0.from, $0.less, $0.per] }
    if let start { paths += start.wantedPaths }
    if case .time(let end)? = end { paths += end.wantedPaths }
    return paths
  }
}

extension TimeRule {
  /// Of several times, each may be missing in items that have another, and so may what belongs to it.
  fileprivate var wantedPaths: [[ItemPath]] {
    let all = [self] + otherwise
    let dates = all.map(\.datePaths)
    if all.count > 1 { return dates.contains(where: \.isEmpty) ? [] : [dates.flatMap(\.self)] }
    guard case .paths(let time)? = date.time else { return dates + [timeZone] }
    return dates + [time, timeZone]
  }

  /// Empty for a day that the definition itself gives.
  private var datePaths: [ItemPath] { if case .paths(let paths) = date.day { paths } else { [] } }
}

extension DefinedFileReading {
  /// The path that is nearest to one that finds nothing: that of another member at its place, of the item, or of what
  /// is around.
  fileprivate mutating func nearest(to path: ItemPath, from place: ItemPlace) -> String? {
    let steps = path.selectors
    let failing = steps.indices.first { (try? find(ItemPath(path.root, Array(steps[...$0])), from: place)) == nil }
    guard let failing, case .name(let name) = steps[failing] else { return nil }
    var holders = [ItemPath(path.root, Array(steps[..<failing]))]
    holders += [ItemPath(.item)] + place.around.indices.map { ItemPath(.around($0 + 1)) } + [ItemPath(.document)]
    var near: (holder: ItemPath, name: String)?
    for holder in holders {
      let names = memberNames(of: holder, from: place)
      // The same name elsewhere is nearer than another one here.
      if names.contains(where: { isSameText($0, name.wrappedValue) }) {
        near = (holder, name.wrappedValue)
        break
      }
      if near == nil { near = NearestName.of(name.wrappedValue, among: names).map { (holder, $0) } }
    }
    guard let near else { return nil }
    let selectors = near.holder.selectors + [.name(ExactText(near.name))] + steps[(failing + 1)...]
    return ItemPath(near.holder.root, selectors).description
  }

  private mutating func memberNames(of holder: ItemPath, from place: ItemPlace) -> [String] {
    let isItem = holder.root == .item && holder.selectors.isEmpty
    let found: Found? = isItem ? .node(place.node) : try? find(holder, from: place)
    guard case .node(let node)? = found, tree.kind(of: node) == .object else { return [] }
    return tree.children(of: node).map { tree.text(of: $0) }
  }
}

extension LocatedValue {
  /// The offset of the first text in the value that is a path.
  fileprivate func offset(ofPath path: ItemPath) -> Int? {
    if let text { return (try? ItemPath.parse(text, allowing: .item)) == path ? offset : nil }
    let parts = elements ?? members?.map(\.value) ?? []
    return parts.lazy.compactMap { $0.offset(ofPath: path) }.first
  }
}
