/// The versions of a game that stay.
package struct RetentionInfo: Hashable, Sendable {
    /// Number of the newest versions that stay.
    package var versions: Int
    /// Days for which every version stays.
    package var days: Int?
    /// Most bytes that all versions take on the disk.
    package var bytes: Int?

    package init(versions: Int, days: Int?, bytes: Int?) {
        (self.versions, self.days, self.bytes) = (versions, days, bytes)
    }
}

extension RetentionInfo: JSONShape {
    package init(_ fields: JSONFields) throws {
        versions = try fields.required("versions") { try fields.integer($0) }
        days = try fields.integer("days")
        bytes = try fields.integer("bytes")
    }

    package var fields: JSONFields {
        var fields = JSONFields()
        fields.set("versions", versions)
        if let days { fields.set("days", days) }
        if let bytes { fields.set("bytes", bytes) }
        return fields
    }
}
