import Ledger
public import LinuxPlatform
import Resources
public import SessionRules
import Transport
public import Vocabulary
import Wire

/// A file or folder that a peer offers. The peer sends nothing of it before this machine accepts.
@Engine
public final class IncomingResource {
    private nonisolated let offer: Resources.ResourceOffer
    let member: Member
    private let id: TransferID
    private let context: NodeContext
    /// Weak, because programs keep a resource after the end of its peer.
    private weak var owner: (any IncomingResourceOwner)?
    private var machine: TransferReceiving
    private var timer = MachineTimer()
    private var forgetting: ScheduledTimer?
    private(set) var place: OfferPlace
    private let file: ReceivingFile
    private var channel = TransferChannel()
    private var report = TransferReport()
    private let outcome = Promise<FileName>()

    /// The time for which the end is stored, for a sender that did not learn it.
    private static let memory = Duration.seconds(600)

    init(
        _ offer: ControlFrame.ResourceOffer,
        for member: Member,
        in place: OfferPlace,
        _ context: NodeContext,
        owner: any IncomingResourceOwner
    ) {
        (self.place, self.member, self.context, self.owner) = (place, member, context, owner)
        id = offer.transfer
        self.offer = Resources.ResourceOffer(
            name: offer.name,
            kind: offer.kind == .folder ? .folder : .file,
            totalBytes: offer.total,
            entryCount: Int(offer.entries),
            identity: offer.identity,
            stamp: offer.stamp
        )
        file = ReceivingFile(self.offer, from: member.peer, context.shares.files(of: member.peer))
        machine = TransferReceiving(total: offer.total, patience: context.configuration.patience.transfers, at: .now)
        setTimer()
    }

    /// The sender.
    public nonisolated var peer: PeerID { member.peer }
    /// The wanted name. It can't point out of the folder.
    public nonisolated var name: FileName { offer.name }
    /// True for a folder.
    public nonisolated var isFolder: Bool { offer.kind == .folder }
    /// The number of bytes to transfer: for a folder, also those that describe its files.
    public nonisolated var totalBytes: UInt64 { offer.totalBytes }
    /// The number of its files, folders and links.
    public nonisolated var entryCount: Int { offer.entryCount }
    /// The number of bytes in its files; known once the resource is stored.
    public var contentBytes: UInt64? { file.contentBytes }
    /// The progress of the transfer.
    public var progress: TransferProgress { machine.progress }

    /// True while bytes are on their way, or about to be.
    var isRunning: Bool { !machine.state.isOver && machine.state != .asked }
    var isOver: Bool { machine.state.isOver }

    var naming: NamingDecision {
        get { file.naming }
        set { file.naming = newValue }
    }

    // MARK: Calls of the program

    /// Accepts the resource, into a folder of this machine. If a part of it exists there already, the peer sends only
    /// the rest.
    ///
    /// - Throws: if the resource can't be stored there; the sender learns that, too
    public func accept(into folder: String) async throws {
        guard machine.state == .asked else { return }
        file.setFolder(folder)
        for older in owner?.olderTransfers(like: self) ?? [] { await older.giveWay() }
        do {
            try await file.open()
            // The sender may have withdrawn it meanwhile.
            guard !machine.state.isOver else { return await file.release(isDone: hasFailed) }
        } catch let error as ResourceError {
            refuse(.declined, remark(on: error))
            throw error
        }
        perform(machine.accept(at: .now))
    }

    /// Refuses the resource.
    public func refuse(_ reason: PartingReason = .declined) {
        refuse(reason, "")
    }

    private func refuse(_ reason: PartingReason, _ remark: String) {
        guard canEnd() else { return }
        report.remark = remark
        perform(machine.refuse(reason))
    }

    /// The words about an error for the peer: they show neither paths of this machine nor how full its disk is.
    private func remark(on error: ResourceError) -> String {
        if let remark = error.remark { return remark }
        // Neither the system call nor the name of a partial file is of use there.
        if let cause = error.cause as? SystemError { return "it can't be stored there (\(cause.reason))" }
        return file.folder.isEmpty ? error.sentence : error.sentence.replacing(file.folder, with: "…")
    }

    /// True if the resource was refused because it can't be stored here, and not by the user.
    private func isUnstorable(_ how: TransferOutcome) -> Bool { how == .refused(.declined) && !report.remark.isEmpty }

    /// Cancels the transfer. The received part stays, so that the transfer can continue another time. ``finished()``
    /// shows if this was in time.
    public func cancel() { cancel(.withdrawn) }

    private func cancel(_ reason: PartingReason) {
        if canEnd() { perform(machine.cancel(reason)) }
    }

    /// True if the file has no name yet; from now on it gets none.
    private func canEnd() -> Bool { machine.state != .finishing || file.naming.decide() }

    /// True if the transfer has ended without storing the resource.
    private var hasFailed: Bool { machine.state.isOver && machine.state != .stored }

    /// Waits until the resource is in its folder, and returns its name there.
    public func finished() async throws -> FileName { try await outcome.value() }

    /// True for the same content from the same peer into the same folder.
    func isLike(_ other: IncomingResource) -> Bool {
        peer == other.peer && offer.identity == other.offer.identity && offer.name == other.offer.name
            && file.folder == other.file.folder
    }

    /// Ends in favour of a transfer that continues at this point, and waits until the partial file is free. A sender
    /// that offers the same content again has forgotten the first offer, or has abandoned it.
    func giveWay() async {
        cancel(.replaced)
        await file.working?.settled()
    }

    // MARK: Frames of the peer

    func takeSecondOffer() throws { perform(try machine.offeredAgain(at: .now)) }

    func takeCancel(_ reason: PartingReason) {
        if canEnd() { perform(machine.receivedCancel(reason)) }
    }

    /// Takes a channel on which the sender begins.
    func begin(on channel: DataChannel) async {
        do {
            let actions = try machine.receivedBegin(at: .now)
            let old = self.channel.removeChannel()
            self.channel.set(channel)
            let attempt = self.channel.beginAttempt()
            if actions.contains(.replaceChannel) { old?.abort() }
            perform(actions)
            // This also counts if it replaces a channel whose first frames are still being read: that one is too late
            // then.
            if machine.state == .measuring { await receive(on: channel, attempt) }
        } catch {
            channel.abort()
        }
    }

    // MARK: Links that go and come

    func handleLostLink() { perform(machine.linkLost(at: .now)) }

    func handleNewLink() {
        if !machine.hasLink { perform(machine.linkCameBack(at: .now)) }
    }

    /// Ends with the membership. The sender can ask for the result only in that session, so the resource is forgotten
    /// once it has released the partial file.
    func handleDeparture(_ reason: PartingReason) {
        perform(machine.peerLeft(reason))
        context.tasks.add {
            await self.file.working?.settled()
            if self.isOver { self.forget() }
        }
    }

    /// Forgets the resource, to make room for others.
    func forget() {
        forgetting?.cancel()
        owner?.removeIncoming(id)
    }

    // MARK: Receiving

    private func receive(on channel: DataChannel, _ attempt: Int) async {
        await file.work {
            do {
                if self.channel.attempt == attempt { try await self.receiveContent(on: channel, attempt) }
            } catch {
                self.handleFailure(error, attempt)
            }
        } isDone: {
            self.hasFailed
        }
    }

    private func receiveContent(on channel: DataChannel, _ attempt: Int) async throws {
        try await file.reopen(isFirst: attempt == 1)
        let held = try await file.held()
        guard self.channel.attempt == attempt else { return }
        perform(machine.measured(held.bytes, at: .now))
        try await channel.send(
            .held(.init(byteCount: held.bytes, blockSize: held.blockSize, digests: held.digests))
        )
        let start = try await expectStart(on: channel, attempt)
        let sink = try await file.start(at: start)
        // Reports are often enough that neither side takes a slow connection for a stalled one.
        let pause = context.configuration.patience.transfers.stall / 30
        let last = try await channel.drain(into: sink, reportingEvery: pause) { [weak self] bytes in
            guard let self, self.channel.attempt == attempt else { throw CancellationError() }
            for action in self.machine.wrote(to: bytes, at: .now) {
                if case .sendVerified(let bytes) = action { try await channel.send(.verified(bytes)) }
            }
        }
        guard self.channel.attempt == attempt else { return }
        try await takeLast(last, sink)
    }

    private func expectStart(on channel: DataChannel, _ attempt: Int) async throws -> UInt64 {
        while let frame = try await channel.next() {
            guard self.channel.attempt == attempt else { throw CancellationError() }
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
        throw ChannelError.lost(nil)
    }

    private func takeLast(_ frame: ChannelFrame, _ sink: UncheckedTransfer<ResourceSink>) async throws {
        switch frame {
        case .resourceEnd(let end):
            perform(try machine.receivedEnd(total: end.total, at: .now))
            await store(sink, expecting: end.digest)
        case .failed(let failed): perform(try machine.receivedFailed(TransferFault(failed)))
        default: throw Self.unexpected
        }
    }

    /// Stores the resource, also without a channel.
    private func store(_ sink: UncheckedTransfer<ResourceSink>, expecting digest: ContentDigest) async {
        do {
            report.storedName = try await file.store(sink, expecting: digest)
            perform(machine.finished())
        } catch let error as ResourceError {
            fail(error)
        } catch let error as SystemError {
            // The system may have no thread for the work.
            fail(ResourceError(error, at: file.folder))
        } catch {
            preconditionFailure("a sink has no other errors: \(error)")
        }
    }

    private func fail(_ error: ResourceError) {
        guard !machine.state.isOver else { return }
        report.troubleHere = error
        perform(machine.failHere(TransferFault(code: error.code.description, message: remark(on: error))))
    }

    private static let unexpected = ProtocolViolation(
        "transfer.unexpected-frame",
        "the sender of a transfer said something else"
    )

    private func handleFailure(_ error: any Error, _ attempt: Int) {
        guard channel.attempt == attempt else { return }
        switch error {
        case let error as ResourceError: fail(error)
        case is ProtocolViolation, is WireError:
            perform(machine.failHere(TransferFault(code: "transfer.broke-protocol", message: "\(error)")))
        default:
            channel.removeChannel()?.abort()
            perform(machine.channelLost(at: .now))
        }
    }

    // MARK: Actions

    private func perform(_ actions: [TransferReceiving.Action]) {
        for action in actions {
            switch action {
            case .sendAnswer(let refusal): sendAnswer(refusal)
            // The task of the channel does these at their moment.
            case .measure, .receive, .finish, .sendHeld, .replaceChannel: break
            case .sendVerified(let bytes): sendOnChannel(.verified(bytes))
            case .sendStored: if let name = report.storedName { sendOnChannel(.stored(name)) }
            case .sendCancel(let reason): member.link?.send(.transferCancel(.init(transfer: id, reason: reason)))
            case .sendFailed(let fault): sendOnChannel(.failed(.init(fault)))
            case .closeChannel: if let old = channel.end() { _ = context.close(old) }
            case .end(let outcome): end(outcome)
            }
        }
        setTimer()
    }

    private func sendAnswer(_ refusal: PartingReason?) {
        let verdict: Wire.Verdict = refusal.map { .refused($0) } ?? .accepted
        member.link?.send(.resourceAnswer(.init(transfer: id, verdict: verdict, message: Remark(report.remark))))
    }

    private func sendOnChannel(_ frame: ChannelFrame) {
        guard let channel = channel.channel else { return }
        context.tasks.add { try? await channel.send(frame) }
    }

    private func end(_ how: TransferOutcome) {
        if case .failedThere(let fault) = how {
            file.setWorthless(fault.code == ResourceError.sourceChanged.description)
        }
        file.releaseSoon(in: context.tasks) { self.hasFailed }
        context.writer.note(
            "received",
            about: peer,
            [.init("name", name.text), .init("outcome", isUnstorable(how) ? "not-stored" : how.word)]
        )
        context.tally.receiving.ended(how)
        context.owner?.transferEnded()
        place.shrink()
        forgetting = Engine.schedule(at: .now + Self.memory) { [weak owner, id] in owner?.removeIncoming(id) }
        if how == .stored { return outcome.settle(.success(report.storedName ?? name)) }
        outcome.settle(.failure(SessionError(how, troubleHere: report.troubleHere)))
    }

    private func setTimer() {
        timer.set(for: self, at: machine.deadline) {
            if $0.canEnd() { $0.perform($0.machine.deadlinePassed(at: .now)) }
        }
    }
}

/// The owner of incoming resources: the transfers of their peer.
@Engine
protocol IncomingResourceOwner: AnyObject, Sendable {
    /// The older transfers with the same partial file.
    func olderTransfers(like resource: IncomingResource) -> [IncomingResource]
    func removeIncoming(_ id: TransferID)
}
