package import CacheSync
import CacheSyncSystem

/// Converts answers to `status` into the text format of Prometheus (metrics.md).
///
/// Samples have no timestamps: the textfile collector of node_exporter rejects a file that has any.
package struct StatusMetrics {
  package struct Cache {
    /// The value of the label `cache`.
    let name: ExactText
    let isAlive: Bool
    /// Its agent's answer; nil when the agent is down or does not respond.
    let answer: JSONValue?

    package init(path: some Sequence<UInt8>, isAlive: Bool, answer: JSONValue?) {
      name = ExactText(Self.name(of: Array(path)))
      self.isAlive = isAlive
      self.answer = answer
    }

    /// A name of its own for each path. `\xhh` stands for a byte that is not UTF-8, so where a path has these four
    /// characters, its backslash is written as a byte too.
    private static func name(of path: [UInt8]) -> String {
      var bytes: [UInt8] = []
      for (index, byte) in path.enumerated() {
        bytes.append(byte)
        let next = path[(index + 1)...].prefix(3)
        let isEscape = next.first == UInt8(ascii: "x") && next.count == 3 && next.dropFirst().allSatisfy(isDigit)
        if byte == UInt8(ascii: "\\"), isEscape { bytes += Array("x5c".utf8) }
      }
      return EscapedText.forPrograms(bytes)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { Character(UnicodeScalar(byte)).isHexDigit }
  }

  private struct Sample {
    var suffix = ""
    var labels: [(name: String, value: String)] = []
    var value: Double
  }

  private struct Family {
    var name: String
    var type: String
    var help: String
    /// Returns the samples of a cache; empty when the value is unknown.
    var samples: (Cache) -> [Sample]
  }

  /// Returns the metrics of the given caches: each family once, with the samples of every cache. A cache that is named
  /// twice counts once.
  package static func text(of caches: [Cache]) -> String {
    var names: Set<ExactText> = []
    let caches = caches.filter { names.insert($0.name).inserted }
    var text = ""
    for family in families {
      let lines = caches.flatMap { cache in family.samples(cache).map { line(family.name, $0, cache) } }
      if lines.isEmpty { continue }
      text += "# HELP \(family.name) \(family.help)\n# TYPE \(family.name) \(family.type)\n"
      for line in lines { text += line + "\n" }
    }
    return text
  }

  private static func line(_ name: String, _ sample: Sample, _ cache: Cache) -> String {
    let labels = ([("cache", cache.name.wrappedValue)] + sample.labels).map { "\($0)=\"\(escaped($1))\"" }
    return "\(name)\(sample.suffix){\(labels.joined(separator: ","))} \(number(sample.value))"
  }

  /// The exposition format escapes a backslash, a quote and a newline in a label's value, and nothing else.
  private static func escaped(_ value: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\\", "\"": result.append(contentsOf: ["\\", scalar])
      case "\n": result.append(contentsOf: ["\\", "n"])
      default: result.append(scalar)
      }
    }
    return String(result)
  }

  /// Formats a number as JSON does; Prometheus reads the same syntax.
  private static func number(_ value: Double) -> String {
    var json = JSONWriter()
    json.number(value)
    return String(decoding: json.bytes, as: UTF8.self)
  }

  // MARK: Families

  private static var families: [Family] { gauges + counters + [durations] }

  private static var gauges: [Family] {
    [
      Family(name: "cachesync_up", type: "gauge", help: "Whether an agent holds the cache.") {
        [Sample(value: $0.isAlive ? 1 : 0)]
      },
      Family(name: "cachesync_hearing", type: "gauge", help: "Whether the agent answers and receives file events.") {
        $0.isAlive ? [Sample(value: $0.answer?["hearing"]?.bool == true ? 1 : 0)] : []
      },
      gauge("writable", "Whether the agent can publish.") { $0["writable"]?.bool.map { $0 ? 1 : 0 } },
      gauge("generation", "The generation of the newest publication.") { $0["generation"]?.double },
      gauge("watches", "Directories that the kernel watches for the agent.") { $0["watches"]?.double },
      gauge("polled_directories", "Directories that the agent polls because they cannot be watched.") {
        count($0["polled"])
      },
      Family(name: "cachesync_problems", type: "gauge", help: "Current problems, as status lists them.") {
        ($0.answer?["problems"]?.array).map { problems in
          [Problem.Severity.error, .warning].map { severity in
            let count = problems.count { $0["severity"]?.string == severity.rawValue }
            return Sample(labels: [("severity", severity.rawValue)], value: Double(count))
          }
        } ?? []
      },
      gauge("unclaimed_files", "JSON files that no feed reads.") { count($0["unclaimed"]) },
      gauge("start_time_seconds", "When the agent started, in seconds since 1970.") { seconds($0["startedAt"]) },
      gauge("last_publication_timestamp_seconds", "When the agent last published, in seconds since 1970.") {
        seconds($0["lastPublication"])
      },
      gauge(
        "next_boundary_timestamp_seconds", "When the next change through time alone comes, in seconds since 1970."
      ) {
        seconds($0["nextBoundary"])
      },
      Family(name: "cachesync_build_info", type: "gauge", help: "Always 1; the label has the agent's version.") {
        $0.answer?["version"]?.string.map { [Sample(labels: [("version", $0)], value: 1)] } ?? []
      },
    ]
  }

  private static var counters: [Family] {
    [
      counter("events", "events", "File events that the agent received, for all its caches."),
      counter("batches", "batches", "Passes over the cache that found changes."),
      counter("overflows", "overflows", "Times that the kernel dropped events of the agent."),
      counter("rescans", "rescans", "Times that everything was read again because the kernel dropped events."),
      counter("publications", "publications", "Publications."),
      counter("rejected", "rejected_files", "Times that a session file was found unusable."),
      counter("retries", "retries", "Times that reading a file or publishing was tried again."),
    ]
  }

  private static var durations: Family {
    Family(
      name: "cachesync_publication_duration_seconds", type: "histogram",
      help: "Time from the first event that a publication takes in to the rename of its manifest."
    ) { cache in
      guard let histogram = cache.answer?["publicationSeconds"], let count = histogram["count"]?.double,
        let sum = histogram["sum"]?.double
      else { return [] }
      let buckets = (histogram["buckets"]?.array ?? []).compactMap { bucket -> Sample? in
        guard let bound = bucket["le"]?.double, let count = bucket["count"]?.double else { return nil }
        return Sample(suffix: "_bucket", labels: [("le", number(bound))], value: count)
      }
      return buckets + [
        Sample(suffix: "_bucket", labels: [("le", "+Inf")], value: count), Sample(suffix: "_sum", value: sum),
        Sample(suffix: "_count", value: count),
      ]
    }
  }

  private static func gauge(_ name: String, _ help: String, _ value: @escaping (JSONValue) -> Double?) -> Family {
    Family(name: "cachesync_\(name)", type: "gauge", help: help) {
      $0.answer.flatMap(value).map { [Sample(value: $0)] } ?? []
    }
  }

  private static func counter(_ member: String, _ name: String, _ help: String) -> Family {
    Family(name: "cachesync_\(name)_total", type: "counter", help: help) {
      $0.answer?["counters"]?[member]?.double.map { [Sample(value: $0)] } ?? []
    }
  }

  private static func count(_ list: JSONValue?) -> Double? { list?.array.map { Double($0.count) } }

  private static func seconds(_ date: JSONValue?) -> Double? { date?.instant.map { Double($0.seconds) } }
}
