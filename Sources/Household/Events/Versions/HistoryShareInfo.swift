/// The disk space of one game's history.
package struct HistoryShareInfo: Hashable, Sendable {
    /// Id of the game.
    package var set: String
    /// Name of the game, or its id if this machine has left it.
    package var name: String
    /// Bytes on the disk.
    package var stored: UInt64
    /// Bytes that the same versions would take as copies.
    package var asCopies: UInt64
    package var versions: Int64
    package var retention: RetentionInfo?

    package init(
        set: String,
        name: String,
        stored: UInt64,
        asCopies: UInt64,
        versions: Int,
        retention: RetentionInfo?
    ) {
        (self.set, self.name, self.stored, self.asCopies) = (set, name, stored, asCopies)
        (self.versions, self.retention) = (Int64(versions), retention)
    }
}

extension HistoryShareInfo: EventPayload {
    package var event: String { "history-share" }

    package init(_ fields: JSONFields) throws {
        set = try fields.required("set") { try fields.text($0) }
        name = try fields.required("name") { try fields.text($0) }
        stored = try fields.required("bytes") { try fields.integer($0) }
        asCopies = try fields.required("total") { try fields.integer($0) }
        versions = try fields.required("number") { try fields.integer($0) }
        retention = try fields.object("keeps").map { try RetentionInfo($0) }
    }

    package var fields: JSONFields {
        var fields = JSONFields()
        fields.set("set", set)
        fields.set("name", name)
        fields.set("bytes", stored)
        fields.set("total", asCopies)
        fields.set("number", versions)
        fields.set("keeps", retention?.fields)
        return fields
    }
}
