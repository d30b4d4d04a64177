import CacheSync

/// The problems of session files: the place of each, and its description.
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
