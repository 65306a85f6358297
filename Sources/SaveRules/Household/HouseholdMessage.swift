/// A message with statements of a household, sent to another machine of it in a session for saves. It belongs to no
/// game.
public struct HouseholdMessage: Hashable, Sendable {
    /// The largest number of statements in a message.
    public static let mostStatements = 64
    private static let kind: UInt8 = 11

    /// The statements, in the order in which the receiver takes them.
    public let statements: [HouseholdStatement]

    /// Returns the messages for any number of statements, in their order.
    public static func messages(for statements: [HouseholdStatement]) -> [HouseholdMessage] {
        stride(from: 0, to: statements.count, by: mostStatements).map { start in
            HouseholdMessage(statements: Array(statements[start...].prefix(mostStatements)))
        }
    }

    private init(statements: [HouseholdStatement]) { self.statements = statements }

    /// True if bytes are a message of this kind, and not a ``SaveMessage``.
    public static func isKind(of bytes: [UInt8]) -> Bool { bytes.first == kind }

    /// The canonical encoding.
    public var encoded: [UInt8] { [Self.kind, UInt8(statements.count)] + statements.flatMap(\.encoded) }

    /// Decodes a message of any machine. It checks no signature.
    /// - Parameter hash: SHA-256
    public init(decoding bytes: [UInt8], hashedBy hash: ContentHash) throws(SaveFormatError) {
        var reader = CanonicalReader(bytes)
        let (kind, count) = (try reader.integer(UInt8.self), Int(try reader.integer(UInt8.self)))
        guard kind == Self.kind else { throw reader.error(.unknownMessage(kind)) }
        guard (1...Self.mostStatements).contains(count) else { throw reader.error(.badStatement) }
        var statements: [HouseholdStatement] = []
        for _ in 0..<count { statements.append(try HouseholdStatement(from: &reader, hashedBy: hash)) }
        try reader.finish()
        self.statements = statements
    }
}
