/// The objects of a tree that their own parts refer to by a number. Each becomes one object of the archive.
struct NumberedObjects {
    private struct Entry {
        /// The number in the archive that is written.
        let number: UInt32
        /// The value and the class, once it is written.
        var written: (value: ArchiveValue, name: ClassName)?
        /// The classes that the references name, with the first place of each.
        var expected: [ClassName] = []
        var place: [PathStep] = []
    }

    private var entries: [UInt32: Entry] = [:]

    /// The number in the archive, if the object was written or referred to.
    func number(of object: UInt32) -> UInt32? {
        entries[object]?.number
    }

    /// The number in the archive, if the object was written. A tree may contain it more than once, as it may contain
    /// its holder, but never with two values.
    func number(ofWritten object: UInt32, saying value: ArchiveValue) throws(ArchiveError)
        -> UInt32?
    {
        guard let entry = entries[object], let written = entry.written else { return nil }
        guard written.value == value else {
            throw ArchiveError(
                .inexpressible,
                "object \(object) is in two places, and they differ"
            )
        }
        return entry.number
    }

    mutating func write(
        _ object: UInt32,
        as name: ClassName,
        at number: UInt32,
        saying value: ArchiveValue
    ) {
        entries[object, default: Entry(number: number)].written = (value, name)
    }

    mutating func name(
        _ object: UInt32,
        as name: ClassName?,
        at number: UInt32,
        from place: [PathStep]
    ) {
        var entry = entries[object] ?? Entry(number: number, place: place)
        if let name, !entry.expected.contains(name) { entry.expected.append(name) }
        entries[object] = entry
    }

    /// Refuses a number that no object of the tree has, or that has another class than a reference says.
    func check() throws(ArchiveError) {
        for (object, entry) in entries.sorted(by: { $0.key < $1.key }) {
            guard let written = entry.written else {
                let detail = "there is no object \(object) in what is written"
                throw ArchiveError(.inexpressible, detail).inside(entry.place)
            }
            if let other = entry.expected.first(where: { $0 != written.name }) {
                let detail = "object \(object) is of class \(written.name), and here of \(other)"
                throw ArchiveError(.inexpressible, detail).inside(entry.place)
            }
        }
    }
}
