import CacheSyncSystem

/// An item as a definition reads it, for people who write the definition.
package struct FoundItem: Sendable {
  /// Nil: an item without times. For a repeating item: the times of its first occurrence.
  package var times: Range<Instant>?
  package var repeats: Bool
  package var id: String?
  package var fields: [(name: String, value: ItemValue)]
}

extension DefinedItems {
  /// The items that count, by path and place.
  package var found: [FoundItem] {
    counting.map { found in
      let fields = zip(definition.items.fields, found.item.values).map { (name: $0.name, value: $1) }
      let times = found.start.flatMap { start in found.end.map { start..<max(start, $0) } }
      return FoundItem(times: times, repeats: found.item.rule != nil, id: found.item.id, fields: fields)
    }
  }
}
