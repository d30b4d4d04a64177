import CacheSync

/// The problems of session files: the place of each, and its description.
struct ProblemList: Sendable {
  var problems: [Snapshot.FileProblem]
  var language: Language

  static let id = "problems"

  var html: HTML {
    let rows = problems.map { problem -> HTML in
      let message = problem.isWarning ? language(.warning, [.message: problem.message]) : problem.message
      let pointer: HTML = problem.pointer.isEmpty ? "" : " <code>\(problem.pointer)</code>"
      return """
        <li><code>\(problem.path ?? "-"):\(problem.line):\(problem.column)</code> \(message)\(pointer)</li>
        """
    }
    let list: HTML = rows.isEmpty ? "<p>\(language(.noProblems))</p>" : "<ul>\(rows)</ul>"
    return """
      <section id="\(Self.id)" class="panel" aria-labelledby="problems-title"><h2 id="problems-title">\(language(.problems))</h2>\
      \(list)</section>
      """
  }
}
