import LinuxPlatform
import SaveRules
import Session
import Vocabulary

/// One game, as the session with a peer that shares it knows it.
@Engine protocol SharedGame: AnyObject {
    var machine: SaveSetMachine { get }
    func takes(_ message: SaveMessage, from peer: SavePeer) async
    /// Takes a request of the peer for history.
    func takes(_ request: HistoryRequest, _ epoch: ExchangeEpoch, from peer: SavePeer)
    /// Takes the history that the peer sent.
    func takes(_ encoded: [[UInt8]], _ epoch: ExchangeEpoch, from peer: SavePeer) async
    func takes(_ pieces: [ArrivedPiece], _ epoch: ExchangeEpoch, from peer: SavePeer) async
    /// Notes that the peer does not have a piece of a version.
    func isWithout(_ piece: PieceID, of version: SnapshotID, _ epoch: ExchangeEpoch, _ peer: SavePeer)
}

/// The engine, as the session with a peer knows it.
@Engine protocol PeerAudience: AnyObject {
    /// Notes that the session has begun.
    func begins(_ peer: SavePeer)
    /// Tells the peer, which is online, of the games that it may have.
    func meets(_ peer: SavePeer)
    /// Takes a message of the peer about the machines of the household.
    func takeHousehold(_ bytes: [UInt8], from peer: SavePeer) async
    /// Begins the exchange again, because the answer of the peer did not come, although it is online.
    func meetsAgain(_ peer: SavePeer)
    /// Begins the exchange again with a peer that is back. It may not have noticed that it was away.
    func meetsWhatWasOffered(by peer: SavePeer)
    func parts(from peer: SavePeer)
    func take(_ offer: SaveOffer, from peer: SavePeer) async
    func takeWithdrawal(of set: SaveSetID, from peer: SavePeer) async
    /// Notes that the user of the peer has paused a game. Returns false if the game is not shared with the peer.
    func takePause(of set: SaveSetID, from peer: SavePeer) -> Bool
    /// Returns the game, if the peer shares it.
    func part(of peer: SavePeer, in set: SaveSetID) -> (any SharedGame)?
    /// Handles a message of the peer about a game that it does not share.
    func notPermitted(_ peer: SavePeer, _ set: SaveSetID)
    /// True if the peer was asked for history and has not answered.
    func awaitsHistory(from peer: SavePeer) -> Bool
    func isSilent(_ peer: SavePeer)
    /// Ends the session of a peer that sent something that no game accepts.
    func caught(_ peer: SavePeer, _ refusal: SaveRefusal, at set: SaveSetName?)
    func noteArrival()
    /// Notes that the peer does not let this machine sync its saves.
    func isHeldOff(by peer: PeerID)
}

/// A peer that games are shared with, while a session with it is open: the messages to it and from it.
@Engine
final class SavePeer {
    let id: PeerID
    let session: any SaveSession
    private let services: SaveServices
    /// This reference lasts as long as the session.
    private let audience: any PeerAudience
    let tasks: TaskScope
    /// The games that the peer has offered in this connection.
    private(set) var offered: Set<SaveSetID> = []
    /// The games that the user of the peer has paused.
    private(set) var paused: Set<SaveSetID> = [] { didSet { if paused != oldValue { audience.noteArrival() } } }
    /// The games that the peer heard of in this session, offered or paused, and that were not withdrawn.
    private(set) var listed: Set<SaveSetID> = []
    private(set) var presence = PeerPresence()
    private let outbox: SaveOutbox
    private let answers: PeerAnswers
    /// The requests to the peer that it has not answered yet.
    private var requests = PieceRequests()
    let patience: AnswerPatience
    private var readings = 0

    /// The machine that began the session.
    var host: PeerID { session.host }

    /// The peer's own name, fit to print.
    var name: String? { session.peerName }

    init(_ id: PeerID, _ session: any SaveSession, _ services: SaveServices, _ audience: any PeerAudience) {
        (self.id, self.session, self.services, self.audience, tasks) = (id, session, services, audience, TaskScope())
        outbox = SaveOutbox(limit: services.bounds.waiting.messages)
        answers = PeerAnswers(session, tasks, services)
        patience = AnswerPatience(services.bounds.patience.answer, sufficient: services.bounds.patience.answerBytes)
    }

    /// Follows the session until it is over.
    func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.tasks.run() }
            tasks.add { await self.sendMessages() }
            tasks.add { await self.answers.run { self.audience.part(of: self, in: $0)?.machine.heads } }
            audience.begins(self)
            while let event = await session.next() {
                guard await take(event) else { break }
            }
            end()
            group.cancelAll()
        }
        session.leave(because: .left)
    }

    private func end() {
        presence.isOver()
        (offered, paused) = ([], [])
        patience.cancel()
        audience.parts(from: self)
    }

    /// Notes that the peer, which is away, was seen on the network. It may be back soon.
    func wasSeen() {
        presence.wasSeen()
        audience.noteArrival()
    }

    /// Handles an event. Returns true if the session goes on.
    private func take(_ event: SaveSessionEvent) async -> Bool {
        // Connecting takes memory that is free again soon after. Messages while a user plays come again and again, and
        // take none.
        if case .message = event {} else { services.trimmer.worked() }
        switch event {
        case .away(let reason):
            presence.left(because: reason)
            // Offers stay valid on both sides: a machine that has not noticed that it was away does not repeat its own.
            (paused, requests) = ([], PieceRequests())
            patience.cancel()
            answers.forget()
            audience.parts(from: self)
            audience.noteArrival()
            return true
        case .returned:
            // Another program may have changed the rights of the peer while it was away.
            guard await services.rights.mayExchange(with: id) else { return false }
            presence.returned()
            audience.meets(self)
            audience.meetsWhatWasOffered(by: self)
            audience.noteArrival()
            return true
        case .departed(let reason):
            if reason == .notPermitted { audience.isHeldOff(by: id) }
            let missed = host == id && offered.isEmpty
            presence.ended(reason == .lost ? .forgotten : missed ? .mayHaveMissedOffers : .other)
            return false
        case .message(let bytes): return await take(bytes)
        case .stream(let stream):
            readings += 1
            let number = readings
            tasks.add { await self.read(stream, number) }
            return true
        }
    }

    private func take(_ bytes: [UInt8]) async -> Bool {
        if HouseholdMessage.isKind(of: bytes) {
            await audience.takeHousehold(bytes, from: self)
            return true
        }
        do throws(SaveFormatError) {
            await take(try SaveMessage(decoding: bytes, from: id))
            return true
        } catch {
            audience.caught(self, SaveRefusal(.format(error)), at: nil)
            return false
        }
    }

    private func take(_ message: SaveMessage) async {
        switch message {
        case .offer(let offer):
            guard offered.contains(offer.set) || offered.count < services.bounds.offersPerPeer else {
                return audience.caught(self, SaveRefusal(.tooMuch), at: nil)
            }
            offered.insert(offer.set)
            paused.remove(offer.set)
            await audience.take(offer, from: self)
        case .withdraw(let set):
            offered.remove(set)
            paused.remove(set)
            await audience.takeWithdrawal(of: set, from: self)
        case .pause(let set):
            offered.remove(set)
            // If the game is not shared with the peer, the message is ignored.
            guard audience.takePause(of: set, from: self) else { return }
            paused.insert(set)
        case .ask(let set, let epoch, let request):
            guard let kept = audience.part(of: self, in: set) else { return audience.notPermitted(self, set) }
            kept.takes(request, epoch, from: self)
        case .want(let set, let epoch, let snapshot, let pieces):
            guard audience.part(of: self, in: set) != nil else { return audience.notPermitted(self, set) }
            answer(.pieces(set, epoch, snapshot, pieces))
        case .heads, .claim, .release, .request, .cutOff, .refused, .progress:
            guard let kept = audience.part(of: self, in: message.set) else {
                return audience.notPermitted(self, message.set)
            }
            await kept.takes(message, from: self)
        }
    }

    // MARK: What goes to it

    /// Offers a game. Returns false if the peer would have too many offers: a peer that gets more ends the session.
    func offer(_ offer: SaveOffer) -> Bool {
        guard listed.contains(offer.set) || listed.count < services.bounds.offersPerPeer else { return false }
        listed.insert(offer.set)
        send(.offer(offer))
        return true
    }

    /// Withdraws the offer of a game. A peer that is away may still know the offer as it returns: it hears of the end
    /// then.
    func withdraw(_ set: SaveSetID) {
        if presence.isHere { listed.remove(set) }
        send(.withdraw(set))
    }

    /// Tells the peer that the user has paused a game.
    func pause(_ set: SaveSetID) {
        listed.insert(set)
        send(.pause(set))
    }

    /// Queues a message. If only the latest message of its kind counts, only that one is sent.
    func send(_ message: SaveMessage) {
        guard presence.isHere else { return }
        // A peer with a full queue asks for data and does not read the answers.
        if !outbox.add(message) {
            audience.caught(self, SaveRefusal(.tooMuch), at: nil)
        }
    }

    private func sendMessages() async {
        while let message = try? await outbox.next() {
            // A peer that is out of the session takes no further message. The loop of events notices that.
            try? await session.send(message.encoded)
        }
    }

    // MARK: What comes from it

    /// Asks for pieces as soon as the peer has answered enough of the earlier requests.
    func want(_ set: SaveSetID, _ epoch: ExchangeEpoch, _ snapshot: SnapshotID, _ pieces: [PieceReference]) {
        guard presence.isHere else { return }
        requests.add(PieceRequests.Want(set, epoch, snapshot, pieces))
        sendWants()
    }

    /// Forgets requests of a connection that is over. They get no answer.
    func forgetWants(of set: SaveSetID) {
        requests.forget(set)
        patience.cancel()
        sendWants()
    }

    /// True if the peer was asked for something and has not answered.
    private var isAwaited: Bool { requests.areOpen || audience.awaitsHistory(from: self) }

    private func sendWants() {
        while let want = requests.next(limit: services.bounds.waiting.requests) {
            send(.want(want.set, want.epoch, want.snapshot, want.pieces))
        }
        if isAwaited { expectAnswer() }
    }

    /// Starts the time within which the peer must answer.
    func expectAnswer() {
        // No call waits for a peer that is gone.
        guard presence.isHere else { return }
        patience.begin { [weak self] in
            self?.isAwaited == true
        } silent: { [weak self] in
            if let self {
                audience.isSilent(self)
            }
        }
    }

    /// Queues the answer to a request of the peer.
    func answer(_ answer: SaveAnswer) {
        if !answers.add(answer) { audience.caught(self, SaveRefusal(.tooMuch), at: nil) }
    }

    /// The time that the daemon waits before it looks again for memory for the peer's data.
    private static let roomPatience = Duration.milliseconds(100)

    private func read(_ stream: any IncomingBytes, _ number: Int) async {
        var reader = SaveDeliveryReader()
        var holding = Holding(of: session.allowance)
        do {
            while number == readings, let bytes = try await stream.read() {
                reader.append(bytes)
                // Other peers may use all memory for now. Meanwhile nothing more is read, so the peer must wait before
                // it sends more.
                while !holding.hold(reader.heldByteCount) {
                    try await Engine.loop.sleep(for: Self.roomPatience)
                    guard number == readings, presence.isHere else { return }
                }
                patience.came(bytes.count)
                var deliveries: [SaveDelivery] = []
                while let delivery = try reader.next() { deliveries.append(delivery) }
                await take(deliveries[...])
                // This is less than before, so it is granted. Otherwise a peer whose answer is stored would seem to use
                // that memory until it sends more.
                deliveries = []
                _ = holding.hold(reader.heldByteCount)
            }
        } catch let error as SaveFormatError {
            audience.caught(self, SaveRefusal(.format(error)), at: nil)
        } catch {
            // If the link was cut, the session reports it. If it was not, the daemon repeats the open requests.
            if number == readings, presence.isHere, isAwaited { audience.meetsAgain(self) }
        }
    }

    /// Takes the data that came at once. Successive pieces are stored together: each wait for the disk's thread takes
    /// longer than storing a small piece.
    private func take(_ deliveries: ArraySlice<SaveDelivery>) async {
        var rest = deliveries
        patience.isStoring = !rest.isEmpty
        defer { patience.isStoring = false }
        while let first = rest.first {
            let (set, epoch) = (first.set, first.epoch)
            let row = rest.prefix { $0.isPiece && $0.set == set && $0.epoch == epoch }
            if row.isEmpty { await take(first) } else { await take(row, set, epoch) }
            rest = rest.dropFirst(max(row.count, 1))
            sendWants()
        }
    }

    private func take(_ pieces: ArraySlice<SaveDelivery>, _ set: SaveSetID, _ epoch: ExchangeEpoch) async {
        guard let kept = audience.part(of: self, in: set) else { return }
        var arrived: [ArrivedPiece] = []
        for case .piece(_, _, let piece, let bytes) in pieces {
            guard let wanted = requests.answered(piece, of: set, epoch) else { continue }
            arrived.append(ArrivedPiece(id: piece, bytes: bytes, isWhole: bytes.count == wanted.length))
        }
        if !arrived.isEmpty { patience.cancel() }
        await kept.takes(arrived, epoch, from: self)
    }

    private func take(_ delivery: SaveDelivery) async {
        guard let kept = audience.part(of: self, in: delivery.set) else { return }
        switch delivery {
        case .history(_, let epoch, let snapshots):
            // Unrequested history does not count as an answer.
            if epoch == kept.machine.peers.epochs[id] { patience.cancel() }
            await kept.takes(snapshots, epoch, from: self)
        case .missing(let set, let epoch, let pieces):
            for piece in pieces {
                guard let wanted = requests.answered(piece, of: set, epoch) else { continue }
                patience.cancel()
                kept.isWithout(piece, of: wanted.snapshot, epoch, self)
            }
        case .piece: break
        }
    }

    /// Ends the session, because the peer can't be talked to.
    func hangUp(because reason: PartingReason = .left) {
        presence.ends()
        session.leave(because: reason)
    }
}

extension SaveDelivery {
    fileprivate var isPiece: Bool {
        if case .piece = self { true } else { false }
    }
}
