import CacheSync

/// The cache's status: its agent, the newest publication, and the reach of the timelines.
package struct StatusPanel: Sendable {
  /// The agent's status, from `cachesyncd status`.
  package enum Agent: Sendable, Equatable {
    case receiving(pid: Int)
    case withoutEvents(pid: Int)
    case none
    /// The check failed, with the reason in one line.
    case unknown(String)
  }

  var agent: Agent
  var present: CacheView

  static let id = "status"

  var html: HTML {
    """
    <section id="\(Self.id)" class="panel" aria-labelledby="status-title"><h2 id="status-title">\(language(.status))</h2>\
    <dl><div><dt>\(language(.agent))</dt><dd>\(agentWords)</dd></div>\
    <div><dt>\(language(.generation))</dt><dd>\(present.generation)</dd></div>\
    <div><dt>\(language(.timelinesReach))</dt><dd>\(reachWords)</dd></div></dl></section>
    """
  }

  private var language: Language { present.language }

  private var agentWords: String {
    switch agent {
    case .receiving(let pid): language(.agentRunning, [.process: "\(pid)"])
    case .withoutEvents(let pid): language(.agentWithoutEvents, [.process: "\(pid)"])
    case .none: language(.agentNotRunning)
    case .unknown(let reason): language(.agentUnknown, [.message: reason])
    }
  }

  private var reachWords: String {
    guard let reach = present.reach else { return "—" }
    let today = present.calendar.day(of: present.moment)
    let (first, last) = (
      present.words(for: reach.lowerBound, today: today), present.words(for: reach.upperBound, today: today)
    )
    return first == last ? first : language(.fromTo, [.start: first, .end: last])
  }
}
