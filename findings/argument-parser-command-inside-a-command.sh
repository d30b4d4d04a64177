#!/bin/sh
# swift-argument-parser names a command in the usage of another one that contains it.
#
# Version: swift-argument-parser 1.8.2, with Swift 6.3.1.
#
# Behaviour: "house rooms" is a command, and so is "house room list", which takes over all of its options with @OptionGroup. A
# ParsableCommand is a ParsableArguments, so the compiler accepts this, and both run. But the usage and the help of the second
# have the name of the first in them: a command that does not exist.
#
# Output on 2026-12-01 (words, exit status, the line with the usage or else the last):
#   rooms --json            0   rooms true
#   room list --json        0   rooms true
#   room list --help        0   USAGE: house room rooms list [--json]
#   room list more          64  Usage: house room rooms list [--json]
#   room rooms list --json  64  Usage: house room <subcommand>
#
# Ends with 0 while this is so, and with 1 when it has changed. Needs Swift and git.
set -eu
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
mkdir -p "$place/Sources/house"
cat >"$place/Package.swift" <<'SWIFT'
// swift-tools-version: 6.0
import PackageDescription

let package = Package(
  name: "house",
  dependencies: [.package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2")],
  targets: [
    .executableTarget(
      name: "house", dependencies: [.product(name: "ArgumentParser", package: "swift-argument-parser")])
  ])
SWIFT
cat >"$place/Sources/house/main.swift" <<'SWIFT'
import ArgumentParser

struct Rooms: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "rooms")
  @Flag var json = false
  func run() { print("rooms", json) }
}

struct List: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "list")
  @OptionGroup var rooms: Rooms
  func run() { rooms.run() }
}

struct Room: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "room", subcommands: [List.self])
}

struct House: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "house", subcommands: [Rooms.self, Room.self])
}

House.main()
SWIFT
swift build --package-path "$place" >"$place/build" 2>&1 || { cat "$place/build"; exit 1; }

failed=0
for words in 'rooms --json' 'room list --json' 'room list --help' 'room list more' 'room rooms list --json'; do
  status=0
  "$place/.build/debug/house" $words >"$place/said" 2>&1 || status=$?
  line=$(grep -i '^usage: ' "$place/said" || tail -n 1 "$place/said")
  found=$(printf '%-22s  %-2s  %s' "$words" "$status" "$line")
  echo "$found"
  sed -n 's/^#   //p' "$0" | grep -qxF "$found" || { echo "changed"; failed=1; }
done
exit $failed
