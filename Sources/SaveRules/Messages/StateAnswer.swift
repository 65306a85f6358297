/// The answer of a machine to one that gives it an archive.
public enum StateAnswer: Hashable, Sendable {
    /// It takes archives: one may come.
    case ready
    /// The archive is kept; what it is called there, or which version it made.
    case taken(String)
    /// It is not: the stable word of the reason, a sentence, and what can be done about it.
    case refused(String, String, String)

    private static let maximumTextByteCount = 2 << 10

    /// The one way to write it. A text that is too long is cut.
    public var encoded: [UInt8] {
        var bytes: [UInt8]
        switch self {
        case .ready: bytes = [0]
        case .taken(let text):
            bytes = [1]
            bytes.append(counted: Self.short(text))
        case .refused(let word, let message, let nextStep):
            bytes = [2]
            for text in [word, message, nextStep] { bytes.append(counted: Self.short(text)) }
        }
        return bytes
    }

    /// Reads what ``encoded`` writes, from anybody. What the texts say is the peer's word.
    public init(decoding bytes: [UInt8]) throws(SaveFormatError) {
        var reader = CanonicalReader(bytes)
        switch try reader.integer(UInt8.self) {
        case 0: self = .ready
        case 1: self = .taken(try reader.shortText())
        case 2: self = .refused(try reader.shortText(), try reader.shortText(), try reader.shortText())
        case let number: throw reader.error(.unknownMessage(number))
        }
        try reader.finish()
    }

    private static func short(_ text: String) -> String {
        var (short, count) = ("", 0)
        for character in text {
            count += character.utf8.count
            guard count <= maximumTextByteCount else { break }
            short.append(character)
        }
        return short
    }
}

extension CanonicalReader {
    fileprivate mutating func shortText() throws(SaveFormatError) -> String {
        let text = try text()
        guard text.utf8.count <= 2 << 10 else { throw error(.badNote) }
        return text
    }
}
