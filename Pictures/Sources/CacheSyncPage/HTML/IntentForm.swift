import CacheSync

/// A form in an app's section for an intent that does not name a record, such as a new task.
struct IntentForm: Sendable, Equatable {
  var intent: KnownIntent
  var language: Language
  /// The token that it sends; nil: the form is disabled, because the page shows another moment.
  var token: String?

  var id: String { Self.id(of: intent) }

  static func id(of intent: KnownIntent) -> String { "form-\(intent.type)" }

  var html: HTML { html(Addresses()) }

  func html(_ addresses: Addresses) -> HTML {
    // All required fields are texts. For the optional ones there is the command line.
    let fields = intent.fields.filter { $0.isRequired && $0.value == .text }.map { field -> HTML in
      """
      <label>\(label(of: field.name)) <input name="\(field.name)" required maxlength="300" autocomplete="off"\
      \(" disabled", if: token == nil)></label>
      """
    }
    return """
      <form class="intent" id="\(id)" method="post" action="\(addresses("intents/\(intent.type)"))">\
      <input type="hidden" name="token" value="\(token ?? "")"><input type="hidden" name="action" value="0">\
      \(fields)<button\(" disabled", if: token == nil)>\(intent.title(in: language))</button></form>
      """
  }

  private func label(of field: String) -> String { field == "title" ? language(.titleField) : field.asHeading }
}
