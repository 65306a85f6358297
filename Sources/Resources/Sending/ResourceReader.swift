import LinuxPlatform
public import Vocabulary

/// One receiver's position in the stream of a ``ResourceSource``.
///
/// ```swift
/// let start = try reader.begin(after: held)
/// while case let count = try reader.read(into: buffer), count > 0 { send(buffer.prefix(count)) }
/// send(try reader.finish())
/// ```
public final class ResourceReader {
    private let stream: SharedStream
    /// Number of bytes of the stream that the receiver has.
    public private(set) var position: UInt64 = 0 {
        didSet { stream.move(number, to: position) }
    }
    private let number: Int

    /// True if other readers of the shared buffer are so far behind that they would soon read the disk themselves. A
    /// caller that can wait a moment saves that disk work.
    public var isFarAhead: Bool { stream.isFarAhead(number) }

    init(_ stream: SharedStream) {
        self.stream = stream
        number = stream.addReader()
    }

    deinit {
        stream.removeReader(number)
    }

    /// Length of the stream in bytes.
    public var totalBytes: UInt64 { stream.plan.total }

    /// Compares the blocks that the receiver holds with the source, and moves to the first byte that it needs.
    ///
    /// - Returns: the offset to start at
    public func begin(after held: HeldPrefix) throws(ResourceError) -> UInt64 {
        try stream.requireUnchanged()
        position = held.fits(stream.plan) ? try matchingByteCount(of: held) : 0
        return position
    }

    private func matchingByteCount(of held: HeldPrefix) throws(ResourceError) -> UInt64 {
        let scratch = Scratch()
        for (block, digest) in held.digests.enumerated() {
            let isWhole = stream.plan.end(of: block) <= held.bytes
            let own =
                isWhole
                ? try stream.digest(of: block, using: scratch)
                : try partDigest(from: stream.plan.start(of: block), to: held.bytes, using: scratch)
            guard own == digest else { return stream.plan.start(of: block) }
        }
        return held.bytes
    }

    private func partDigest(
        from start: UInt64,
        to end: UInt64,
        using scratch: Scratch
    ) throws(ResourceError) -> ContentDigest {
        let state = DigestState()
        try stream.read(from: start, to: end, using: scratch) { state.update($0) }
        return state.digest
    }

    /// Copies the next bytes of the stream.
    ///
    /// - Returns: the number of bytes, possibly less than the room; 0 at the end of the stream
    public func read(into room: UnsafeMutableRawBufferPointer) throws(ResourceError) -> Int {
        let count = try stream.copy(into: room, at: position)
        position += UInt64(count)
        return count
    }

    /// Checks that the source is unchanged since the offer, and returns the digest of the whole. Call it at the end of
    /// the stream.
    public func finish() throws(ResourceError) -> ContentDigest {
        precondition(position == stream.plan.total, "the stream has not been read to its end")
        try stream.requireUnchanged()
        let scratch = Scratch()
        var digests: [ContentDigest] = []
        for block in 0..<stream.plan.blockCount {
            digests.append(try stream.digest(of: block, using: scratch))
        }
        return stream.plan.wholeDigest(of: digests)
    }
}
