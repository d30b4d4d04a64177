import Foundation

/// A disk that guarantees only what fsync(2) guarantees.
///
/// Data are durable after a flush of their file, and a name after a flush of its directory. Power loss may lose
/// everything else, completely or in part. Of data, it may keep any prefix, zeros, or the old bytes. Of the changes of
/// names, it may keep any.
struct WeakDisk {
  private struct File {
    var durable: [UInt8] = []
    var current: [UInt8] = []
    var isDirectory = false
  }

  /// A change of a name: what the name refers to afterwards. The two halves of a rename have the same number.
  private struct Change {
    var number: Int
    var name: String
    var file: Int?
  }

  private var files: [File] = [File(isDirectory: true)]
  /// By the number of the directory.
  private var durableNames: [Int: [String: Int]] = [0: [:]]
  private var changes: [Int: [Change]] = [:]
  private var changeCount = 0

  /// Whether a file has the old bytes, a part of the new ones, zeros, or all of the new ones.
  private enum Survival: CaseIterable { case old, none, half, zeros, all }

  /// - Parameters:
  ///   - directories: the paths of all directories.
  ///   - tree: files by their paths, all on disk.
  init(_ directories: [String], holding tree: [String: [UInt8]]) {
    for directory in directories.sorted() { apply(.makeDirectory(directory)) }
    for (path, bytes) in tree {
      apply(.create(path))
      apply(.write(path, at: 0, bytes))
    }
    apply(.flushAll)
  }

  // MARK: Calls

  mutating func apply(_ call: Recording.Call) {
    switch call {
    case .create(let path): if find(path) == nil { add(File(), at: path) }
    case .makeDirectory(let path): add(File(isDirectory: true), at: path)
    case .write(let path, let offset, let bytes):
      guard let file = find(path) else { return }
      if files[file].current.count < offset + bytes.count {
        files[file].current += [UInt8](repeating: 0, count: offset + bytes.count - files[file].current.count)
      }
      files[file].current.replaceSubrange(offset..<(offset + bytes.count), with: bytes)
    case .truncate(let path, let size):
      if let file = find(path) { files[file].current = Array(files[file].current.prefix(size)) }
    case .rename(let old, let new):
      guard let file = find(old) else { return }
      change(new, to: file, number: changeCount)
      change(old, to: nil, number: changeCount)
      changeCount += 1
    case .remove(let path):
      change(path, to: nil, number: changeCount)
      changeCount += 1
    case .flush(let path): if let file = find(path) { flush(file) }
    case .flushAll: for file in files.indices { flush(file) }
    }
  }

  private mutating func add(_ file: File, at path: String) {
    files.append(file)
    if file.isDirectory { durableNames[files.count - 1] = [:] }
    change(path, to: files.count - 1, number: changeCount)
    changeCount += 1
  }

  private mutating func change(_ path: String, to file: Int?, number: Int) {
    let components = path.split(separator: "/").map(String.init)
    guard let name = components.last, let directory = find(components.dropLast().joined(separator: "/")) else { return }
    changes[directory, default: []].append(Change(number: number, name: name, file: file))
  }

  private mutating func flush(_ file: Int) {
    files[file].durable = files[file].current
    guard files[file].isDirectory else { return }
    durableNames[file] = names(in: file) { _ in true }
    changes[file] = nil
  }

  private func names(in directory: Int, where survives: (Change) -> Bool) -> [String: Int] {
    var names = durableNames[directory] ?? [:]
    for change in changes[directory] ?? [] where survives(change) { names[change.name] = change.file }
    return names
  }

  private func find(_ path: String) -> Int? {
    var file = 0
    for component in path.split(separator: "/") {
      guard let next = names(in: file, where: { _ in true })[String(component)] else { return nil }
      file = next
    }
    return file
  }

  // MARK: Power loss

  /// The trees that power loss may leave now: the extremes, and a sample of those between.
  func statesAfterPowerLoss(_ count: Int, using random: inout some RandomNumberGenerator) -> [[String: [UInt8]]] {
    let pending = Set(changes.values.joined().map(\.number)).sorted()
    let isPending = !pending.isEmpty || files.contains { $0.durable != $0.current }
    guard isPending else { return [state(keeping: { _ in true }, data: { _ in .all })] }
    var states: [[String: [UInt8]]] = []
    for survival in Survival.allCases {
      states.append(state(keeping: { _ in true }, data: { _ in survival }))
      states.append(state(keeping: { _ in false }, data: { _ in survival }))
    }
    // Each change alone, and all but one.
    for number in pending {
      states.append(state(keeping: { $0 == number }, data: { _ in .all }))
      states.append(state(keeping: { $0 != number }, data: { _ in .zeros }))
    }
    for _ in 0..<count {
      let kept = Set(pending.filter { _ in Bool.random(using: &random) })
      let data = files.indices.map { _ in Survival.allCases.randomElement(using: &random) ?? .old }
      states.append(state(keeping: kept.contains, data: { data[$0] }))
    }
    return states
  }

  private func state(keeping: (Int) -> Bool, data: (Int) -> Survival) -> [String: [UInt8]] {
    var tree: [String: [UInt8]] = [:]
    var waiting = [(path: "", file: 0)]
    while let (path, directory) = waiting.popLast() {
      for (name, file) in names(in: directory, where: { keeping($0.number) }) {
        let child = path.isEmpty ? name : "\(path)/\(name)"
        if files[file].isDirectory {
          waiting.append((child, file))
        } else {
          tree[child] = bytes(files[file], data(file))
        }
      }
    }
    return tree
  }

  private func bytes(_ file: File, _ survival: Survival) -> [UInt8] {
    if file.durable == file.current { return file.current }
    return switch survival {
    case .old: file.durable
    case .none: []
    case .half: Array(file.current.prefix(file.current.count / 2))
    case .zeros: [UInt8](repeating: 0, count: file.current.count)
    case .all: file.current
    }
  }
}
