import Foundation
import Testing
import TestSupport

/// `make run` gives its scratch cache the newcomer's language.
@Suite("The language of the scratch cache")
struct LanguageScriptTests {
  private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("scripts/language.sh").path

  @Test(
    "LC_ALL, LC_TIME or LANG decides, without encoding and modifier",
    arguments: [
      (["LANG": "de_DE.UTF-8"], "de_DE", "the language of LANG"), (["LANG": "C"], nil, "in English. For"),
      (["LANG": "de_DE", "LC_TIME": "fr_FR@euro"], "fr_FR", "the language of LC_TIME"),
      (["LANG": "de_DE", "LC_TIME": "fr_FR", "LC_ALL": "POSIX"], nil, "in English. For"),
      (["LANG": "pt_PT.utf8", "LC_ALL": ""], "pt_PT", "the language of LANG"),
      (["LANG": "zh_TW.UTF-8"], "zh_TW", "the language of LANG"),
      (["LANG": "ar_EG.UTF-8"], nil, "LANG is ar_EG.UTF-8, and that language is not supported"),
      (["LANG": #"a"}b"#], nil, "not supported"), ([:], nil, "in English. For"),
    ] as [([String: String], String?, String)])
  func chosen(environment: [String: String], locale: String?, words: String) throws {
    let cache = try CommandCache()
    var variables = ["LANG": "", "LC_TIME": "", "LC_ALL": ""].merging(environment) { $1 }
    variables["AGENT"] = Program.path
    let typed = ["/bin/sh", "-c", "exec '\(Self.script)' \"$AGENT\" '\(cache.path)'"]
    let outcome = try Child([], environment: variables, through: typed).outcome()
    #expect(outcome.status == 0 && outcome.output.contains(words), "\(outcome)")
    let settings = try? String(contentsOfFile: cache.path + "/cachesync.json", encoding: .utf8)
    #expect(settings == locale.map { "{ \"locale\": \"\($0)\" }\n" })
  }
}
