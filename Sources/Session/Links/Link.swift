import LinuxPlatform
import SessionRules
import Transport
import Vocabulary
import Wire

/// The relation to one peer whose key is proven: its control lane, and everything that travels on it.
@Engine
final class Link {
    let peer: PeerID
    /// Whether this side dialled. It also dials all further lanes.
    let isDialler: Bool
    let hello: ControlFrame.Hello
    let lane: Lane
    let since = ContinuousClock.now
    /// Where the peer's program listens, as far as it can be told; nil where it does not.
    let peerAddress: SocketAddress?

    /// What of this machine's memory is for what comes and goes over it: a part of that of all strangers, until the peer is in a session.
    private(set) var allowance: Allowance
    /// Whether the peer is or was in a session while this link was there.
    var isOfMember: Bool { !allowance.isOfStrangers }
    /// What the peer has said of itself.
    var account: PeerAccount?
    /// When that was said to it last.
    var accountGiven: ContinuousClock.Instant?
    /// Its number among those of whom nothing is known yet.
    var guest: Int?
    /// When it is looked at whether anybody uses it.
    var idle: ScheduledTimer?

    private var decoder: FrameDecoder<ControlFrame>
    private var liveness: Liveness
    private var livenessTimer: ScheduledTimer?
    /// What waits to be sent. Messages are put there from any thread.
    private(set) lazy var outbox = LinkOutbox(lane, of: allowance) { @Sendable [weak self] in
        Engine.loop.perform { @Sendable [weak self] in Engine.assumeIsolated { self?.cut(because: .lost) } }
    }
    private var end: PartingReason?
    private var isParting = false
    /// Settled when the last word has been said.
    let isOver = Promise<Void>()
    private var questions: [UInt64: @Engine () -> Void] = [:]
    private var lastQuestion: UInt64 = 0
    private let answerPatience: Duration
    private var answerTimer: ScheduledTimer?
    /// How often the lane has taken what waited.
    private var sendings = 0
    /// Told when the peer falls silent and when it is heard again.
    var noticed: @Engine (Notice) -> Void = { _ in }

    /// What a link tells of itself.
    enum Notice {
        case suspected
        case recovered
    }

    /// - Parameters:
    ///   - greeted: the lane, with what came after Hello
    ///   - patience: how long the peer may be silent
    ///   - allowance: that of all strangers
    init(_ greeted: Greeting.Greeted, patience: Liveness.Patience, of allowance: Allowance) {
        self.allowance = allowance
        peer = greeted.lane.peerID
        isDialler = greeted.isDialler
        hello = greeted.hello
        lane = greeted.lane
        decoder = greeted.decoder
        peerAddress = greeted.peerAddress
        liveness = Liveness(patience: patience, at: .now)
        answerPatience = patience.answer
    }

    var claim: (dialler: Bool, runToken: UInt64, since: ContinuousClock.Instant) { (isDialler, hello.runToken, since) }

    /// Whether anything can still be said over it.
    var isOpen: Bool { end == nil && !isParting }

    // MARK: Sending

    /// The peer is in a session from now on, and what is on its way in that may be much.
    func carriesSession(holding allowance: Allowance) {
        outbox.grow(into: allowance)
        self.allowance = allowance
    }

    /// Puts a frame behind those that wait. It leaves as soon as the loop comes to it.
    func send(_ frame: ControlFrame) {
        guard end == nil, !isParting else { return }
        outbox.put(CollectionOfOne(frame))
    }

    /// Has the peer answer once it has taken everything that was sent before. A link that ends first never answers.
    func askForAnswer(_ answered: @escaping @Engine () -> Void) {
        lastQuestion += 1
        questions[lastQuestion] = answered
        send(.ping(lastQuestion))
        if answerTimer == nil { awaitAnswers(to: lastQuestion) }
    }

    /// Whoever is heard and never answers would be waited for without end.
    private func awaitAnswers(to question: UInt64, again isAgain: Bool = false) {
        let sent = sendings
        answerTimer = Engine.schedule(at: .now + answerPatience) { [weak self] in
            guard let self, self.isOpen else { return }
            let isAnswered = !self.questions.keys.contains { $0 <= question }
            // A slow line carries what was said before.
            let isMoving = self.outbox.isAtWork && self.sendings != sent || self.allowance.isBacklogged
            guard isAnswered || isMoving else {
                return isAgain ? self.part(because: .brokeProtocol) : self.awaitAnswers(to: question, again: true)
            }
            self.awaitAnswers(to: self.lastQuestion)
        }
    }

    /// The pings of the heartbeat have no number.
    func wasAnswered(_ question: UInt64) {
        questions.removeValue(forKey: question)?()
        guard questions.isEmpty else { return }
        answerTimer?.cancel()
        answerTimer = nil
    }

    /// Says why, lets what was sent before go out, and closes.
    func part(because reason: PartingReason) {
        guard end == nil, !isParting else { return }
        send(.bye(reason))
        isParting = true
        end = reason
        close()
    }

    /// Ends it as a cut cable would: nothing more is said.
    func cut(because reason: PartingReason) {
        if end == nil { end = reason }
        lane.abort()
        close()
    }

    private func close() {
        outbox.close()
        allowance.wakeReaders()
    }

    // MARK: Running

    /// Carries frames both ways until the link ends, and answers why it did.
    func run(_ take: @escaping @Engine (ControlFrame) throws -> Void) async -> PartingReason {
        setTimer()
        await withDiscardingTaskGroup { group in
            group.addTask { await self.write() }
            await read(take)
            if !isParting { cut(because: .lost) }
            outbox.close()
        }
        livenessTimer?.cancel()
        answerTimer?.cancel()
        idle?.cancel()
        isOver.settle(.success(()))
        return end ?? .lost
    }

    private func write() async {
        while end == nil || isParting {
            if isParting, outbox.isEmpty { return await lane.close(within: .seconds(1)) }
            switch outbox.next() {
            case .send(let bytes):
                do {
                    try await lane.send(bytes)
                    sendings += 1
                } catch {
                    return cut(because: .lost)
                }
            case .wait(let something):
                // A cancelled writer is woken by the end of the link.
                try? await something.valueUnlessCancelled()
                if Task.isCancelled { cut(because: .shuttingDown) }
            }
        }
    }

    private func read(_ take: @Engine (ControlFrame) throws -> Void) async {
        do {
            repeat {
                while end == nil, let frame = try decoder.next() { try take(frame) }
                // Programs here are behind: what more the peer has to say waits over there.
                while end == nil, allowance.isBacklogged { try await allowance.untilReadable() }
                guard end == nil else { return }
                let count = try await lane.receive(sharing: SharedRoom.bytes) { decoder.append($0) }
                if count == 0 { return }
                heard()
            } while end == nil
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

    /// The peer said Bye.
    func wasEnded(because reason: PartingReason) {
        if end == nil { end = reason }
        lane.abort()
        close()
    }

    // MARK: Liveness

    private func heard() {
        perform(liveness.heard(at: .now))
    }

    private func check() {
        // One that this machine does not listen to is not silent.
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

    /// One timer at a time; it is set anew when it fires, not whenever something is heard.
    private func setTimer() {
        livenessTimer = liveness.deadline.map { deadline in
            Engine.schedule(at: deadline) { [weak self] in self?.check() }
        }
    }
}

/// Memory that all links share while they receive, for as long as the program runs.
@Engine
private enum SharedRoom {
    static let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
}
