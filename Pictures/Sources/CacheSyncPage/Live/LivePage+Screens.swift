import CacheSync
package import CacheSyncPictures
import CacheSyncSystem
import Glibc
import SystemPackage

enum Shown: Hashable, Sendable {
  /// Every kind in every family.
  case gallery
  /// One screen, in a window of this size.
  case screen(String, PixelSize)

  /// The windows for which a screen is drawn. What is smaller or larger is scaled.
  static func window(_ size: PixelSize) -> PixelSize {
    PixelSize(width: min(max(size.width, 320), 3_840), height: min(max(size.height, 240), 2_160))
  }

  /// Without a script, the window's size is unknown.
  static let usualWindow = PixelSize(width: 1_280, height: 800)
}

/// The screens of the cache as they were last read.
struct KnownScreens {
  var plans: [String: ScreenPlan] = [:]
  /// The files that they were read from; nil: they were not read yet.
  var files: [String: FileVersion]?
}

extension LivePage {
  /// The screens of the cache by name, read again once a file has changed. A failure leaves the last ones.
  package func currentScreens() async -> [String: ScreenPlan] {
    guard screenFiles() != screens.files else { return screens.plans }
    // All who ask meanwhile share the reading, as ``askAgent()`` does it.
    let reading =
      screenReading
      ?? Task {
        await readScreens()
        screenReading = nil
      }
    screenReading = reading
    await reading.value
    return screens.plans
  }

  private func readScreens() async {
    let files = screenFiles()
    if files.keys.contains(where: { $0.hasPrefix(Self.screensFolder) }) {
      guard let output = try? await questions.output(.screens), let plans = ScreenPlan.all(output) else { return }
      // Of what changed meanwhile, the next question brings the rest.
      screens = KnownScreens(plans: plans, files: files)
    } else {
      screens = KnownScreens(files: files)
    }
    sendChanges()
  }

  /// The files of screens, and those that decide what their kinds are called.
  private func screenFiles() -> [String: FileVersion] {
    var files: [String: FileVersion] = [:]
    for folder in [Self.screensFolder, "widgets", "feeds"] {
      guard let directory = cache.appending(folder).withPlatformString({ opendir($0) }) else { continue }
      defer { closedir(directory) }
      while let entry = readdir(directory) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        let path = "\(folder)/\(name)"
        if name.hasSuffix(".json") { files[path] = FileVersion(of: cache.appending(path)) }
      }
    }
    return files
  }

  private static let screensFolder = "screens"

  /// A page of a screen, for the current time or another.
  ///
  /// - Parameter window: nil: unknown.
  func screenPage(_ name: String, in window: PixelSize?, at moment: Instant?) async -> ScreenPage {
    let plan = await currentScreens()[name]
    let size = window.map(Shown.window) ?? Shown.usualWindow
    var view = (try? await present()) ?? .empty(moment: now())
    var error: String?
    if let moment {
      do { view = try await self.view(at: moment) } catch let failure { error = "\(failure)" }
    }
    let part = part(of: name, in: size, view, isPast: moment != nil)
    return ScreenPage(name: name, plan: plan, window: size, view: view, isPast: moment != nil, part: part, error: error)
  }

  /// The part of a screen's page that changes.
  func part(of name: String, in window: PixelSize, _ view: CacheView, isPast: Bool = false) -> ScreenPart {
    var part = cards.screen(name, screens.plans[name], in: window, of: view, isPast: isPast)
    if screens.plans[name] == nil, let near = NearestName.of(name, among: screens.plans.keys.sorted()) {
      part.message = "<p class=\"notice\">\(view.language(.noSuchScreen, [.name: name])): \(near)?</p>"
    }
    return part
  }

  /// Reads the screens again when their files change, and sends them to listeners.
  func followScreens() async {
    let inotify = InotifyInstance()
    while !Task.isCancelled {
      _ = try? inotify.watch(cache, for: IN_CREATE | IN_MOVED_TO | IN_DELETE | IN_MOVED_FROM)
      _ = try? inotify.watch(
        cache.appending(Self.screensFolder), for: IN_CLOSE_WRITE | IN_MOVED_TO | IN_DELETE | IN_MOVED_FROM)
      _ = await currentScreens()
      // Where there is no instance, it looks as often as the listener of snapshots does.
      if !(await inotify.wait(atMost: inotify.isOpen ? nil : 2_000)) { try? await Task.sleep(for: .seconds(2)) }
      // What a program writes in several steps is read once.
      try? await Task.sleep(for: .milliseconds(50))
      inotify.drainEvents { _ in }
    }
  }
}
