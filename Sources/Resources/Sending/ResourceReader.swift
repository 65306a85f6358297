import LinuxPlatform
public import Vocabulary

/// One receiver's way through the stream of a ``ResourceSource``.
///
/// ```swift
/// let start = try reader.begin(after: held)
/// while case let count = try reader.read(into: buffer), count > 0 { send(buffer.prefix(count)) }
/// send(try reader.finish())
/// ```
public final class ResourceReader {
    private let stream: SharedStream
    /// How many bytes of the stream the receiver has or was given.
    public private(set) var position: UInt64 = 0 {
        didSet { stream.move(number, to: position) }
    }
    private let number: Int

    /// Whether others that read the same together with this one are so far behind that they would soon have to read for
    /// themselves. Who can wait a moment then saves the disk work; who can't goes on.
    public var isFarAhead: Bool { stream.isFarAhead(number) }

    init(_ stream: SharedStream) {
        self.stream = stream
        number = stream.addReader()
    }

    deinit {
        stream.removeReader(number)
    }

    /// How many bytes the stream has.
    public var totalBytes: UInt64 { stream.plan.total }

    /// Compares what the receiver holds with the source, block by block, and goes to the first byte that it lacks.
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

    /// Gives the next bytes of the stream.
    ///
    /// - Returns: how many, not always as many as there is room for; 0 at the end of the stream
    public func read(into room: UnsafeMutableRawBufferPointer) throws(ResourceError) -> Int {
        let count = try stream.copy(into: room, at: position)
        position += UInt64(count)
        return count
    }

    /// Makes sure that the source is still what was offered, and gives the digest of the whole. The stream was read to its
    /// end before.
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
