import Glibc
import HummingbirdCore
import NIOCore
import SystemPackage

/// The file of a unix socket: its name, its mode, and the remains of an earlier server.
///
/// The server's library accepts only paths that are valid text. So it gets another name in the same directory, and the
/// socket is renamed once the server listens. The rename replaces a socket without a server.
final class SocketFile: Sendable {
  private let path: FilePath
  /// Open, so that files in it can be named by text.
  private let directory: Int32
  private let temporaryName = ".cachesync-\(String(UInt64.random(in: .min ... .max), radix: 36))"
  /// The umask before this socket. Until it is restored, only this user may connect to a new socket.
  private let mask: mode_t

  /// - Throws: ``ListenError`` when another server listens there, when the file is not a socket, and when the directory
  ///   is missing.
  init(_ path: FilePath) throws(ListenError) {
    self.path = path
    let address = ListenAddress.unix(path)
    var about = stat()
    if path.withPlatformString({ lstat($0, &about) }) == 0 {
      guard about.st_mode & S_IFMT == S_IFSOCK else {
        throw ListenError("\(address) is not a socket: name another file", .addressInUse)
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

  /// The address for the library.
  var bindAddress: BindAddress { .unixDomainSocket(path: "/proc/self/fd/\(directory)/\(temporaryName)") }

  /// Restores the earlier umask, once the socket exists.
  func restoreMask() { umask(mask) }

  /// Renames the socket to its own name, once a server listens on it.
  func publish() {
    restoreMask()
    _ = path.withPlatformString { renameat(directory, temporaryName, AT_FDCWD, $0) }
  }

  /// Removes the socket when the server ends.
  func remove() { path.withPlatformString { _ = unlink($0) } }

  private static func isListening(_ path: FilePath) -> Bool {
    let socket = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard socket >= 0 else { return false }
    defer { close(socket) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    path.withPlatformString { source in
      withUnsafeMutableBytes(of: &address.sun_path) { target in
        // The last byte stays zero. A longer path was rejected as an address.
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
