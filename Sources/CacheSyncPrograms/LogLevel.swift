public import ArgumentParser
import CacheSyncSystem
public import Logging

/// swift-log's levels as a separate type: the conformance to ArgumentParser's protocol requires a type of this package.
public enum LogLevel: String, CaseIterable, ExpressibleByArgument, Sendable {
  case trace, debug, info, notice, warning, error, critical

  /// A logger for messages of this level and above, which writes one line for each on standard error.
  public var logger: Logger {
    var logger = Logger(label: StandardError.program) { _ in StandardErrorHandler() }
    logger.logLevel = Logger.Level(rawValue: rawValue) ?? .notice
    return logger
  }
}

/// Writes one line on standard error for each message, as a daemon's journal or a cron mail requires.
private struct StandardErrorHandler: LogHandler {
  var logLevel = Logger.Level.notice
  var metadata = Logger.Metadata()

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    StandardError.log(EscapedText.forPeople(event.message.description), event.level)
  }
}
