public import LinuxPlatform

/// Reads files, cuts them and digests the pieces, on two threads where a file is cut. Keep one for many files: it has its memory ready.
///
/// ```swift
/// let files = FileCutter()
/// let count = try files.pieces(of: file, size: size, cutBy: cutter) { piece in
///     try store.put(piece)
/// }
/// ```
///
/// It waits for the disk, so it belongs on a thread kept for such work, and on one at a time.
public final class FileCutter {
    private var whole = CutBlock(capacity: 256 << 10)
    private var stream = SHA256Stream()

    /// Nothing is open yet, and little memory taken.
    public init() {}

    /// Hands over each piece of a file in order.
    ///
    /// - Parameters:
    ///   - file: open for reading; it is read from its beginning
    ///   - size: how large the file is known to be; no byte behind it is read
    ///   - cutter: where to cut; nil to take the file as one piece
    ///   - body: what to do with a piece, which is lent until it returns
    /// - Returns: how many bytes the file gave: fewer than `size` if it has become shorter
    /// - Throws: what reading threw, as `SystemError`, or what `body` threw
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

    /// Hands over each piece of a file that was cut before and has changed since, and cuts anew only what has: what is known stands where it
    /// stood, or further on or back. The pieces are those that cutting all of it anew would give, if the known ones came from there.
    ///
    /// - Parameters:
    ///   - file: open for reading; it is read from its beginning
    ///   - size: how large the file is known to be; no byte behind it is read
    ///   - cutter: where to cut
    ///   - known: all pieces that the file had, in their order, cut by the same
    ///   - body: what to do with a piece, which is lent until it returns
    /// - Returns: how many bytes the file gave: fewer than `size` if it has become shorter
    /// - Throws: what reading threw, as `SystemError`, or what `body` threw
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
