public import SystemPackage

/// Quotes words of command lines that messages print, so that they can be pasted into a shell.
public enum ShellWord {
  /// Quotes a path for a shell.
  public static func quoted(_ path: FilePath) -> String { quoted(path.bytes) }

  /// Quotes a word for a shell. A word that needs no quotes is unchanged; others get single quotes. Bytes that a
  /// terminal cannot show need `$'…'`, which POSIX has since 2024, and bash, zsh and ksh have had for long.
  public static func quoted(_ word: some Sequence<UInt8>) -> String {
    let bytes = Array(word)
    let shown = EscapedText.forPeople(bytes)
    let text = String(decoding: bytes, as: UTF8.self)
    guard shown.utf8.elementsEqual(text.utf8) else {
      let marked = bytes.flatMap { byte in
        byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "'") ? [UInt8(ascii: "\\"), byte] : [byte]
      }
      // Octal, with at most three digits: some shells would read a hexadecimal digit after an escape as part of it.
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
