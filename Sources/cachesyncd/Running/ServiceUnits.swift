import CacheSync
import CacheSyncSystem
import Glibc
import SystemPackage

/// The systemd units that run agents on this machine, if their files are in systemd's search path (systemd.unit(5)).
struct ServiceUnits {
  /// The options of `systemctl` for the service manager that runs the unit.
  private let options: String
  private let unit: String

  /// The unit that serves a cache; nil when none is installed, or none serves this one.
  init?(serving cache: FilePath) {
    let cache = cache.lexicallyNormalized()
    if cache == (try? DefaultCache.ofUser)?.lexicallyNormalized(),
      Self.isInstalled("cachesyncd.service", in: Self.userPath)
    {
      (options, unit) = ("--user ", "cachesyncd")
    } else if cache.removingLastComponent() == Self.systemCaches, let name = cache.lastComponent?.string,
      name.utf8.allSatisfy(Self.isPlain), Self.isInstalled("cachesyncd@.service", in: Self.systemPath)
    {
      (options, unit) = ("", "cachesyncd@\(name)")
    } else {
      return nil
    }
  }

  var start: String { "systemctl \(options)start \(unit)" }
  var restart: String { "systemctl \(options)restart \(unit)" }
  var messages: String { "journalctl \(options)-u \(unit)" }

  /// The user with whose last session an agent ends, because a service manager of that user runs it as a unit and does not
  /// linger (loginctl(1)); nil: it goes on.
  static func userOfSession(ofProcess process: Int) -> String? {
    guard let groups = try? FileDescriptor.readAll(at: FilePath("/proc/\(process)/cgroup")),
      let user = user(inGroups: String(decoding: groups, as: UTF8.self))
    else { return nil }
    let name = AccessAdvice.name(of: user)
    return FilePath("/var/lib/systemd/linger").appending(name).exists ? nil : name
  }

  /// The user whose service manager runs a process as a unit, from the process's control groups (cgroups(7)).
  static func user(inGroups groups: String) -> UInt32? {
    for line in groups.split(separator: "\n") where line.hasSuffix(".service") {
      let manager = line.split(separator: "/").dropLast().first { $0.hasPrefix("user@") && $0.hasSuffix(".service") }
      if let user = manager.flatMap({ UInt32($0.dropFirst(5).dropLast(8)) }) { return user }
    }
    return nil
  }

  /// The directory with the caches of the template's instances, each under its instance name.
  private static let systemCaches = FilePath("/var/cache/cachesync")

  private static let systemPath = [
    "/etc/systemd/system", "/run/systemd/system", "/usr/local/lib/systemd/system", "/usr/lib/systemd/system",
    "/lib/systemd/system",
  ].map { FilePath($0) }

  private static var userPath: [FilePath] {
    let home = DefaultCache.home ?? "/"
    let configuration = DefaultCache.directory(inVariable: "XDG_CONFIG_HOME") ?? home.appending(".config")
    let data = DefaultCache.directory(inVariable: "XDG_DATA_HOME") ?? home.appending(".local/share")
    let runtime = DefaultCache.directory(inVariable: "XDG_RUNTIME_DIR").map { [$0.appending("systemd/user")] } ?? []
    return [configuration.appending("systemd/user"), data.appending("systemd/user")] + runtime
      + [
        "/etc/systemd/user", "/run/systemd/user", "/usr/local/lib/systemd/user", "/usr/local/share/systemd/user",
        "/usr/lib/systemd/user", "/usr/share/systemd/user", "/lib/systemd/user",
      ].map { FilePath($0) }
  }

  /// A masked unit is a link to /dev/null, which is not a regular file.
  private static func isInstalled(_ unit: String, in path: [FilePath]) -> Bool {
    for directory in path {
      var about = Glibc.stat()
      guard directory.appending(unit).withPlatformString({ stat($0, &about) }) == 0 else { continue }
      // The first file with that name counts.
      return about.st_mode & S_IFMT == S_IFREG
    }
    return false
  }

  /// Whether a byte of an instance's name needs no escape (systemd-escape(1)) and no quotes.
  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "-"):
      true
    default: false
    }
  }
}
