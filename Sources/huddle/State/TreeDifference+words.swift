import GameState
import SecureArchive

/// A difference between two saves, for users and for programs.
extension TreeDifference {
    /// `+ path: value`, `- path: value` or `~ path: old → new`.
    var words: String {
        switch (old, new) {
        case (nil, let new?): "+ \(path): \(new.words())"
        case (let old?, nil): "- \(path): \(old.words())"
        case (let old, let new): "~ \(path): \(old?.words() ?? "") → \(new?.words() ?? "")"
        }
    }

    /// The difference as a JSON object.
    var fields: ArchiveFields {
        var fields = ArchiveFields()
        if let new { fields["new"] = ValueShape.shape(new) }
        if let old { fields["old"] = ValueShape.shape(old) }
        fields["path"] = .string(path.description)
        return fields
    }
}

/// A conflict between two saves, for users and for programs.
extension MergeConflict {
    /// The place and the reason, then the value of each side.
    ///
    /// - Parameter hasBase: true if the last common save is known
    func words(hasBase: Bool) -> [String] {
        let sides = ["    mine:   \(Self.words(mine))", "    theirs: \(Self.words(theirs))"]
        guard hasBase else { return ["! \(path): the two differ"] + sides }
        return ["! \(path): \(reason)", "    before: \(Self.words(base))"] + sides
    }

    private static func words(_ value: ArchiveValue?) -> String { value?.words() ?? "nothing" }

    /// The conflict as a JSON object.
    var fields: ArchiveFields {
        var fields = ArchiveFields()
        if let base { fields["base"] = ValueShape.shape(base) }
        if let mine { fields["mine"] = ValueShape.shape(mine) }
        fields["path"] = .string(path.description)
        fields["reason"] = .string(reason)
        if let theirs { fields["theirs"] = ValueShape.shape(theirs) }
        return fields
    }
}
