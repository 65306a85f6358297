/// A file of a version.
package struct SavedFileInfo: Hashable, Sendable {
    /// Id of the game.
    package var set: String
    package var path: String
    package var size: UInt64
    /// Seconds since 1970.
    package var modifiedAt: Int64
    /// Its readable values, a line for each.
    package var summary: [String]?

    package init(set: String, path: String, size: UInt64, modifiedAt: Int64, summary: [String]? = nil) {
        (self.set, self.path, self.size) = (set, path, size)
        (self.modifiedAt, self.summary) = (modifiedAt, summary)
    }
}

extension SavedFileInfo: EventPayload {
    package var event: String { "save-file" }

    package init(_ fields: JSONFields) throws {
        set = try fields.required("set") { try fields.text($0) }
        path = try fields.required("path") { try fields.text($0) }
        size = try fields.required("bytes") { try fields.integer($0) }
        modifiedAt = try fields.required("time") { try fields.integer($0) }
        summary = try fields.texts("says")
    }

    package var fields: JSONFields {
        var fields = JSONFields()
        fields.set("set", set)
        fields.set("path", path)
        fields.set("bytes", size)
        fields.set("time", modifiedAt)
        fields.set("says", summary)
        return fields
    }
}
