internal import SecureArchive

/// The coded form of Foundation's `IndexSet`: `indexes`, an array of `location` and `length`. Its decoder adds the two
/// unchecked.
enum IndexSetForm {
    static func isSound(_ tree: ArchiveValue) -> Bool {
        guard case .dictionary(let fields) = tree, case .array(let ranges)? = fields["indexes"]?.untagged else {
            // The type's own decoder reports that fault.
            return true
        }
        return ranges.allSatisfy { range in
            guard case .dictionary(let fields) = range.untagged, let location = whole(fields["location"]),
                let length = whole(fields["length"])
            else { return false }
            return location >= 0 && length >= 0 && !location.addingReportingOverflow(length).overflow
        }
    }

    private static func whole(_ value: ArchiveValue?) -> Int? {
        guard case .integer(let integer)? = value?.untagged else { return nil }
        return integer.value(as: Int.self)
    }
}
