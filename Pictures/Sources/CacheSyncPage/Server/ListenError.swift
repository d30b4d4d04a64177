import Glibc
import NIOCore
import SystemPackage

/// Why the page cannot be served at an address, in one line.
package struct ListenError: Error, Sendable, Equatable, CustomStringConvertible {
  package enum Reason: Sendable, Equatable {
    case addressInUse, notPermitted, noSuchAddress, other
  }

  package var description: String
  package var reason: Reason

  init(_ description: String, _ reason: Reason) {
    self.description = description
    self.reason = reason
  }

  init(_ error: any Error, at address: ListenAddress) {
    let code = (error as? IOError)?.errnoCode
    switch code {
    case EADDRINUSE:
      self.init("another program listens on \(address): stop it, or choose another --listen", .addressInUse)
    case EACCES, EPERM: self.init("not permitted to listen on \(address): choose another --listen", .notPermitted)
    case EADDRNOTAVAIL: self.init("this machine has no address \(address): choose another --listen", .noSuchAddress)
    case ENOENT, ENOTDIR: self.init("there is no directory for \(address): create it", .noSuchAddress)
    default:
      self.init("cannot listen on \(address): \(code.map { Errno(rawValue: $0).description } ?? "\(error)")", .other)
    }
  }
}
