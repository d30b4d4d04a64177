package import Logging

/// A logger that drops every line: most tests look at files and replies only.
package let quietLogger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
