/// Decodes frames from a stream of bytes that arrives in pieces of any size.
///
/// Append the received bytes, then call `next()` until it returns nil. The decoder holds the bytes that `next()` has
/// not returned, and beyond them never more than one frame. It checks the length of a frame as soon as the header is
/// complete. It copies the bytes of a large frame once, into the array that the frame then has.
public struct FrameDecoder<Frame: WireFrame>: Sendable {
    /// The minor version of the peer, which `Hello` sets. The decoder ignores the additions of a newer peer.
    public var peerMinor: UInt16

    private var splitter: FrameSplitter
    private var failure: WireError?

    /// - Parameter peerMinor: the minor version of the peer (default: the own one, until `Hello` announces another)
    public init(peerMinor: UInt16 = WireVersion.minor) {
        self.peerMinor = peerMinor
        splitter = FrameSplitter(
            payloadLimit: Frame.payloadLimit,
            wordLimit: Frame.wordLimit,
            largerLimits: Frame.largerPayloads,
            known: FrameTypes(Frame.isKnown)
        )
    }

    /// The bytes that were appended and that `next()` has not returned.
    public var heldByteCount: Int { splitter.heldByteCount }

    /// Appends received bytes. After a failure it ignores them.
    public mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard failure == nil else { return }
        splitter.append(bytes)
    }

    /// Appends received bytes. After a failure it ignores them.
    public mutating func append(_ bytes: some Collection<UInt8>) {
        let isDone: Void? = bytes.withContiguousStorageIfAvailable { append(UnsafeRawBufferPointer($0)) }
        if isDone == nil { Array(bytes).withUnsafeBytes { append($0) } }
    }

    /// Returns the next whole frame; nil until more bytes arrive. After a failure each call throws that failure again.
    public mutating func next() throws(WireError) -> Frame? {
        if let failure { throw failure }
        do throws(WireError) {
            guard let (type, payload) = splitter.next() else {
                guard let refusal = splitter.refusal else { return nil }
                throw WireError(refusal.fault, in: refusal.type, peerMinor: peerMinor)
            }
            let frame = try Frame(type: type, payload: payload, peerMinor: peerMinor)
            if let minor = frame.announcedMinor { peerMinor = minor }
            return frame
        } catch {
            failure = error
            splitter.discard()
            throw error
        }
    }
}

extension FrameDecoder where Frame == ChannelFrame {
    /// Limits `held` frames to the digests that can be needed. Without this, a peer could make this machine store a
    /// megabyte with a frame that this machine did not request. The limit does not apply to a frame that has begun.
    public mutating func limitHeld(to digests: Int) {
        splitter.largerLimits[ChannelFrameType.held.rawValue] = ChannelFrame.heldLimit(of: digests)
    }

    /// Appends received bytes, and calls `body` with the bytes of `data` frames without copying them, in the pieces in
    /// which they arrive. All other frames are stored for ``next()``, as by ``append(_:)``.
    ///
    /// Call ``next()`` until it returns nil before this: while a frame is stored, no bytes can pass.
    ///
    /// - Parameter body: receives each piece; after it throws, the decoder must not be used
    public mutating func append(
        _ bytes: UnsafeRawBufferPointer,
        passing body: (UnsafeRawBufferPointer) throws -> Void
    ) rethrows {
        guard failure == nil else { return }
        let count = try splitter.pass(bytes, of: ChannelFrameType.data.rawValue, 1...WireLimits.data, to: body)
        if count < bytes.count { splitter.append(UnsafeRawBufferPointer(rebasing: bytes[count...])) }
    }
}
