import CacheSyncSystem
import Testing

@Suite struct ShellWordTests {
  /// Each was tried with bash: printf %s WORD | od -c.
  @Test(
    "A word is quoted where a shell needs it",
    arguments: [
      ("/a/b-c_d.e", "/a/b-c_d.e"), ("", "''"), ("it's new", #"'it'\''s new'"#), ("$HOME", "'$HOME'"),
      ("caf\u{E9}", "caf\u{E9}"), (#"a\b"#, #"'a\b'"#), ("a\nb", #"$'a\012b'"#),
    ])
  func text(word: String, quoted: String) { #expect(ShellWord.quoted(word.utf8) == quoted) }

  @Test("A word that is not UTF-8 is quoted byte by byte")
  func bytes() {
    #expect(ShellWord.quoted([0x63, 0xE9, 0x31]) == #"$'c\3511'"#)
    #expect(ShellWord.quoted([0xE9, 0x27, 0x5C]) == #"$'\351\'\\'"#)
  }
}
