/// Bytes in any cut → frames.
///
/// Hand it what came, then ask for frames until there is none. It holds what was handed in and not yet asked for, and
/// beyond that never more than one frame, whose length is checked as soon as it is known. The bytes of a large frame are
/// copied once, to where the frame then has them.
public struct FrameDecoder<Frame: WireFrame>: Sendable {
    /// The minor version of the peer. What a newer one may have added is passed over. `Hello` sets it.
    public var peerMinor: UInt16

    private var splitter: FrameSplitter
    private var failure: WireError?

    /// - Parameter peerMinor: the version of the peer where it is known already
    public init(peerMinor: UInt16 = WireVersion.minor) {
        self.peerMinor = peerMinor
        splitter = FrameSplitter(
            payloadLimit: Frame.payloadLimit,
            wordLimit: Frame.wordLimit,
            largerLimits: Frame.largerPayloads,
            known: FrameTypes(Frame.isKnown)
        )
    }

    /// How many bytes are held: handed in, and not yet handed out.
    public var heldByteCount: Int { splitter.heldByteCount }

    /// Takes what came. After a failure nothing is taken any more.
    public mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard failure == nil else { return }
        splitter.append(bytes)
    }

    /// Takes what came. After a failure nothing is taken any more.
    public mutating func append(_ bytes: some Collection<UInt8>) {
        let isDone: Void? = bytes.withContiguousStorageIfAvailable { append(UnsafeRawBufferPointer($0)) }
        if isDone == nil { Array(bytes).withUnsafeBytes { append($0) } }
    }

    /// The next whole frame; nil until more comes. The first failure is the last word: it is thrown again for ever.
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

extension FrameDecoder where Frame == LaneFrame {
    /// Takes `held` frames of no more digests than can be needed, so that nobody has a megabyte kept with a frame that was not asked for. A frame that
    /// has begun is not touched.
    public mutating func limitHeld(to digests: Int) {
        splitter.largerLimits[LaneFrameType.held.rawValue] = LaneFrame.heldLimit(of: digests)
    }

    /// Takes what came, and hands out the bytes of `data` frames where they lie, in as many pieces as they come in: nothing of
    /// them is copied. What is no `data` is kept for ``next()``, as ``append(_:)`` does.
    ///
    /// Ask ``next()`` for everything that it has before, or nothing can pass.
    ///
    /// - Parameter body: is given each piece; what it throws leaves the decoder without use
    public mutating func append(
        _ bytes: UnsafeRawBufferPointer,
        passing body: (UnsafeRawBufferPointer) throws -> Void
    ) rethrows {
        guard failure == nil else { return }
        let count = try splitter.pass(bytes, of: LaneFrameType.data.rawValue, 1...WireLimits.data, to: body)
        if count < bytes.count { splitter.append(UnsafeRawBufferPointer(rebasing: bytes[count...])) }
    }
}
