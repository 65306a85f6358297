import LinuxPlatform
import Vocabulary

/// Goes through a journal from its beginning, and through the tree with it.
struct JournalWalk {
    private let journal: PackJournal
    private let end: UInt64
    private(set) var reader: PackReader
    /// The folders from the resource's own down to the one that the last record stands in or opened.
    private(set) var trail: [OpenFolder]
    private let scratch = Scratch(byteCount: 64 << 10)
    /// What was read of the journal and not looked at yet.
    private var chunk = UnsafeRawBufferPointer(start: nil, count: 0)
    private var chunkEnd: UInt64 = 0
    private var hasFailed = false

    /// - Parameter end: how far to go, as a position in the pack
    init(_ journal: PackJournal, _ offer: ResourceOffer, root: OpenFolder, end: UInt64? = nil) {
        self.journal = journal
        self.end = end ?? offer.totalBytes
        reader = PackReader(total: offer.totalBytes, entries: offer.entryCount)
        trail = [root]
    }

    /// Where in the pack it is.
    var position: UInt64 { reader.position }
    /// Where in the journal it is.
    var journalPosition: UInt64 { chunkEnd - UInt64(chunk.count) }
    /// The bytes of the last record.
    var recordBytes: [UInt8] { reader.lastRecordBytes }
    /// The folder that it is in.
    var folder: OpenFolder { trail[trail.count - 1] }

    /// The next record; nil where the journal ends or has become something else, or where the walk was to end.
    mutating func next() throws(ResourceError) -> PackRecord? {
        while true {
            switch try nextInChunk() {
            case .record(let record)?: return record
            case .fileEnd?: continue
            // Content is skipped, never read from a journal; so it has become something else.
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

    /// Enters and leaves folders as the record says.
    ///
    /// - Returns: whether the tree has what is to be entered
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

    /// Goes on as if so many bytes of the file had come by.
    mutating func skipContent(_ count: UInt64) {
        reader.skipContent(count)
    }
}
