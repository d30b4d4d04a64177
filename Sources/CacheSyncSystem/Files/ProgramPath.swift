import Glibc
public import SystemPackage

/// Where the running program is.
public enum ProgramPath {
  /// The path of another program in its directory, whether or not there is one.
  ///
  /// - Throws: why the kernel does not tell, such as a `/proc` that is not mounted.
  public static func beside(_ name: String) throws(Errno) -> FilePath {
    var path = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    guard readlink("/proc/self/exe", &path, path.count - 1) > 0 else { throw Errno(rawValue: errno) }
    return FilePath(platformString: path).removingLastComponent().appending(name)
  }
}
