import Foundation
import Testing

@Suite("render")
struct RenderCommandTests {
  private let commands: Commands

  init() throws { commands = try Commands() }

  // MARK: One picture

  @Test("render draws the kind's first family as SVG on standard output")
  func one() throws {
    let result = try commands.render("daily-progress")
    #expect(result.status == 0 && result.error.isEmpty)
    let text = String(decoding: result.output, as: UTF8.self)
    // pictures.md section 2: a small card is 170 points wide and high.
    #expect(text.hasPrefix("<svg") && text.contains(#"viewBox="0 0 170 170""#))
    #expect(try commands.render("daily-progress", "--family", "systemSmall").output == result.output)
    #expect(try commands.render("daily-progress", "--family", "small").output == result.output)
    #expect(try commands.render("daily-progress", "--family", "medium").output != result.output)
  }

  @Test("The format is given by the option, or else by the file's ending", arguments: ["svg", "png", "txt"])
  func format(ending: String) throws {
    let file = commands.folder.file("picture.\(ending)")
    #expect(try commands.render("calories", "--family", "inline", "-o", file).status == 0)
    let bytes = try commands.folder.bytes("picture.\(ending)")
    switch ending {
    case "svg": #expect(bytes.starts(with: "<svg".utf8))
    case "png": #expect(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]))
    // The sample's nutrition file has 1459.5 of 2000 kcal.
    default: #expect(String(decoding: bytes, as: UTF8.self) == "540 calories remaining\n")
    }
    #expect(try commands.render("calories", "--family", "inline", "--format", "svg", "-o", file).status == 0)
    #expect(try commands.folder.bytes("picture.\(ending)").starts(with: "<svg".utf8), "the option wins")
  }

  @Test("Another ending is refused with the formats, unless there is --format; a name without one is SVG")
  func endings() throws {
    let file = commands.folder.file("picture")
    let refused = try commands.render("budget", "-o", file + ".jpg")
    #expect(refused.error.contains("'jpg'") && refused.error.contains("svg, png, bmp, txt"), "\(refused.error)")
    #expect(try commands.render("budget", "-o", file).status == 0)
    #expect(try commands.folder.bytes("picture").starts(with: "<svg".utf8))
    for words in [["--format", "png", "-o", file + ".jpg"], ["-o", file + ".PNG"]] {
      #expect(try commands.run(["render", "budget", "--cache", commands.cache] + words).status == 0)
    }
    #expect(try commands.folder.bytes("picture.jpg") == commands.folder.bytes("picture.PNG"))
  }

  @Test("A day is drawn at its first instant in the zone that counts; the name of a feed is refused with its kinds")
  func words() throws {
    let zone = ["--time-zone", "Europe/Berlin"]
    func drawn(_ moment: String) throws -> [UInt8] {
      let words = ["render", "budget", "--cache", commands.cache, "--at", moment] + zone
      let result = try commands.run(words)
      #expect(result.status == 0, "\(result.error)")
      return result.output
    }
    #expect(try drawn("2026-11-21T09:30") == drawn("2026-11-21T08:30:00Z"))
    #expect(try drawn("2026-11-22") == drawn("2026-11-21T23:00:00Z"))
    let feed = try commands.render("tasks")
    #expect(feed.status == 64 && feed.error.contains("'tasks' is a feed: name one of its kinds, "), "\(feed.error)")
  }

  @Test("Names of files and directories may have any bytes")
  func anyBytes() throws {
    // Foundation only accepts text, so a shell makes the names.
    func shell(_ script: String) throws -> Commands.Result {
      let words = [commands.folder.path, Commands.program, commands.cache]
      return try commands.run(["-c", script, "sh"] + words, program: "/bin/sh")
    }
    let script = #"""
      cd "$1" && d=$(printf 'd\377') && mkdir "$d"
      "$2" render daily-progress --cache "$3" -o "$d/$(printf 'a\376').svg" &&
      "$2" render --all "$d/new/$(printf 'b\376')" --cache "$3" && cd "$d" &&
      test "$(head -c4 "$(printf 'a\376').svg")" = '<svg' && test -s "new/$(printf 'b\376')/daily-progress-systemSmall.svg"
      """#
    let result = try shell(script)
    #expect(result.status == 0 && result.error.isEmpty, "\(result.error)")
    let failed = try shell(#""$2" render daily-progress --cache "$3" -o "$1/$(printf 'none\377')/a.svg""#)
    #expect(failed.status == 73 && failed.error.contains(#"none\xff/a.svg"#), "\(failed.error)")
  }

  @Test("Without data, the picture says what to do")
  func placeholder() throws {
    // The sample's nutrition file is from the day before.
    let result = try commands.render(
      "calories", "--family", "inline", "--format", "txt", at: "2026-11-22T09:30:00+01:00")
    #expect(String(decoding: result.output, as: UTF8.self) == "Sync required\n")
  }

  @Test("PNG files have the requested size, scale and depth")
  func sizes() throws {
    for (words, width, height, depth, colour) in [
      (["--scale", "2"], 340, 340, 8, 6), (["--scale", "0.5"], 85, 85, 8, 6),
      (["--bits", "1", "--scale", "1.3"], 221, 221, 1, 0),
      (["--bits", "2"], 340, 340, 2, 0), (["--bits", "4", "--scale", "1.01"], 172, 172, 4, 0),
      (["--bits", "8"], 340, 340, 8, 0), (["--appearance", "eink"], 340, 340, 8, 0),
      (["--appearance", "eink", "--bits", "8", "--redacted", "--background", "none"], 340, 340, 8, 0),
      (["--appearance", "dark"], 340, 340, 8, 6), (["--appearance", "accented"], 340, 340, 8, 6),
    ] as [([String], Int, Int, UInt8, UInt8)] {
      let words = ["render", "daily-progress", "--format", "png", "--cache", commands.cache] + words
      let png = try commands.run(words).output
      try #require(png.count > 30, "\(words)")
      // The header: width and height from byte 16, the depth at 24, the kind of colour at 25 (the PNG specification, 11.2.2).
      let numbers = [16, 20].map { png[$0..<($0 + 4)].reduce(0) { $0 << 8 | Int($1) } }
      #expect(numbers == [width, height] && png[24] == depth && png[25] == colour, "\(words)")
    }
  }

  @Test("Two processes draw the same bytes", arguments: ["svg", "png"])
  func sameBytes(format: String) throws {
    let first = try commands.render("overview", "--family", "large", "--format", format)
    #expect(!first.output.isEmpty)
    #expect(try commands.render("overview", "--family", "large", "--format", format).output == first.output)
  }

  @Test("A file is written completely or not at all, and not touched if its bytes do not change")
  func files() throws {
    let file = commands.folder.file("a.svg")
    #expect(try commands.render("budget", "-o", file).status == 0)
    let first = try FileManager.default.attributesOfItem(atPath: file)
    #expect(try commands.render("budget", "-o", file).status == 0)
    let second = try FileManager.default.attributesOfItem(atPath: file)
    #expect(first[.systemFileNumber] as? Int == second[.systemFileNumber] as? Int)
    #expect(commands.folder.names == ["a.svg", "cache"], "no temporary is left")
    #expect(try commands.render("budget", "-o", commands.folder.file("no/such/a.svg")).status == 73)
    #expect(try commands.render("budget", "-o", "/dev/full").status == 73)
  }

  // MARK: Kinds that the cache defines

  /// Defines the kind `bins`, which shows all items in two families.
  private func defineBins() throws {
    let definition = """
      {"version":1,"items":{"each":"$.bins[*]","fields":{"title":"@"}},"kinds":{"bins":{"show":"all",
      "families":["systemMedium","accessoryInline"],"content":{"text":"{count} bins"},"items":{"title":"{title}"}}}}
      """
    for (directory, name, text) in [("feeds", "bins", definition), ("bins", "a", #"{"bins":["Grey","Food"]}"#)] {
      let path = "\(commands.cache)/\(directory)"
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      try Data(text.utf8).write(to: URL(fileURLWithPath: "\(path)/\(name).json"))
    }
  }

  @Test("A defined kind is drawn in the families that its snapshot names")
  func definedKind() throws {
    #expect(try commands.render("bins").status == 64)
    try defineBins()
    let first = try commands.render("bins")
    // pictures.md section 2: a medium card is 364 points wide.
    #expect(String(decoding: first.output, as: UTF8.self).contains(#"viewBox="0 0 364 170""#), "\(first.error)")
    let line = try commands.render("bins", "--family", "inline", "--format", "txt")
    #expect(String(decoding: line.output, as: UTF8.self) == "2 bins\n", "\(line.error)")
    #expect(try commands.render("--screen", "800x480", "bins:medium", "budget:small").status == 0)
    let refused = try commands.render("bins", "--family", "large")
    #expect(
      refused.status == 64 && refused.error.contains("use one of systemMedium, accessoryInline"), "\(refused.error)")
    let misspelt = try commands.render("bin")
    #expect(misspelt.status == 64 && misspelt.error.contains("did you mean bins?"), "\(misspelt.error)")
    let ofScreen = try commands.render("budget:small")
    #expect(ofScreen.status == 64 && ofScreen.error.contains("name it with --family"), "\(ofScreen.error)")
    let second = try commands.render("budget", "small")
    #expect(second.status == 64 && second.error.contains("did you mean --family small?"), "\(second.error)")
  }

  @Test("Defined kinds are drawn together with all others")
  func allWithDefinedKinds() throws {
    try defineBins()
    let directory = commands.folder.file("pictures")
    #expect(try commands.render("--all", directory).status == 0)
    let names = (try FileManager.default.contentsOfDirectory(atPath: directory)).filter { $0.hasPrefix("bins") }
      .sorted()
    #expect(names == ["bins-accessoryInline.svg", "bins-systemMedium.svg"])
  }

  // MARK: Refusals

  @Test(
    "Unknown options and combinations are refused with 64 and one line",
    arguments: [
      ["nope"], [], ["budget", "macros"], ["budget", "--family", "large"], ["budget", "--family", "huge"],
      ["budget", "--format", "gif"], ["budget", "--scale", "5"], ["budget", "--scale", "0.4"],
      ["budget", "--scale", "x"],
      ["budget", "--bits", "1"], ["budget", "--bits", "3", "--format", "png"],
      ["budget", "--bits", "8"], ["budget", "--bits", "8", "--format", "bmp"],
      ["budget", "--bits", "16", "--format", "png"],
      ["budget", "--bits", "8", "--format", "png", "--appearance", "light"],
      ["budget", "--bits", "8", "--format", "png", "--appearance", "dark"], ["budget", "--rotate", "90"],
      ["budget", "--rotate", "0"], ["--all", "x", "--rotate", "90"],
      ["--screen", "800x480", "budget:small", "--rotate", "45"],
      ["--screen", "800x480", "budget:small", "--rotate", "x"],
      ["--screen", "800x480", "budget:small", "--rotate", "-90"],
      ["budget", "--bits", "1", "--scale", "1.2", "--format", "png"], ["budget", "--format", "txt"],
      ["calories", "--family", "inline", "--format", "txt", "--bits", "1"], ["budget", "--watch"],
      ["budget", "--at", "soon"], ["budget", "-o", "x.jpg"], ["tasks"], ["budget", "-o", ""], ["--screen", "800x480"],
      ["--screen", "0x480", "budget:small"],
      ["--screen", "8193x480", "budget:small"], ["--screen", "800", "budget:small"],
      ["--screen", "800x480", "budget:huge"],
      ["--screen", "800x480", "budget:large"], ["--screen", "800x480", "budget:small", "--format", "svg"],
      ["--screen", "100x100", "budget:small", "--bits", "1"], ["budget", "--appearance", "blue"],
      ["budget", "--tint", "#30b0c7"], ["budget", "--appearance", "dark", "--tint", "#30b0c7"],
      ["budget", "--appearance", "accented", "--tint", "blue"],
      ["budget", "--appearance", "accented", "--bits", "4", "--format", "png"], ["budget", "--background", "dark"],
      ["budget", "--background", "grey"],
      ["calories", "--family", "inline", "--format", "txt", "--redacted"],
    ])
  func usage(words: [String]) throws {
    let result = try commands.run(["render"] + words + ["--cache", commands.cache])
    #expect(result.status == 64 && result.error.hasPrefix("cachesyncd: "), "\(words)")
    #expect(result.output.isEmpty && !result.error.contains("cachesync-pictures"), "\(words)")
  }

  @Test("Pictures can be drawn in one colour, without a card, and without words")
  func styles() throws {
    func svg(_ words: String...) throws -> String {
      String(decoding: try commands.run(["render", "budget", "--cache", commands.cache] + words).output, as: UTF8.self)
    }
    let accented = try svg("--appearance", "accented", "--tint", "#30b0c7")
    #expect(accented.contains("#30B0C7") && accented.contains("#FFFFFF") && !accented.contains("#AD3A00"))
    // The default is the blue of light pictures.
    #expect(try svg("--appearance", "accented").contains("#0040DD"))
    let dark = try svg("--appearance", "accented", "--background", "dark", "--tint", "#30B0C7")
    #expect(dark.contains("#1C1C1E") && dark.contains("#30B0C7"))
    let card = #"<rect x="0" y="0" width="170" height="170""#
    #expect(dark.contains(card))
    #expect(try !svg("--appearance", "dark", "--background", "none").contains(card))
    let redacted = try svg("--redacted")
    #expect(redacted.contains("<title>Budget</title><desc></desc>") && !redacted.contains("<text"))
  }

  @Test("An error says what is missing: the cache, permission, valid settings, or the pictures program")
  func statuses() throws {
    #expect(try commands.run(["render", "budget", "--cache", commands.folder.file("none")]).status == 66)
    try Data("{".utf8).write(to: URL(fileURLWithPath: commands.cache + "/cachesync.json"))
    #expect(try commands.render("budget").status == 78)
    let alone = commands.folder.file("cachesyncd")
    try FileManager.default.copyItem(atPath: Commands.program, toPath: alone)
    let result = try commands.run(["render", "budget", "--cache", commands.cache], program: alone)
    #expect(result.status == 69 && result.error.contains("cachesync-pictures"))
  }

  // MARK: All and screens

  @Test("Every kind and family is drawn into a directory, and nothing there is removed")
  func all() throws {
    let directory = commands.folder.file("a/pictures")
    #expect(try commands.render("--all", directory).status == 0)
    let names = try FileManager.default.contentsOfDirectory(atPath: directory)
    // pictures.md section 7: 39 pictures of the built-in kinds, and 7 of the sample's two widgets.
    #expect(names.count == 46)
    #expect(Set(names) == Set(try commands.pictures("svg")) && names.contains("todays-tasks-accessoryRectangular.svg"))
    try Data("mine".utf8).write(to: URL(fileURLWithPath: directory + "/mine.svg"))
    #expect(try commands.render("--all", directory, "--format", "txt").status == 0)
    let texts = try FileManager.default.contentsOfDirectory(atPath: directory).filter { $0.hasSuffix(".txt") }
    #expect(Set(texts) == Set(try commands.pictures("txt").filter { $0.contains("-accessoryInline.") }))
    // The inline families (kinds.md): calories, todays-tasks, completed-today, current-shoe, and a widget of tasks.
    #expect(texts.count == 5)
    #expect(FileManager.default.fileExists(atPath: directory + "/mine.svg"))
  }

  @Test("If one picture cannot be written, the others are drawn, and the exit status is that of the failure")
  func oneFails() throws {
    let directory = commands.folder.file("pictures")
    try FileManager.default.createDirectory(
      atPath: directory + "/budget-systemSmall.svg/x", withIntermediateDirectories: true)
    let result = try commands.render("--all", directory)
    #expect(result.status == 73 && result.error.split(separator: "\n").count == 1)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: directory).count == (try commands.pictures("svg").count))
  }

  @Test("Several pictures are drawn on one screen")
  func screen() throws {
    let result = try commands.render(
      "--screen", "800x480", "--bits", "1", "calendar:medium", "daily-progress:systemMedium")
    #expect(result.status == 0)
    #expect(Array(result.output[16..<26]) == [0, 0, 3, 32, 0, 0, 1, 224, 1, 0], "800 by 480, 1 bit, grey")
  }

  @Test("A screen for paper is the same file with --bits 8, and as SVG paper stays as it is")
  func paper() throws {
    let screen = [
      "render", "--cache", commands.cache, "--at", Commands.moment, "--screen", "600x800", "calendar:medium",
    ]
    let bits = try commands.run(screen + ["--bits", "8"])
    #expect(
      bits.status == 0 && Array(bits.output[16..<26]) == [0, 0, 2, 88, 0, 0, 3, 32, 8, 0], "600 by 800, 8 bits, grey")
    #expect(try commands.run(screen + ["--appearance", "eink"]).output == bits.output)
    #expect(try commands.run(screen + ["--appearance", "eink", "--bits", "8"]).output == bits.output)
    #expect(try commands.render("budget", "--appearance", "eink").output.starts(with: "<svg".utf8))
  }

  @Test("A screen is drawn as a person sees it, and its file is turned", arguments: ["0", "90", "180", "270"])
  func turned(degrees: String) throws {
    let words = [
      "render", "--cache", commands.cache, "--at", Commands.moment, "--screen", "480x800", "calendar:medium",
    ]
    for (name, options) in [
      ("a.png", ["--bits", "1"]), ("a.bmp", ["--bits", "1"]), ("b.png", ["--bits", "8"]), ("c.png", []),
    ] {
      let (upright, turned) = (commands.folder.file("upright-\(name)"), commands.folder.file("turned-\(name)"))
      #expect(try commands.run(words + options + ["-o", upright]).status == 0)
      #expect(try commands.run(words + options + ["--rotate", degrees, "-o", turned]).status == 0)
      // What another program makes of both.
      let script = """
        import sys; from PIL import Image
        a, b = (Image.open(name) for name in sys.argv[1:]); a = a.rotate(-\(degrees), expand=True)
        print(a.size == b.size == \(["90", "270"].contains(degrees) ? "(800, 480)" : "(480, 800)") and a.tobytes() == b.tobytes())
        """
      let result = try commands.run(["-c", script, upright, turned], program: "/usr/bin/python3")
      #expect(String(decoding: result.output, as: UTF8.self) == "True\n", "\(name): \(result.error)")
    }
  }

  @Test("Of each mistyped option, the error names the nearest, whatever follows", arguments: ["render", "serve"])
  func mistypedOptions(command: String) throws {
    let help = String(decoding: try commands.run([command, "--help"]).output, as: UTF8.self)
    let listed = try #require(help.components(separatedBy: "OPTIONS:\n").last)
    let options = Set(listed.matches(of: /(?m)^  (?:-[a-zA-Z], )?(--[a-z-]+)/).map { String($0.1) })
    #expect(options.count > 9)
    for option in options.subtracting(["--version", "--help"]) {
      let typed = "--\(option.dropFirst(2).prefix(1))\(option.dropFirst(2))"
      let result = try commands.run([command] + (command == "render" ? ["budget"] : []) + [typed, "x"])
      let message = "Unknown option '\(typed)'. Did you mean '\(option)'?\nUsage: cachesyncd \(command) "
      #expect(result.status == 64 && result.error.hasPrefix("cachesyncd: \(message)"), "\(result.error)")
    }
  }

  @Test("If a screen is too small, the message says what would fit")
  func smallScreen() throws {
    for (words, message) in [
      // 150×170 points and margins of 8, at half a pixel each, and at 1.25.
      (["60x60", "budget:small"], "budget:systemSmall does not fit on 60x60: it takes 83x93 pixels"),
      (["100x100", "budget:small", "--bits", "1"], "systemSmall does not fit on 100x100: it takes 208x233 pixels"),
      (["800x480", "budget:smal"], "unknown family 'smal': did you mean small?"),
      (["8192x8192"] + Array(repeating: "calendar:medium", count: 65), "a screen holds at most 64 pictures"),
      (
        ["800x480", "--bits", "1"] + Array(repeating: "calendar:medium", count: 5),
        "5 pictures do not fit on 800x480: their smallest text would be too small for 1 bit; the first 4 would fit"
      ),
    ] {
      let result = try commands.run(["render", "--cache", commands.cache, "--screen"] + words)
      #expect(result.status == 64 && result.error.contains(message), "\(result.error)")
    }
  }

  @Test("A screen with a name says what does not fit, and which files it can be")
  func namedScreen() throws {
    let screens = commands.cache + "/screens"
    try FileManager.default.createDirectory(atPath: screens, withIntermediateDirectories: true)
    func write(_ widgets: String) throws {
      let text = #"{"widgets":[\#(widgets)],"size":"800x480","bits":1}"#
      try Data(text.utf8).write(to: URL(fileURLWithPath: screens + "/kitchen.json"))
    }
    // Two large cards fit, by hand: 604 of 640 points.
    let large = #""calendar:large""#
    for (count, message) in [
      (3, "the screen kitchen: 'calendar:systemLarge' does not fit in 800x480: "),
      (4, "the last 2 of 4 widgets do not fit in"),
    ] {
      try write(Array(repeating: large, count: count).joined(separator: ","))
      let result = try commands.render("--screen", "kitchen")
      #expect(result.status == 64 && result.error.contains(message), "\(result.error)")
    }
    let directory = commands.folder.file("pictures")
    #expect(try commands.render("--all", directory).status == 0)
    #expect(FileManager.default.fileExists(atPath: directory + "/screen-kitchen.svg"))
    for (words, message) in [
      (["kitchen", "calendar:large"], "the file of the screen kitchen names its widgets: leave 'calendar:large' out"),
      (["kitchen", "-o", "x.txt"], "a screen cannot be txt: it is SVG, PNG or BMP; end the name of the file in it"),
      (["800x480", "calendar:large", "-o", "x.svg"], "a screen cannot be svg: it is PNG or BMP; end the name"),
      (
        ["800x480", "calendar:large", "--format", "txt"],
        "a screen cannot be txt: it is PNG or BMP; choose it with --format"
      ),
    ] {
      let result = try commands.run(["render", "--cache", commands.cache, "--screen"] + words)
      #expect(result.status == 64 && result.error.contains(message), "\(result.error)")
    }
  }

  @Test("A BMP file has one bit a pixel, and another program reads the pixels of the PNG file from it")
  func bitmap() throws {
    let words = ["--screen", "800x480", "--bits", "1", "calendar:medium", "todays-tasks:large", "-o"]
    for name in ["screen.png", "screen.bmp"] {
      let file = commands.folder.file(name)
      #expect(
        try commands.run(["render", "--cache", commands.cache, "--at", Commands.moment] + words + [file]).status == 0)
    }
    let bytes = try commands.folder.bytes("screen.bmp")
    // 14 bytes of the file's header, 40 of the picture's, 8 of the palette, and 480 rows of 100.
    #expect(bytes.count == 48_062)
    let script = """
      import sys; from PIL import Image
      a, b = (Image.open(name) for name in sys.argv[1:])
      print(a.format, b.format, b.mode, b.size, a.convert("L").tobytes() == b.convert("L").tobytes())
      """
    let result = try commands.run(
      ["-c", script, commands.folder.file("screen.png"), commands.folder.file("screen.bmp")],
      program: "/usr/bin/python3")
    #expect(String(decoding: result.output, as: UTF8.self) == "PNG BMP 1 (800, 480) True\n", "\(result.error)")
    let greys = try commands.render("calendar", "--format", "bmp", "--bits", "2")
    #expect(greys.status == 64 && greys.error.contains("bmp has 1 bit a pixel"), "\(greys.error)")
  }

  @Test("Two processes draw every picture the same, until the next boundary")
  func boundaries() throws {
    let first = try pictures(at: Commands.moment)
    #expect(first.count == (try commands.pictures("svg").count))
    #expect(try pictures(at: Commands.moment) == first)
    let words = ["next", "--json", "--count", "4", "--cache", commands.cache, "--at", Commands.moment]
    let next = try JSONDecoder().decode(Next.self, from: Data(try commands.run(words).output))
    let dates = next.boundaries.map(\.date)
    try #require(dates.count == 4)
    for (date, following) in zip(dates, dates.dropFirst()) {
      let last = try #require(ISO8601DateFormatter().date(from: following)).addingTimeInterval(-1)
      #expect(try pictures(at: date) == pictures(at: ISO8601DateFormatter().string(from: last)), "\(date)")
    }
  }

  private struct Next: Decodable {
    struct Boundary: Decodable { var date: String }
    var boundaries: [Boundary]
  }

  /// The bytes of every picture, by file name.
  private func pictures(at moment: String) throws -> [String: [UInt8]] {
    let directory = "at-\(UUID().uuidString)"
    #expect(try commands.render("--all", commands.folder.file(directory), at: moment).status == 0)
    let names = try FileManager.default.contentsOfDirectory(atPath: commands.folder.file(directory))
    return try Dictionary(uniqueKeysWithValues: names.map { ($0, try commands.folder.bytes("\(directory)/\($0)")) })
  }

  @Test("With --watch, errors in the settings do not end it once it has drawn")
  func watchWithMistakes() throws {
    let settings = URL(fileURLWithPath: commands.cache + "/cachesync.json")
    let words = ["render", "--all", commands.folder.file("pictures"), "--watch", "--cache", commands.cache]
    try Data("{".utf8).write(to: settings)
    #expect(try commands.run(words).status == 78, "at the start a mistake ends it")
    try Data("{}".utf8).write(to: settings)

    let agent = try commands.start(["run", "--cache", commands.cache])
    defer { agent.terminate() }
    let errors = commands.folder.file("errors")
    let watching = try commands.start(words, errors: errors)
    defer { watching.terminate() }
    let file = commands.folder.file("pictures/task-count-accessoryCircular.svg")
    #expect(Commands.holds { FileManager.default.fileExists(atPath: file) })
    #expect(try commands.run(["wait", "--cache", commands.cache]).status == 0)
    try Data("{".utf8).write(to: settings)
    #expect(try commands.run(["intent", "add-task", "title=one", "--cache", commands.cache]).status == 0)
    #expect(try Commands.holds { try String(contentsOfFile: errors, encoding: .utf8).contains("cachesync.json") })
    try Data("{}".utf8).write(to: settings)
    let before = try String(contentsOfFile: file, encoding: .utf8)
    #expect(try commands.run(["intent", "add-task", "title=two", "--cache", commands.cache]).status == 0)
    #expect(try Commands.holds { try String(contentsOfFile: file, encoding: .utf8) != before })
    #expect(watching.isRunning)
  }

  @Test("With --watch, each publication draws the changed pictures again")
  func watch() throws {
    let agent = try commands.start(["run", "--cache", commands.cache])
    defer { agent.terminate() }
    let directory = commands.folder.file("pictures")
    let watching = try commands.start(["render", "--all", directory, "--watch", "--cache", commands.cache])
    defer { watching.terminate() }
    let file = directory + "/task-count-accessoryCircular.svg"
    #expect(Commands.holds { FileManager.default.fileExists(atPath: file) })
    #expect(try commands.run(["wait", "--cache", commands.cache]).status == 0)
    var drawn = try String(contentsOfFile: file, encoding: .utf8)
    for count in 1...3 {
      let title = "task \(count)"
      #expect(try commands.run(["intent", "add-task", "title=\(title)", "--cache", commands.cache]).status == 0)
      let before = drawn
      #expect(
        try Commands.holds {
          drawn = try String(contentsOfFile: file, encoding: .utf8)
          return drawn != before && drawn.hasPrefix("<svg") && drawn.hasSuffix("</svg>\n")
        }, "\(title)")
    }
  }

  @Test("A signal ends render with its status, and leaves no temporary", arguments: [SIGTERM, SIGINT, SIGHUP])
  func ended(by signal: Int32) throws {
    for attempt in 0..<4 {
      let directory = commands.folder.file("pictures-\(attempt)")
      func names() -> [String] { (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? [] }
      let drawing = try commands.start(["render", "--all", directory, "--watch", "--cache", commands.cache])
      // During writing, or otherwise between two files.
      let deadline = ContinuousClock.now + .seconds(30)
      while !names().contains(where: { $0.hasPrefix(".") }), names().count < 20 + attempt * 4,
        ContinuousClock.now < deadline
      {}
      kill(drawing.processIdentifier, signal)
      drawing.waitUntilExit()
      #expect(drawing.terminationReason == .uncaughtSignal && drawing.terminationStatus == signal)
      #expect(names().filter { !$0.hasSuffix(".svg") } == [])
      #expect(!names().isEmpty)
    }
  }

  @Test("The permissions of a replaced file are kept")
  func permissions() throws {
    let file = commands.folder.file("a.svg")
    try Data("old".utf8).write(to: URL(fileURLWithPath: file))
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file)
    #expect(try commands.render("budget", "-o", file).status == 0)
    #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o640)
  }
}
