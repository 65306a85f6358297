import Ledger
import LinuxPlatform
import Resources
public import SessionRules
import Transport
public import Vocabulary
import Wire

/// A file or folder that a peer offers. Nothing of it is sent before it is accepted.
@Engine
public final class IncomingResource {
    /// Who offers it.
    public nonisolated let peer: PeerID
    /// What it shall be called. It can't lead anywhere else.
    public nonisolated let name: FileName
    /// Whether it is a folder.
    public nonisolated let isFolder: Bool
    /// How many bytes it has.
    public nonisolated let totalBytes: UInt64
    /// How many files, folders and links it consists of.
    public nonisolated let entryCount: Int
    /// How far it is.
    public var progress: TransferProgress { machine.progress }

    /// Whether bytes are on their way, or about to be.
    var isUnderWay: Bool { !machine.state.isOver && machine.state != .asked }

    /// Whether it is remembered only.
    var isOver: Bool { machine.state.isOver }
    let arrival = ContinuousClock.now

    let member: Member
    private let id: TransferID
    private let offer: Resources.ResourceOffer
    private unowned let node: Node
    private var machine: TransferReceiving
    private var timer: ScheduledTimer?
    private var folder = ""
    private var channel: LaneChannel?
    private var sink: Handed<ResourceSink>?
    /// Settled when whoever writes into the sink has let go of it.
    private var working: Promise<Void>?
    /// Counts lanes, so that what comes late from an old one is not taken for the new one's.
    private var attempt = 0
    private var storedName: FileName?
    private let outcome = Promise<FileName>()

    /// How long the end is remembered, for a sender that did not hear of it.
    private static let memory = Duration.seconds(600)

    init?(_ offer: ControlFrame.ResourceOffer, for member: Member, at node: Node) {
        guard let identity = Resources.ResourceIdentity(bytes: offer.identity.bytes) else { return nil }
        self.member = member
        self.node = node
        id = offer.transfer
        peer = member.peer
        name = offer.name
        isFolder = offer.kind == .folder
        totalBytes = offer.total
        entryCount = Int(offer.entries)
        self.offer = Resources.ResourceOffer(
            name: offer.name,
            kind: isFolder ? .folder : .file,
            totalBytes: offer.total,
            entryCount: Int(offer.entries),
            identity: identity
        )
        machine = TransferReceiving(total: offer.total, patience: node.configuration.transfers, at: .now)
        setTimer()
    }

    // MARK: What the application says

    /// Takes it, into a folder of this machine. Where a part of it is there already, only the rest is sent.
    ///
    /// - Throws: where it could not be stored there; the sender is told
    public func accept(into folder: String) async throws {
        guard machine.state == .asked else { return }
        self.folder = folder
        do {
            // Whoever has no room says so before anything is sent.
            let opened = try await openSink()
            // It may have been taken back meanwhile.
            guard !machine.state.isOver else { return }
            sink = opened
        } catch let error as ResourceError {
            refuse(.declined, remark(on: error))
            throw error
        }
        perform(machine.accept(at: .now))
    }

    /// Does not take it.
    public func refuse(_ reason: PartingReason = .declined) {
        refuse(reason, "")
    }

    private func refuse(_ reason: PartingReason, _ remark: String) {
        self.remark = remark
        perform(machine.refuse(reason))
    }

    /// What the peer is told of an error: not where things lie on this machine.
    private func remark(on error: ResourceError) -> String {
        error.description.replacing(folder, with: "…")
    }

    private var remark = ""

    /// Wants it no more. What has come of it stays, so that it can go on another time.
    public func cancel() { perform(machine.cancel()) }

    /// Waits until it lies in its folder, and answers under which name.
    public func finished() async throws -> FileName { try await outcome.value() }

    private func openSink() async throws -> Handed<ResourceSink> {
        let (offer, peer, folder) = (offer, peer, folder)
        return try await runBlocking("sink") { Handed(try ResourceSink(for: offer, from: peer, into: folder)) }
    }

    // MARK: What the peer says

    func offeredAgain() throws { perform(try machine.offeredAgain(at: .now)) }

    func wasCancelled(_ reason: PartingReason) { perform(machine.receivedCancel(reason)) }

    /// The sender begins on a lane.
    func begin(on channel: LaneChannel) async {
        let old = self.channel
        do {
            let actions = try machine.receivedBegin(at: .now)
            self.channel = channel
            attempt += 1
            for action in actions where action == .replaceLane { old?.abort() }
            perform(actions)
            if actions.contains(.measure) { await receive(on: channel, attempt) }
        } catch {
            channel.abort()
        }
    }

    // MARK: Links that go and come

    func linkLost() { perform(machine.linkLost(at: .now)) }

    func linkCameBack() {
        if !machine.hasLink { perform(machine.linkCameBack(at: .now)) }
    }

    func peerLeft(_ reason: PartingReason) { perform(machine.peerLeft(reason)) }

    // MARK: Receiving

    private func receive(on channel: LaneChannel, _ attempt: Int) async {
        // One at a time: whoever was at it before has to let go of the partial file first.
        let before = working
        let working = Promise<Void>()
        self.working = working
        await before?.settled()
        do {
            if self.attempt == attempt { try await goOn(on: channel, attempt) }
        } catch {
            laneFailed(error, attempt)
        }
        sink = nil
        working.settle(.success(()))
    }

    private func goOn(on channel: LaneChannel, _ attempt: Int) async throws {
        let sink = try await freshSink()
        self.sink = sink
        // What is there already is read, which can take long.
        let held = try await runBlocking("measure") { try sink.value.held() }
        guard self.attempt == attempt else { return }
        perform(machine.measured(held.bytes, at: .now))
        let digests = held.digests.compactMap { ContentDigest(bytes: $0.bytes) }
        try await channel.send(
            .held(.init(byteCount: held.bytes, blockSize: held.blockSize, digests: digests))
        )
        let start = try await expectStart(on: channel, attempt)
        try await runBlocking("start") { try sink.value.start(at: start) }
        let last = try await channel.drain(into: sink) { [weak self] bytes in
            guard let self, self.attempt == attempt else { throw CancellationError() }
            for action in self.machine.wrote(to: bytes, at: .now) {
                if case .sendVerified(let bytes) = action { try await channel.send(.verified(bytes)) }
            }
        }
        guard self.attempt == attempt else { return }
        try await takeLast(last, sink, attempt)
    }

    /// The sink that was made when it was accepted, the first time; later ones are opened anew.
    private func freshSink() async throws -> Handed<ResourceSink> {
        if let sink, attempt == 1 { return sink }
        sink = nil
        return try await openSink()
    }

    private func expectStart(on channel: LaneChannel, _ attempt: Int) async throws -> UInt64 {
        while let frame = try await channel.next() {
            guard self.attempt == attempt else { throw CancellationError() }
            switch frame {
            case .startAt(let offset):
                perform(try machine.receivedStart(offset, at: .now))
                return offset
            case .failed(let failed):
                perform(try machine.receivedFailed(TransferFault(failed)))
                throw CancellationError()
            default: throw Self.unexpected
            }
        }
        throw LaneError.lost(nil)
    }

    private func takeLast(_ frame: LaneFrame, _ sink: Handed<ResourceSink>, _ attempt: Int) async throws {
        switch frame {
        case .resourceEnd(let end):
            perform(try machine.receivedEnd(total: end.total, at: .now))
            guard let digest = ResourceDigest(bytes: end.digest.bytes) else { throw Self.unexpected }
            // Flushing to the disk can take long.
            storedName = try await runBlocking("store") { try sink.value.finish(expecting: digest) }
            perform(machine.finished())
        case .failed(let failed): perform(try machine.receivedFailed(TransferFault(failed)))
        default: throw Self.unexpected
        }
    }

    private static let unexpected = ProtocolViolation(
        "transfer.unexpected-frame",
        "the sender of a transfer said something else"
    )

    private func laneFailed(_ error: any Error, _ attempt: Int) {
        guard self.attempt == attempt else { return }
        switch error {
        case let error as ResourceError:
            perform(machine.failHere(TransferFault(code: error.code.description, message: remark(on: error))))
        case is ProtocolViolation, is WireError:
            perform(machine.failHere(TransferFault(code: "transfer.broke-protocol", message: "\(error)")))
        default:
            channel?.abort()
            channel = nil
            perform(machine.laneLost(at: .now))
        }
    }

    // MARK: What follows

    private func perform(_ actions: [TransferReceiving.Action]) {
        for action in actions {
            switch action {
            case .sendAnswer(let refusal): sendAnswer(refusal)
            // The lane's own task does these where it is at that point.
            case .measure, .receive, .finish, .sendHeld, .replaceLane: break
            case .sendVerified(let bytes): sendOnLane(.verified(bytes))
            case .sendStored: if let storedName { sendOnLane(.stored(storedName)) }
            case .sendCancel(let reason): member.link?.send(.transferCancel(.init(transfer: id, reason: reason)))
            case .sendFailed(let fault): sendOnLane(.failed(.init(fault)))
            case .closeLane: closeLane()
            case .end(let outcome): end(outcome)
            }
        }
        setTimer()
    }

    private func sendAnswer(_ refusal: PartingReason?) {
        let verdict: Wire.Verdict = refusal.map { .refused($0) } ?? .accepted
        member.link?.send(.resourceAnswer(.init(transfer: id, verdict: verdict, message: Remark(remark))))
    }

    private func sendOnLane(_ frame: LaneFrame) {
        guard let channel else { return }
        node.crew.add { try? await channel.send(frame) }
    }

    private func closeLane() {
        attempt += 1
        let old = channel
        channel = nil
        // A last word may be on its way.
        if let old { node.crew.add { await old.close() } }
    }

    private func end(_ how: TransferOutcome) {
        sink = nil
        node.note("received", about: peer, [.init("name", name.text), .init("outcome", how.word)])
        let (node, id) = (node, id)
        if node.isIdle { node.whenIdle() }
        _ = Engine.schedule(at: .now + Self.memory) { [weak node] in node?.incoming[id] = nil }
        if how == .stored { return outcome.settle(.success(storedName ?? name)) }
        outcome.settle(.failure(SessionError(how)))
    }

    private func setTimer() {
        timer?.cancel()
        timer = machine.deadline.map { deadline in
            Engine.schedule(at: deadline) { [weak self] in
                guard let self else { return }
                self.perform(self.machine.deadlinePassed(at: .now))
            }
        }
    }
}
