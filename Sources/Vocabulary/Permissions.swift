/// What a peer that was let in may do.
public struct Permissions: OptionSet, Hashable, Sendable {
    /// One bit for each permission; the ledger keeps them as a number.
    public let rawValue: UInt8

    /// - Parameter rawValue: bits beyond the known ones are kept, for versions to come
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// It may send messages.
    public static let messages = Permissions(rawValue: 1 << 0)
    /// It may open streams.
    public static let streams = Permissions(rawValue: 1 << 1)
    /// It may send files and folders.
    public static let resources = Permissions(rawValue: 1 << 2)
    /// It may take part in save sets that were offered to it.
    public static let saveSets = Permissions(rawValue: 1 << 3)

    /// Everything a friend's machine does.
    public static let all: Permissions = [.messages, .streams, .resources, .saveSets]

    /// Each permission with the word that people and programs use for it.
    public static let named: [(word: String, permission: Permissions)] = [
        ("messages", .messages), ("streams", .streams), ("resources", .resources), ("saves", .saveSets),
    ]
}
