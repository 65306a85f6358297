import LinuxPlatform
import SaveRules
import Vocabulary

/// Keeps a set's record, in few bytes while nobody needs it, and on disk once what would have to be read again outweighs what is
/// written.
struct RecordKeeper {
    private static let file: AtomicFile = {
        guard let name = try? FileName("known-files") else { preconditionFailure("letters make a name") }
        return AtomicFile(name)
    }()
    /// What opening a file costs beside its bytes.
    private static let costOfFile: UInt64 = 4 << 10
    private static let leastCost: UInt64 = 1 << 20

    private var encoded: [UInt8] = []
    private var isLoaded = false
    /// What would have to be read again if the program ended now.
    private var unsaved: UInt64 = 0
    private var isSaved = true

    /// What is known; nil where nothing is.
    mutating func record(_ notes: borrowing Folder) -> SetRecord? {
        if !isLoaded {
            // What can't be read is not known.
            encoded = (try? Self.file.read(in: notes, limit: SetRecord.maximumByteCount)) ?? []
            isLoaded = true
        }
        return SetRecord(decoding: encoded)
    }

    /// - Parameters:
    ///   - record: what is known now
    ///   - bytes: how many were read for it
    ///   - files: out of how many files
    mutating func keep(_ record: SetRecord, read bytes: UInt64, files: Int, _ notes: borrowing Folder) {
        let before = encoded
        encoded = record.encoded
        isLoaded = true
        guard encoded != before else { return }
        isSaved = false
        unsaved += bytes + UInt64(files) * Self.costOfFile
        guard unsaved >= max(Self.leastCost, UInt64(encoded.count)) else { return }
        // It is tried again with the next one, and a person hears of a full disk by what matters.
        try? save(notes)
    }

    mutating func save(_ notes: borrowing Folder) throws(SystemError) {
        guard !isSaved else { return }
        try Self.file.write(encoded, in: notes, overwriting: .allowed)
        (unsaved, isSaved) = (0, true)
    }
}
