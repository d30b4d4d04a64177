import Glibc

/// The process that cleans up after this one, however this one ends (`faulthelper guard`). It kills the processes,
/// restores the kernel's settings, and unmounts and removes what is left. The end of a pipe tells it that this process
/// has ended.
final class Guardian: Sendable {
  /// The names of everything that a fault test may leave on the disk begin with this.
  static let prefix = "\(anyPrefix)\(getpid())-"
  /// The beginning of ``prefix`` in every process.
  static let anyPrefix = "/var/tmp/cachesync-fault-"

  static let shared = Guardian()

  private let pipe: Int32

  private init() {
    var ends: [Int32] = [-1, -1]
    guard Glibc.pipe(&ends) == 0 else { preconditionFailure("no pipe for the process that tidies up") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    pipe = ends[1]
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, ends[0], 0)
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    let words: [String] = [Machine.helper, "guard", Self.prefix]
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    var pid: pid_t = 0
    let result = posix_spawn(&pid, Machine.helper, &actions, nil, &arguments, environ)
    precondition(result == 0, "cannot run \(Machine.helper)")
    posix_spawn_file_actions_destroy(&actions)
    for pointer in arguments { free(pointer) }
    close(ends[0])
  }

  private func send(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = write(pipe, bytes, bytes.count)
  }

  func began(_ process: pid_t) { send("+\(process)") }

  func ended(_ process: pid_t) { send("-\(process)") }

  /// Registers what the guardian writes into a file when this process has ended.
  func restore(_ path: String, _ value: String) { send("=\(path) \(value)") }
}
