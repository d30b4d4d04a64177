import Testing

@testable import cachesyncd

@Suite("Units that end with a session")
struct ServiceUnitsTests {
  @Test(
    "Only a unit of a user's service manager ends with the session",
    arguments: [
      ("0::/user.slice/user-1000.slice/user@1000.service/app.slice/cachesyncd.service\n", 1000),
      ("1:name=systemd:/user.slice/user-7.slice/user@7.service/cachesyncd.service\n0::/\n", 7),
      ("0::/user.slice/user-1000.slice/session-3.scope\n", nil), ("0::/system.slice/cachesyncd.service\n", nil),
      ("0::/user.slice/user-1000.slice/user@1000.service/init.scope\n", nil),
      ("0::/user.slice/user-1000.slice/user@1000.service\n", nil), ("", nil),
    ] as [(String, UInt32?)])
  func users(groups: String, user: UInt32?) { #expect(ServiceUnits.user(inGroups: groups) == user) }
}
