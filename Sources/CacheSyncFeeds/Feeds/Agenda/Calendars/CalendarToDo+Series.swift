/// One VTODO as written: its task, and the entry with its dates, rules and exceptions.
struct WrittenToDo {
  var task: CalendarToDo
  /// Starts with DTSTART, or else DUE.
  var entry: CalendarEntry
  /// Whether it has DTSTART or DUE.
  var isDated: Bool
  /// RELATED-TO: the UID of the to-do of which it is a step.
  var parent: RecordID?

  /// When it was last written, to order those of one file.
  var written: Int64 { task.lastModified?.second(in: CivilCalendar(.utc)) ?? .min }
}

/// The VTODOs of one UID in a file.
struct ToDoSeries {
  let id: String
  /// Without RECURRENCE-ID: the one that was written last.
  private(set) var master: WrittenToDo?
  /// With RECURRENCE-ID.
  private(set) var overrides: [WrittenToDo] = []
  private var hasBadMaster = false

  init(id: String) { self.id = id }

  /// - Parameter toDo: nil: a bad one.
  /// - Returns: a warning, if the UID occurs twice.
  mutating func add(_ toDo: WrittenToDo?, isOverride: Bool) -> CalendarDefect? {
    guard let toDo else {
      if !isOverride { hasBadMaster = true }
      return nil
    }
    if isOverride {
      overrides.append(toDo)
      return nil
    }
    guard let former = master else {
      master = toDo
      return nil
    }
    if former.written <= toDo.written { master = toDo }
    return CalendarDefect(
      "a second to-do with the UID of an earlier one: the one with the later LAST-MODIFIED counts",
      at: toDo.entry)
  }

  /// What all of them say together; nil if all are bad.
  ///
  /// - Parameter tasks: those that show; nil: they are unknown.
  func version(showing tasks: [CalendarToDo]?) -> CalendarToDo.Version? {
    let all = [master].compactMap(\.self) + overrides
    guard let newest = all.max(by: { $0.written < $1.written }), let first = all.first else { return nil }
    var version = CalendarToDo.Version(
      id: RecordID(id), lastModified: newest.task.lastModified,
      isUndated: all.contains { $0.task.lastModified == nil }, line: first.entry.line,
      pointer: first.entry.pointer, title: first.task.title,
      first: first.isDated ? first.entry.start : nil,
      created: first.task.createdAt == first.task.stamp ? nil : first.task.createdAt, parent: first.parent,
      repeats: first.entry.repeats)
    let open = tasks?.last { !$0.isCompleted }
    version.isOver = tasks != nil && open == nil
    (version.start, version.due) = (open?.start, open?.due)
    return version
  }

  /// The warning that all of a series is completed, although its rule gives more.
  ///
  /// - Parameter steps: how many steps the rules may take; reduced by the steps they take.
  func warning(steps: inout Int, _ limits: CalendarLimits) -> CalendarDefect? {
    guard let master, master.task.isCompleted, !master.entry.isCancelled, master.isDated, master.entry.repeats else {
      return nil
    }
    let calendar = CivilCalendar(.utc)
    let task = master.task
    let end = [task.completedAt, task.lastModified, task.stamp].lazy.compactMap(\.self).first ?? master.entry.start
    // The last occurrence may be completed a little early.
    let later = max(end.second(in: calendar), master.entry.start.second(in: calendar)) + Gregorian.secondsPerDay
    let done = placed(in: master).filter { $0.task.isCompleted || $0.entry.isCancelled }.map(\.entry)
    let next = try? first(of: master, from: later, without: done, steps: &steps, limits)
    if next == nil { return nil }
    return CalendarDefect("it is completed as a whole, though its rule goes on", at: master.entry)
  }

  /// The newest change of each occurrence, with its RECURRENCE-ID adapted to the series.
  func placed(in master: WrittenToDo) -> [WrittenToDo] {
    overrides.newest(by: { $0.entry.original?.key }, version: \.written).map { toDo in
      var toDo = toDo
      toDo.entry.original = toDo.entry.original?.floating(in: master.entry.start.zone)
      toDo.entry = toDo.entry.override(of: master.isDated ? master.entry : nil)
      return toDo
    }
  }

  /// The tasks to show: the completed overrides, and the first occurrence that is neither completed nor cancelled, as
  /// its override says or else as the series does.
  ///
  /// - Parameter steps: how many steps the rules may take; reduced by the steps they take.
  /// - Throws: why the to-do is left out.
  func tasks(steps: inout Int, _ limits: CalendarLimits) throws(CalendarDefect) -> [CalendarToDo] {
    guard let master else {
      let changes = overrides.newest(by: { $0.entry.original?.key }, version: \.written)
      return hasBadMaster ? [] : changes.filter { !$0.entry.isCancelled }.map(\.task)
    }
    let placed = placed(in: master)
    let done = placed.filter { $0.task.isCompleted || $0.entry.isCancelled }
    let open = placed.filter { !$0.task.isCompleted && !$0.entry.isCancelled }
    var tasks = done.filter { !$0.entry.isCancelled }.map(\.task)
    if master.entry.isCancelled { return tasks }
    if master.task.isCompleted { return tasks + [master.task] }
    guard master.isDated else { return tasks + [master.task] + open.map(\.task) }
    guard master.entry.repeats || !placed.isEmpty else { return [master.task] }

    let calendar = CivilCalendar(.utc)
    let start = master.entry.start
    let next = try first(of: master, without: done.map(\.entry), steps: &steps, limits)
    let changed = open.compactMap { override in
      override.entry.original.map { (toDo: override, second: $0.second(in: calendar), original: $0) }
    }.min { $0.second < $1.second }
    // The rules may no longer give the occurrence that an open override changes.
    let override = changed.flatMap { changed in
      next.map { changed.second <= $0.second || changed.toDo.entry.originalDay == $0.wall.day } ?? true ? changed : nil
    }
    guard let wall = override?.original.wall(in: start.zone, calendar) ?? next?.wall else { return tasks }
    let shift = wall.seconds - start.wall.seconds
    var task = master.task
    task.start = task.start?.shifted(by: shift, in: start.zone)
    task.due = task.due?.shifted(by: shift, in: start.zone)
    if let override = override?.toDo {
      let series = task
      task = override.task
      if !override.isDated { (task.start, task.due) = (series.start, series.due) }
      if override.entry.title.isEmpty { task.title = series.title }
    }
    tasks.append(task)
    return tasks
  }

  /// The days of 400 years repeat, so a rule that gives nothing in them gives nothing at all.
  private static let secondsOfCycle = 146_097 * Gregorian.secondsPerDay

  /// The first occurrence of a to-do that no entry replaces; nil: every one is replaced.
  ///
  /// - Parameter earliest: seconds since 1970; earlier ones do not count.
  private func first(
    of master: WrittenToDo, from earliest: Int64 = .min, without replaced: [CalendarEntry], steps: inout Int,
    _ limits: CalendarLimits
  ) throws(CalendarDefect) -> Series.Original? {
    let calendar = CivilCalendar(.utc)
    var series = master.entry.series(calendar)
    // A client that moves DUE may move it past the rule's end.
    series.isStartSure = true
    let seconds = replaced.compactMap { $0.original?.second(in: calendar) }
    series.exceptions.insert(seconds: seconds, days: replaced.compactMap(\.originalDay))
    var stepsLeft = min(steps, limits.steps)
    let starts = [series.start.second] + series.dates.map(\.original.second)
    var start = max(earliest, starts.min() ?? 0)
    let end = max(start, (starts + seconds).max() ?? 0) + Self.secondsOfCycle
    var length = 2 * Gregorian.secondsPerDay
    while start <= min(end, Instant.validRange.upperBound.seconds) {
      let found = series.occurrences(
        in: start..<(start + length), mostOccurrences: limits.occurrences, mostSteps: stepsLeft)
      stepsLeft -= found.steps
      steps -= found.steps
      let originals = found.occurrences.map(\.original).filter { $0.second >= earliest }
      if let first = originals.min(by: { $0.second < $1.second }) {
        let shorter = first.second + 1 - start
        // Beyond a limit, another rule may give an earlier one.
        if found.excess == nil || shorter >= length || stepsLeft <= 0 { return first }
        length = shorter
        continue
      }
      if found.excess == .steps || stepsLeft <= 0 {
        let reason =
          steps <= 0
          ? "the rules of the file's to-dos take more than \(limits.stepsOfFile) steps"
          : "the series takes more than \(limits.steps) steps"
        throw CalendarDefect("\(reason): the to-do is left out", at: master.entry)
      }
      start += length
      length *= 2
    }
    return nil
  }
}

/// The VTODOs of a file while it is read.
struct ToDoCollecting {
  private var series: [ToDoSeries] = []
  /// The index in `series` by UID.
  private var places: [RecordID: Int] = [:]
  private(set) var warnings: [CalendarDefect] = []
  var byID: [RecordID: ToDoSeries] { places.mapValues { series[$0] } }
  /// Of every UID with a VTODO that can be read, once the file is read.
  private(set) var versions: [CalendarToDo.Version] = []

  mutating func add(_ toDo: WrittenToDo?, uid: String?, isOverride: Bool) {
    guard let uid else {
      guard let toDo else { return }
      var single = ToDoSeries(id: toDo.task.id)
      _ = single.add(toDo, isOverride: false)
      return series.append(single)
    }
    let place = places[RecordID(uid)] ?? series.count
    if place == series.count {
      places[RecordID(uid)] = place
      series.append(ToDoSeries(id: uid))
    }
    if let warning = series[place].add(toDo, isOverride: isOverride) { warnings.append(warning) }
  }

  /// The tasks to show, in the file's order.
  ///
  /// - Parameter steps: the steps that the rules took.
  mutating func finish(_ limits: CalendarLimits, steps: inout Int) -> [CalendarToDo] {
    var stepsLeft = limits.stepsOfFile
    var tasks: [CalendarToDo] = []
    for one in series {
      var shown: [CalendarToDo]?
      do throws(CalendarDefect) {
        shown = try one.tasks(steps: &stepsLeft, limits)
      } catch {
        warnings.append(error)
      }
      tasks += shown ?? []
      if let version = one.version(showing: shown) { versions.append(version) }
      if let warning = one.warning(steps: &stepsLeft, limits) { warnings.append(warning) }
    }
    steps += limits.stepsOfFile - stepsLeft
    return tasks
  }
}
