import CacheSync
import Testing

@testable import CacheSyncPictures

/// `make contact-sheets` draws the pictures, for people to look at.
@Suite("Pictures in every language")
struct LanguageTests {
  /// What is cut in a picture: the whole of each text of which a line ends in an ellipsis.
  private static func cut(_ picture: Picture) -> Set<String> {
    var cut: Set<String> = []
    // Only the first line of a text says it.
    var said = ""
    for mark in picture.marks {
      guard case .text(let line) = mark.shape else { continue }
      said = mark.says ?? said
      if line.text.contains("…") || line.text.isEmpty { cut.insert(said) }
    }
    return cut
  }

  private static func texts(_ picture: Picture) -> Set<String> { Set(picture.marks.compactMap(\.says)) }

  /// What the pictures are drawn from.
  private enum Content: CaseIterable {
    case sample
    /// The sample in the year after, when its dates are written with their years.
    case nextYear
    /// The sample with counts of one digit more.
    case larger

    func change(_ entry: inout Snapshot.Entry) {
      switch self {
      case .sample: break
      case .nextYear: entry.date = entry.date + .seconds(100 * 86_400)
      case .larger: entry.content = Self.larger(entry.content)
      }
    }

    /// Shares, which are up to 1, and numbers of days and months, stay as they are.
    private static func larger(_ value: JSONValue) -> JSONValue {
      switch value {
      case .integer(let number) where number > 31: .integer(number * 10 + 8)
      case .number(let number) where number > 31: .number(number * 10)
      case .array(let elements): .array(elements.map(larger))
      case .object(let members): .object(members.mapValues(larger))
      default: value
      }
    }
  }

  private static let states: [(SnapshotState, Content)] =
    [(.stale, .sample), (.empty, .sample)] + Content.allCases.map { (.current, $0) }

  /// By both clocks: a region or a setting may have the one that the language has not. With that one, dates of another year
  /// are too long in Portuguese.
  @Test("No text of the program is cut where English is whole", arguments: LanguageTag.allCases, [12, 24])
  func whole(tag: LanguageTag, hours: Int) throws {
    let layout = Layout(Typesetter())
    let name = JSONValue.string(tag.rawValue)
    let locale = try #require(CacheLocale(publishedIn: .object(["locale": name, "hourCycle": .integer(hours)])))
    let usual = try #require(CacheLocale(publishedIn: .object(["locale": name]))).hourCycle
    #expect(locale.language.tag == tag && locale.hourCycle.rawValue == hours)
    var count = 0
    for kind in KnownKind.all {
      let (english, snapshot) = (try Snapshot.sample(of: kind.name), try Snapshot.sample(of: kind.name, in: locale))
      for family in kind.families {
        for (state, content) in Self.states where locale.hourCycle == usual || content != .nextYear {
          func picture(_ snapshot: Snapshot) throws -> Picture {
            var entry = snapshot.entry(at: Snapshot.sampleMoment)
            entry.state = state
            content.change(&entry)
            return try #require(layout.picture(of: entry, in: snapshot, family: family))
          }
          let drawn = try picture(snapshot)
          // Texts that both have are names in the files.
          let names = try Self.texts(picture(english))
          let cut = Self.cut(drawn).subtracting(names)
          #expect(cut.isEmpty, "\(tag.rawValue) \(hours): \(kind.name) \(family) \(state) \(content)")
          #expect(drawn.language == tag)
          count += 1
        }
      }
    }
    #expect(count > 150)
  }

  /// Sentences that stand in place of content, or that give a reason: the members of a kind's content that have them.
  private static func sentences(_ language: Language) -> [(kinds: [String], members: [String: JSONValue])] {
    func text(_ phrase: Phrase) -> JSONValue { .string(language(phrase)) }
    let none = JSONValue.array([])
    let health = ["budget", "macros", "overview", "nutrients"]
    var sentences: [(kinds: [String], members: [String: JSONValue])] = [
      (["calendar"], ["events": none, "now": none]), (["next-event"], ["event": .null, "now": .null]),
      (["quick-selection", "daily-stats", "shoe-status"], ["currentShoe": .null, "top": none]),
      (["current-shoe"], ["shoe": .null, "rectangular": .null, "inline": text(.selectShoes)]),
      (["smart-suggestions"], ["suggestions": none, "insight": .null]),
      (
        ["meal-plan"],
        [
          "isEmpty": .bool(true), "symbol": .string("fork.knife"), "title": text(.noMealPlan),
          "message": text(.openAppToGenerate),
        ]
      ),
      (["quick-log"], ["isEmpty": .bool(true), "symbol": .string("star"), "message": text(.addFavorites)]),
      (["daily-progress", "macro-breakdown"], ["showsNumbers": .bool(false), "text": text(.mindfulMode)]),
      (["daily-progress"], ["text": text(.openAppToSync)]),
      (["calories"], ["showsNumbers": .bool(false), "rectangular": text(.mindfulMode), "inline": text(.mindfulMode)]),
      (["calories"], ["rectangular": text(.openAppToSync), "inline": text(.syncRequired)]),
    ]
    sentences += [Phrase.noHealthData, .noHealthAccess].map { (health, ["message": text($0)]) }
    for phrase in [Phrase.noTasks, .allDone] {
      sentences.append(
        (
          ["todays-tasks", "task-count"],
          [
            "allDone": .bool(true), "count": .integer(0), "overdueCount": .integer(0), "text": text(phrase),
            "rectangular": text(.noTasks),
          ]
        ))
    }
    for flag in ["slopeClamped", "densityEstimated", "maintenanceSuspect", "budgetClamped", "adjustmentClamped"] {
      sentences.append((["budget"], ["isValid": .bool(false), "flags": .array([.string(flag)])]))
    }
    return sentences + suggestions(language).map { (["smart-suggestions"], $0) }
  }

  /// Every reason and comparison of the program, in cards of each size.
  private static func suggestions(_ language: Language) -> [[String: JSONValue]] {
    let reasons: [Phrase] = [
      .wornOnWeekdayMornings, .wornOnWeekdayMiddays, .wornOnWeekdayEvenings, .wornOnWeekendMornings,
      .wornOnWeekendMiddays, .wornOnWeekendEvenings,
    ]
    let comparisons: [Phrase] = [.sameAsLastWeek, .moreThanLastWeek, .lessThanLastWeek]
    // Of the last 28 days at most 20 are weekdays; some shoes are put on twice a day.
    return [("1", "1"), ("2", "4"), ("13", "22"), ("28", "40")].flatMap { worn, count in
      reasons.enumerated().flatMap { index, reason in
        [1, 2, 4].map { shown in
          let members: [String: JSONValue] = [
            "name": .string("Run"), "shoeId": .string("run"),
            "reason": .string(language(reason, [.worn: worn, .count: count])),
            "match": .string(language(.match, [.percent: "100\u{A0}%"])),
          ]
          let comparison = language(
            comparisons[index % 3], [.distance: "123.4", .percent: "108\u{A0}%"])
          return [
            "suggestions": .array(Array(repeating: .object(TextMap(members.map { ($0.key, $0.value) })), count: shown)),
            "insight": .object(["text": .string(comparison)]),
          ]
        }
      }
    }
  }

  @Test("No sentence that stands in place of content, or gives a reason, is cut", arguments: LanguageTag.allCases)
  func sentences(tag: LanguageTag) throws {
    let layout = Layout(Typesetter())
    let locale = try #require(CacheLocale(publishedIn: .object(["locale": .string(tag.rawValue)])))
    for (kinds, members) in Self.sentences(locale.language) {
      for kind in kinds {
        let snapshot = try Snapshot.sample(of: kind, in: locale)
        for state in [SnapshotState.current, .stale, .empty, .placeholder] {
          for family in snapshot.families.compactMap(ViewFamily.init) {
            var entry = snapshot.entry(at: Snapshot.sampleMoment)
            entry.state = state
            var content = try #require(entry.content.object)
            for (key, value) in members { content[key] = value }
            entry.content = .object(content)
            let cut = Self.cut(try #require(layout.picture(of: entry, in: snapshot, family: family)))
            #expect(cut.isEmpty, "\(tag.rawValue): \(kind) \(family) \(state)")
          }
        }
      }
    }
  }

  @Test("A picture names its language")
  func named() throws {
    let japanese = try #require(CacheLocale(publishedIn: .object(["locale": .string("ja")])))
    let snapshot = try Snapshot.sample(of: "todays-tasks", in: japanese)
    let picture = Layout(Typesetter()).picture(of: snapshot.entries[0], in: snapshot, family: .systemLarge)
    #expect(try #require(picture).svg(.classes).contains(#"xml:lang="ja""#))
  }
}
