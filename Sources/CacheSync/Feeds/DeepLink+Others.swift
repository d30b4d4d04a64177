extension DeepLink {
  /// Whether a link of a snapshot that is none of ours may be opened: an absolute URL (RFC 3986, section 4.3) that runs no
  /// program and names no file or document of its own. Kinds that a cache itself defines have links to any app and site.
  public static func mayOpen(_ link: String) -> Bool { LinkText.defect(in: link) == nil }
}
