import LinuxPlatform
import SaveRules
import Session
import Vocabulary

/// A peer that sets are shared with, while a session with it is open: what goes to it, what comes from it.
@Engine
final class SavePeer {
    let id: PeerID
    let session: any SaveSession
    /// It holds this for as long as the session lasts.
    let keeper: SaveKeeper
    let crew: Crew
    /// The sets that it has said it has, in this meeting.
    private(set) var offered: Set<SaveSetID> = []
    /// The sets that were offered to it in this meeting, and not taken back.
    private var told: Set<SaveSetID> = []
    private(set) var isThere = true
    /// Since when it may be about to say what it has, or to be back; nil while it is away because its program has ended in order.
    private(set) var expectedSince: ContinuousClock.Instant? = .current
    /// Whether the session is over, or about to be: nothing more reaches the peer by it.
    private(set) var isEnding = false
    /// Whether the other side has ended the session without wanting to.
    private(set) var wasForgotten = false
    /// Whether the other side has ended a session that it had begun and offered nothing in. It may not have heard what was offered to it last.
    private(set) var mayHaveMissedOffers = false

    private var outbox: [SaveMessage] = []
    /// What it has asked for and nobody has answered yet.
    var answers: WaitingAnswers
    /// By which the answers go.
    var stream: (any OutgoingBytes)?
    private let outboxFilled = Waiters()
    let answersFilled = Waiters()
    /// What it was asked for and has not answered yet.
    private var wants = Wants()
    private var patience: ScheduledTimer?
    /// How much came since that runs.
    private(set) var arrived = 0
    /// Whether what came is being kept: it is not the peer that is slow then.
    private var isTaking = false
    private var readings = 0

    /// Who began the session.
    var host: PeerID { session.host }

    /// What it calls itself, fit to print.
    var name: String? { session.peerName }

    init(_ id: PeerID, _ session: any SaveSession, _ keeper: SaveKeeper) {
        (self.id, self.session, self.keeper, crew) = (id, session, keeper, Crew())
        answers = WaitingAnswers(of: session.allowance)
    }

    /// Follows the session until it is over.
    func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.crew.run() }
            crew.add { await self.sendMessages() }
            crew.add { await self.sendAnswers() }
            keeper.meets(self)
            keeper.household.meets(self)
            while let event = await session.next() {
                guard await take(event) else { break }
            }
            end()
            group.cancelAll()
        }
        session.leave(because: .left)
    }

    private func end() {
        (isThere, isEnding, offered) = (false, true, [])
        patience?.cancel()
        keeper.parts(from: self)
    }

    /// It is away, and was seen on the network: it may be back soon.
    func wasSeen() {
        expectedSince = .current
        keeper.connections.noteArrival()
    }

    /// Answers whether it goes on.
    private func take(_ event: SaveSessionEvent) async -> Bool {
        // What it took to meet is needed no more soon after. Messages while one plays, which come again and again, take nothing.
        if case .message = event {} else { keeper.trimmer.worked() }
        switch event {
        case .away(let reason):
            if isThere { expectedSince = reason == .shuttingDown ? nil : .current }
            // What it has offered stands: it may not have noticed anything, and then does not say it once more.
            (isThere, told, wants) = (false, [], Wants())
            expectNothing()
            forgetAnswers()
            keeper.parts(from: self)
            keeper.connections.noteArrival()
            return true
        case .returned:
            // Another program may have thought otherwise of it while it was away.
            guard await keeper.rights.mayExchange(with: id) else { return false }
            (isThere, expectedSince) = (true, .current)
            keeper.meets(self)
            keeper.meetsWhatWasOffered(by: self)
            keeper.connections.noteArrival()
            return true
        case .departed(let reason):
            wasForgotten = reason == .lost
            if reason == .notPermitted { keeper.connections.isHeldOff(by: id, .notPermittedThere) }
            mayHaveMissedOffers = !wasForgotten && host == id && offered.isEmpty
            return false
        case .message(let bytes): return await take(bytes)
        case .stream(let stream):
            readings += 1
            let number = readings
            crew.add { await self.read(stream, number) }
            return true
        }
    }

    private func take(_ bytes: [UInt8]) async -> Bool {
        if HouseholdMessage.isKind(of: bytes) {
            await keeper.household.take(bytes, from: self)
            return true
        }
        do throws(SaveFormatError) {
            await take(try SaveMessage(decoding: bytes, from: id))
            return true
        } catch {
            keeper.caught(self, SaveRefusal(.format(error)), at: nil)
            return false
        }
    }

    private func take(_ message: SaveMessage) async {
        switch message {
        case .offer(let offer):
            guard offered.contains(offer.set) || offered.count < keeper.bounds.offersPerPeer else {
                return keeper.caught(self, SaveRefusal(.tooMuch), at: nil)
            }
            offered.insert(offer.set)
            await keeper.take(offer, from: self)
        case .withdraw(let set):
            offered.remove(set)
            await keeper.takeWithdrawal(of: set, from: self)
        case .ask(let set, let ticket, let request):
            guard let kept = keeper.part(of: self, in: set) else { return keeper.notPermitted(self, set) }
            kept.handle(.peer(id, .asks(request, ticket)))
        case .want(let set, let ticket, let snapshot, let pieces):
            guard keeper.part(of: self, in: set) != nil else { return keeper.notPermitted(self, set) }
            answer(.pieces(set, ticket, snapshot, pieces))
        case .heads, .claim, .release, .request, .refused, .progress:
            guard let kept = keeper.part(of: self, in: message.set) else {
                return keeper.notPermitted(self, message.set)
            }
            await kept.takes(message, from: self)
        }
    }

    // MARK: What goes to it

    /// Offers a set. Answers false where that were more than it takes: who hears of more ends the session.
    func offer(_ offer: SaveOffer) -> Bool {
        guard told.contains(offer.set) || told.count < keeper.bounds.offersPerPeer else { return false }
        told.insert(offer.set)
        send(.offer(offer))
        return true
    }

    /// Whether it was told in this meeting that there is such a set for it.
    func hasHeard(of set: SaveSetID) -> Bool { told.contains(set) }

    /// Takes back what was offered.
    func withdraw(_ set: SaveSetID) {
        told.remove(set)
        send(.withdraw(set))
    }

    /// Sends something when it is its turn. Of what only the latest counts, only the latest is sent.
    func send(_ message: SaveMessage) {
        guard isThere else { return }
        outbox.removeAll { $0.isOutdated(by: message) }
        guard outbox.count < keeper.bounds.waitingMessages else {
            // It says what has to be answered, and takes no answer.
            return keeper.caught(self, SaveRefusal(.tooMuch), at: nil)
        }
        outbox.append(message)
        outboxFilled.wake()
    }

    private func sendMessages() async {
        while !Task.isCancelled {
            guard !outbox.isEmpty else {
                try? await outboxFilled.wait()
                continue
            }
            let message = outbox.removeFirst()
            // A peer that is out of the session takes nothing more; that is noticed where events are read.
            try? await session.send(message.encoded)
        }
    }

    // MARK: What comes from it

    /// Asks for pieces, as soon as it has answered enough of what it was asked before.
    func want(_ set: SaveSetID, _ ticket: SaveTicket, _ snapshot: SnapshotID, _ pieces: [PieceReference]) {
        guard isThere else { return }
        wants.add(Wants.Want(set, ticket, snapshot, pieces))
        sendWants()
    }

    /// What was asked for in a meeting that is over will not come.
    func forgetWants(of set: SaveSetID) {
        wants.forget(set)
        expectNothing()
        sendWants()
    }

    /// Whether it was asked for something and has not answered.
    private var isAwaited: Bool { wants.areOpen || keeper.awaitsHistory(from: self) }

    private func sendWants() {
        while let want = wants.next(limit: keeper.bounds.waitingWants) {
            send(.want(want.set, want.ticket, want.snapshot, want.pieces))
        }
        if isAwaited { expectAnswer() }
    }

    /// It was asked for something: it has to answer in a while.
    func expectAnswer() {
        // Nobody waits for a peer that is gone.
        guard isThere, patience == nil else { return }
        arrived = 0
        patience = Engine.schedule(at: .current + keeper.bounds.answer) { [weak self] in
            guard let self else { return }
            self.patience = nil
            guard self.isAwaited else { return }
            guard !self.isTaking, self.arrived < self.keeper.bounds.answerBytes else { return self.expectAnswer() }
            self.keeper.isSilent(self)
        }
    }

    private func expectNothing() {
        patience?.cancel()
        patience = nil
    }

    /// How long the daemon waits before it looks again for room for what a peer sends.
    private static let roomPatience = Duration.milliseconds(100)

    private func read(_ stream: any IncomingBytes, _ number: Int) async {
        var reader = SaveDeliveryReader()
        var holding = Holding(of: session.allowance)
        do {
            while number == readings, let bytes = try await stream.read() {
                reader.append(bytes)
                // Other peers may hold all memory for now. Meanwhile nothing more is read, so the peer has to wait with what follows.
                while !holding.hold(reader.heldByteCount) {
                    try await Engine.loop.sleep(for: Self.roomPatience)
                    guard number == readings, isThere else { return }
                }
                arrived += bytes.count
                var deliveries: [SaveDelivery] = []
                while let delivery = try reader.next() { deliveries.append(delivery) }
                await take(deliveries[...])
                // Less than before, so it is granted. A peer whose answer is kept would otherwise seem to hold it until it says more.
                deliveries = []
                _ = holding.hold(reader.heldByteCount)
            }
        } catch let error as SaveFormatError {
            keeper.caught(self, SaveRefusal(.format(error)), at: nil)
        } catch {
            // Where the link was cut the session says so; where it was not, what was asked for is asked for again.
            if number == readings, isThere, isAwaited { keeper.meetsAgain(self) }
        }
    }

    /// Takes what came at once. Pieces that follow each other are kept together: each wait for the disk's thread takes longer than keeping a
    /// small one.
    private func take(_ deliveries: ArraySlice<SaveDelivery>) async {
        var rest = deliveries
        isTaking = !rest.isEmpty
        defer { isTaking = false }
        while let first = rest.first {
            let (set, ticket) = (first.set, first.ticket)
            let row = rest.prefix { $0.isPiece && $0.set == set && $0.ticket == ticket }
            if row.isEmpty { await take(first) } else { await take(row, set, ticket) }
            rest = rest.dropFirst(max(row.count, 1))
            sendWants()
        }
    }

    private func take(_ pieces: ArraySlice<SaveDelivery>, _ set: SaveSetID, _ ticket: SaveTicket) async {
        guard let kept = keeper.part(of: self, in: set) else { return }
        var arrived: [ArrivedPiece] = []
        for case .piece(_, _, let piece, let bytes) in pieces {
            guard let wanted = wants.answered(piece, of: set, ticket) else { continue }
            arrived.append(ArrivedPiece(id: piece, bytes: bytes, isWhole: bytes.count == wanted.length))
        }
        if !arrived.isEmpty { expectNothing() }
        await kept.takes(arrived, ticket, from: self)
    }

    private func take(_ delivery: SaveDelivery) async {
        guard let kept = keeper.part(of: self, in: delivery.set) else { return }
        switch delivery {
        case .history(_, let ticket, let snapshots):
            // Who answers what was not asked has not answered.
            if ticket == kept.machine.peers.tickets[id] { expectNothing() }
            await kept.takes(snapshots, ticket, from: self)
        case .lacking(let set, let ticket, let pieces):
            for piece in pieces {
                guard let wanted = wants.answered(piece, of: set, ticket) else { continue }
                expectNothing()
                kept.lacks(piece, of: wanted.snapshot, ticket, self)
            }
        case .piece: break
        }
    }

    /// Ends the session: the peer can't be talked to.
    func hangUp(because reason: PartingReason = .left) {
        isEnding = true
        session.leave(because: reason)
    }
}

extension SaveMessage {
    /// Whether nobody needs this any more once the other is sent.
    fileprivate func isOutdated(by other: SaveMessage) -> Bool {
        guard set == other.set else { return false }
        return switch (self, other) {
        case (.heads, .heads), (.offer, .offer), (.claim, .claim), (.claim, .release), (.offer, .withdraw),
            (.release, .release), (.request, .request), (.withdraw, .withdraw), (.progress, .progress),
            (.progress, .heads):
            true
        default: false
        }
    }
}

extension SaveDelivery {
    fileprivate var isPiece: Bool {
        if case .piece = self { true } else { false }
    }
}
