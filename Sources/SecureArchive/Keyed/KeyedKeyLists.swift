/// The keys of dictionaries in keyed archives. A dictionary with the same keys in the same order as a recent one gets
/// the same list, without making or checking it again.
struct KeyedKeyLists {
    private struct Entry {
        let references: [ArchiveValue]
        let keys: FieldKeys
    }

    /// By a mix of the ends of a list; a newer list replaces an older one.
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
