import Vocabulary

/// The reason why a text is not a place that Huddle looks at.
package enum PlaceRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// It begins with no base that this version knows.
    case noBase(String)
    /// A part of it is empty, leads up, or is not a name.
    case notAName(String)
    /// A part of it is a placeholder that this version does not know.
    case unknownPlaceholder(String)
    /// It would match far more than saves: a whole home, a whole game, every file.
    case tooBroad(String)
    /// It is a place of keys, of settings of the desktop, or of what starts by itself.
    case reserved(String)
    /// It has more parts or bytes than any place of a game.
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
