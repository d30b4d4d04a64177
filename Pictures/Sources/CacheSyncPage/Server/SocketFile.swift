import Glibc
import HummingbirdCore
import NIOCore
import SystemPackage

/// The file of a unix socket: its name, its mode, and what is left of an earlier server.
///
/// The server's library takes only paths that are text. So it is given another name in the same directory, and the socket is
/// renamed once the server listens; it replaces one without a server.
final class SocketFile: Sendable {
  private let path: FilePath
  /// Open, so that files in it have names that are text.
  private let directory: Int32
  private let temporaryName = ".cachesync-\(String(UInt64.random(in: .min ... .max), radix: 36))"
  /// What was in force before. Until it is again, only this user may connect to what is made.
  private let mask: mode_t

  /// - Throws: ``ListenError`` when a server listens there, when what is there is no socket, and when there is no directory.
  init(_ path: FilePath) throws(ListenError) {
    self.path = path
    let address = ListenAddress.unix(path)
    var about = stat()
    if path.withPlatformString({ lstat($0, &about) }) == 0 {
      guard about.st_mode & S_IFMT == S_IFSOCK else {
        throw ListenError("\(address) is no socket: name another file", .addressInUse)
      }
      if Self.isListening(path) { throw ListenError(IOError(errnoCode: EADDRINUSE, reason: "bind"), at: address) }
    }
    let parent = path.removingLastComponent()
    directory = (parent.isEmpty ? FilePath(".") : parent).withPlatformString {
      open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    }
    guard directory >= 0 else { throw ListenError(IOError(errnoCode: errno, reason: "open"), at: address) }
    mask = umask(0o177)
  }

  deinit {
    unlinkat(directory, temporaryName, 0)
    close(directory)
  }

  /// For the library.
  var bindAddress: BindAddress { .unixDomainSocket(path: "/proc/self/fd/\(directory)/\(temporaryName)") }

  /// The mask that was in force: nothing else is made for the socket.
  func restoreMask() { umask(mask) }

  /// Gives the socket its own name, now that a server listens on it.
  func publish() {
    restoreMask()
    _ = path.withPlatformString { renameat(directory, temporaryName, AT_FDCWD, $0) }
  }

  /// Removes the socket at the server's end.
  func remove() { path.withPlatformString { _ = unlink($0) } }

  private static func isListening(_ path: FilePath) -> Bool {
    let socket = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard socket >= 0 else { return false }
    defer { close(socket) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    path.withPlatformString { source in
      withUnsafeMutableBytes(of: &address.sun_path) { target in
        // The last byte stays zero; a path that is longer was refused as an address.
        target.copyMemory(from: UnsafeRawBufferPointer(start: source, count: min(path.length, target.count - 1)))
      }
    }
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
  }
}
