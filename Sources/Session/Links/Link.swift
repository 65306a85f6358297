import LinuxPlatform
import SessionRules
import Transport
import Vocabulary
import Wire

/// The connection to one peer with a proven key: its control channel, and everything that travels on it.
@Engine
final class Link {
    enum Notice {
        /// The peer is silent.
        case suspected
        /// The peer was silent and sends frames again.
        case recovered
    }

    private enum State {
        case open
        /// The goodbye and the frames before it are on their way.
        case parting(PartingReason)
        case ended(PartingReason)
    }

    private let result: HandshakeResult
    let since = ContinuousClock.now
    private var state = State.open
    /// The account that pays for this machine's memory: that of all peers in no session, until the peer is in a
    /// session.
    private(set) var allowance: Allowance
    /// The last account of the peer about itself.
    var account: PeerAccount?
    /// The time at which this machine last sent its account.
    var accountGiven: ContinuousClock.Instant?
    /// The number of the guest that this link was; nil for a link that this side dialled.
    var guest: Int?
    /// Checks after a while that something uses the link.
    var idle: ScheduledTimer?

    private var decoder: FrameDecoder<ControlFrame>
    private var liveness: Liveness
    private var livenessTimer: ScheduledTimer?
    /// The frames that wait to be sent. Any thread may add messages.
    private(set) lazy var outbox = LinkOutbox(channel, of: allowance) { @Sendable [weak self] in
        Engine.loop.perform { @Sendable [weak self] in Engine.assumeIsolated { self?.cut(because: .lost) } }
    }
    private var pings: PingTracker
    /// Settles when the last frame is sent.
    let isOver = Promise<Void>()
    var noticed: @Engine (Notice) -> Void = { _ in }

    /// - Parameter allowance: the account of all peers that are in no session
    init(_ result: HandshakeResult, patience: Liveness.Patience, of allowance: Allowance) {
        self.allowance = allowance
        self.result = result
        decoder = result.decoder
        liveness = Liveness(patience: patience, at: .now)
        pings = PingTracker(patience: patience.answer)
    }

    var peer: PeerID { result.channel.peerID }
    var channel: SecureChannel { result.channel }
    var hello: ControlFrame.Hello { result.hello }
    /// True if this side dialled. It also dials all data channels.
    var isDialler: Bool { result.isDialler }
    /// The address on which the peer listens, as far as it is known; nil if it takes no connections.
    var peerAddress: SocketAddress? { result.peerAddress }

    /// True if the peer is or was in a session while this link existed.
    var isOfMember: Bool { !allowance.isOfStrangers }

    /// True while frames can be sent.
    var isOpen: Bool { if case .open = state { true } else { false } }

    private var isParting: Bool { if case .parting = state { true } else { false } }

    private var end: PartingReason? {
        switch state {
        case .open: nil
        case .parting(let reason), .ended(let reason): reason
        }
    }

    // MARK: Sending

    /// Makes room for a session, which can have much data on its way.
    func carrySession(holding allowance: Allowance) {
        outbox.grow(into: allowance)
        self.allowance = allowance
    }

    /// Adds a frame to the waiting ones. The loop sends it as soon as it comes to it.
    func send(_ frame: ControlFrame) { send(CollectionOfOne(frame)) }

    func send(_ frames: some Collection<ControlFrame>) {
        guard isOpen else { return }
        outbox.put(frames)
    }

    /// Asks the peer for an answer to everything that was sent before. A link that ends first never answers.
    func askForAnswer(_ answered: @escaping @Engine () -> Void) {
        let ping = pings.add(answered)
        send(.ping(ping))
        if pings.timer == nil { awaitAnswers(to: ping) }
    }

    /// Limits the wait for answers. Otherwise this machine would wait for ever for a peer that sends frames but never
    /// answers.
    private func awaitAnswers(to ping: UInt64, again isAgain: Bool = false) {
        let sent = pings.sendings
        pings.timer = Engine.schedule(at: .now + pings.patience) { [weak self] in
            guard let self, self.isOpen else { return }
            // A slow connection carries the earlier frames.
            let isMoving = self.outbox.isAtWork && self.pings.sendings != sent || self.allowance.isBacklogged
            guard self.pings.areAnswered(upTo: ping) || isMoving else {
                return isAgain ? self.part(because: .brokeProtocol) : self.awaitAnswers(to: ping, again: true)
            }
            self.awaitAnswers(to: self.pings.last)
        }
    }

    func takeAnswer(to ping: UInt64) {
        pings.remove(ping)?()
        guard pings.isEmpty else { return }
        pings.timer?.cancel()
        pings.timer = nil
    }

    /// Sends the reason after all earlier frames, and closes.
    func part(because reason: PartingReason) {
        guard isOpen else { return }
        send(.bye(reason))
        state = .parting(reason)
        close()
    }

    /// Ends the link as a cut cable would: no further frame is sent.
    func cut(because reason: PartingReason) {
        if isOpen { state = .ended(reason) }
        channel.abort()
        close()
    }

    private func close() {
        outbox.close()
        allowance.wakeReaders()
    }

    // MARK: Running

    /// Carries frames both ways until the link ends, and returns the reason.
    func run(_ take: @escaping @Engine (ControlFrame) throws -> Void) async -> PartingReason {
        setTimer()
        await withDiscardingTaskGroup { group in
            group.addTask { await self.write() }
            await read(take)
            if !isParting { cut(because: .lost) }
            outbox.close()
        }
        livenessTimer?.cancel()
        pings.timer?.cancel()
        idle?.cancel()
        isOver.settle(.success(()))
        return end ?? .lost
    }

    private func write() async {
        while isOpen || isParting {
            if isParting, outbox.isEmpty { return await channel.close(within: .seconds(1)) }
            switch outbox.next() {
            case .send(let bytes):
                do {
                    try await channel.send(bytes)
                    pings.sendings += 1
                } catch {
                    return cut(because: .lost)
                }
            case .wait(let something):
                // The end of the link wakes a cancelled writer.
                try? await something.valueUnlessCancelled()
                if Task.isCancelled { cut(because: .shuttingDown) }
            }
        }
    }

    private func read(_ take: @Engine (ControlFrame) throws -> Void) async {
        do {
            repeat {
                while isOpen, let frame = try decoder.next() { try take(frame) }
                // Programs of this machine are behind: further frames wait at the peer.
                while isOpen, allowance.isBacklogged { try await allowance.untilReadable() }
                guard isOpen else { return }
                let count = try await channel.receive(sharing: SharedRoom.bytes) { decoder.append($0) }
                if count == 0 { return }
                heard()
            } while isOpen
        } catch let error as WireError {
            part(because: error.partingReason)
        } catch is ProtocolViolation {
            part(because: .brokeProtocol)
        } catch let error as SessionError {
            part(because: error.reason ?? .lost)
        } catch {
            cut(because: Task.isCancelled ? .shuttingDown : .lost)
        }
    }

    // MARK: Liveness

    private func heard() {
        perform(liveness.heard(at: .now))
    }

    private func check() {
        // A peer from which this machine does not read is not silent.
        perform(allowance.isBacklogged ? liveness.heard(at: .now) : liveness.check(at: .now))
        setTimer()
    }

    private func perform(_ actions: [Liveness.Action]) {
        for action in actions {
            switch action {
            case .ping: send(.ping(0))
            case .suspect: noticed(.suspected)
            case .recovered: noticed(.recovered)
            case .lost: cut(because: .lost)
            }
        }
    }

    /// Sets one timer at a time: a new one when it fires, not for each frame.
    private func setTimer() {
        livenessTimer = liveness.deadline.map { deadline in
            Engine.schedule(at: deadline) { [weak self] in self?.check() }
        }
    }
}

/// The memory that all links share while they receive, for as long as the program runs.
@Engine
private enum SharedRoom {
    static let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
}
