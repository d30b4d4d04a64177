import CacheSync
import CacheSyncSystem
import Testing
import TestSupport

@Suite("Names of files")
struct FileNamesTests {
  private let layout = FeedRegistry.builtIn.layout

  @Test(
    "A name is unfinished if a whole part after its first dot is one of eight words, in any case",
    arguments: [
      ("birthday.party.ics", true), ("com.partner.app.json", true), ("template.json", true),
      ("partial-list.json", true),
      ("a.tmpl.json", true), ("a.parts.json", true), ("x.swp1.json", true), ("part-1.json", true),
      ("a.tmp.json", false), ("a.temp.json", false), ("a.part.json", false), ("a.PARTIAL.json", false),
      ("a.swp.json", false), ("a.NoSync.json", false), ("a.crdownload.json", false), ("a.filepart.ics", false),
      ("tmp.json", true), ("temp.json", true), ("PART.json", true), ("temp.a.json", true), ("temp.tmp.json", false),
      (".a.json", false), ("a~", false),
    ])
  func unfinished(name: String, isRead: Bool) {
    #expect((layout.role(of: CachePath("events/\(name)")) == .session("events")) == isRead)
    #expect(layout.holdsSessions(CachePath("events/\(name)")) == isRead, "a directory's name too")
  }

  @Test("A directory, a definition, a widget and a screen may have the name of a mark; an ending is one")
  func wholeNames() {
    #expect(layout.role(of: CachePath("events/temp/a.json")) == .session("events"))
    #expect(layout.role(of: CachePath("events/a.temp/a.json")) == .ignored)
    #expect(layout.role(of: CachePath("events/a.json.tmp")) == .ignored)
    #expect(layout.role(of: CachePath("feeds/temp.json")) == .session("feeds"))
    #expect(layout.role(of: CachePath("widgets/part.json")) == .session("widgets"))
    #expect(layout.role(of: CachePath("screens/swp.json")) == .session("screens"))
  }

  @Test("Endings ignore case, except in names with a meaning to the agent")
  func endings() {
    for (path, role) in [
      ("tasks/A.JSON", .session("tasks")), ("events/B.ICS", .session("events")), ("events/c.Ics", .session("events")),
      ("tasks/b.ICS", .session("tasks")), ("shoes/b.ics", .ignored), ("x.JSON", .unclaimed),
      ("other/x.Json", .unclaimed), ("snapshots/a.json", .ignored), ("snapshots/sub/a.json", .ignored),
      ("snapshots/a.ics", .ignored), ("feeds/sub/a.json", .unclaimed), ("feeds/a.ics", .ignored), ("a.ics", .ignored),
      ("feeds/bins.JSON", .unclaimed),
      ("CACHESYNC.JSON", .unclaimed), ("cachedTasks.JSON", .unclaimed), ("feeds/bins.json", .session("feeds")),
    ] as [(String, CacheLayout.Role)] {
      #expect(layout.role(of: CachePath(path)) == role, "\(path)")
    }
  }

  @Test(
    "A sync tool's conflict copy is recognized by its name, together with the original file",
    arguments: [
      // As named by Syncthing (folder documentation), the clients of Nextcloud and ownCloud, Dropbox, rclone bisync,
      // Resilio Sync, Seafile, Unison, Synology Drive and pCloud; by copyparty 1.20.26 for two uploads, seen.
      ("a.sync-conflict-20261124-101500-ABCDEF7.json", "a.json"),
      ("a.SYNC-CONFLICT-20261124-101500-ABCDEF7.JSON", "a.JSON"),
      ("a.sync-conflict-20261124-101500-ABCDEF7.sync-conflict-20261125-101500-ABCDEF7.json", "a.json"),
      ("a (conflicted copy 2026-11-24 101500).json", "a.json"),
      ("a.b (conflicted copy ann 2026-11-24 101500).json", "a.b.json"),
      ("a_conflict-20261124-101500.json", "a.json"), ("a_conflict-ann-20261124-101500.json", "a.json"),
      ("a (case clash from ann 2026-11-24 101500).json", "a.json"),
      ("a (Ann's conflicted copy 2026-11-24).json", "a.json"),
      ("a (Ann's Conflicted Copy 2026-11-24) (1).json", "a (1).json"),
      ("a (ann.lee's conflicted copy 2026-11-24).json", "a.json"), ("a (Case Conflict).json", "a.json"),
      ("a (In Konflikt stehende Kopie von Ann 2026-11-24).json", "a.json"),
      ("a (Copie en conflit de Ann 2026-11-24).json", "a.json"),
      ("a (cópia em conflito de Ann 2026-11-24).json", "a.json"),
      ("a (Ann の競合コピー 2026-11-24).json", "a.json"), ("a (conflict copy).json", "a.json"),
      ("a (conflict on 2026-11-24).json", "a.json"),
      ("a (SFConflict ann@example.org 2026-11-24-10-15-00).json", "a.json"),
      ("a.json.conflict1", "a.json"), ("a.conflict2.json", "a.json"), ("a.conflict-2026.json", "a.json"),
      ("a_DiskStation_Nov-24-101500-2026_Conflict.json", "a.json"), ("a [conflicted].json", "a.json"),
      ("a.Conflict.json", "a.json"), ("sub.conflict1/a.json", "sub/a.json"),
      ("sub (conflicted copy 2026-11-24 101500)/a.json", "sub/a.json"),
      ("a.json-1795956835.214153-adO8eipP.json", "a.json"), ("a b.JSON-1795956836.419849-ad_8-ipP.JSON", "a b.JSON"),
      ("a.json-1795956862.416089-127.0.0.1.json", "a.json"), ("a.json-1795956862.468730-..1.json", "a.json"),
      ("a.json-1795956835.214153-adO8eipP.json-1795956836.951824-adO8eipP.json", "a.json"),
    ])
  func copies(name: String, original: String) {
    #expect(layout.role(of: CachePath("tasks/\(name)")) == .copy(of: CachePath("tasks/\(original)")))
  }

  @Test(
    "A user's own words about conflicts do not make a name a conflict copy",
    arguments: [
      "conflict.json", "conflicts.json", "my.conflicts.json", "a (conflict with the dentist).json",
      "conflict-copy.json",
      "a (copy 2026-11-24).json", "a (1).json", "resolve_conflict-today.json", "(conflicted copy 2026-11-24).json",
      "a.conflictresolution.json", "a [conflict with the dentist].json", "border_conflict.json", "a_b_conflict.json",
      "a (conflict copy) notes.json", "a (conflict copy.json", "a-1795956835.214153-adO8eipP.json",
      "a.json-1795956835-adO8eipP.json", "a.json-1795956835.214153-.json", "a.json-1795956835.214153.json",
      "a.ics-1795956835.214153-adO8eipP.json", "a.json-2026.11.24-adO8eipP.json", "1795956835.214153-adO8eipP.json",
    ])
  func noCopies(name: String) { #expect(layout.role(of: CachePath("tasks/\(name)")) == .session("tasks")) }

  @Test("Any name made of parts of marks has a role, and its original is shorter")
  func anyName() {
    let parts = [
      "a", ".", ".json", ".ics", "-", "_", " ", " (", ")", " [", "~", "conflict", "conflicted copy", "[conflicted]",
      ".sync-conflict-", "20261124-101500", "2026-11-24", "1795956835.214153", "adO8eipP", "case clash from ", "_HOST",
      "_Nov-24-101500-2026_Conflict", ".cachesync-3kf9", "é", "1", "12345678901",
    ]
    var random = SeededGenerator(state: 1)
    for _ in 0..<20_000 {
      let name = (0..<Int.random(in: 1...6, using: &random)).map { _ in parts.randomElement(using: &random) ?? "" }
        .joined()
      let path = CachePath("tasks/\(name)")
      _ = layout.mayBeCopy(path)
      if case .copy(let original) = layout.role(of: path) {
        #expect(original.bytes.count < path.bytes.count, "\(name)")
      }
    }
  }

  @Test(
    "Calendars, settings, definitions and files at the top can have conflict copies; files that are not read cannot")
  func copiesOfOthers() {
    let mark = " (conflicted copy 2026-11-24 101500)"
    for (path, original) in [
      ("events/a\(mark).ics", "events/a.ics"), ("events/cal.ics-1795956835.381074-adO8eipP.ics", "events/cal.ics"),
      ("cachesync\(mark).json", "cachesync.json"),
      ("feeds/bins\(mark).json", "feeds/bins.json"), ("cachedTasks\(mark).json", "cachedTasks.json"),
      ("tasks\(mark)/a.json", "tasks/a.json"),
    ] {
      #expect(layout.role(of: CachePath(path)) == .copy(of: CachePath(original)), "\(path)")
    }
    #expect(layout.role(of: CachePath("notes/a\(mark).json")) == .unclaimed)
    #expect(layout.role(of: CachePath("tasks/a\(mark).txt")) == .ignored)
    #expect(layout.role(of: CachePath("tasks/.a\(mark).json")) == .ignored)
    #expect(layout.role(of: CachePath("snapshots\(mark)/tasks.json")) == .ignored)
    #expect(!layout.mayBeCopy(CachePath("notes\(mark)")) && layout.mayBeCopy(CachePath("tasks/sub\(mark)")))
    #expect(layout.original(ofCopy: CachePath("tasks/sub\(mark)"), isDirectory: false) == nil)
    #expect(layout.original(ofCopy: CachePath("feeds\(mark)"), isDirectory: true) == CachePath("feeds"))
    #expect(!layout.mayBeCopy(CachePath("feeds/sub\(mark)")), "the agent reads no directory in feeds")
    #expect(!layout.mayBeCopy(CachePath("tasks/.sub\(mark)")) && !layout.mayBeCopy(CachePath("tasks/a.json")))
    for (original, feed) in [("cachesync.json", nil), ("tasks/a.json", "tasks"), ("tasks/sub", "tasks")] {
      #expect(layout.feed(ofOriginal: CachePath(original)) == feed.map { FeedName($0) }, "\(original)")
    }
  }

  @Test(
    "Directories of file systems and appliances contain no session files, and are not caches",
    arguments: [
      "lost+found", "System Volume Information", "$RECYCLE.BIN", "$Recycle.Bin", "@eaDir", "#recycle", ".stversions",
      "@tmp", "@Recycle", "#snapshot",
    ])
  func systemDirectories(name: String) {
    #expect(layout.role(of: CachePath("tasks/\(name)/a.json")) == .ignored)
    #expect(!layout.holdsSessions(CachePath("tasks/\(name)")) && !layout.mayBeDirectory(CachePath("tasks/\(name)")))
    #expect(!layout.mayHoldUnclaimed(CachePath("other/\(name)")) && !layout.mayHoldIgnored(CachePath("tasks/\(name)")))
    #expect(!CacheLayout.isCacheName(Array(name.utf8)))
  }

  @Test("A cache may have any other name that is not hidden and not a conflict copy's")
  func cacheNames() {
    for name in ["anna", "a.tmp", "tmp", "backup~", "lost", "#inbox"] {
      #expect(CacheLayout.isCacheName(Array(name.utf8)))
    }
    #expect(!CacheLayout.isCacheName(Array("anna (conflicted copy 2026-11-24 101500)".utf8)))
  }

  @Test("A document is a calendar if its first line says so, after a byte-order mark and white space")
  func calendars() throws {
    let ending = try #require(FeedRegistry.builtIn.feed(named: "events")?.claims.endings.first)
    for text in ["BEGIN:VCALENDAR\r\n", "\u{feff}\r\n \tbegin:vcalendar\n", "Begin:VCalendar"] {
      #expect(ending.fits(Array(text.utf8)), "\(text)")
    }
    for text in ["", "[]", "BEGIN:VCARD\r\n", "BEGIN:VCALENDARS\r\n", "{\"a\":\"BEGIN:VCALENDAR\"}", "BEGIN:VCALENDA"] {
      #expect(!ending.fits(Array(text.utf8)), "\(text)")
    }
  }
}
