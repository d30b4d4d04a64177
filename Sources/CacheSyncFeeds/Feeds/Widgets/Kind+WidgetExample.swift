import CacheSyncSystem

extension Kind {
  /// A widget file with every option, to be edited.
  package func exampleOfWidget(in language: Language) -> String {
    let options = options.map { option in
      "    \(Self.json(.string(option.name))): \(Self.json(widget.map { OptionValues($0.options)[option] } ?? option.example))"
    }
    var members = ["\"kind\": \(Self.json(.string((widget?.kind ?? name).description)))"]
    members.append("\"title\": \(Self.json(.string(displayName.text(in: language))))")
    if let from = widget?.from { members.append("\"from\": \(Self.json(.string(from.description)))") }
    if !options.isEmpty { members.append("\"options\": {\n\(options.joined(separator: ",\n"))\n  }") }
    return "{\n  \(members.joined(separator: ",\n  "))\n}"
  }

  private static func json(_ value: JSONValue) -> String { String(decoding: value.bytes, as: UTF8.self) }
}
