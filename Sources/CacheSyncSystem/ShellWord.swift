public import SystemPackage

/// Words of command lines that messages print, to be pasted into a shell.
public enum ShellWord {
  /// A path as a shell reads it.
  public static func quoted(_ path: FilePath) -> String { quoted(path.bytes) }

  /// A word as a shell reads it: as it is where it needs no quotes; else in single quotes; with bytes that no terminal shows in
  /// `$'…'`, which POSIX has since 2024 and bash, zsh and ksh have long had.
  public static func quoted(_ word: some Sequence<UInt8>) -> String {
    let bytes = Array(word)
    let shown = EscapedText.forPeople(bytes)
    let text = String(decoding: bytes, as: UTF8.self)
    guard shown.utf8.elementsEqual(text.utf8) else {
      let marked = bytes.flatMap { byte in
        byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "'") ? [UInt8(ascii: "\\"), byte] : [byte]
      }
      // A hexadecimal digit after an escape would be part of it for some shells, so octal: three digits at most.
      return "$'" + EscapedText.inOctal(marked) + "'"
    }
    let isPlain =
      !text.isEmpty
      && text.unicodeScalars.allSatisfy {
        $0.properties.isAlphabetic || ("0"..."9").contains($0) || "/._-+:,@%".unicodeScalars.contains($0)
      }
    return isPlain
      ? text : "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
  }
}
