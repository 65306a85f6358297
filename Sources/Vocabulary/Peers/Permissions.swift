/// Permissions of a paired machine.
public struct Permissions: OptionSet, Hashable, Sendable {
    /// One bit for each permission; the ledger stores the number.
    public let rawValue: UInt8

    /// - Parameter rawValue: unknown bits are kept for later versions
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// It can send messages.
    public static let messages = Permissions(rawValue: 1 << 0)
    /// It can open streams.
    public static let streams = Permissions(rawValue: 1 << 1)
    /// It can send files and folders.
    public static let resources = Permissions(rawValue: 1 << 2)
    /// It can take part in games that are shared with it.
    public static let saveSets = Permissions(rawValue: 1 << 3)

    /// All permissions, for a machine of the household.
    public static let all: Permissions = [.messages, .streams, .resources, .saveSets]

    /// Each permission with its word for users and programs.
    public static let named: [(word: String, permission: Permissions)] = [
        ("messages", .messages), ("streams", .streams), ("resources", .resources), ("saves", .saveSets),
    ]
}
