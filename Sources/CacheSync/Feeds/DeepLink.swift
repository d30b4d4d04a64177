/// A place in one of the apps, as a snapshot's `deepLink` names it: parse what a reader was tapped with, or print a link.
///
///     guard let link = DeepLink(url.absoluteString) else { return }  // another program's link
///     switch link.form {
///     case .task: open(taskNamed: link["id"] ?? "")
///     case .newTask: write(taskWithTitle: link["title"], due: link.day("due"))
///     default: break
///     }
///
/// The links are those of the feeds: each feed's folder has a ``Form`` for every link of its app, and a function of that
/// name that makes one, such as `DeepLink.task(id: "7")`. Printing what was parsed gives the same link, in its canonical
/// spelling, and every value can be printed and parsed again.
///
/// What is accepted: links of these forms, and nothing near them. Scheme and host may be spelled in either case
/// (RFC 3986, sections 3.1 and 3.2.2) and are printed as in the form; paths, ids and the names of parameters are taken as
/// they are. Text may be percent-encoded anywhere in a path or a query, and must then be UTF-8; a plus is a plus, not a
/// blank. A parameter that the form does not have is ignored, because newer links may have more of them; one that is given
/// twice, a fragment, a port or a user makes it no link of ours, and so does any character that a URL must not hold.
public struct DeepLink: Hashable, Sendable {
  /// Which link it is.
  public let form: Form
  /// The link's values by name, decoded; a day as ``DayReference`` spells it.
  private let values: [String: String]

  /// What stands in the link under a name of its form; nil: nothing.
  public subscript(name: String) -> String? { values[name] }

  /// The day or moment in the link under a name of its form; nil: none.
  public func day(_ name: String) -> DayReference? { values[name].flatMap { DayReference($0) } }

  init(_ form: Form, _ values: [String: String?] = [:]) {
    self.form = form
    self.values = values.compactMapValues(\.self)
  }
}

extension DeepLink {
  /// How the links to one place are spelled, and what they say.
  public struct Form: Hashable, Sendable {
    /// A value in a link.
    enum Value: Hashable, Sendable {
      /// The path's one segment, which may be empty: an id may.
      case segment(String)
      /// A parameter that must be there.
      case required(String)
      /// A parameter that may be there.
      case optional(String)
      /// A parameter that may be there and names a day or a moment.
      case day(String)
    }

    /// The link without its values, such as `app://place` or `app://place/today`.
    let place: String
    let values: [Value]

    init(_ place: String, _ values: Value...) {
      self.place = place
      self.values = values
    }
  }
}
