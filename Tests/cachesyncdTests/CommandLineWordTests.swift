import Foundation
import SystemPackage
import Testing

@testable import CacheSyncPrograms

@Suite struct CommandLineWordTests {
  @Test(
    "Any bytes pass the argument parser and come back unchanged",
    arguments: [
      [], Array("caf\u{E9}".utf8), [0x63, 0xE9], [0xE9, 0xE9], [0xC3], [0xED, 0xA0, 0x80], [0xF5, 0x80], [0xC0, 0xAF],
      // The characters that stand for bytes, complete and cut.
      Array("\u{100080}\u{1000E9}x".utf8), [0xF4, 0x80, 0x83], [0xF4, 0x80, 0x83, 0xA9, 0xE9], Array(0x01...0xFF),
    ] as [[UInt8]])
  func roundTrip(bytes: [UInt8]) {
    let text = CommandLineWord.text(of: bytes)
    #expect(!text.unicodeScalars.contains("\u{FFFD}"))
    #expect(CommandLineWord(argument: text).bytes == bytes)
    #expect(
      CommandLineWord(bytes: bytes).path == FilePath(String(decoding: bytes, as: UTF8.self))
        || !CommandLineWord(bytes: bytes).isText)
  }

  @Test("Text is unchanged for the parser, and other bytes are readable in its errors")
  func readable() {
    #expect(CommandLineWord.text(of: Array("--caché=\u{1F600}".utf8)) == "--caché=\u{1F600}")
    #expect(
      CommandLineWord.readable("unknown '" + CommandLineWord.text(of: [0x63, 0xE9]) + "'\n") == "unknown 'c\\xe9'\n")
  }

  @Test("Every path of a command may have any bytes, and so may the words of a command to run")
  func commands() throws {
    let folder = try TemporaryFolder()
    // "$0" is the program; caf\351 is Latin-1.
    let script = """
      set -e; cd "$1"; N=$(printf 'caf\\351'); mkdir -p "$N/tasks" "$N/definitions" in/"$N"/tasks
      unset CACHESYNC_CACHE XDG_CACHE_HOME
      echo '[]' >"$N/tasks/$N.json"; cp "$N/tasks/$N.json" "in/$N/tasks"
      "$0" sync --cache "$N"; "$0" show -C "$N" --feeds "$N/definitions" >/dev/null
      "$0" sync --caches-in in; test -e "in/$N/snapshots/manifest.json"
      mv in "in$N"; "$0" sync --caches-in "in$N"
      CACHESYNC_CACHE=$N CACHESYNC_FEEDS=$N/definitions "$0" sync
      mkdir -p "$N/.cache/cachesync" "$N/cachesync"; HOME=$PWD/$N "$0" sync; XDG_CACHE_HOME=$PWD/$N "$0" sync
      test -e "$N/.cache/cachesync/snapshots/manifest.json"; test -e "$N/cachesync/snapshots/manifest.json"
      "$0" check --feed tasks "$N/tasks/$N.json"
      "$0" drop tasks "$N/tasks/$N.json" --cache "$N/cachesync"; test -e "$N/cachesync/tasks/$N.json"
      "$0" drop tasks "$N/tasks/$N.json" --name "n$N" --cache "$N/cachesync"; test -e "$N/cachesync/tasks/n$N.json"
      "$0" feed new bins "$N/tasks/$N.json" -C "$N"; "$0" feed test "$N/feeds/bins.json" "$N/tasks/$N.json"
      printf '#!/bin/sh\\nprintf %%s "$1:$CACHESYNC_CACHE" >arg; mv arg done\\n' >"hook$N"; chmod +x "hook$N"
      timeout 20 "$0" watch task-count --now -C "$N" -- "./hook$N" "$N" & until test -e done; do sleep 0.02; done; kill $!
      printf '%s' "$N:$PWD/$N" | cmp - done; if "$0" check "$N/none"; then exit 9; fi
      """
    let child = try Child([folder.path], through: ["/bin/sh", "-c", script])
    let outcome = try child.outcome()
    #expect(outcome.status == 0, "\(outcome)")
    #expect(outcome.output.contains(#"tasks/caf\xe9.json"#) && outcome.errors.contains(#"caf\xe9/none does not exist"#))
  }
}
