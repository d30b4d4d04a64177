import CacheSync
import CacheSyncAgent
import CacheSyncPublishing
import Testing

@Suite("Metrics for Prometheus")
struct StatusMetricsTests {
  private func value(_ text: String) throws -> JSONValue {
    try #require(Array(text.utf8).withUnsafeBytes { JSONValue.parse($0) })
  }

  private let answer = """
    {"counters":{"batches":2,"events":3,"overflows":4,"publications":5,"rejected":6,"rescans":7,"retries":8},
     "generation":9007199254740991,"hearing":true,"lastPublication":"2026-11-21T14:03:22Z","nextBoundary":null,
     "polled":[{"path":"a","reason":"b"}],"problems":[{"severity":"error"},{"severity":"warning"},{"severity":"error"}],
     "publicationSeconds":{"buckets":[{"count":1,"le":0.0005},{"count":2,"le":10}],"count":3,"sum":12.25},
     "startedAt":"2026-11-21T00:00:00Z","unclaimed":["x.json"],"version":"1.2.3","watches":12,"writable":false}
    """

  @Test("Each family appears once, with a help, a type and every cache's samples; unknown values have no sample")
  func families() throws {
    let text = StatusMetrics.text(of: [
      .init(path: "/a".utf8, isAlive: true, answer: try value(answer)),
      .init(path: "/down".utf8, isAlive: false, answer: nil),
      .init(path: "/silent".utf8, isAlive: true, answer: nil),
      .init(path: "/a".utf8, isAlive: true, answer: nil),
    ])
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    #expect(lines.last == "", "the last line ends with a newline")
    let samples = lines.filter { !$0.hasPrefix("#") }
    // The seconds were computed with `date -u -d DATE +%s`.
    #expect(
      samples == [
        #"cachesync_up{cache="/a"} 1"#, #"cachesync_up{cache="/down"} 0"#, #"cachesync_up{cache="/silent"} 1"#,
        #"cachesync_hearing{cache="/a"} 1"#, #"cachesync_hearing{cache="/silent"} 0"#,
        #"cachesync_writable{cache="/a"} 0"#, #"cachesync_generation{cache="/a"} 9007199254740991"#,
        #"cachesync_watches{cache="/a"} 12"#, #"cachesync_polled_directories{cache="/a"} 1"#,
        #"cachesync_problems{cache="/a",severity="error"} 2"#, #"cachesync_problems{cache="/a",severity="warning"} 1"#,
        #"cachesync_unclaimed_files{cache="/a"} 1"#,
        #"cachesync_start_time_seconds{cache="/a"} 1795219200"#,
        #"cachesync_last_publication_timestamp_seconds{cache="/a"} 1795269802"#,
        #"cachesync_build_info{cache="/a",version="1.2.3"} 1"#, #"cachesync_events_total{cache="/a"} 3"#,
        #"cachesync_batches_total{cache="/a"} 2"#, #"cachesync_overflows_total{cache="/a"} 4"#,
        #"cachesync_rescans_total{cache="/a"} 7"#, #"cachesync_publications_total{cache="/a"} 5"#,
        #"cachesync_rejected_files_total{cache="/a"} 6"#, #"cachesync_retries_total{cache="/a"} 8"#,
        #"cachesync_publication_duration_seconds_bucket{cache="/a",le="0.0005"} 1"#,
        #"cachesync_publication_duration_seconds_bucket{cache="/a",le="10"} 2"#,
        #"cachesync_publication_duration_seconds_bucket{cache="/a",le="+Inf"} 3"#,
        #"cachesync_publication_duration_seconds_sum{cache="/a"} 12.25"#,
        #"cachesync_publication_duration_seconds_count{cache="/a"} 3"#, "",
      ])
    let helped = lines.filter { $0.hasPrefix("# HELP ") }.map { $0.split(separator: " ")[2] }
    let typed = lines.filter { $0.hasPrefix("# TYPE ") }.map { $0.split(separator: " ")[2] }
    #expect(helped == typed && Set(helped).count == helped.count && helped.count == 19)
  }

  @Test("A path with any bytes becomes a valid label")
  func labels() {
    let path = Array("/a \\ \" \n é".utf8) + [0xFF]
    let text = StatusMetrics.text(of: [.init(path: path, isAlive: false, answer: nil)])
    #expect(text.contains("\ncachesync_up{cache=\"/a \\\\ \\\" \\n é\\\\xff\"} 0\n"), "\(text)")
  }

  @Test("Caches with different paths have different labels, whatever the bytes of their paths")
  func distinct() {
    let paths = [[0xFF]] + [#"\xff"#, #"\x5cxff"#, "\u{E9}", "e\u{301}"].map { Array($0.utf8) }
    let text = StatusMetrics.text(of: paths.map { .init(path: $0, isAlive: false, answer: nil) })
    let labels = text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { Array($0.utf8) }
    #expect(labels.count == paths.count && Set(labels).count == paths.count, "\(text)")
    #expect(text.contains(#"{cache="\\xff"}"#) && text.contains(#"{cache="\\x5cxff"}"#), "\(text)")
  }

  @Test("Without a cache, the text is empty")
  func nothing() { #expect(StatusMetrics.text(of: []) == "") }
}
