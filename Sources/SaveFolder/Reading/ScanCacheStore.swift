import Digests
import Glibc
import LinuxPlatform
import SaveRules
import Vocabulary

/// Keeps a set's record on disk once what would have to be read again outweighs what is written, and in memory only until then. What tells an
/// emptied folder from one whose disk is not mounted is on disk at once: after a crash nothing else knows.
struct RecordKeeper {
    private static let file: AtomicFile = {
        guard let name = try? FileName("known-files") else { preconditionFailure("letters make a name") }
        return AtomicFile(name)
    }()
    /// What opening a file costs beside its bytes.
    private static let costOfFile: UInt64 = 4 << 10
    private static let leastCost: UInt64 = 1 << 20

    /// What a folder is known by.
    private struct Look: Equatable {
        let root: UInt64
        let isEmpty: Bool

        init(_ record: SetRecord) { (root, isEmpty) = (record.root, record.manifest == .empty) }
    }

    /// What is not on disk yet; nil where all is.
    private var waiting: [UInt8]?
    /// What is on disk of the folder; nil where nothing is.
    private var savedLook: Look?
    /// The digest of what is known, which it ends with.
    private var digest: [UInt8] = []
    /// What would have to be read again if the program ended now.
    private var unsaved: UInt64 = 0

    /// What is known; nil where nothing is, or what is there is damaged. A disk that says nothing for a moment must not make it unknown: an empty
    /// folder would pass for one whose files were all removed.
    mutating func record(_ notes: borrowing Folder) throws(SystemError) -> SetRecord? {
        let bytes: [UInt8]
        if let waiting { bytes = waiting } else { bytes = try saved(notes) }
        let record = SetRecord(decoding: bytes)
        if waiting == nil { savedLook = record.map(Look.init) }
        digest = record == nil ? [] : Array(bytes.suffix(Digest.byteCount))
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
        if !encoded.suffix(Digest.byteCount).elementsEqual(digest) {
            digest = Array(encoded.suffix(Digest.byteCount))
            waiting = encoded
            unsaved += bytes + UInt64(files) * Self.costOfFile
        }
        let look = Look(record)
        // After a crash a root that was made here must not be taken for one that somebody has put there, either.
        guard savedLook != look || unsaved >= max(Self.leastCost, UInt64(encoded.count)) else { return }
        // It is tried again with the next one, and a person hears of a full disk by what matters.
        if (try? save(notes)) != nil { savedLook = look }
    }

    mutating func save(_ notes: borrowing Folder) throws(SystemError) {
        guard let encoded = waiting else { return }
        try Self.file.write(encoded, in: notes, overwriting: .allowed)
        (waiting, unsaved) = (nil, 0)
    }

    /// What is there is read anew, and nothing is compared with what was there before.
    mutating func forget(_ notes: borrowing Folder) throws(SystemError) {
        do throws(SystemError) { try notes.remove(Self.file.name) } catch {
            if error.number != ENOENT { throw error }
        }
        self = RecordKeeper()
    }
}
