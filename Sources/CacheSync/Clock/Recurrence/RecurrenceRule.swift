/// A rule of RFC 5545, section 3.3.10, by which something comes again.
package struct RecurrenceRule: Sendable, Hashable {
}
