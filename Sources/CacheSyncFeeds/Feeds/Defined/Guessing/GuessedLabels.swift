/// What names a sample's items, what they measure, what tells them apart, and which are done.
struct GuessedLabels {
  private(set) var title: SampleColumn?
  /// The other side of a match whose title is the home side.
  private(set) var away: SampleColumn?
  private(set) var value: SampleColumn?
  /// Whether the names say that they are one.
  private(set) var (titleIsClear, valueIsClear) = (false, false)
  /// What the value is measured in: a text beside it, or a sign that its name ends with.
  private(set) var (unit, unitSign) = (nil as SampleColumn?, nil as String?)
  private(set) var id: SampleColumn?
  /// The titles by the ids of another list's items, in JSON, if the title is such an id.
  private(set) var names: [(String, String?)] = []
  /// What leaves items out, what makes whole units of cents, and what may be shown wrongly or not at all.
  private(set) var (signs, scale, cautions) = ([GuessedSign](), nil as String?, [String]())
  /// Whether the title is one of the item itself, or its key, and not the same in all.
  var titleDiffers: Bool { title.map { $0.level == 0 && ($0.differs || $0.values.count == 1) } ?? false }

  /// - Parameter root: what the document says once.
  init(_ table: SampleTable, _ root: [SampleColumn]) {
    let isSingle = table.count == 1
    let scores = table.columns.map { Self.score($0, isSingle: isSingle) }
    let texts = zip(table.columns, scores).filter { $1 > 0 }.sorted { $0.1 > $1.1 }
    let own = texts.first { $0.0.level == 0 }
    let keys = table.columns.filter { $0.isKey && [.text, .number].contains($0.shape) && $0.averageLength <= 40 }
    let key = keys.first { $0.level == 0 }
    titleIsClear = own?.1 ?? 0 >= 70 || key != nil
    title = own?.1 ?? 0 >= 70 ? own?.0 : key ?? own?.0 ?? texts.first { $0.0.differs }?.0
    let others = table.columns.filter { $0.path != title?.path }
    func rest(_ column: SampleColumn) -> [String] { column.words.filter { ![$0].hasAny(of: [.home, .away]) } }
    if let title, title.hasAny(of: .home) {
      away = others.first {
        $0.hasAny(of: .away) && $0.level == title.level && $0.shape == .text && rest($0) == rest(title)
      }
    }
    let isTask = title != nil && !others.contains { $0.isNamed(.currency) }
    let moments = others.filter { $0.shape == .moment }
    let isLog = !moments.isEmpty && moments.allSatisfy { $0.rank == .past }
    var known: Set<String> = []
    let found = others.filter { !$0.isKey && table.kind == .list }.compactMap {
      GuessedSign($0, isTask: isTask, isLog: isLog)
    }
    signs = found.filter { known.insert($0.name).inserted }
    let paths = signs.map(\.column.path)
    setValue(table.columns.filter { !paths.contains($0.path) }, root, isSingle: isSingle)
    if !signs.isEmpty, table.rows.indices.allSatisfy({ row in signs.contains { $0.leavesOut(row) } }) {
      signs = []
      cautions.append("all items would be left out by \(paths.joined(separator: ", ")), so none is")
    }
    if title == nil, value == nil { title = keys.first(where: \.differs) }
    guard table.kind == .list else { return }
    let ids = table.columns.filter { column in
      column.isOwn && (column.depth == 0 || column.depth == 1 && SampleWords.wrappers.contains(column.words[0]))
        && column.different.count == table.rows.count
        && column.different.allSatisfy { $0.string != nil || $0.int != nil }
        && (column.ownWords.prefix(1) + column.ownWords.suffix(1)).contains(where: SampleWords.id.contains)
    }
    let named = ids.filter { $0.ownWords.count == 1 }
    id = named.min { $0.depth < $1.depth } ?? ids.first { !isSingle && !$0.isNamed(.others, .foreign) }
  }

  mutating func dropValue() { (value, unit, unitSign) = (nil, nil, nil) }
  mutating func dropTitle() { (title, signs) = (nil, signs.filter { $0.name != "done" }) }
  /// Takes the names that another list has for ids in these items, if no title of their own tells the items apart. Such
  /// an id is named as that list: `fraktionId` for `fraktionen`.
  mutating func take(_ titles: SampleColumn?, of other: SampleTable, for table: SampleTable) {
    let words = SampleWords.of(other.names.last ?? "")
    let key = other.columns.first { $0.isOwn && $0.depth == 0 && $0.ownWords.count == 1 && $0.isNamed(.id) }
    guard !titleDiffers || !titleIsClear, let titles, let key, other.each != table.each else { return }
    let reference = table.columns.first { column in
      column.isOwn && column.path != "@.id" && column.coverage > 0 && column.identities.isSubset(of: key.identities)
        && column.ownWords.contains { own in
          words.contains { zip($0, own).prefix { $0 == $1 }.count >= max(3, own.count - 2) }
        }
    }
    guard let reference else { return }
    title = reference
    names = key.different.compactMap { id in
      let name = zip(key.values, titles.values).first { $0.0?.identity == id.identity }?.1?.string
      return name.map { (id.identity.wrappedValue, $0.quoted) }
    }
  }

  /// How well a column serves as a title; 0 if it does not. The same in all items tells nothing about one.
  private static func score(_ column: SampleColumn, isSingle: Bool) -> Double {
    // Lines are named "19" and "U6". Addresses, and ids that no two items share, are not for reading.
    let isNumber = column.shape == .number && !column.texts.isEmpty && column.isNamed(.lines)
    let (isID, isShared) = (column.isNamed(.id), column.identities.count < column.values.count)
    // A currency names a rate, but not one of several payments.
    guard !(column.isNamed(.unit) && isShared), column.rules == nil, column.shape == .text || isNumber, !column.isKey,
      column.coverage >= 0.5, isSingle || column.differs, !column.isNamed(.unreadable), !isID || !isSingle && isShared,
      !column.texts.contains(where: {
        $0.contains("://") || !isNumber && !$0.contains(where: \.isLetter) && $0.utf8.allSatisfy { $0 < 0x80 }
      })
    else { return 0 }
    var score = isID ? 3 : column.isNamed(.describing) ? 5 : column.averageLength < 2 ? 1 : 10.0
    let (titles, last) = (SampleWords.titles.list, column.ownWords.last ?? "")
    if let place = titles.firstIndex(of: last) ?? titles.firstIndex(where: column.ownWords.contains) {
      score = 100 - Double(place) - (column.ownWords.count < 2 ? 0 : last == titles[place] ? 0.4 : 0.8)
    } else if column.path == "@" {
      score = 100
    }
    if column.hasAny(of: .others) { score -= 40 }
    return score - Double(column.depth) - (isNumber ? 20 : 0) - (column.averageLength > 150 ? 60 : 0)
  }

  private mutating func setValue(_ columns: [SampleColumn], _ root: [SampleColumn], isSingle: Bool) {
    func rank(_ column: SampleColumn) -> Int {
      // What is the same in all items and what only counts comes last.
      let (words, hasUnit) = (SampleWords.values.list, column.unitOfName != nil)
      let late = (isSingle || column.differs ? 0 : 200) + (column.isNamed(.counters) && !hasUnit ? 100 : 0)
      let place = words.firstIndex(where: column.ownWords.contains) ?? words.firstIndex(where: column.words.contains)
      return late + (column.isMinor ? 1 : 0) + (place ?? (hasUnit ? 98 : 99))
    }
    // Of what is keyed, a text may be the value: "1-2" is how much pollen there is.
    let mayBeText = title?.path == "#key"
    let numbers = columns.filter { column in
      (column.shape == .number || mayBeText && column.shape == .text && column.averageLength <= 20) && column.isOwn
        && column.coverage >= 0.5 && column.path != title?.path && !column.hasAny(of: .id)
    }
    value = numbers.min { rank($0) < rank($1) }
    valueIsClear = value.map { rank($0) < 99 } ?? false
    guard let value, value.shape == .number else { return }
    if let text = value.texts.first, value.hasCommas {
      cautions += [
        #"\#(value.path) has decimal commas ("\#(text)") and is shown as it is: write points to compute with it"#
      ]
    }
    // Of units at several places that of the item counts. A document may have an object of units by the values' names.
    let named = root.first { $0.shape == .text && $0.hasAny(of: .unit) && $0.ownWords == value.ownWords }
    let units = columns.filter { column in
      column.shape == .text && column.isNamed(.unit) && column.path != title?.path
        && column.coverage >= 0.5 && column.averageLength <= 12 && !column.isKey
    }
    unit = units.min { ($0.level, $0.depth) < ($1.level, $1.depth) } ?? named
    if unit == nil { unitSign = value.unitOfName }
    let (codes, amounts) = (unit?.texts ?? [unitSign ?? ""], value.values.compactMap { $0?.number })
    let isUneven = codes.contains { SampleWords.uneven.contains($0.lowercased()) }
    let isWhole = amounts.allSatisfy { $0 == $0.rounded() } && amounts.contains { abs($0) >= 100 }
    if value.isMinor, !value.hasCommas, !codes.contains(where: { SampleWords.of($0).hasAny(of: [.minor]) }) {
      if !isUneven { return scale = "0.01" }
      cautions += ["\(value.path) is not shown, because not all its currencies have a hundred parts"]
      dropValue()
    } else if isWhole, !isUneven, unit?.isNamed(.currency) ?? (unitSign == nil && value.isNamed(.sums)) {
      cautions += [#"if \#(value.path) counts cents, write "scale": 0.01 into its field"#]
    }
  }
}
