import Vocabulary

/// The reason for which Huddle refuses a text as a place.
package enum PlaceRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// The text begins with no base that this version knows.
    case noBase(String)
    /// A component is empty, leads up, or is not a name.
    case notAName(String)
    /// A component is a placeholder that this version does not know.
    case unknownPlaceholder(String)
    /// The place would match far more than saves: a whole home, a whole game, every file.
    case tooBroad(String)
    /// The place holds keys, settings of the desktop, or programs that start automatically.
    case reserved(String)
    /// The place has more components or bytes than any place of a game.
    case tooLong

    package var description: String {
        switch self {
        case .noBase(let text): "“\(PrintableText(text, limit: 200))” begins with no known base"
        case .notAName(let text): "“\(PrintableText(text, limit: 200))” is not the name of a file"
        case .unknownPlaceholder(let text): "“\(PrintableText(text, limit: 200))” has an unknown placeholder"
        case .tooBroad(let text): "“\(PrintableText(text, limit: 200))” matches far more than saves"
        case .reserved(let text): "“\(PrintableText(text, limit: 200))” is not a place for saves"
        case .tooLong: "the place has too many parts"
        }
    }
}
