import LinuxPlatform
public import Vocabulary

/// Receives the stream of one resource and creates a file or folder. It writes under a temporary name, and renames the
/// resource when it is complete, verified and flushed to the disk. It never overwrites an entry.
///
/// ```swift
/// let sink = try ResourceSink(for: offer, from: sender, into: "/home/deck/Downloads")
/// let start = ask(sender, toGoOnAfter: try sink.held())
/// try sink.start(at: start)
/// try sink.write(bytes)                                // again and again
/// let name = try sink.finish(expecting: digest)
/// ```
///
/// After any interruption, even of the process, the next sink for the same offer continues from there.
public final class ResourceSink {
    private enum Stage {
        case opened, held, writing, ended
    }

    /// The offer of the resource.
    public let offer: ResourceOffer
    private let target: TargetFolder
    private let partial: any ResourcePartial
    private var digester: StreamDigester
    private var stage = Stage.opened
    /// Number of bytes since the last check of free space: several sinks can use up the space that each of them found.
    private var unseenBytes = 0

    private static let lookEvery = 1 << 20

    /// Creates a partial file or folder, or opens the existing one. The sink locks it until it is released.
    ///
    /// - Parameters:
    ///   - offer: the sender's description of the resource
    ///   - sender: the sending peer
    ///   - path: folder of the resource
    public init(for offer: ResourceOffer, from sender: PeerID, into path: String) throws(ResourceError) {
        guard offer.totalBytes <= BlockPlan.largestTotal else { throw .tooLarge(offer.name.text) }
        guard (0...PackLimits.entries).contains(offer.entryCount) else { throw .tooManyEntries() }
        self.offer = offer
        target = try TargetFolder(at: path)
        digester = StreamDigester(BlockPlan(total: offer.totalBytes))
        let name = PartialName.name(of: offer, from: sender)
        PartialShare.usual.enforce(in: target, of: sender, beside: name)
        switch offer.kind {
        case .file: partial = try FilePartial(name, in: target, for: offer)
        case .folder: partial = try FolderPartial(name, in: target, for: offer)
        }
    }

    /// Number of stored bytes of the stream.
    public var receivedBytes: UInt64 { digester.position }

    /// Total size of its files in bytes, known after ``finish(expecting:ifStill:)``.
    public var contentBytes: UInt64 { partial.contentBytes }

    /// Digests the stored bytes, for the sender to compare. Call it first and once.
    public func held() throws(ResourceError) -> HeldPrefix {
        precondition(stage == .opened, "held() is called once, and first")
        stage = .held
        try partial.readBack(into: &digester)
        return digester.prefix
    }

    /// Continues at the sender's offset: at the end of the held bytes, or at the start of one of their blocks.
    public func start(at offset: UInt64) throws(ResourceError) {
        precondition(stage == .held, "start(at:) follows held()")
        guard digester.canContinue(at: offset) else { throw .badOffset(offset) }
        try target.requireRoom(bytes: offer.totalBytes - offset, entries: offset == 0 ? offer.entryCount : 0)
        digester.rewind(to: offset)
        try partial.start(at: offset)
        stage = .writing
    }

    /// Stores the next bytes of the stream.
    public func write(_ bytes: UnsafeRawBufferPointer) throws(ResourceError) {
        precondition(stage == .writing, "write(_:) follows start(at:)")
        guard UInt64(bytes.count) <= offer.totalBytes - receivedBytes else { throw .moreThanAnnounced() }
        unseenBytes += bytes.count
        if unseenBytes >= Self.lookEvery {
            unseenBytes = 0
            try target.requireRoom(bytes: UInt64(bytes.count), entries: 0)
        }
        try partial.write(bytes)
        digester.update(bytes)
    }

    /// Verifies that all bytes arrived unchanged, flushes the resource, and renames it.
    ///
    /// - Parameter isWanted: called before the renaming; after true, only an error of the disk prevents it
    /// - Returns: the name, which is the wanted one if that was free and harmless
    public func finish(
        expecting digest: ContentDigest,
        ifStill isWanted: () -> Bool = { true }
    ) throws(ResourceError) -> FileName {
        precondition(stage == .writing, "finish(expecting:) follows start(at:)")
        guard let own = digester.whole else { throw .incomplete(missing: offer.totalBytes - receivedBytes) }
        guard own == digest else { throw .damaged() }
        try partial.flush()
        guard isWanted() else { throw .notWanted(offer.name) }
        let name = try partial.adopt(as: offer.name.arriving)
        stage = .ended
        return name
    }

    /// Ends the transfer. A sink that is released without this call keeps its bytes.
    ///
    /// - Parameter keepingPartial: true to keep the bytes for another attempt
    public func abandon(keepingPartial: Bool) throws(ResourceError) {
        guard stage != .ended else { return }
        stage = .ended
        if keepingPartial, try partial.holdsSomething() { return }
        try partial.remove()
    }
}
