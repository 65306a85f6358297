public import LinuxPlatform

/// Reads files, cuts them and digests the pieces, with two threads per large file. Reuse one for many files,
/// because it keeps its memory.
///
/// ```swift
/// let files = FileCutter()
/// let count = try files.pieces(of: file, size: size, cutBy: cutter) { piece in
///     try store.put(piece)
/// }
/// ```
///
/// It blocks on the disk, so use it on a thread for such work, and on one thread at a time.
public final class FileCutter {
    private var whole = CutBlock(capacity: 256 << 10)
    private var stream = SHA256Stream()

    /// Allocates a small buffer and opens nothing.
    public init() {}

    /// Delivers each piece of a file in order.
    ///
    /// - Parameters:
    ///   - file: open for reading; it is read from its beginning
    ///   - size: the known size of the file; no byte beyond it is read
    ///   - cutter: the rule for cutting; nil makes the file one piece
    ///   - body: called with each piece, which is valid until it returns
    /// - Returns: the number of bytes read: fewer than `size` if the file has become shorter
    /// - Throws: a `SystemError` from reading, or the error of `body`
    public func pieces(
        of file: borrowing OwnedDescriptor,
        size: UInt64,
        cutBy cutter: PieceCutter?,
        _ body: (DigestedBytes) throws -> Void
    ) throws -> UInt64 {
        if let cutter, size > UInt64(cutter.minimum) {
            return try CutRun(of: file.number, size: size, cutter: cutter).deliver(to: body)
        }
        if whole.room.count < Int(size) { whole = CutBlock(capacity: Int(size)) }
        let count = try file.read(into: UnsafeMutableRawBufferPointer(rebasing: whole.room.prefix(Int(size))), at: 0)
        guard count > 0 else { return 0 }
        let bytes = UnsafeRawBufferPointer(rebasing: whole.room.prefix(count))
        try body(DigestedBytes(bytes, digest: stream.digest(of: bytes)))
        return UInt64(count)
    }

    /// Delivers each piece of a file that was cut before and has changed since, and cuts only the changed
    /// parts. Known pieces may be at their old place, or further forward or back. The pieces are those that
    /// cutting the whole file would give, provided that the known pieces came from this file.
    ///
    /// - Parameters:
    ///   - file: open for reading; it is read from its beginning
    ///   - size: the known size of the file; no byte beyond it is read
    ///   - cutter: the rule for cutting
    ///   - known: all pieces that the file had, in order, cut by the same rule
    ///   - body: called with each piece, which is valid until it returns
    /// - Returns: the number of bytes read: fewer than `size` if the file has become shorter
    /// - Throws: a `SystemError` from reading, or the error of `body`
    public func pieces(
        of file: borrowing OwnedDescriptor,
        size: UInt64,
        cutBy cutter: PieceCutter,
        knowing known: [KnownPiece],
        _ body: (FoundPiece) throws -> Void
    ) throws -> UInt64 {
        guard size > UInt64(cutter.minimum), !known.isEmpty else {
            return try pieces(of: file, size: size, cutBy: cutter) { try body(.new($0)) }
        }
        var recut = Recut(of: file.number, size: size, cutter: cutter, knowing: known)
        return try recut.deliver(to: body)
    }
}
