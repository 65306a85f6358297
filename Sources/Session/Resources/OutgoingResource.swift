import Ledger
public import LinuxPlatform
import Resources
public import SessionRules
import Transport
public import Vocabulary
import Wire

/// A file or folder on its way to one peer. It survives cut connections, and continues at the byte that it had reached.
@Engine
public final class OutgoingResource {
    /// The receiver.
    public nonisolated let peer: PeerID
    private nonisolated let source: ResourceSource
    private(set) var member: Member
    /// True while the receiver's program has started again and is not in the session yet.
    var awaitsNewMember = false
    private var id = TransferID.random()
    private let path: String
    private let context: NodeContext
    private let owner: any OutgoingResourceOwner
    private var machine: TransferSending
    private var timer = MachineTimer()
    private var channel = TransferChannel()
    /// The end of the last channel.
    private var closed: Promise<Void>?
    private var report = TransferReport()
    /// The reason in a cancel frame that the receiver has not confirmed yet.
    private var unconfirmedCancel: PartingReason?
    private let outcome = Promise<FileName>()

    /// - Parameter path: the path on this machine, which the receiver must not learn
    init(
        _ source: ResourceSource,
        from path: String,
        to member: Member,
        _ context: NodeContext,
        owner: any OutgoingResourceOwner
    ) {
        (self.source, self.path, self.member, self.context, self.owner) = (source, path, member, context, owner)
        peer = member.peer
        machine = TransferSending(
            total: source.totalBytes,
            patience: context.configuration.patience.transfers,
            at: .now
        )
    }

    /// The name on this machine.
    public nonisolated var name: FileName { source.name }
    /// The number of bytes in its files.
    public nonisolated var contentBytes: UInt64 { source.contentBytes }
    /// The number of entries of a folder that can't be sent.
    public nonisolated var leftOutCount: Int { source.leftOut.count }
    /// The first of the entries that can't be sent, by path.
    public nonisolated var leftOut: [String] { source.leftOut.first }
    /// The progress that the receiver has confirmed.
    public var progress: TransferProgress { machine.progress }

    /// True if nothing of the resource is on its way. It stays in the list until the receiver has learned of its end.
    var isOver: Bool { machine.state.isOver }

    /// Waits until the receiver has stored the resource, and returns its name there.
    public func finished() async throws -> FileName { try await outcome.value() }

    /// Cancels the transfer. ``finished()`` shows if that was in time.
    public func cancel() { perform(machine.cancel(at: .now)) }

    func begin() {
        owner.addOutgoing(self, as: id)
        if let end = member.end { return handleDeparture(end) }
        perform([.sendOffer])
    }

    /// Offers the resource to the receiver's program, which has restarted. That program finds the part that it has
    /// already.
    func offerAgain(to member: Member) {
        awaitsNewMember = false
        owner.removeOutgoing(id)
        // The user may have cancelled it meanwhile.
        guard canBeOfferedAgain else { return }
        self.member = member
        // The old channel may still be open: its results no longer count.
        channel.end()?.abort()
        id = .random()
        machine = TransferSending(
            total: source.totalBytes,
            patience: context.configuration.patience.transfers,
            at: .now
        )
        begin()
    }

    // MARK: Frames of the peer

    func take(_ answer: ControlFrame.ResourceAnswer) throws {
        report.remark = answer.message.description
        switch answer.verdict {
        case .accepted: perform(try machine.receivedAnswer(nil, at: .now))
        case .refused(let reason): perform(try machine.receivedAnswer(reason, at: .now))
        }
    }

    func takeCancel(_ reason: PartingReason) {
        // A receiver that cancels needs no cancel frame of this side.
        unconfirmedCancel = nil
        perform(machine.receivedCancel(reason))
        if isOver { owner.removeOutgoing(id) }
    }

    // MARK: Links that go and come

    func handleLostLink() { perform(machine.linkLost(at: .now)) }

    func handleNewLink() {
        if machine.state == .interrupted || machine.owesCancel {
            perform(machine.linkCameBack(at: .now))
        } else if let unconfirmedCancel {
            sendCancel(unconfirmedCancel)
        }
    }

    func handleDeparture(_ reason: PartingReason) {
        guard !awaitsNewMember else { return }
        perform(machine.peerLeft(reason))
        // The peer can't receive anything about it now.
        owner.removeOutgoing(id)
    }

    /// True if the transfer may continue after the receiver's program has restarted and has forgotten it. A cancelled
    /// one may not.
    var canBeOfferedAgain: Bool { !isOver && machine.state != .withdrawing }

    /// Ends the transfer: the receiver's program has restarted, and does not join again.
    func handleMissingMember(_ reason: PartingReason) {
        awaitsNewMember = false
        handleDeparture(reason)
    }

    // MARK: Actions

    private func perform(_ actions: [TransferSending.Action]) {
        for action in actions {
            switch action {
            case .sendOffer: sendOffer()
            case .openChannel: openChannel()
            case .sendBegin: sendOnChannel(.resourceBegin(id))
            // The task of the channel does these at their moment.
            case .send, .sendEnd: break
            case .sendCancel(let reason): sendCancel(reason)
            case .sendFailed(let fault): sendOnChannel(.failed(.init(fault)))
            case .closeChannel: if let old = channel.end() { closed = context.close(old) }
            case .end(let outcome): end(outcome)
            }
        }
        setTimer()
    }

    private func sendOffer() {
        member.link?.send(
            .resourceOffer(
                .init(
                    session: member.wireSession,
                    transfer: id,
                    kind: source.kind,
                    name: source.name,
                    total: source.totalBytes,
                    entries: UInt32(clamping: source.entryCount),
                    identity: source.identity,
                    stamp: source.stamp
                )
            )
        )
    }

    /// Sends the cancel frame, again on the next link if this one breaks before the receiver has confirmed it.
    private func sendCancel(_ reason: PartingReason) {
        unconfirmedCancel = reason
        guard let link = member.link else { return }
        link.send(.transferCancel(.init(transfer: id, reason: reason)))
        link.askForAnswer { [weak self] in
            guard let self else { return }
            self.unconfirmedCancel = nil
            if self.isOver { self.owner.removeOutgoing(self.id) }
        }
    }

    private func sendOnChannel(_ frame: ChannelFrame) {
        guard let channel = channel.channel else { return }
        context.tasks.add { try? await channel.send(frame) }
    }

    private func openChannel() {
        let attempt = channel.beginAttempt()
        context.tasks.add {
            do {
                let channel = try await self.owner.openChannel()
                channel.secure.count(in: self.context.traffic.resources)
                guard self.channel.attempt == attempt else { return channel.abort() }
                self.channel.set(channel)
                self.perform(self.machine.channelOpened(at: .now))
                try await self.send(on: channel, attempt)
            } catch {
                self.handleFailure(error, attempt)
            }
        }
    }

    private func handleFailure(_ error: any Error, _ attempt: Int) {
        guard channel.attempt == attempt else { return }
        switch error {
        case let error as ResourceError:
            report.troubleHere = error
            let message = error.sentence.replacing(path, with: name.text)
            perform(machine.failHere(TransferFault(code: error.code.description, message: message)))
        case is ProtocolViolation, is WireError:
            perform(machine.failHere(TransferFault(code: "transfer.broke-protocol", message: "\(error)")))
        default:
            channel.removeChannel()?.abort()
            perform(machine.channelLost(at: .now))
        }
    }

    private func send(on channel: DataChannel, _ attempt: Int) async throws {
        let held = try await expectHeld(on: channel, attempt)
        guard self.channel.attempt == attempt else { return }
        let reader = UncheckedTransfer(source.reader())
        // The comparison reads the part that the receiver holds, which can take long.
        let start = try await runBlocking("compare") { try reader.value.begin(after: held) }
        guard self.channel.attempt == attempt else { return }
        machine.started(at: start, at: .now)
        setTimer()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.listen(on: channel, attempt) }
            group.addTask {
                let digest = try await channel.pump(reader, from: start)
                try await self.sendEnd(digest, on: channel, attempt)
            }
            do {
                while try await group.next() != nil {}
            } catch let error as ResourceError {
                // The channel works, and the receiver is about to get the error over it.
                throw error
            } catch {
                channel.abort()
                throw error
            }
        }
    }

    private func expectHeld(on channel: DataChannel, _ attempt: Int) async throws -> HeldPrefix {
        while let frame = try await channel.next(holding: source.blockCount) {
            guard self.channel.attempt == attempt else { throw CancellationError() }
            if case .held(let held) = frame {
                perform(try machine.receivedHeld(held.byteCount, at: .now))
                // The transfer may have been cancelled meanwhile.
                guard machine.state == .sending else { throw CancellationError() }
                return HeldPrefix(bytes: held.byteCount, blockSize: held.blockSize, digests: held.digests)
            }
            try take(frame)
            if machine.state.isOver { throw CancellationError() }
        }
        throw ChannelError.lost(nil)
    }

    private func sendEnd(_ digest: ContentDigest, on channel: DataChannel, _ attempt: Int) async throws {
        guard self.channel.attempt == attempt else { return }
        perform(machine.allSent(at: .now))
        try await channel.send(.resourceEnd(.init(total: source.totalBytes, digest: digest)))
    }

    /// Takes the frames of the receiver while bytes flow, until its last one.
    private func listen(on channel: DataChannel, _ attempt: Int) async throws {
        while let frame = try await channel.next() {
            guard self.channel.attempt == attempt else { return }
            try take(frame)
            if machine.state.isOver { return }
        }
        if self.channel.attempt == attempt { throw ChannelError.lost(nil) }
    }

    private func take(_ frame: ChannelFrame) throws {
        switch frame {
        case .verified(let bytes): perform(try machine.receivedVerified(bytes, at: .now))
        case .stored(let name):
            report.storedName = name
            perform(try machine.receivedStored(at: .now))
        case .failed(let failed): perform(try machine.receivedFailed(TransferFault(failed)))
        default: throw ProtocolViolation("transfer.unexpected-frame", "the receiver of a transfer said something else")
        }
    }

    private func end(_ how: TransferOutcome) {
        timer.cancel()
        if unconfirmedCancel == nil, !machine.owesCancel { owner.removeOutgoing(id) }
        context.tally.sending.ended(how)
        context.owner?.transferEnded()
        context.writer.note("sent", about: peer, [.init("name", name.text), .init("outcome", how.word)])
        if how == .stored { return outcome.settle(.success(report.storedName ?? name)) }
        let error = SessionError(how, remark: report.remark, troubleHere: report.troubleHere)
        guard case .failedHere = how, let closed else { return outcome.settle(.failure(error)) }
        // The program may leave the session as soon as it has the outcome, and that must not overtake the last frame.
        let outcome = outcome
        let begins = context.tasks.add {
            await closed.settled()
            outcome.settle(.failure(error))
        }
        if !begins { outcome.settle(.failure(error)) }
    }

    private func setTimer() {
        timer.set(for: self, at: machine.deadline) { $0.perform($0.machine.deadlinePassed(at: .now)) }
    }
}

/// The owner of outgoing resources: the transfers of their peer.
@Engine
protocol OutgoingResourceOwner: AnyObject, Sendable {
    func addOutgoing(_ resource: OutgoingResource, as id: TransferID)
    func removeOutgoing(_ id: TransferID)
    func openChannel() async throws -> DataChannel
}
