import CacheSync
import CacheSyncSystem
import Foundation
import Glibc
import Synchronization
import SystemPackage
import Testing
import TestSupport

@testable import CacheSyncPublishing

/// "The lock does not pass some mounts" (contract.md section 5: the lock).
@Suite("Tokens of holders")
struct HolderTokenTests {
  let cache: TemporaryCache
  let root: CacheRoot
  let state: SharedDescriptor

  init() throws {
    cache = try TemporaryCache()
    root = try CacheRoot(resolved: CacheRoot.resolve(cache.path))
    state = SharedDescriptor(try StateDirectory.open(root: root, creating: true))
  }

  /// A process that did not answer is not asked again.
  private static let numbers = Atomic<Int>(4710)

  /// The token of a process that could be alive.
  private func foreign(_ change: (inout HolderToken) -> Void = { _ in }) -> HolderToken {
    var token = HolderToken(of: root, as: .agent)
    let number = Self.numbers.add(1, ordering: .relaxed).newValue
    (token.boot, token.host, token.process) = ("another", "elsewhere", number)
    change(&token)
    return token
  }

  private func isAlive(_ token: HolderToken, waiting: Duration = .milliseconds(60)) -> Bool {
    token.write(in: state.raw)
    return HolderToken.read(in: state.raw)?.isAlive(in: state.raw, waiting: waiting) ?? false
  }

  @Test("A token is read as it was written, and removed by its holder only")
  func file() throws {
    let token = foreign { $0.path = "/srv/a \"b\"\n" }
    token.write(in: state.raw)
    #expect(HolderToken.read(in: state.raw) == token)
    #expect(token.description == #"process \#(token.process) on elsewhere, at /srv/a "b"\x0a"#)
    let other = foreign()
    other.remove(from: state.raw)
    #expect(HolderToken.read(in: state.raw) == token)
    token.remove(from: state.raw)
    #expect(HolderToken.read(in: state.raw) == nil)
    try cache.write(".cachesync/holder", "no token")
    #expect(HolderToken.read(in: state.raw) == nil)
  }

  @Test("This process, one that has ended, and one before the last boot of this machine are not asked")
  func knownDead() throws {
    let own = HolderToken(of: root, as: .agent)
    var ended = own
    // No process has the number 2^22, the greatest that the kernel allows (proc_sys_kernel(5): pid_max).
    ended.process = 4_194_304
    var reused = own
    (reused.process, reused.started) = (1, own.started + 1)
    var booted = own
    booted.boot = "before"
    for token in [own, ended, reused] + (own.machine.isEmpty ? [] : [booted]) {
      // Far longer than the test may take.
      #expect(!isAlive(token, waiting: .seconds(3_600)), "\(token)")
    }
  }

  @Test("A token that was not touched for two hours is of a dead process")
  func stale() throws {
    let token = foreign()
    token.write(in: state.raw)
    let old = [timespec(tv_sec: time(nil) - 7_300, tv_nsec: 0), timespec(tv_sec: time(nil) - 7_300, tv_nsec: 0)]
    #expect(utimensat(state.raw, "holder", old, 0) == 0)
    #expect(!token.isAlive(in: state.raw, waiting: .seconds(3_600)))
  }

  @Test("A process that may be alive is asked: it is if its token changes, and dead if it stays silent")
  func asked() throws {
    #expect(!isAlive(foreign()))
    for answer in [{ $0.beat(in: $1) }, { token, state in foreign { $0.id = "new" }.write(in: state) }]
      as [(HolderToken, Int32) -> Void]
    {
      let token = foreign()
      token.write(in: state.raw)
      let touched = try Directory.identity(of: state.raw)
      let raw = state.raw
      // Answers the question, as an agent does that sees the touch.
      nonisolated(unsafe) let answer = answer
      let answering = Thread {
        while (try? Directory.identity(of: raw)) == touched { usleep(500) }
        usleep(20_000)
        answer(token, raw)
      }
      answering.start()
      #expect(token.isAlive(in: state.raw, waiting: .seconds(60)))
    }
  }

  @Test(
    "A silent process is asked once, a living sync not at all, and this process knows its own caches")
  func known() throws {
    let silent = foreign()
    #expect(!isAlive(silent))
    #expect(!isAlive(silent, waiting: .seconds(3_600)))
    var sync = HolderToken(of: root, as: .sync)
    sync.process = Int(getppid())
    sync.started = try #require(HolderToken.start(of: Int(getppid())))
    #expect(isAlive(sync, waiting: .seconds(3_600)))
    let own = HolderToken(of: root, as: .agent)
    own.setHeld(true)
    #expect(isAlive(own))
    own.setHeld(false)
    #expect(!isAlive(own))
  }

  @Test("A holder that could not replace the token of a dead process does not give way to it")
  func fullDisk() throws {
    let dead = foreign()
    dead.write(in: state.raw)
    let holder = try StateDirectory(root: root, waiting: .milliseconds(60))
    dead.write(in: state.raw)
    #expect(holder.beat() == nil)
  }

  @Test("A starter refuses a cache whose holder answers by another road, and names it")
  func starter() throws {
    let token = foreign { $0.path = "/mnt/road" }
    token.write(in: state.raw)
    let raw = state.raw
    let touched = try Directory.identity(of: raw)
    let answering = Thread {
      while (try? Directory.identity(of: raw)) == touched { usleep(500) }
      usleep(20_000)
      token.beat(in: raw)
    }
    answering.start()
    #expect { try StateDirectory(root: root) } throws: { error in
      guard case .held(.agent, let other?) = error as? StateDirectory.Failure else { return false }
      return other == token
    }
    // The refused starter left everything as it was.
    #expect(HolderToken.read(in: raw) == token)
  }

  @Test("A holder finds out that its token was replaced")
  func replaced() throws {
    let holder = try StateDirectory(root: root)
    #expect(holder.beat() == nil)
    let other = foreign()
    other.write(in: state.raw)
    #expect(holder.beat() == other)
    holder.leave()
    #expect(HolderToken.read(in: state.raw) == other)
  }
}
