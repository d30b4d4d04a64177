package import Glibc
package import SystemPackage

/// What to do when this process may not use a file or directory: the end of a message, with a command that can be
/// pasted into a shell.
package enum AccessAdvice {
  /// Whether an error means that this process lacks a permission.
  package static func isNeeded(for reason: Errno) -> Bool { reason == .permissionDenied || reason == .notPermitted }

  /// Advises how to let this process write below a directory, or at a missing path.
  ///
  /// - Parameter path: what could not be used. If nothing is there, the directory counts in which it would be.
  package static func forWriting(_ path: FilePath, in directory: FilePath) -> String {
    let directory = absolute(directory)
    if let closed = closedDirectory(above: directory) { return advice(forClosed: closed) }
    var place = absolute(path)
    var about = stat()
    while place.withPlatformString({ lstat($0, &about) }) != 0, place != directory, place.removeLastComponent() {}
    if about.st_uid == geteuid() { return "chmod -R u+rwX \(ShellWord.quoted(place))" }
    let name = place == absolute(path) ? "it" : EscapedText.forPeople(place.bytes)
    return "\(owner(of: name, about.st_uid)): sudo chown -R \(newOwner) \(ShellWord.quoted(directory))"
  }

  /// Advises how to let this process write a directory and everything in it.
  package static func forWriting(_ directory: FilePath) -> String { forWriting(directory, in: directory) }

  /// Whether this process may not read a file, or list a directory.
  package static func isNeededForReading(_ path: FilePath) -> Bool {
    path.withPlatformString { faccessat(AT_FDCWD, $0, R_OK, AT_EACCESS) } != 0 && errno == EACCES
  }

  /// Advises how to let this process read a file, or a directory and everything in it.
  package static func forReading(_ path: FilePath) -> String {
    let directory = absolute(path)
    if let closed = closedDirectory(above: directory) { return advice(forClosed: closed) }
    var about = stat()
    _ = directory.withPlatformString { stat($0, &about) }
    if about.st_uid == geteuid() { return "chmod -R u+rX \(ShellWord.quoted(directory))" }
    return "\(owner(of: "it", about.st_uid)): sudo chmod -R a+rX \(ShellWord.quoted(directory))"
  }

  /// The name of a user; the number of one without a name.
  package static func name(of user: uid_t) -> String { loginName(of: user) ?? "\(user)" }

  private static func absolute(_ path: FilePath) -> FilePath { (try? path.absolute()) ?? path }

  /// The first directory above a path that this process may not enter.
  private static func closedDirectory(above path: FilePath) -> FilePath? {
    var place = FilePath(root: "/")
    for name in path.components.dropLast() {
      place.append(name)
      if place.withPlatformString({ faccessat(AT_FDCWD, $0, X_OK, AT_EACCESS) }) != 0, errno == EACCES { return place }
    }
    return nil
  }

  private static func advice(forClosed directory: FilePath) -> String {
    var about = stat()
    _ = directory.withPlatformString { stat($0, &about) }
    if about.st_uid == geteuid() { return "chmod u+x \(ShellWord.quoted(directory))" }
    let name = EscapedText.forPeople(directory.bytes)
    return "\(owner(of: name, about.st_uid)): sudo chmod a+x \(ShellWord.quoted(directory))"
  }

  private static func owner(of what: String, _ user: uid_t) -> String {
    "\(what) belongs to user \(name(of: user)), and this is \(name(of: geteuid()))"
  }

  /// The colon stands for the user's own group. chown(1) refuses it after a number.
  private static var newOwner: String { loginName(of: geteuid()).map { "\($0):" } ?? "\(geteuid())" }

  private static func loginName(of user: uid_t) -> String? {
    var entry = passwd()
    var found: UnsafeMutablePointer<passwd>?
    var buffer = [CChar](repeating: 0, count: 16_384)
    guard getpwuid_r(user, &entry, &buffer, buffer.count, &found) == 0, let name = found?.pointee.pw_name else {
      return nil
    }
    return String(cString: name)
  }
}
