import Database
public import Vocabulary

/// An event that the owner of the machine may want to know later.
public struct AuditEntry: Hashable, Sendable {
    /// The number of the entry; later ones are greater.
    public let number: Int64
    /// The time of the event.
    public let time: WallTime
    /// The machine that the event is about, or nil.
    public let peer: PeerID?
    /// The event, as a stable word such as `invitation.declined`.
    public let event: String
    /// Further facts, in order. Never contents, keys or codes.
    public let details: [Detail]

    /// A word and its value.
    public struct Detail: Hashable, Sendable {
        /// The word, such as `reason`.
        public let word: String
        /// The value, such as `timed-out`. If it came from another machine, it is not safe to print.
        public let value: String

        /// - Parameters:
        ///   - word: the word, such as `reason`
        ///   - value: the value, such as `timed-out`
        public init(_ word: String, _ value: String) {
            self.word = word
            self.value = value
        }
    }

    init(_ row: Row) throws(UnreadableValue) {
        number = try row.integer("id")
        time = try row.time("time")
        peer = try row.optionalPeer("peer")
        event = try row.text("event")
        details = try row.required(Self.details(in: try row.text("details")), "details")
    }
}

/// Coding of details as one text, with a line for each. A `=` is between the word and the value, and a backslash before
/// each character that would end one of them.
extension AuditEntry {
    static func text(of details: [Detail]) -> String {
        details.map { "\(escaped($0.word))=\(escaped($0.value))\n" }.joined()
    }

    static func details(in text: String) -> [Detail]? {
        var details: [Detail] = []
        var (word, part): (String?, String.UnicodeScalarView) = (nil, .init())
        var isEscaped = false
        for scalar in text.unicodeScalars {
            switch (scalar, isEscaped) {
            case ("\\", false):
                isEscaped = true
                continue
            case ("=", false) where word == nil:
                word = String(part)
                part = .init()
            case ("\n", false):
                guard let known = word else { return nil }
                details.append(Detail(known, String(part)))
                (word, part) = (nil, .init())
            default:
                part.append(scalar)
            }
            isEscaped = false
        }
        return word == nil && part.isEmpty && !isEscaped ? details : nil
    }

    private static func escaped(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if ["\\", "=", "\n"].contains(scalar) { result.append("\\") }
            result.append(scalar)
        }
        return String(result)
    }
}
