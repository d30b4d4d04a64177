import Glibc
import SystemPackage

/// The file of a unix socket: its mode, and what is left of an earlier server.
enum SocketFile {
  /// Makes room for a socket. One without a server is replaced by the server's library.
  ///
  /// - Throws: ``ListenError`` when a server listens there, or when what is there is no socket.
  static func prepare(_ address: ListenAddress) throws(ListenError) {
    guard case .unix(let path) = address else { return }
    var about = stat()
    guard path.withPlatformString({ lstat($0, &about) }) == 0 else { return }
    guard about.st_mode & S_IFMT == S_IFSOCK else {
      throw ListenError("\(path) is no socket: name another file", .addressInUse)
    }
    if isListening(path) { throw ListenError("another program listens on \(path): name another file", .addressInUse) }
  }

  /// Only this user may connect to what is made from now on.
  ///
  /// - Returns: the mask that was in force, for later.
  static func restrictMode(_ address: ListenAddress) -> mode_t {
    if case .unix = address { return umask(0o177) }
    let mask = umask(0)
    umask(mask)
    return mask
  }

  static func remove(_ address: ListenAddress) {
    if case .unix(let path) = address { path.withPlatformString { _ = unlink($0) } }
  }

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
