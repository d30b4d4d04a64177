import CacheSync

/// What is wrong with session files: where, and what.
struct ProblemList: Sendable {
  var problems: [Snapshot.FileProblem]

  static let id = "problems"

  var html: HTML {
    let rows = problems.map { problem -> HTML in
      let severity = problem.isWarning ? "warning: " : ""
      let pointer: HTML = problem.pointer.isEmpty ? "" : " <code>\(problem.pointer)</code>"
      return """
        <li><code>\(problem.path ?? "-"):\(problem.line):\(problem.column)</code> \(severity)\(problem.message)\(pointer)</li>
        """
    }
    let list: HTML = rows.isEmpty ? "<p>None.</p>" : "<ul>\(rows)</ul>"
    return """
      <section id="\(Self.id)" class="panel" aria-labelledby="problems-title"><h2 id="problems-title">Problems</h2>\
      \(list)</section>
      """
  }
}
