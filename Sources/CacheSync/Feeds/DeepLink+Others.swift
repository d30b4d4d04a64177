extension DeepLink {
  /// Whether a snapshot's link to another app or site is safe to open: an absolute URL (RFC 3986, section 4.3) that
  /// runs no program, names no file and carries no document of its own. Kinds that a cache itself defines have links to
  /// any app and site.
  public static func mayOpen(_ link: String) -> Bool { LinkText.defect(in: link) == nil }
}
