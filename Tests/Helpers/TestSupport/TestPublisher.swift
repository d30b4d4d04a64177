import CacheSync
import Foundation
import Glibc
import SystemPackage

extension TemporaryCache {
  /// A minimal snapshot that a reader accepts, as one line.
  package static func snapshot(_ kind: String, generation: Int) -> String {
    #"{"deepLink":"brados://mealplan","entries":[{"content":{},"date":"2026-11-21T05:00:00Z","state":"current"}],"#
      + #""generation":\#(generation),"kind":"\#(kind)","publishedAt":"2026-11-21T14:03:22Z","timeZone":"UTC","#
      + #""widgetKind":"MealPlanWidget"}"# + "\n"
  }

  /// Renames a snapshot into place, as an agent does, but as fast as a test needs. Uses only system calls, so that a
  /// test can make a hundred thousand publications.
  package func publish(_ kind: String, generation: Int) throws {
    mkdir(file("snapshots").path, 0o755)
    let temporary = file(".temporary").path
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw Errno(rawValue: errno) }
    let bytes = Array(Self.snapshot(kind, generation: generation).utf8)
    let count = Glibc.write(descriptor, bytes, bytes.count)
    close(descriptor)
    guard count == bytes.count, rename(temporary, file("snapshots/\(kind).json").path) == 0 else {
      throw Errno(rawValue: errno)
    }
  }
}
