import Glibc
import LinuxPlatform
import SaveRules

/// The pieces of an index file, by ascending id, read from the file at each lookup. Only each sixty-fourth id is in
/// memory, so that a lookup is one read of 3 KiB, whatever the number of pieces.
///
/// The file may have been replaced meanwhile; this one stays readable as long as it is held open here.
final class IndexBase: Sendable {
    static let blockEntries = 64

    /// The number of pieces.
    let count: Int
    private let file: OwnedDescriptor
    private let start: UInt64
    /// The first word of each block's first id.
    private let samples: [UInt64]

    init(_ file: consuming OwnedDescriptor, entriesAt start: UInt64, count: Int, samples: [UInt64]) {
        self.file = file
        self.start = start
        self.count = count
        self.samples = samples
    }

    /// Finds the location of a piece and the number of its entry.
    func find(_ id: PieceID) throws(SystemError) -> (number: Int, location: PieceLocation)? {
        var block = Block()
        return try find(id, &block)
    }

    /// The pieces that are missing here. Reads a block that holds several of them once.
    ///
    /// - Parameter ids: pieces, sorted by id
    func absent(of ids: [PieceID]) throws(SystemError) -> [PieceID] {
        var (absent, block) = ([PieceID](), Block())
        for id in ids where try find(id, &block) == nil { absent.append(id) }
        return absent
    }

    private func find(
        _ id: PieceID,
        _ read: inout Block
    ) throws(SystemError) -> (number: Int, location: PieceLocation)? {
        // IDs with the same first word are rare, but a user or a peer may craft them to be on both sides of a block's
        // end.
        var block = max(firstSample(from: id.words.0) - 1, 0)
        while block < samples.count, samples[block] <= id.words.0 {
            if read.number != block { try self.read(block, &read) }
            if let (entry, location) = read.search(id) { return (block * Self.blockEntries + entry, location) }
            block += 1
        }
        return nil
    }

    /// The first block whose sample is at least `word`.
    private func firstSample(from word: UInt64) -> Int {
        var (low, high) = (0, samples.count)
        while low < high {
            let middle = (low + high) / 2
            if samples[middle] < word { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private func read(_ number: Int, _ block: inout Block) throws(SystemError) {
        let first = number * Self.blockEntries
        block.number = nil
        block.count = min(Self.blockEntries, count - first)
        let room = block.scratch.prefix(UInt64(block.count * IndexEntry.byteCount))
        guard try file.read(into: room, at: start + UInt64(first * IndexEntry.byteCount)) == room.count else {
            throw SystemError("pread", EIO)
        }
        block.number = number
    }

    /// One block of the file in memory.
    private struct Block {
        /// The block's number; nil if none was read.
        var number: Int?
        /// The number of its entries.
        var count = 0
        let scratch = Scratch(byteCount: IndexBase.blockEntries * IndexEntry.byteCount)

        func search(_ id: PieceID) -> (entry: Int, location: PieceLocation)? {
            let bytes = UnsafeRawBufferPointer(scratch.room)
            var (low, high) = (0, count)
            while low < high {
                let middle = (low + high) / 2
                if bytes.digest(at: middle * IndexEntry.byteCount) < id.digest {
                    low = middle + 1
                } else {
                    high = middle
                }
            }
            guard low < count, bytes.digest(at: low * IndexEntry.byteCount) == id.digest else { return nil }
            return (low, IndexEntry(bytes, at: low * IndexEntry.byteCount).location)
        }
    }

    /// Passes all entries to `body` in their order.
    func forEach(_ body: (Int, IndexEntry) throws(HistoryError) -> Void) throws(HistoryError) {
        var cursor = Cursor(self)
        var number = 0
        while let entry = try cursor.next() {
            try body(number, entry)
            number += 1
        }
    }

    /// Makes a cursor before the first entry.
    func cursor() -> Cursor { Cursor(self) }

    /// Walks over the entries of an index.
    struct Cursor {
        private let base: IndexBase
        private var unread = 0
        private var chunk: [IndexEntry] = []
        private var place = 0

        fileprivate init(_ base: IndexBase) {
            self.base = base
        }

        mutating func next() throws(HistoryError) -> IndexEntry? {
            if place == chunk.count {
                guard unread < base.count else { return nil }
                do throws(SystemError) {
                    chunk = try base.entries(from: unread, count: min(1_024, base.count - unread))
                } catch {
                    throw HistoryError(error)
                }
                unread += chunk.count
                place = 0
            }
            place += 1
            return chunk[place - 1]
        }
    }

    fileprivate func entries(from first: Int, count: Int) throws(SystemError) -> [IndexEntry] {
        var failure: SystemError?
        let entries = withUnsafeTemporaryAllocation(
            byteCount: count * IndexEntry.byteCount,
            alignment: 8
        ) { room -> [IndexEntry] in
            do throws(SystemError) {
                let offset = start + UInt64(first * IndexEntry.byteCount)
                guard try file.read(into: room, at: offset) == room.count else { throw SystemError("pread", EIO) }
            } catch {
                failure = error
                return []
            }
            return (0..<count).map { IndexEntry(UnsafeRawBufferPointer(room), at: $0 * IndexEntry.byteCount) }
        }
        if let failure { throw failure }
        return entries
    }
}
