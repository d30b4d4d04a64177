public import ArgumentParser
import CacheSyncSystem
import Glibc
public import SystemPackage

/// A word of the command line that may be any bytes, such as a path.
///
/// The argument parser and Swift's `CommandLine` handle only text, and replace bytes that are not UTF-8. So the words
/// come from the kernel and pass through the parser as ``text(of:)``; this type decodes them. Every option or argument
/// that is a path has this type.
public struct CommandLineWord: ExpressibleByArgument, ExpressibleByStringLiteral, Hashable, Sendable {
  /// The bytes from the kernel.
  public let bytes: [UInt8]

  /// Creates a word of any bytes except zero.
  public init(bytes: [UInt8]) { self.bytes = bytes }

  /// - Parameter argument: the word as the parser passes it.
  public init(argument: String) { bytes = Self.bytes(of: argument) }

  /// Creates a word from text.
  public init(stringLiteral text: String) { bytes = Array(text.utf8) }

  /// Creates a word from a path.
  public init(_ path: FilePath) { bytes = path.bytes }

  /// Whether the word is empty.
  public var isEmpty: Bool { bytes.isEmpty }

  /// Whether the bytes are UTF-8.
  public var isText: Bool { String(validating: bytes, as: UTF8.self) != nil }

  /// The word as a path.
  public var path: FilePath { FilePath(bytes: bytes) }

  /// The last name in the path; empty when there is none.
  public var lastComponent: [UInt8] { path.lastComponent.map { FilePath(root: nil, [$0]).bytes } ?? [] }

  /// The word for a terminal, with control characters and bytes that are not UTF-8 as `\xhh`.
  public var forPeople: String { EscapedText.forPeople(bytes) }

  /// The word for a help text.
  public var defaultValueDescription: String { forPeople }

  // MARK: The program's own words

  /// The words after the program's name.
  ///
  /// Read from /proc when `CommandLine` is empty. The Swift runtime finds the words next to the environment, and a
  /// preloaded library that moves the environment, such as libfaketime, hides them (measured with Swift 6.3.1). The
  /// agent would then serve the default cache instead of the requested one.
  public static let all: [CommandLineWord] = {
    var words = (0..<Int(CommandLine.argc)).compactMap { index in
      CommandLine.unsafeArgv[index].map { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
    }
    if words.isEmpty { words = (try? wordsOfKernel()) ?? [] }
    return words.dropFirst().map { CommandLineWord(bytes: $0) }
  }()

  /// The same words in the form for the argument parser.
  public static var allForParser: [String] { all.map { text(of: $0.bytes) } }

  /// Every word ends with a zero byte (proc(5)).
  private static func wordsOfKernel() throws -> [[UInt8]] {
    let file = try FileDescriptor.open("/proc/self/cmdline", .readOnly, options: .closeOnExec)
    return try file.closeAfter {
      try file.readAll().split(separator: 0, omittingEmptySubsequences: false).dropLast().map { Array($0) }
    }
  }

  // MARK: Bytes as text

  /// Private-use characters, one for each byte above 0x7F. They represent bytes that are not UTF-8. The UTF-8 form of
  /// these characters is encoded with them too, so that ``bytes(of:)`` can decode every word.
  private static let standIns: ClosedRange<UInt32> = 0x10_0080...0x10_00FF

  /// Encodes a word for the argument parser: text is unchanged, and each byte that is not UTF-8 becomes a character.
  static func text(of bytes: [UInt8]) -> String {
    var text = String.UnicodeScalarView()
    var rest = bytes[...]
    while let byte = rest.first {
      var decoder = UTF8()
      var next = rest.prefix(4).makeIterator()
      if case .scalarValue(let scalar) = decoder.decode(&next), !standIns.contains(scalar.value) {
        text.append(scalar)
        rest = rest.dropFirst(UTF8.width(scalar))
      } else {
        if let standIn = Unicode.Scalar(standIns.lowerBound - 0x80 + UInt32(byte)) { text.append(standIn) }
        rest = rest.dropFirst()
      }
    }
    return String(text)
  }

  /// Decodes a word from the parser.
  static func bytes(of text: String) -> [UInt8] {
    text.unicodeScalars.flatMap { scalar in byte(of: scalar).map { [$0] } ?? Array(UTF8.encode(scalar) ?? .init()) }
  }

  /// Formats text from the parser, such as an error that quotes a word, for a terminal.
  static func readable(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { standIns.contains($0.value) }) else { return text }
    return text.unicodeScalars.reduce(into: "") { result, scalar in
      if let byte = byte(of: scalar) {
        result += "\\x" + String(byte, radix: 16)
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
  }

  private static func byte(of scalar: Unicode.Scalar) -> UInt8? {
    standIns.contains(scalar.value) ? UInt8(truncatingIfNeeded: scalar.value) : nil
  }
}
