import CacheSyncSystem
import Glibc
import Logging
import SystemPackage

/// The output of a command.
public enum Terminal {
  /// Writes bytes to standard output, and waits for a slow reader. If the reader has disconnected, the command ends
  /// quietly.
  public static func write(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      do {
        rest = rest.dropFirst(try rest.withUnsafeBytes { try FileDescriptor.standardOutput.write($0) })
      } catch Errno.wouldBlock {
        // Another process may have made the shared terminal or pipe non-blocking.
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

  /// Writes an error to standard error.
  public static func error(_ text: String) { StandardError.write(text, .error) }
}
