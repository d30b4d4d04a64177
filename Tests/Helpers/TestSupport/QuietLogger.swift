package import Logging

/// A logger that drops every line. Most tests look only at files and answers.
package let quietLogger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
