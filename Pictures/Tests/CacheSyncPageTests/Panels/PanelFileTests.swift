import CacheSync
import CacheSyncPictures
import SystemPackage
import Testing

@testable import CacheSyncPage

@Suite("The panels' file")
struct PanelFileTests {
  private let file = PanelFile(
    path: "panels.json",
    painter: Painter { (_, _, _) throws(Painter.Failure) in
      []
    } check: { (request) throws(Painter.Failure) in
      if request.words.contains("nothing:medium") { throw .usage("unknown kind 'nothing'") }
    })

  private func read(_ text: String) throws(PanelFile.Failure) -> [PanelAddress: Panel] {
    try file.panels(in: Array(text.utf8))
  }

  @Test("A panel has all that it names, and defaults for the rest")
  func panels() throws {
    let panels = try read(
      #"""
      {"panels": {
        "94:a9:90:8c:6d:18": {"screen": "1872x1404", "bits": 8, "rotate": 270, "redacted": true, "awake": "06:30-23:00", "every": "PT30M", "widgets": ["a:medium", "b"]},
        "94:A9:90:8C:6D:19": {"widgets": ["a:large"]}
      }}
      """#)
    let first = try #require(PanelAddress("94:A9:90:8C:6D:18").flatMap { panels[$0] })
    #expect(
      first.with(nil).form
        == ScreenForm(
          size: PixelSize(width: 1872, height: 1404), bits: 8, turn: .threeQuarters, isRedacted: true))
    #expect(Panels.kinds(of: first, nil) == ["a", "b"])
    #expect(first.hours == WakingHours(awake: WakingHours.Window("06:30-23:00"), every: .seconds(1_800)))
    let second = try #require(PanelAddress("94:A9:90:8C:6D:19").flatMap { panels[$0] })
    #expect(
      second.with(nil).form == ScreenForm(bits: 1) && second.hours == WakingHours(awake: nil, every: .seconds(900)))
    #expect(try read(#"{"panels": {}}"#).isEmpty)
  }

  @Test("A panel that names a screen has what the screen's file says, but the device is its own")
  func screens() throws {
    let panels = try read(
      #"""
      {"panels": {
        "94:A9:90:8C:6D:18": {"screen": "kitchen"},
        "94:A9:90:8C:6D:19": {"screen": "kitchen", "bits": 4, "rotate": 0, "redacted": false}
      }}
      """#)
    let output = #"""
      {"screens": [{"name": "kitchen", "widgets": ["calendar:systemLarge", "bins"], "size": "480x800", "rotate": 90, "bits": 32,
        "appearance": "dark", "redacted": true}]}
      """#
    let plan = try #require(ScreenPlan.all(Array(output.utf8))?["kitchen"])
    let first = try #require(PanelAddress("94:A9:90:8C:6D:18").flatMap { panels[$0] })
    let size = PixelSize(width: 480, height: 800)
    #expect(first.with(plan).form == ScreenForm(size: size, bits: 1, turn: .quarter, isRedacted: true))
    #expect(Panels.kinds(of: first, plan) == ["calendar", "bins"])
    let second = try #require(PanelAddress("94:A9:90:8C:6D:19").flatMap { panels[$0] })
    #expect(second.with(plan).form == ScreenForm(size: size, bits: 4, turn: Turn.none))
    #expect(first.screenFile == nil)
  }

  @Test("The screen's file that would replace a panel's widgets")
  func screenFile() throws {
    let panels = try read(
      #"{"panels": {"94:A9:90:8C:6D:18": {"screen": "800x480", "widgets": ["a:medium", "b"]}}}"#)
    #expect(panels.values.first?.screenFile == #"{"size":"800x480","widgets":["a:medium","b"]}"#)
  }

  @Test(
    "An error is one line with the place and what to do",
    arguments: [
      ("{", "panels.json: line 1, column 2: "),
      ("[]", "panels.json: expected an object"),
      ("{}", "'panels' is missing"),
      (#"{"panel": {}}"#, "unknown name 'panel': did you mean panels?"),
      (#"{"panels": {"kitchen": {}}}"#, "panels: 'kitchen' is not a MAC address"),
      (#"{"panels": {"A": 1, "A": 2}}"#, "duplicate key"),
      (#"{"panels": {"94:A9:90:8C:6D:18": {}}}"#, "94:A9:90:8C:6D:18: 'widgets' is missing or invalid"),
      (#"{"panels": {"94:A9:90:8C:6D:18": {"widgets": []}}}"#, "'widgets' is missing or invalid"),
      (#"{"panels": {"94:A9:90:8C:6D:18": {"widgets": [1]}}}"#, "'widgets' is missing or invalid"),
      (#"{"panels": {"94:A9:90:8C:6D:18": {"widgets": ["nothing:medium"]}}}"#, "18: unknown kind 'nothing'"),
      (
        #"{"panels": {"94:A9:90:8C:6D:18": {"widgets": ["a"], "awke": ""}}}"#,
        "unknown name 'awke': did you mean awake?"
      ),
      (
        #"{"panels": {"94:A9:90:8C:6D:18": {"widgets": ["a"], "awake": "6-23"}}}"#,
        "invalid 'awake': write two different times"
      ),
      (
        #"{"panels": {"94:A9:90:8C:6D:18": {"widgets": ["a"], "every": "PT30S"}}}"#, "invalid 'every': write a duration"
      ),
      (#"{"panels": {"94:A9:90:8C:6D:18": {"widgets": ["a"], "bits": "1"}}}"#, "invalid 'bits': write 1, 2, 4 or 8"),
      (
        #"{"panels": {"94:A9:90:8C:6D:18": {"widgets": ["a"], "rotate": 45}}}"#, "invalid 'rotate': write 0, 90, 180 or"
      ),
      (
        #"{"panels": {"94:A9:90:8C:6D:18": {"screen": "kitchen", "widgets": ["a"]}}}"#,
        "the file of the screen kitchen names its widgets: remove 'widgets'"
      ),
      (#"{"panels": {"94:A9:90:8C:6D:18": {"screen": "kitchen", "bits": 3}}}"#, "invalid 'bits': write 1, 2, 4 or 8"),
      (#"{"panels": {"94:A9:90:8C:6D:18": {"widgets": ["a"], "redacted": 1}}}"#, "invalid 'redacted': write true or"),
      (
        #"{"panels": {"94:A9:90:8C:6D:18": {"widgets": ["a"], "screen": 800}}}"#,
        "invalid 'screen': write the name of a screen"
      ),
      (
        #"{"panels": {"94:A9:90:8C:6D:18": {"widgets": ["a"]}, "94:a9:90:8c:6d:18": {"widgets": ["a"]}}}"#,
        "'94:a9:90:8c:6d:18' is there twice"
      ),
      (
        #"{"panels": {"94:A9:90:8C:6D:18": {"widgets": ["a"]}, "94a9.908c.6d18": {"widgets": ["a"]}}}"#,
        "'94a9.908c.6d18' is there twice: it is the address 94:A9:90:8C:6D:18"
      ),
    ])
  func errors(text: String, message: String) {
    let failure = #expect(throws: PanelFile.Failure.self) { try read(text) }
    let line = failure?.description ?? ""
    #expect(line.hasPrefix("invalid panels' file panels.json: ") && line.contains(message), "\(line)")
    #expect(!line.contains("\n"))
  }

  @Test("An address is twelve hexadecimal digits in any spelling, and its last six are the friendly name")
  func addresses() {
    for text in [
      "94:a9:90:8c:6d:18", "94-A9-90-8C-6D-18", "94a9908c6d18", "94A9908C6D18", "94a9.908c.6d18", "94a990-8c6d18",
    ] {
      #expect(PanelAddress(text)?.description == "94:A9:90:8C:6D:18", "\(text)")
    }
    #expect(PanelAddress("94:A9:90:8C:6D:18")?.friendlyID == "8C6D18")
    for wrong in [
      "", "94:A9:90:8C:6D", "94:A9:90:8C:6D:1", "94:A9:90:8C:6D:1G", "94A9908C6D1", "94A9908C6D180",
      "94:A9:90:8C:6D:18:00",
      "94::A9:90:8C:6D:18", ":94A9908C6D18", "94A9908C6D18-", "94 A9 90 8C 6D 18", "٩4A9908C6D18",
      "94:A9:90:8C:6D:é",
    ] {
      #expect(PanelAddress(wrong) == nil, "\(wrong)")
    }
  }
}
