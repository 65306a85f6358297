/// The answer of a machine to another that sends it an archive.
public enum StateAnswer: Hashable, Sendable {
    /// The machine accepts archives: the other may send one.
    case ready
    /// The archive is stored, under this name or as this version.
    case taken(String)
    /// The archive is refused: a stable word for the reason, a message, and the next step.
    case refused(String, String, String)

    private static let maximumTextByteCount = 2 << 10

    /// The canonical encoding. A text that is too long is cut.
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

    /// Decodes an answer of any peer. Its texts are the peer's, and not trusted.
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
