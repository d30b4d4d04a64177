package import Logging

/// Tests look at what happens, not at what is said.
package let quietLogger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
