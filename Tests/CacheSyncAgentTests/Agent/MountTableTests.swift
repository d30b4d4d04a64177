import CacheSync
import CacheSyncAgent
import CacheSyncSystem
import Testing

@Suite("The mount table")
struct MountTableTests {
  /// In the format of /proc/self/mountinfo (proc(5)).
  private let table = MountTable(
    """
    22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
    30 22 0:26 / /run rw shared:5 - tmpfs tmpfs rw
    31 22 8:17 / /mnt/my\\040disk rw shared:6 - ext4 /dev/sdb1 rw
    32 31 0:40 / /mnt/my\\040disk/inner rw - tmpfs tmpfs rw
    33 22 8:1 /srv/caches /home/bound rw - ext4 /dev/sda1 rw
    34 22 0:50 / /odd\\134name\\011tab rw - tmpfs tmpfs rw
    35 22 0:60 / /twice rw - tmpfs tmpfs rw
    36 35 0:61 / /twice rw - tmpfs tmpfs rw

    """)

  @Test(
    "The device of a path is that of the nearest mount point above it",
    arguments: [
      ("/", "8:1"), ("/home/me/.cache", "8:1"), ("/run", "0:26"), ("/run/user/1000", "0:26"), ("/runner", "8:1"),
      ("/mnt/my disk", "8:17"), ("/mnt/my disk/cache", "8:17"), ("/mnt/my disk/inner/cache", "0:40"),
      ("/mnt/my disk/innermost", "8:17"), ("/mnt/my\\040disk/cache", "8:1"),
      // A directory that is also mounted elsewhere is on the same device.
      ("/home/bound/a", "8:1"), ("/odd\\name\ttab/a", "0:50"), ("/twice/a", "0:61"),
    ])
  func devices(path: String, device: String) {
    #expect(String(decoding: table.device(of: CachePath(path)), as: UTF8.self) == device)
  }

  private func differences(_ a: String, _ b: String) -> Set<String> {
    Set(MountTable(b).differences(from: MountTable(a)).map { String(decoding: $0, as: UTF8.self) })
  }

  private static let root = "22 1 8:1 / / rw - ext4 /dev/sda1 rw\n"
  private static let disk = "31 22 8:17 / /a\\040b rw - ext4 /dev/sdb1 rw\n"
  private static let otherDisk = "32 22 8:33 / /a\\040b rw - ext4 /dev/sdc1 rw\n"

  @Test("The differences are the paths where something was mounted, unmounted or replaced")
  func differences() {
    let (root, disk) = (Self.root, Self.disk)
    #expect(differences(root, root) == [])
    #expect(differences(root, root + disk) == ["/a b"])
    #expect(differences(root + disk, root) == ["/a b"])
    #expect(differences(root + disk, root + Self.otherDisk) == ["/a b"])
    #expect(differences(root + disk, root + disk + Self.otherDisk) == ["/a b"], "covered")
    #expect(differences(root + disk, disk + root) == [], "the order of others is nothing")
  }

  @Test("Without /proc, all paths have the same unknown device")
  func empty() {
    #expect(MountTable("").device(of: CachePath("/a")) == MountTable("").device(of: CachePath("/b/c")))
  }

  @Test("A table that is cut short or garbled does not trap", arguments: ["", "22 1 8:1", "\n\n", "22 1 8:1 / /a\\04"])
  func damaged(text: String) { _ = MountTable(text).device(of: CachePath("/a/b")) }

  @Test("The table of this machine has the root's device")
  func current() { #expect(!MountTable.current.device(of: CachePath("/")).isEmpty) }
}
