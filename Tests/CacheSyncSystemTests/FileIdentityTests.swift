import CacheSyncSystem
import Testing

@Suite("Identities of files")
struct FileIdentityTests {
  /// Numbers that no device of this machine has, because all tests share the record.
  private static let (lasting, changing): (UInt64, UInt64) = (0xFFFF_FFFF_0000_0001, 0xFFFF_FFFF_0000_0002)

  init() { ChangingInodes.record(true, on: Self.changing) }

  private func identity(
    on device: UInt64, _ inode: UInt64 = 1, size: Int64 = 2, modified: Int64 = 3, changed: Int64 = 4
  ) -> FileIdentity {
    FileIdentity(
      device: device, inode: inode, size: size, modifiedNanoseconds: modified, changedNanoseconds: changed)
  }

  @Test("An inode counts only where inodes last; size and times count everywhere", arguments: [lasting, changing])
  func parts(_ device: UInt64) {
    let file = identity(on: device)
    #expect(file == identity(on: device))
    #expect((file == identity(on: device, 9)) == (device == Self.changing))
    #expect(file.hashValue == identity(on: device, 9).hashValue)
    #expect(file != identity(on: device, size: 9))
    #expect(file != identity(on: device, modified: 9))
    #expect(file != identity(on: device, changed: 9))
    // A rename changes the change time only.
    #expect(file.isSameContent(as: identity(on: device, changed: 9)))
    #expect(file.isSameContent(as: identity(on: device, 9, changed: 9)) == (device == Self.changing))
    #expect(!file.isSameFile(as: identity(on: device, 9)))
  }

  @Test("The number of a device may be given to another file system")
  func reused() {
    let device: UInt64 = 0xFFFF_FFFF_0000_0003
    ChangingInodes.record(true, on: device)
    #expect(identity(on: device) == identity(on: device, 9))
    ChangingInodes.record(false, on: device)
    #expect(identity(on: device) != identity(on: device, 9))
  }

  @Test("Times in whole seconds are coarse")
  func coarseTimes() {
    #expect(identity(on: 1, modified: 5_000_000_000, changed: 7_000_000_000).hasCoarseTimes)
    #expect(!identity(on: 1, modified: 5_000_000_000, changed: 7_000_000_001).hasCoarseTimes)
  }
}
