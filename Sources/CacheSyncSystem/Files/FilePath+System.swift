import Glibc
public import SystemPackage

extension FilePath {
  /// The path as the kernel has it, which need not be UTF-8.
  public var bytes: [UInt8] {
    withPlatformString { path in Array(UnsafeRawBufferPointer(start: path, count: strlen(path))) }
  }

  /// Creates a path from any bytes.
  public init(bytes: [UInt8]) {
    self = (bytes + [0]).withUnsafeBufferPointer { buffer in
      buffer.withMemoryRebound(to: CChar.self) { FilePath(platformString: Array($0)) }
    }
  }

  /// Returns the path of an entry whose name is any bytes.
  public func appending(bytes name: [UInt8]) -> FilePath {
    FilePath(bytes: bytes + [UInt8(ascii: "/")] + name)
  }

  /// Returns the absolute path, with its links and its `..` as they are.
  package func absolute() throws(Errno) -> FilePath {
    isAbsolute ? self : try FilePath(".").resolvingLinks().pushing(self)
  }

  /// Returns the absolute path of an existing file or directory, with all links resolved.
  public func resolvingLinks() throws(Errno) -> FilePath {
    let resolved = withPlatformString { path -> FilePath? in
      guard let real = realpath(path, nil) else { return nil }
      defer { free(real) }
      return FilePath(platformString: real)
    }
    guard let resolved else { throw Errno(rawValue: errno) }
    return resolved
  }
}
