import Digests
import Glibc
import LinuxPlatform
import SaveRules
import Vocabulary

/// Keeps a set's record on disk once what would have to be read again outweighs what is written, and in memory only until then.
struct RecordKeeper {
    private static let file: AtomicFile = {
        guard let name = try? FileName("known-files") else { preconditionFailure("letters make a name") }
        return AtomicFile(name)
    }()
    /// What opening a file costs beside its bytes.
    private static let costOfFile: UInt64 = 4 << 10
    private static let leastCost: UInt64 = 1 << 20

    /// What is not on disk yet; nil where all is.
    private var waiting: [UInt8]?
    /// The digest of what is known, which it ends with.
    private var digest: [UInt8] = []
    /// What would have to be read again if the program ended now.
    private var unsaved: UInt64 = 0
    /// The root of what is on disk, and of what is not yet.
    private var (savedRoot, waitingRoot): (UInt64?, UInt64?)

    /// What is known; nil where nothing is, or what is there is damaged. A disk that says nothing for a moment must not make it unknown: an empty
    /// folder would pass for one whose files were all removed.
    mutating func record(_ notes: borrowing Folder) throws(SystemError) -> SetRecord? {
        let bytes: [UInt8]
        if let waiting { bytes = waiting } else { bytes = try saved(notes) }
        let record = SetRecord(decoding: bytes)
        digest = record == nil ? [] : Array(bytes.suffix(Digest.byteCount))
        if waiting == nil { savedRoot = record?.root }
        return record
    }

    private func saved(_ notes: borrowing Folder) throws(SystemError) -> [UInt8] {
        do throws(SystemError) {
            return try Self.file.read(in: notes, limit: SetRecord.maximumByteCount)
        } catch {
            if error.number == ENOENT || error.number == EFBIG { return [] }
            throw error
        }
    }

    /// - Parameters:
    ///   - record: what is known now
    ///   - bytes: how many were read for it
    ///   - files: out of how many files
    mutating func keep(_ record: SetRecord, read bytes: UInt64, files: Int, _ notes: borrowing Folder) {
        let encoded = record.encoded
        guard !encoded.suffix(Digest.byteCount).elementsEqual(digest) else { return }
        digest = Array(encoded.suffix(Digest.byteCount))
        (waiting, waitingRoot) = (encoded, record.root)
        unsaved += bytes + UInt64(files) * Self.costOfFile
        // After a crash a root that was made here must not be taken for one that somebody has put there.
        let isMoved = savedRoot != nil && savedRoot != record.root
        guard isMoved || unsaved >= max(Self.leastCost, UInt64(encoded.count)) else { return }
        // It is tried again with the next one, and a person hears of a full disk by what matters.
        try? save(notes)
    }

    mutating func save(_ notes: borrowing Folder) throws(SystemError) {
        guard let encoded = waiting else { return }
        try Self.file.write(encoded, in: notes, overwriting: .allowed)
        (waiting, unsaved, savedRoot) = (nil, 0, waitingRoot)
    }

    /// What is there is read anew, and nothing is compared with what was there before.
    mutating func forget(_ notes: borrowing Folder) throws(SystemError) {
        do throws(SystemError) { try notes.remove(Self.file.name) } catch {
            if error.number != ENOENT { throw error }
        }
        self = RecordKeeper()
    }
}
