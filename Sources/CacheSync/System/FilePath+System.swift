import Glibc
package import SystemPackage

extension FilePath {
  package var bytes: [UInt8] {
    withPlatformString { path in Array(UnsafeRawBufferPointer(start: path, count: strlen(path))) }
  }

  /// The path of what is there now, absolute and without any link in it.
  package func resolvingLinks() throws(Errno) -> FilePath {
    let resolved = withPlatformString { path -> FilePath? in
      guard let real = realpath(path, nil) else { return nil }
      defer { free(real) }
      return FilePath(platformString: real)
    }
    guard let resolved else { throw Errno(rawValue: errno) }
    return resolved
  }
}
