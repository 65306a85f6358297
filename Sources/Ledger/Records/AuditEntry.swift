import Database
public import Vocabulary

/// Something that happened and that the owner of the machine may want to know later.
public struct AuditEntry: Hashable, Sendable {
    /// Grows from entry to entry.
    public let number: Int64
    /// When.
    public let time: WallTime
    /// Whom it was about, if anybody.
    public let peer: PeerID?
    /// What, as a stable word such as `invitation.declined`.
    public let event: String
    /// What belongs to it, in order. Never contents, keys or codes.
    public let details: [Detail]

    /// A word and what it says.
    public struct Detail: Hashable, Sendable {
        /// Such as `reason`.
        public let word: String
        /// Such as `timed-out`; where it came from outside, it is not fit to print.
        public let value: String

        /// - Parameters:
        ///   - word: such as `reason`
        ///   - value: such as `timed-out`
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

/// Details as one text: a line for each, the word and the value with a `=` between them, and a backslash before what would
/// be taken for an end.
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
