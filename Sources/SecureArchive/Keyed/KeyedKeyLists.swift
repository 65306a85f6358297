/// The keys of dictionaries in keyed archives. What has the same keys in the same order as one that was met a little earlier gets the
/// same list, which is then neither made nor checked again.
struct KeyedKeyLists {
    private struct Entry {
        let references: [ArchiveValue]
        let keys: FieldKeys
    }

    /// By a mix of what a list begins and ends with; a newer one drives out an older one.
    private var recent: [Entry?] = Array(repeating: nil, count: 32)

    mutating func keys(
        _ references: [ArchiveValue],
        make: ([ArchiveValue]) throws(ArchiveError) -> LiteralStrings
    ) throws(ArchiveError) -> FieldKeys {
        guard case .reference(let first) = references.first, case .reference(let last) = references.last else {
            return FieldKeys(try make(references))
        }
        let place = (Int(first) &* 31 &+ Int(last) &+ references.count) & 31
        if let entry = recent[place], entry.references == references { return entry.keys }
        let keys = FieldKeys(try make(references))
        recent[place] = Entry(references: references, keys: keys)
        return keys
    }
}
