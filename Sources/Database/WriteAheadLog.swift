/// The contents of a write-ahead log: the newest version of each page, up to the last finished transaction.
///
/// The format is SQLite's (https://www.sqlite.org/fileformat2.html#the_write_ahead_log). The log ends at the
/// first frame that breaks the format: SQLite itself treats a torn write like that.
struct WriteAheadLog {
    let pageSize: Int
    /// The number of pages of the database after the last finished transaction.
    private(set) var pageCount = 0
    private(set) var pages: [Int: ArraySlice<UInt8>] = [:]

    private static let headerSize = 32
    private static let frameHeaderSize = 24
    private static let version: UInt32 = 3_007_000

    /// Nil if there is no log or its header is invalid.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= Self.headerSize else { return nil }
        let magic = Self.number(bytes, 0)
        pageSize = Int(Self.number(bytes, 8))
        guard magic & ~1 == 0x377F_0682, Self.number(bytes, 4) == Self.version else { return nil }
        guard (512...65_536).contains(pageSize), pageSize & (pageSize - 1) == 0 else { return nil }
        var sum = Checksum(isBigEndian: magic & 1 == 1)
        sum.add(bytes[0..<24])
        guard sum.isStated(in: bytes, at: 24) else { return nil }
        readFrames(bytes, &sum)
    }

    private mutating func readFrames(_ bytes: [UInt8], _ sum: inout Checksum) {
        var begun: [Int: ArraySlice<UInt8>] = [:]
        var start = Self.headerSize
        while bytes.count - start >= Self.frameHeaderSize + pageSize {
            let contents = bytes[start + Self.frameHeaderSize..<start + Self.frameHeaderSize + pageSize]
            sum.add(bytes[start..<start + 8])
            sum.add(contents)
            let page = Int(Self.number(bytes, start))
            // The salts distinguish the frames of this round of the log from those of an earlier one.
            guard page > 0, bytes[start + 8..<start + 16].elementsEqual(bytes[16..<24]) else { return }
            guard sum.isStated(in: bytes, at: start + 16) else { return }
            begun[page] = contents
            let pageCountAfterwards = Int(Self.number(bytes, start + 4))
            if pageCountAfterwards > 0 {
                pages.merge(begun) { _, newer in newer }
                begun.removeAll(keepingCapacity: true)
                pageCount = pageCountAfterwards
            }
            start += Self.frameHeaderSize + pageSize
        }
    }

    private static func number(_ bytes: [UInt8], _ place: Int) -> UInt32 {
        bytes[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// The running checksum over header and frames.
    private struct Checksum {
        let isBigEndian: Bool
        private var first: UInt32 = 0
        private var second: UInt32 = 0

        init(isBigEndian: Bool) {
            self.isBigEndian = isBigEndian
        }

        /// Adds a multiple of eight bytes.
        mutating func add(_ bytes: ArraySlice<UInt8>) {
            for place in stride(from: bytes.startIndex, to: bytes.endIndex, by: 8) {
                first &+= word(bytes, place) &+ second
                second &+= word(bytes, place + 4) &+ first
            }
        }

        func isStated(in bytes: [UInt8], at place: Int) -> Bool {
            WriteAheadLog.number(bytes, place) == first && WriteAheadLog.number(bytes, place + 4) == second
        }

        private func word(_ bytes: ArraySlice<UInt8>, _ place: Int) -> UInt32 {
            let value =
                UInt32(bytes[place]) << 24 | UInt32(bytes[place + 1]) << 16 | UInt32(bytes[place + 2]) << 8
                | UInt32(bytes[place + 3])
            return isBigEndian ? value : value.byteSwapped
        }
    }
}
