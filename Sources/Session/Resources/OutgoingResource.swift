import Ledger
public import LinuxPlatform
import Resources
public import SessionRules
import Transport
public import Vocabulary
import Wire

/// A file or folder on its way to one peer. It survives cut connections, and goes on where it was.
@Engine
public final class OutgoingResource {
    /// Who gets it.
    public nonisolated let peer: PeerID
    /// What it is called here.
    public nonisolated let name: FileName
    /// How many bytes its files hold together, as a person would count them.
    public nonisolated let contentBytes: UInt64
    /// How many entries of a folder are not sent, because they can't be.
    public nonisolated let leftOutCount: Int
    /// The first of them, by path.
    public nonisolated let leftOut: [String]
    /// How far it is, as the receiver has confirmed it.
    public var progress: TransferProgress { machine.progress }

    /// Whether nothing of it is on its way any more. Such a one is kept until the receiver has heard of its end.
    var isOver: Bool { machine.state.isOver }

    private(set) var member: Member
    var awaitsNewMember = false
    private var id = TransferID.random()
    private let source: ResourceSource
    private let path: String
    /// It holds this until either ends.
    private let node: Node
    private var machine: TransferSending
    private var timer = MachineTimer()
    private var channel: LaneChannel?
    /// Counts lanes, so that what comes late from an old one is not taken for the new one's.
    private var attempt = 0
    private var storedName: FileName?
    private var remark = ""
    /// With which reason the receiver was told that it is wanted no more, until it says that it has heard it.
    private var unheardCancel: PartingReason?
    /// What went wrong on this side.
    private var troubleHere: ResourceError?
    /// The end of the last lane.
    private var closed: Promise<Void>?
    private let outcome = Promise<FileName>()

    /// - Parameter path: where it lies here, which is no business of the receiver's
    init(_ source: ResourceSource, from path: String, to member: Member, at node: Node) {
        self.source = source
        self.path = path
        self.member = member
        self.node = node
        peer = member.peer
        (name, contentBytes) = (source.name, source.contentBytes)
        (leftOutCount, leftOut) = (source.leftOut.count, source.leftOut.first)
        machine = TransferSending(total: source.totalBytes, patience: node.configuration.transfers, at: .now)
    }

    /// Waits until it lies over there, and answers under which name.
    public func finished() async throws -> FileName { try await outcome.value() }

    /// Wants it sent no more. ``finished()`` says whether that was in time.
    public func cancel() { perform(machine.cancel(at: .now)) }

    func begin() {
        node.outgoing[id] = self
        if let end = member.end { return peerLeft(end) }
        perform([.sendOffer])
    }

    /// The receiver's program was started anew; what it has of this already, it will find.
    func offerAgain(to member: Member) {
        awaitsNewMember = false
        node.outgoing[id] = nil
        // It may have been cancelled meanwhile.
        guard mayBeOfferedAgain else { return }
        self.member = member
        // The old lane may still be alive: what comes of it is nothing any more.
        attempt += 1
        channel?.abort()
        channel = nil
        id = .random()
        machine = TransferSending(total: source.totalBytes, patience: node.configuration.transfers, at: .now)
        begin()
    }

    // MARK: What the peer says

    func take(_ answer: ControlFrame.ResourceAnswer, from link: Link) throws {
        guard link.peer == peer else { return }
        remark = answer.message.description
        switch answer.verdict {
        case .accepted: perform(try machine.receivedAnswer(nil, at: .now))
        case .refused(let reason): perform(try machine.receivedAnswer(reason, at: .now))
        }
    }

    func wasCancelled(_ reason: PartingReason) {
        // Whoever says it itself need not be told.
        unheardCancel = nil
        perform(machine.receivedCancel(reason))
        if isOver { node.outgoing[id] = nil }
    }

    // MARK: Links that go and come

    func linkLost() { perform(machine.linkLost(at: .now)) }

    func linkCameBack(_ link: Link) {
        if machine.state == .interrupted || machine.owesCancel {
            perform(machine.linkCameBack(at: .now))
        } else if let unheardCancel {
            sayCancel(unheardCancel)
        }
    }

    func peerLeft(_ reason: PartingReason) {
        guard !awaitsNewMember else { return }
        perform(machine.peerLeft(reason))
        // Nobody is left who could be told.
        node.outgoing[id] = nil
    }

    /// Whether it is to go on where the receiver's program was started anew and has forgotten it. One that is being taken back
    /// is not.
    var mayBeOfferedAgain: Bool { !isOver && machine.state != .withdrawing }

    /// The receiver's program was started anew, and does not come back in.
    func newMemberDidNotCome(_ reason: PartingReason) {
        awaitsNewMember = false
        peerLeft(reason)
    }

    // MARK: What follows

    private func perform(_ actions: [TransferSending.Action]) {
        for action in actions {
            switch action {
            case .sendOffer: sendOffer()
            case .openLane: openLane()
            case .sendBegin: sendOnLane(.resourceBegin(id))
            // These two follow where the lane's own task is at that point.
            case .send, .sendEnd: break
            case .sendCancel(let reason): sayCancel(reason)
            case .sendFailed(let fault): sendOnLane(.failed(.init(fault)))
            case .closeLane: closeLane()
            case .end(let outcome): end(outcome)
            }
        }
        setTimer()
    }

    private func sendOffer() {
        guard let link = member.link else { return }
        link.send(
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

    /// Says it again on the next link where this one breaks before the receiver has heard it.
    private func sayCancel(_ reason: PartingReason) {
        unheardCancel = reason
        guard let link = member.link else { return }
        link.send(.transferCancel(.init(transfer: id, reason: reason)))
        link.askForAnswer { [weak self] in
            guard let self else { return }
            self.unheardCancel = nil
            if self.isOver { self.node.outgoing[self.id] = nil }
        }
    }

    private func sendOnLane(_ frame: LaneFrame) {
        guard let channel else { return }
        node.crew.add { try? await channel.send(frame) }
    }

    private func closeLane() {
        attempt += 1
        let old = channel
        channel = nil
        if let old { closed = node.closeLane(old) }
    }

    private func openLane() {
        attempt += 1
        let attempt = attempt
        node.crew.add {
            do {
                guard let board = self.node.lanes[self.peer] else { throw SessionError(.lost) }
                let channel = try await board.open()
                channel.lane.count(in: self.node.resourceTraffic)
                guard self.attempt == attempt else { return channel.abort() }
                self.channel = channel
                self.perform(self.machine.laneOpened(at: .now))
                try await self.work(on: channel, attempt)
            } catch {
                self.laneFailed(error, attempt)
            }
        }
    }

    private func laneFailed(_ error: any Error, _ attempt: Int) {
        guard self.attempt == attempt else { return }
        switch error {
        case let error as ResourceError:
            troubleHere = error
            let message = error.sentence.replacing(path, with: name.text)
            perform(machine.failHere(TransferFault(code: error.code.description, message: message)))
        case is ProtocolViolation, is WireError:
            perform(machine.failHere(TransferFault(code: "transfer.broke-protocol", message: "\(error)")))
        default:
            channel?.abort()
            channel = nil
            perform(machine.laneLost(at: .now))
        }
    }

    private func work(on channel: LaneChannel, _ attempt: Int) async throws {
        let held = try await expectHeld(on: channel, attempt)
        guard self.attempt == attempt else { return }
        let reader = Handed(source.reader())
        // Comparing what is held means reading it, which can take long.
        let start = try await runBlocking("compare") { try reader.value.begin(after: held) }
        guard self.attempt == attempt else { return }
        machine.started(at: start, at: .now)
        setTimer()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.listen(on: channel, attempt) }
            group.addTask {
                let digest = try await channel.pump(reader, from: start)
                try await self.sentAll(digest, on: channel, attempt)
            }
            do {
                while try await group.next() != nil {}
            } catch let error as ResourceError {
                // The lane is whole, and the receiver is about to be told over it.
                throw error
            } catch {
                channel.abort()
                throw error
            }
        }
    }

    private func expectHeld(on channel: LaneChannel, _ attempt: Int) async throws -> HeldPrefix {
        while let frame = try await channel.next(holding: source.blockCount) {
            guard self.attempt == attempt else { throw CancellationError() }
            if case .held(let held) = frame {
                perform(try machine.receivedHeld(held.byteCount, at: .now))
                // It may have been cancelled meanwhile.
                guard machine.state == .sending else { throw CancellationError() }
                return HeldPrefix(bytes: held.byteCount, blockSize: held.blockSize, digests: held.digests)
            }
            try take(frame)
            if machine.state.isOver { throw CancellationError() }
        }
        throw LaneError.lost(nil)
    }

    private func sentAll(_ digest: ContentDigest, on channel: LaneChannel, _ attempt: Int) async throws {
        guard self.attempt == attempt else { return }
        perform(machine.allSent(at: .now))
        try await channel.send(.resourceEnd(.init(total: source.totalBytes, digest: digest)))
    }

    /// What the receiver says while bytes flow, until its last word.
    private func listen(on channel: LaneChannel, _ attempt: Int) async throws {
        while let frame = try await channel.next() {
            guard self.attempt == attempt else { return }
            try take(frame)
            if machine.state.isOver { return }
        }
        if self.attempt == attempt { throw LaneError.lost(nil) }
    }

    private func take(_ frame: LaneFrame) throws {
        switch frame {
        case .verified(let bytes): perform(try machine.receivedVerified(bytes, at: .now))
        case .stored(let name):
            storedName = name
            perform(try machine.receivedStored(at: .now))
        case .failed(let failed): perform(try machine.receivedFailed(TransferFault(failed)))
        default: throw ProtocolViolation("transfer.unexpected-frame", "the receiver of a transfer said something else")
        }
    }

    private func end(_ how: TransferOutcome) {
        timer.cancel()
        if unheardCancel == nil, !machine.owesCancel { node.outgoing[id] = nil }
        node.counted.sending.ended(how)
        if node.isIdle { node.whenIdle() }
        node.note("sent", about: peer, [.init("name", name.text), .init("outcome", how.word)])
        if how == .stored { return outcome.settle(.success(storedName ?? name)) }
        let (error, outcome) = (SessionError(how, remark: remark, troubleHere: troubleHere), outcome)
        guard case .failedHere = how, let closed else { return outcome.settle(.failure(error)) }
        // Whoever hears of it may leave the session at once, and that must not overtake what the receiver is told.
        let begins = node.crew.add {
            await closed.settled()
            outcome.settle(.failure(error))
        }
        if !begins { outcome.settle(.failure(error)) }
    }

    private func setTimer() {
        timer.set(for: self, at: machine.deadline) { $0.perform($0.machine.deadlinePassed(at: .now)) }
    }
}
