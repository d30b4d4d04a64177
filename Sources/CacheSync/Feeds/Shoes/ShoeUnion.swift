/// The records of many files as one list: of those that share an id only the one from the latest file counts, then from the
/// greatest path; within a file the later (FEEDS: shoes).
///
/// Putting and removing a record cost the logarithm of how many files have its id.
struct ShoeUnion<Record> {
  /// What counted before and what counts now; nil: none did, or none does.
  struct Change {
    var old: Record?
    var new: Record?
  }

  private struct Claim {
    var rank: ShoeRank
    var record: Record
  }

  private struct Claims {
    var best: Claim
    /// Those from lesser files, ascending. Nearly always empty, which costs no allocation.
    var others: [Claim] = []
  }

  private var claims: [RecordID: Claims] = [:]

  subscript(id: RecordID) -> Record? { claims[id]?.best.record }

  var records: some Sequence<Record> { claims.values.lazy.map(\.best.record) }

  /// Takes a record in, in place of one that the same file gave before for that id; nil when the same record counts as before.
  ///
  /// What a file gave under another rank must have been removed.
  mutating func put(_ record: Record, for id: RecordID, from rank: ShoeRank) -> Change? {
    let claim = Claim(rank: rank, record: record)
    guard let index = claims.index(forKey: id) else {
      claims[id] = Claims(best: claim)
      return Change(old: nil, new: record)
    }
    let best = claims.values[index].best
    if best.rank == rank {
      claims.values[index].best = claim
    } else if best.rank < rank {
      claims.values[index].best = claim
      claims.values[index].others.append(best)
    } else {
      let place = claims.values[index].others.partitioningIndex { $0.rank >= rank }
      if place < claims.values[index].others.count, claims.values[index].others[place].rank == rank {
        claims.values[index].others[place] = claim
      } else {
        claims.values[index].others.insert(claim, at: place)
      }
      return nil
    }
    return Change(old: best.record, new: record)
  }

  /// Forgets the record of a file; nil when the same record counts as before.
  mutating func remove(_ id: RecordID, from rank: ShoeRank) -> Change? {
    guard let index = claims.index(forKey: id) else { return nil }
    let best = claims.values[index].best
    guard best.rank == rank else {
      let place = claims.values[index].others.partitioningIndex { $0.rank >= rank }
      if place < claims.values[index].others.count, claims.values[index].others[place].rank == rank {
        claims.values[index].others.remove(at: place)
      }
      return nil
    }
    guard let next = claims.values[index].others.popLast() else {
      claims.remove(at: index)
      return Change(old: best.record, new: nil)
    }
    claims.values[index].best = next
    return Change(old: best.record, new: next.record)
  }
}

/// Which of two files wins: the later, then the one with the greater path.
struct ShoeRank: Comparable {
  var date: Instant
  var path: CachePath

  static func < (a: ShoeRank, b: ShoeRank) -> Bool { a.date == b.date ? a.path < b.path : a.date < b.date }
}
