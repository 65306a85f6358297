import Ledger
public import LinuxPlatform
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
    /// How many bytes travel: of a folder, also what is said of its files.
    public nonisolated let totalBytes: UInt64
    /// How many bytes its files hold together, as a person would count them; known once it is stored.
    public private(set) var contentBytes: UInt64?
    /// How many files, folders and links it consists of.
    public nonisolated let entryCount: Int
    /// How far it is.
    public var progress: TransferProgress { machine.progress }

    /// Whether bytes are on their way, or about to be.
    var isUnderWay: Bool { !machine.state.isOver && machine.state != .asked }

    /// Whether it is remembered only.
    var isOver: Bool { machine.state.isOver }
    private(set) var place: OfferPlace

    let member: Member
    private let id: TransferID
    private let offer: Resources.ResourceOffer
    /// It holds this until either ends, and a while longer.
    private let node: Node
    private var machine: TransferReceiving
    private var timer = MachineTimer()
    private var forgetting: ScheduledTimer?
    private var folder = ""
    private var channel: LaneChannel?
    private var sink: Handed<ResourceSink>?
    /// Settled when whoever writes into the sink has let go of it.
    private var working: Promise<Void>?
    /// Counts lanes, so that what comes late from an old one is not taken for the new one's.
    private var attempt = 0
    private var storedName: FileName?
    /// Whether it ends before it has its name, or with it.
    var naming = Naming()
    /// What went wrong on this side.
    private var troubleHere: ResourceError?
    /// Whether what has come of it will never fit what the sender has.
    private var isWorthless = false
    private let outcome = Promise<FileName>()

    /// How long the end is remembered, for a sender that did not hear of it.
    private static let memory = Duration.seconds(600)

    init(_ offer: ControlFrame.ResourceOffer, for member: Member, in place: OfferPlace, at node: Node) {
        self.place = place
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
            identity: offer.identity,
            stamp: offer.stamp
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
        for older in node.transfers(like: self) { await older.giveWay() }
        do {
            // Whoever has no room says so before anything is sent.
            let opened = try await openSink()
            sink = opened
            // It may have been taken back meanwhile.
            guard !machine.state.isOver else { return await letGo() }
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
        guard mayEnd() else { return }
        self.remark = remark
        perform(machine.refuse(reason))
    }

    /// What the peer is told of an error: not where things lie on this machine, nor how full its disk is.
    private func remark(on error: ResourceError) -> String {
        if let remark = error.remark { return remark }
        // Neither which call that was, nor the name of a partial file, is of use there.
        if let cause = error.cause as? SystemError { return "it can't be stored there (\(cause.reason))" }
        return folder.isEmpty ? error.sentence : error.sentence.replacing(folder, with: "…")
    }

    private var remark = ""

    /// Whether it was refused because it can't be stored here, and not by a person.
    private func isUnstorable(_ how: TransferOutcome) -> Bool { how == .refused(.declined) && !remark.isEmpty }

    /// Wants it no more. What has come of it stays, so that it can go on another time. ``finished()`` says whether this was in time.
    public func cancel() { cancel(.withdrawn) }

    private func cancel(_ reason: PartingReason) {
        if mayEnd() { perform(machine.cancel(reason)) }
    }

    /// Whether it can still be kept from getting its name, which from now on it does not get.
    private func mayEnd() -> Bool { machine.state != .finishing || naming.decide() }

    /// Waits until it lies in its folder, and answers under which name.
    public func finished() async throws -> FileName { try await outcome.value() }

    /// Whether it is the same thing from the same peer into the same folder.
    func isLike(_ other: IncomingResource) -> Bool {
        peer == other.peer && offer.identity == other.offer.identity && offer.name == other.offer.name
            && folder == other.folder
    }

    /// Ends for one that is to go on where this is, and answers once the partial file is free. A sender that offers a thing anew
    /// has forgotten that it did before, or gave up.
    func giveWay() async {
        cancel(.replaced)
        await working?.settled()
    }

    private var files: FileTurns { node.shares.files(of: peer) }

    private func openSink() async throws -> Handed<ResourceSink> {
        let (offer, peer, folder) = (offer, peer, folder)
        return try await files.run("sink") { Handed(try ResourceSink(for: offer, from: peer, into: folder)) }
    }

    // MARK: What the peer says

    func offeredAgain() throws { perform(try machine.offeredAgain(at: .now)) }

    func wasCancelled(_ reason: PartingReason) {
        if mayEnd() { perform(machine.receivedCancel(reason)) }
    }

    /// The sender begins on a lane.
    func begin(on channel: LaneChannel) async {
        let old = self.channel
        do {
            let actions = try machine.receivedBegin(at: .now)
            self.channel = channel
            attempt += 1
            for action in actions where action == .replaceLane { old?.abort() }
            perform(actions)
            // Also where the place of one is taken whose beginning is still being read: that one comes too late then.
            if machine.state == .measuring { await receive(on: channel, attempt) }
        } catch {
            channel.abort()
        }
    }

    // MARK: Links that go and come

    func linkLost() { perform(machine.linkLost(at: .now)) }

    func linkCameBack() {
        if !machine.hasLink { perform(machine.linkCameBack(at: .now)) }
    }

    /// Only in its session can the sender ask for it again, so it is forgotten once it has let go of the partial file.
    func peerLeft(_ reason: PartingReason) {
        perform(machine.peerLeft(reason))
        node.crew.add {
            await self.working?.settled()
            if self.isOver { self.forget() }
        }
    }

    /// Makes room for others.
    func forget() {
        forgetting?.cancel()
        node.incoming[id] = nil
    }

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
        await letGo()
        working.settle(.success(()))
    }

    /// Nobody is at work with the sink. Whoever is lets go of it at the end.
    private func letGoSoon() {
        let working = Promise<Void>()
        self.working = working
        let begins = node.crew.add {
            await self.letGo()
            working.settle(.success(()))
        }
        if !begins { working.settle(.success(())) }
    }

    /// Whoever wrote into the sink is done. Where nothing can come of what is there, it does not stay.
    private func letGo() async {
        guard let sink else { return }
        self.sink = nil
        guard machine.state.isOver, machine.state != .stored else { return }
        let isWorthless = isWorthless
        try? await files.run("tidy") { try sink.value.abandon(keepingPartial: !isWorthless) }
    }

    private func goOn(on channel: LaneChannel, _ attempt: Int) async throws {
        let sink = try await freshSink()
        self.sink = sink
        // What is there already is read, which can take long.
        let held = try await files.run("measure") { try sink.value.held() }
        guard self.attempt == attempt else { return }
        perform(machine.measured(held.bytes, at: .now))
        try await channel.send(
            .held(.init(byteCount: held.bytes, blockSize: held.blockSize, digests: held.digests))
        )
        let start = try await expectStart(on: channel, attempt)
        try await files.run("start") { try sink.value.start(at: start) }
        let last = try await channel.drain(into: sink, tellingEvery: Self.pauses(in: node)) { [weak self] bytes in
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

    /// Often enough that neither side takes a slow line for one that stands still.
    private static func pauses(in node: Node) -> Duration { node.configuration.transfers.stall / 30 }

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
            await store(sink, expecting: end.digest)
        case .failed(let failed): perform(try machine.receivedFailed(TransferFault(failed)))
        default: throw Self.unexpected
        }
    }

    /// Goes on without a lane, too. Flushing to the disk can take long.
    private func store(_ sink: Handed<ResourceSink>, expecting digest: ContentDigest) async {
        let naming = naming
        do {
            storedName = try await files.run("store") {
                try sink.value.finish(expecting: digest) { naming.mayName() }
            }
            contentBytes = sink.value.contentBytes
            perform(machine.finished())
        } catch let error as ResourceError {
            failHere(error)
        } catch let error as SystemError {
            // There may be no thread to be had for it.
            failHere(ResourceError(error, at: folder))
        } catch {
            preconditionFailure("a sink explains what goes wrong: \(error)")
        }
    }

    private func failHere(_ error: ResourceError) {
        guard !machine.state.isOver else { return }
        troubleHere = error
        perform(machine.failHere(TransferFault(code: error.code.description, message: remark(on: error))))
    }

    private static let unexpected = ProtocolViolation(
        "transfer.unexpected-frame",
        "the sender of a transfer said something else"
    )

    private func laneFailed(_ error: any Error, _ attempt: Int) {
        guard self.attempt == attempt else { return }
        switch error {
        case let error as ResourceError: failHere(error)
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
        if let old { _ = node.closeLane(old) }
    }

    private func end(_ how: TransferOutcome) {
        if case .failedThere(let fault) = how { isWorthless = fault.code == ResourceError.sourceChanged.description }
        if working?.isSettled ?? true { letGoSoon() }
        node.note(
            "received",
            about: peer,
            [.init("name", name.text), .init("outcome", isUnstorable(how) ? "not-stored" : how.word)]
        )
        let (node, id) = (node, id)
        node.counted.receiving.ended(how)
        if node.isIdle { node.whenIdle() }
        place.shrink()
        forgetting = Engine.schedule(at: .now + Self.memory) { [weak node] in node?.incoming[id] = nil }
        if how == .stored { return outcome.settle(.success(storedName ?? name)) }
        outcome.settle(.failure(SessionError(how, troubleHere: troubleHere)))
    }

    private func setTimer() {
        timer.set(for: self, at: machine.deadline) {
            if $0.mayEnd() { $0.perform($0.machine.deadlinePassed(at: .now)) }
        }
    }
}
