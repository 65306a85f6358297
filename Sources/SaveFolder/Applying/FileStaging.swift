import Glibc
import History
import LinuxPlatform
import SaveRules
import Vocabulary

/// Writes files as a manifest says, from the pieces that a history keeps. Each piece is checked when it is read there.
final class FileStaging {
    let history: History
    let observe: @Sendable (ApplyPoint) -> Void
    /// How many files and folders are flushed one by one; with more, the whole file system is flushed once.
    static let flushLimit = 32
    /// Whether each file is flushed when it is written.
    let flushes: Bool

    init(_ history: History, flushes: Bool, observe: @escaping @Sendable (ApplyPoint) -> Void) {
        (self.history, self.flushes, self.observe) = (history, flushes, observe)
    }

    /// Makes a file that has all it is to have.
    func write(_ file: SavedFile, as name: FileName, in folder: borrowing Folder) throws {
        let made = try folder.create(name)
        var writer = SparseWriter(size: file.size)
        for piece in file.pieces {
            let bytes = try bytes(of: piece)
            try bytes.lent { bytes throws(SystemError) in try writer.write(bytes, to: made) }
        }
        try writer.finish(made)
        try finish(made, file)
    }

    /// Makes a file that shares with another one what the two have in common.
    ///
    /// - Returns: false where the file system can't do that
    func clone(
        _ other: borrowing OwnedDescriptor,
        _ patch: FilePatch,
        _ file: SavedFile,
        as name: FileName,
        in folder: borrowing Folder
    ) throws -> Bool {
        let made = try folder.create(name)
        guard try made.shareContents(of: other) else {
            try folder.remove(name)
            return false
        }
        try made.truncate(to: patch.newSize)
        for write in patch.writes {
            let bytes = try bytes(of: write.piece)
            try bytes.lent { bytes throws(SystemError) in try made.write(bytes, at: write.offset) }
        }
        try finish(made, file)
        return true
    }

    func bytes(of piece: PieceReference) throws -> [UInt8] {
        let bytes = try history.read(piece.id)
        // Its name is right, so whoever wrote the manifest was wrong about its length.
        guard bytes.count == piece.length else { throw SystemError("read of a piece", EILSEQ) }
        return bytes
    }

    private func finish(_ made: borrowing OwnedDescriptor, _ file: SavedFile) throws(SystemError) {
        try made.setMode(file.mode)
        try made.setModified(file.modified)
        if flushes { try made.sync() }
        observe(.fileStaged)
    }
}

extension [UInt8] {
    /// Lends the bytes for the time of a call that may fail.
    func lent(_ body: (UnsafeRawBufferPointer) throws(SystemError) -> Void) throws(SystemError) {
        var failure: SystemError?
        withUnsafeBytes { bytes in
            do throws(SystemError) { try body(bytes) } catch { failure = error }
        }
        if let failure { throw failure }
    }
}
