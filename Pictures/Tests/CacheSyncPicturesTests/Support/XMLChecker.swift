import Foundation
import FoundationXML

/// Foundation's XML parser, which is libxml2.
final class XMLChecker: NSObject, XMLParserDelegate {
  func accepts(_ text: String) -> Bool {
    let parser = XMLParser(data: Data(text.utf8))
    parser.delegate = self
    return parser.parse()
  }
}
