/// The objects of a binary property list by their numbers.
///
/// Each object is checked once, in time and memory that the size of the file bounds: its kind is known, it is within
/// the part for objects, overlaps no other, and refers only to objects that exist. So code that walks over them can't
/// leave the file. Unreferenced objects are bytes that are never read.
struct BinaryObjects {
    let bytes: [UInt8]
    let trailer: BinaryTrailer
    /// By number: the count of references to an object, of which only 0, 1 and more matter.
    private(set) var uses: [UInt8] = []

    init(_ bytes: [UInt8], drawingOn budget: inout ReadingBudget) throws(ArchiveError) {
        self.bytes = bytes
        trailer = try BinaryTrailer(of: bytes)
        try budget.check(comingValues: trailer.objectCount)
        let claimed = bytes.count / 8
        try budget.hold(memory: trailer.objectCount + claimed)
        uses = Array(repeating: 0, count: trailer.objectCount)
        use(trailer.root)
        try survey()
        budget.giveBack(memory: claimed)
    }

    var root: Int { trailer.root }

    /// The offset of an object. It is within the objects once the file has been surveyed.
    func offset(of number: Int) -> Int {
        Int(bytes.number(at: trailer.tableOffset + number * trailer.offsetSize, size: trailer.offsetSize))
    }

    /// The object of a number.
    func object(_ number: Int) throws(ArchiveError) -> BinaryObject {
        try object(at: offset(of: number)).object
    }

    /// The number at a place within a collection.
    func reference(at start: Int, _ position: Int) -> Int {
        Int(bytes.number(at: start + position * trailer.referenceSize, size: trailer.referenceSize))
    }

    private mutating func survey() throws(ArchiveError) {
        var claims = ByteClaims(count: trailer.tableOffset)
        for number in 0..<trailer.objectCount {
            let entry = trailer.tableOffset + number * trailer.offsetSize
            let offset = bytes.number(at: entry, size: trailer.offsetSize)
            guard offset >= UInt64(BinaryPropertyList.header.count), offset < UInt64(trailer.tableOffset) else {
                throw ArchiveError(.damaged, "an object would lie outside of the objects", offset: entry)
            }
            let (object, end) = try object(at: Int(offset))
            guard claims.claim(Int(offset)..<end) else {
                throw ArchiveError(.damaged, "two objects overlap", offset: Int(offset))
            }
            switch object {
            case .array(let start, let count): try useAll(from: start, count: count)
            case .dictionary(let start, let count): try useAll(from: start, count: count * 2)
            default: break
            }
        }
    }

    private mutating func useAll(from start: Int, count: Int) throws(ArchiveError) {
        for position in 0..<count {
            let place = start + position * trailer.referenceSize
            let number = bytes.number(at: place, size: trailer.referenceSize)
            guard number < UInt64(trailer.objectCount) else {
                throw ArchiveError(.damaged, "a collection names an object that does not exist", offset: place)
            }
            use(Int(number))
        }
    }

    private mutating func use(_ number: Int) {
        if uses[number] < 2 { uses[number] += 1 }
    }
}
