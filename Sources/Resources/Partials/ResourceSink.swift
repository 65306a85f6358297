import LinuxPlatform
public import Vocabulary

/// Takes the stream of one resource and makes a file or folder of it: beside its place at first, under its name only when
/// it has come whole, was found to be what was sent, and would survive a power cut. Nothing is ever overwritten.
///
/// ```swift
/// let sink = try ResourceSink(for: offer, from: sender, into: "/home/deck/Downloads")
/// let start = ask(sender, toGoOnAfter: try sink.held())
/// try sink.start(at: start)
/// try sink.write(bytes)                                // again and again
/// let name = try sink.finish(expecting: digest)
/// ```
///
/// Whatever ends this early, a killed process too, the next sink for the same offer goes on from there.
public final class ResourceSink {
    private enum Stage {
        case opened, held, writing, ended
    }

    /// What is being received.
    public let offer: ResourceOffer
    private let target: TargetFolder
    private let partial: any ResourcePartial
    private var digester: StreamDigester
    private var stage = Stage.opened
    /// What was written since room was looked for: several at once can use up what each of them found.
    private var unseenBytes = 0

    private static let lookEvery = 1 << 20

    /// Makes a partial file or folder, or takes up the one that is there. It is locked until this sink is let go.
    ///
    /// - Parameters:
    ///   - offer: what the sender says
    ///   - sender: who that is
    ///   - path: the folder that the resource is to appear in
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

    /// How many bytes of the stream are here.
    public var receivedBytes: UInt64 { digester.position }

    /// How many bytes its files hold together, as a person would count them; known once it is finished.
    public var contentBytes: UInt64 { partial.contentBytes }

    /// Reads what is here already, for the sender to compare. It comes first.
    public func held() throws(ResourceError) -> HeldPrefix {
        precondition(stage == .opened, "what is held is asked once, and first")
        stage = .held
        try partial.readBack(into: &digester)
        return digester.prefix
    }

    /// Goes on at the sender's offset: where what is held ends, or where one of its blocks begins.
    public func start(at offset: UInt64) throws(ResourceError) {
        precondition(stage == .held, "a start follows what is held")
        guard digester.canContinue(at: offset) else { throw .badOffset(offset) }
        try target.requireRoom(bytes: offer.totalBytes - offset, entries: offset == 0 ? offer.entryCount : 0)
        digester.rewind(to: offset)
        try partial.start(at: offset)
        stage = .writing
    }

    /// Takes the next bytes of the stream.
    public func write(_ bytes: UnsafeRawBufferPointer) throws(ResourceError) {
        precondition(stage == .writing, "bytes follow a start")
        guard UInt64(bytes.count) <= offer.totalBytes - receivedBytes else { throw .moreThanAnnounced() }
        unseenBytes += bytes.count
        if unseenBytes >= Self.lookEvery {
            unseenBytes = 0
            try target.requireRoom(bytes: UInt64(bytes.count), entries: 0)
        }
        try partial.write(bytes)
        digester.update(bytes)
    }

    /// Makes sure that everything has come as it was sent, flushes it, and gives it its name.
    ///
    /// - Parameter isWanted: asked when all is ready; from a yes on, nothing but the disk keeps it from its name
    /// - Returns: the name it got, which is the wanted one if that was free and does not deceive
    public func finish(
        expecting digest: ContentDigest,
        ifStill isWanted: () -> Bool = { true }
    ) throws(ResourceError) -> FileName {
        precondition(stage == .writing, "an end follows a start")
        guard let own = digester.whole else { throw .incomplete(missing: offer.totalBytes - receivedBytes) }
        guard own == digest else { throw .damaged() }
        try partial.flush()
        guard isWanted() else { throw .notWanted(offer.name) }
        let name = try partial.adopt(as: offer.name.arriving)
        stage = .ended
        return name
    }

    /// Gives up. A sink that is just let go keeps what it has, too.
    ///
    /// - Parameter keepingPartial: whether what has come stays for another attempt
    public func abandon(keepingPartial: Bool) throws(ResourceError) {
        guard stage != .ended else { return }
        stage = .ended
        if keepingPartial, try partial.holdsSomething() { return }
        try partial.remove()
    }
}
