import Glibc
import History
import LinuxPlatform
import SaveRules
import Vocabulary

/// Writes the files of a manifest, from the pieces of a history. The history verifies each piece when it is read.
final class FileStaging {
    let history: History
    let observe: @Sendable (ApplyPoint) -> Void
    /// Maximum number of files and folders that are flushed one by one; beyond it, the whole file system is flushed
    /// once.
    static let flushLimit = 32
    /// True if each file is flushed after it was written.
    let flushes: Bool

    init(_ history: History, flushes: Bool, observe: @escaping @Sendable (ApplyPoint) -> Void) {
        (self.history, self.flushes, self.observe) = (history, flushes, observe)
    }

    /// Creates a complete file.
    func write(_ file: SavedFile, as name: FileName, in folder: borrowing Folder) throws {
        let made = try folder.create(name)
        var writer = SparseWriter(size: file.size)
        try read(file.pieces) { bytes in
            try bytes.lent { bytes throws(SystemError) in try writer.write(bytes, to: made) }
        }
        try writer.finish(made)
        try finish(made, file)
    }

    /// Creates a file that shares common data with another one.
    ///
    /// - Returns: false if the file system does not support it
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

    /// Delivers the bytes of the pieces in order; those of many are read ahead.
    private func read(_ pieces: [PieceReference], _ body: ([UInt8]) throws -> Void) throws {
        if pieces.count >= PieceReadAhead.leastCount,
            try PieceReadAhead().deliver(pieces, readBy: { [history] in try Self.bytes(of: $0, in: history) }, to: body)
        {
            return
        }
        for piece in pieces { try body(bytes(of: piece)) }
    }

    func bytes(of piece: PieceReference) throws -> [UInt8] { try Self.bytes(of: piece, in: history) }

    private static func bytes(of piece: PieceReference, in history: History) throws -> [UInt8] {
        let bytes = try history.read(piece.id)
        // The digest is right, so the length in the manifest is wrong.
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
    /// Lends the bytes to a call that may fail.
    func lent(_ body: (UnsafeRawBufferPointer) throws(SystemError) -> Void) throws(SystemError) {
        var failure: SystemError?
        withUnsafeBytes { bytes in
            do throws(SystemError) { try body(bytes) } catch { failure = error }
        }
        if let failure { throw failure }
    }
}
