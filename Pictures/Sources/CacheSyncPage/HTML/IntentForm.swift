import CacheSync
import CacheSyncPictures

/// What an app's section offers beside its cards: an intent that names no record, such as a new task.
struct IntentForm: Sendable, Equatable {
  var intent: KnownIntent
  /// What it carries; nil: it is disabled, because the page shows another moment.
  var token: String?

  var id: String { "form-\(intent.type)" }

  var html: HTML {
    // The fields that must be there are texts; a reader that wants the others has the command line.
    let fields = intent.fields.filter { $0.isRequired && $0.value == .text }.map { field -> HTML in
      """
      <label>\(field.name.asTitle) <input name="\(field.name)" required maxlength="300" autocomplete="off"\
      \(" disabled", if: token == nil)></label>
      """
    }
    return """
      <form class="intent" id="\(id)" method="post" action="/intents/\(intent.type)">\
      <input type="hidden" name="token" value="\(token ?? "")"><input type="hidden" name="action" value="0">\
      \(fields)<button\(" disabled", if: token == nil)>\(intent.type.asTitle)</button></form>
      """
  }
}
