import LinuxPlatform
import Vocabulary

/// Reads a journal from its beginning and follows it through the tree.
struct JournalWalk {
    private let journal: PackJournal
    private let end: UInt64
    private(set) var reader: PackReader
    /// The open folders from the root to the folder of the last record.
    private(set) var trail: [OpenFolder]
    private let scratch = Scratch(byteCount: 64 << 10)
    /// Bytes of the journal that were read but not parsed.
    private var chunk = UnsafeRawBufferPointer(start: nil, count: 0)
    private var chunkEnd: UInt64 = 0
    private var hasFailed = false

    /// - Parameter end: last position in the pack
    init(_ journal: PackJournal, _ offer: ResourceOffer, root: OpenFolder, end: UInt64? = nil) {
        self.journal = journal
        self.end = end ?? offer.totalBytes
        reader = PackReader(total: offer.totalBytes, entries: offer.entryCount)
        trail = [root]
    }

    /// Position in the pack.
    var position: UInt64 { reader.position }
    /// Position in the journal.
    var journalPosition: UInt64 { chunkEnd - UInt64(chunk.count) }
    /// The bytes of the last record.
    var recordBytes: [UInt8] { reader.lastRecordBytes }
    /// The current folder.
    var folder: OpenFolder { trail[trail.count - 1] }

    /// The next record; nil at the end of the journal or of the walk, or if the journal is damaged.
    mutating func next() throws(ResourceError) -> PackRecord? {
        while true {
            switch try nextInChunk() {
            case .record(let record)?: return record
            case .fileEnd?: continue
            // A journal has no content; this one is damaged.
            case .content?: return nil
            case nil:
                guard !hasFailed, position < end, try readChunk() else { return nil }
            }
        }
    }

    private mutating func nextInChunk() throws(ResourceError) -> PackReader.Event? {
        let allowed = Int(min(UInt64(chunk.count), end - min(end, position)))
        var input = UnsafeRawBufferPointer(rebasing: chunk.prefix(allowed))
        do {
            let event = try reader.next(&input)
            chunk = UnsafeRawBufferPointer(rebasing: chunk.dropFirst(allowed - input.count))
            return event
        } catch {
            hasFailed = true
            return nil
        }
    }

    private mutating func readChunk() throws(ResourceError) -> Bool {
        guard chunk.isEmpty else { return false }
        let count = try journal.read(into: scratch.room, at: chunkEnd)
        chunk = UnsafeRawBufferPointer(rebasing: scratch.room.prefix(count))
        chunkEnd += UInt64(count)
        return count > 0
    }

    /// Opens or closes a folder as the record says.
    ///
    /// - Returns: true if the tree has the folder
    mutating func follow(_ record: PackRecord) -> Bool {
        switch record {
        case .folder(let name, _):
            guard let inner = try? folder.folder.openFolder(name) else { return false }
            trail.append(OpenFolder(inner))
        case .leave: trail.removeLast()
        case .root, .file, .link, .end: break
        }
        return true
    }

    /// Skips the bytes of the current file.
    mutating func skipContent(_ count: UInt64) {
        reader.skipContent(count)
    }
}
