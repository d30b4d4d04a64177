import CacheSync
import CacheSyncSystem
import Glibc
import Logging
import SystemPackage

/// Where a command's output goes.
public enum Terminal {
  /// Writes bytes to standard output, and waits for a reader that is slow. One that went away ends the command quietly.
  public static func write(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      do {
        rest = rest.dropFirst(try rest.withUnsafeBytes { try FileDescriptor.standardOutput.write($0) })
      } catch Errno.wouldBlock {
        // Another process may have made the terminal or the pipe non-blocking, for all that share it.
        var output = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
        poll(&output, 1, -1)
      } catch Errno.brokenPipe {
        exit(0)
      } catch {
        Self.error("cannot write standard output: \(error)")
        exit(ExitStatus.inputOutput.rawValue)
      }
    }
  }

  /// Writes a text and a newline.
  public static func line(_ text: String) { write(Array(text.utf8) + [UInt8(ascii: "\n")]) }

  /// Writes bytes and a newline.
  public static func line(_ bytes: [UInt8]) { write(bytes + [UInt8(ascii: "\n")]) }

  /// Says on standard error what went wrong.
  public static func error(_ text: String) { StandardError.write(text, .error) }
}
