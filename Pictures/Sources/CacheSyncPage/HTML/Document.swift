import CacheSync

/// What every live page has: style, script, the line about the connection, and what the script needs to know.
struct Document: Sendable {
  var title: String
  var appearance: String
  var view: CacheView
  /// Whether it shows another moment than the present, and so never changes.
  var isPast: Bool
  /// Its own address, relative to itself.
  var page: String
  /// The address of its events.
  var stream: String
  /// Which parts it has (``Page/layout(of:)``).
  var layout: String
  var addresses: Addresses
  var attributes: HTML = ""

  func html(_ body: HTML) -> HTML {
    let language = view.language
    let key: HTML = addresses.key.map { " data-key=\"\($0)\"" } ?? ""
    return """
      <!doctype html>
      <html lang="\(language.tag.rawValue)" data-appearance="\(appearance)"><head><meta charset="utf-8"><title>\(title)</title>\
      <meta name="viewport" content="width=device-width, initial-scale=1"><link rel="stylesheet" href="\(addresses("page.css"))">\
      <script src="\(addresses("page.js"))" defer></script>\
      \("<meta http-equiv=\"refresh\" content=\"60\">", if: !isPast)</head>
      <body data-page="\(page)" data-stream="\(stream)" data-probe="\(addresses.root)manifest.json" \
      data-generation="\(view.generation)" data-version="\(PageStyle.version)" data-layout="\(layout)" \
      data-zone="\(view.timeZone)" data-offset="\(view.offset)" data-hours="\(view.hours)" \
      data-lost="\(language(.notConnected, [.time: "{time}"]))" \
      data-link="\(language(.newLinkNeeded))"\(" data-past", if: isPast)\(key)\(attributes)>
      <p id="connection" role="status"></p>
      \(body)
      <footer><p id="news" role="status"></p></footer>
      </body></html>

      """
  }
}
