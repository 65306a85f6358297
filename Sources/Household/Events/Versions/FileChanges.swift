/// Numbers of files that differ between two versions.
package struct FileChanges: Hashable, Sendable {
    package var added: Int
    package var changed: Int
    package var removed: Int

    package init(added: Int, changed: Int, removed: Int) {
        (self.added, self.changed, self.removed) = (added, changed, removed)
    }
}

extension FileChanges: JSONShape {
    package init(_ fields: JSONFields) throws {
        added = try fields.required("added") { try fields.integer($0) }
        changed = try fields.required("changed") { try fields.integer($0) }
        removed = try fields.required("removed") { try fields.integer($0) }
    }

    package var fields: JSONFields {
        var fields = JSONFields()
        fields.set("added", added)
        fields.set("changed", changed)
        fields.set("removed", removed)
        return fields
    }
}
