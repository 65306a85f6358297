/// The keys of dictionaries. A dictionary with the same keys in the same order as a recent one gets the same list,
/// without making or checking it again.
struct BinaryKeyLists {
    private struct Entry {
        let start: Int
        let count: Int
        let keys: FieldKeys
        let byteCount: Int
    }

    private let objects: BinaryObjects
    /// By a mix of the ends of a list; a newer list replaces an older one.
    private var recent: [Entry?] = Array(repeating: nil, count: 32)
    /// Long keys that occur in several lists, by number.
    private var longTexts: [Int: String] = [:]

    init(_ objects: BinaryObjects) {
        self.objects = objects
    }

    /// The keys for the numbers at a place: texts without duplicates.
    mutating func keys(
        at start: Int,
        count: Int,
        drawingOn budget: inout ReadingBudget
    ) throws(ArchiveError) -> FieldKeys {
        guard count > 0 else { return .none }
        try budget.check(comingValues: count)
        let place = (objects.reference(at: start, 0) &* 31 &+ objects.reference(at: start, count - 1) &+ count) & 31
        if let entry = recent[place], entry.count == count, isSame(entry.start, start, count: count) {
            try budget.take(values: count, bytes: entry.byteCount)
            return entry.keys
        }
        try budget.hold(keys: count)
        let before = budget.expandedBytes
        var strings = LiteralStrings(reserving: count)
        for position in 0..<count {
            let text = try key(objects.reference(at: start, position), drawingOn: &budget)
            guard strings.insert(text).isNew else {
                throw ArchiveError(.damaged, "a key occurs twice", offset: start).inside(.key(text))
            }
        }
        let keys = FieldKeys(strings)
        recent[place] = Entry(
            start: start,
            count: count,
            keys: keys,
            byteCount: budget.expandedBytes - before - count * 8
        )
        return keys
    }

    private func isSame(_ left: Int, _ right: Int, count: Int) -> Bool {
        let size = count * objects.trailer.referenceSize
        return objects.bytes[left..<left + size] == objects.bytes[right..<right + size]
    }

    private mutating func key(_ number: Int, drawingOn budget: inout ReadingBudget) throws(ArchiveError) -> String {
        if let text = longTexts[number] {
            try budget.take(bytes: text.utf8.count)
            return text
        }
        try budget.take()
        let value = try objects.scalar(try objects.object(number), drawingOn: &budget)
        guard case .string(let text) = value else {
            throw ArchiveError(.damaged, "a key is no text", offset: objects.offset(of: number))
        }
        if objects.uses[number] > 1, text.utf8.count > 15 { longTexts[number] = text }
        return text
    }
}
