/// A place in one of the apps, as in a snapshot's `deepLink`: parse the link that a reader opened, or print one.
///
///     guard let link = DeepLink(url.absoluteString) else { return }  // another program's link
///     switch link.form {
///     case .task: open(taskNamed: link["id"] ?? "")
///     case .newTask: write(taskWithTitle: link["title"], due: link.day("due"))
///     default: break
///     }
///
/// The links belong to the feeds: each feed's folder has a ``Form`` for every link of its app, and a function with the
/// same name that makes one, such as `DeepLink.task(id: "7")`. Printing a parsed link gives the same link in its
/// canonical spelling, and every value can be printed and parsed again.
///
/// It accepts links of these forms only.
///
/// - Scheme and host may be in either case (RFC 3986, sections 3.1 and 3.2.2) and are printed as in the form. Paths,
///   ids and the names of parameters are taken as they are.
/// - Text may be percent-encoded anywhere in a path or a query, and must then be UTF-8. A plus is a plus, not a blank.
/// - A parameter that the form does not have is ignored, because newer links may have more of them.
/// - These make a link invalid: a duplicate parameter, a fragment, a port or a user, and any character that a URL may
///   not contain.
public struct DeepLink: Hashable, Sendable {
  /// Which link it is.
  public let form: Form
  /// The link's values by name, decoded; a day in the form of ``DayReference``.
  private let values: [String: String]

  /// The value in the link for a name of its form; nil: none.
  public subscript(name: String) -> String? { values[name] }

  /// The day or moment in the link for a name of its form; nil: none.
  public func day(_ name: String) -> DayReference? { values[name].flatMap { DayReference($0) } }

  init(_ form: Form, _ values: [String: String?] = [:]) {
    self.form = form
    self.values = values.compactMapValues(\.self)
  }

  /// The spelling of the links to one place, with the values that they contain.
  public struct Form: Hashable, Sendable {
    /// A value in a link.
    enum Value: Hashable, Sendable {
      /// The single path segment, which may be empty, as an id may be.
      case segment(String)
      /// A required parameter.
      case required(String)
      /// An optional parameter.
      case optional(String)
      /// An optional parameter that names a day or a moment.
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

  /// Whether a snapshot's link to another app or site is safe to open: an absolute URL (RFC 3986, section 4.3) that
  /// runs no program, names no file and carries no document of its own. Kinds that a cache itself defines have links to
  /// any app and site.
  public static func mayOpen(_ link: String) -> Bool { LinkText.defect(in: link) == nil }
}

extension DeepLink: CustomStringConvertible {
  /// The link, as feeds.md spells it; text is percent-encoded, except unreserved characters and, in a path, ":".
  public var description: String {
    var text = form.place
    var sign = "?"
    for value in form.values {
      switch value {
      case .segment(let name): text += "/" + PercentEncoding.segment(self[name] ?? "")
      case .required(let name), .optional(let name), .day(let name):
        guard let value = self[name] else { continue }
        text += sign + name + "=" + PercentEncoding.value(value)
        sign = "&"
      }
    }
    return text
  }
}
