import Database
public import Vocabulary

/// An item of the inbox.
public struct InboxItem: Hashable, Sendable {
    /// Its number; later items have greater ones.
    public let number: Int64
    /// Its content.
    public let content: Content
    /// The machine that sent it.
    public let peer: PeerID
    /// The sender's name at that time.
    public let peerName: InstanceName?
    /// Its size.
    public let size: ByteCount
    /// The time when it was received in full.
    public let cameAt: WallTime
    /// True if the user has seen it.
    public let isLookedAt: Bool

    /// The content of an item.
    public enum Content: Hashable, Sendable {
        /// A file, with the name under which it was sent and its path here.
        case file(FileName, path: String)
        /// A folder, with the name under which it was sent and its path here.
        case folder(FileName, path: String)
        /// A message, stored in the ledger itself.
        case message([UInt8])
    }

    init(_ row: Row) throws(UnreadableValue) {
        number = try row.integer("id")
        content = try Content(row)
        peer = try row.peer("peer")
        peerName = try row.optionalName("peer_name")
        size = ByteCount(try row.required(UInt64(exactly: try row.integer("size")), "size"))
        cameAt = try row.time("came_at")
        isLookedAt = try row.integer("is_looked_at") != 0
    }
}

extension InboxItem.Content {
    init(_ row: Row) throws(UnreadableValue) {
        switch try row.text("kind") {
        case "file": self = .file(try Self.name(row), path: try row.text("path"))
        case "folder": self = .folder(try Self.name(row), path: try row.text("path"))
        case "message": self = .message(try row.bytes("message"))
        default: throw UnreadableValue(column: "kind")
        }
    }

    private static func name(_ row: Row) throws(UnreadableValue) -> FileName {
        try row.required(try row.parsed(row.optionalText("name"), "name") { try? FileName($0) }, "name")
    }

    /// The columns `kind`, `name`, `path` and `message`.
    var columns: (kind: SQLValue, name: SQLValue, path: SQLValue, message: SQLValue) {
        switch self {
        case .file(let name, let path): (.text("file"), .text(name.text), .text(path), .null)
        case .folder(let name, let path): (.text("folder"), .text(name.text), .text(path), .null)
        case .message(let bytes): (.text("message"), .null, .null, .bytes(bytes))
        }
    }
}
