public import Vocabulary

/// The exchange of two machines about one game until each knows the heads of the other and all their ancestors.
/// ``SnapshotFetch`` fetches the content. `docs/machines/exchange.md` has its table.
///
/// Each side asks for itself, so each has such a value. Its events carry the messages of the peer and the versions that
/// are known here. The memory for messages of a peer is limited. History that was learned before a link broke is not
/// requested again.
public struct Exchange: Sendable {
    /// The states of the exchange with the peer.
    public enum State: String, CaseIterable, Hashable, Sendable {
        /// There is no link.
        case apart
        /// There is a link, but the peer may not share the game.
        case stranger
        /// This machine has sent its heads and has not received those of the peer.
        case greeted
        /// This machine has requested versions that it does not know.
        case asking
        /// This machine knows all ancestors of the peer's heads.
        case level
        /// The peer sent something invalid. The two exchange nothing until the next connection.
        case refused
    }

    /// Effects, which the caller carries out in order.
    public enum Action: Hashable, Sendable {
        /// Send these heads.
        case sendHeads([SnapshotHead])
        /// Request history.
        case ask(HistoryRequest)
        /// Answer with the result of ``SnapshotGraph/answer(to:limit:)``.
        case answer(HistoryRequest)
        /// Insert these versions, ancestors first: ``VersionState/learn(_:)``. If that throws, call
        /// ``Exchange/refuse(_:)``.
        case learn([Snapshot])
        /// The peer has these versions as a whole, and may be asked for those of ``VersionState/missing(among:)``.
        case offers([SnapshotID])
        /// Log that the peer was refused, and tell it.
        case refuse(SaveRefusal)
    }

    /// The default number of versions that are learned at once. Versions farther back are not learned; for them, only
    /// version vectors decide.
    public static let historyLimit = 65_536
    /// The default size of these versions together, in bytes.
    public static let stagedByteLimit = 8 << 20

    /// The state of the exchange with the peer.
    public private(set) var state = State.apart
    /// The heads that the peer named last.
    public private(set) var theirs: [SnapshotHead] = []
    private let set: SaveSetID
    private let historyLimit: Int
    private var staged = StagedHistory()
    /// The requested versions that have not come.
    private var asked: [SnapshotID] = []

    /// The bytes that this value holds of the peer's messages.
    public var byteCount: Int { staged.byteCount + Self.byteCount(of: theirs) }

    private static func byteCount(of heads: [SnapshotHead]) -> Int {
        heads.reduce(0) { $0 + 64 + $1.version.parts.count * MemoryLayout<VersionVector.Part>.stride }
    }

    /// - Parameters:
    ///   - set: the game
    ///   - historyLimit: the approximate number of versions to learn at once
    public init(_ set: SaveSetID, historyLimit: Int = Exchange.historyLimit) {
        (self.set, self.historyLimit) = (set, historyLimit)
    }

    /// There is a link to the peer.
    /// - Parameters:
    ///   - takesPart: true if the peer may share the game
    ///   - heads: the heads of this machine
    public mutating func met(takesPart: Bool, heads: [SnapshotHead]) -> [Action] {
        (theirs, asked) = ([], [])
        state = takesPart ? .greeted : .stranger
        return takesPart ? [.sendHeads(heads)] : []
    }

    /// The heads of this machine have changed.
    public mutating func changed(_ heads: [SnapshotHead]) -> [Action] {
        switch state {
        case .greeted, .asking, .level: [.sendHeads(heads)]
        case .apart, .stranger, .refused: []
        }
    }

    /// The link is lost. History that was learned in part is kept for the next connection.
    public mutating func linkLost() {
        (state, theirs, asked) = (.apart, [], [])
    }

    /// The peer broke a rule, in this exchange or while pieces were fetched.
    public mutating func refuse(_ refusal: SaveRefusal) -> [Action] {
        switch state {
        case .apart, .refused: return []
        case .stranger, .greeted, .asking, .level:
            (state, theirs, asked) = (.refused, [], [])
            staged = StagedHistory()
            return [.refuse(refusal)]
        }
    }

    /// The peer named its heads.
    /// - Parameters:
    ///   - heads: the heads, decoded
    ///   - graph: the versions that are known here
    ///   - own: the heads of this machine
    ///   - room: the number of bytes that this value may hold of the peer's messages
    public mutating func received(
        _ heads: [SnapshotHead],
        _ graph: SnapshotGraph,
        own: [SnapshotID],
        room: Int = Exchange.stagedByteLimit
    ) -> [Action] {
        guard isOpen else { return unwelcome() }
        guard heads.count <= SnapshotHead.maximumCount else { return refuse(SaveRefusal(.tooManyHeads)) }
        guard Self.byteCount(of: heads) <= room else { return refuse(SaveRefusal(.tooMuch)) }
        theirs = heads
        for head in heads where graph[head.id].map({ $0.version != head.version }) ?? false {
            return refuse(SaveRefusal(.forgedVersion))
        }
        staged.want(heads: heads.map(\.id))
        return state == .asking ? [] : proceed(graph, own: own, room: room)
    }

    /// The peer requests history.
    public mutating func received(_ request: HistoryRequest) -> [Action] {
        isOpen ? [.answer(request)] : unwelcome()
    }

    /// The peer answered a request for history.
    /// - Parameters:
    ///   - snapshots: the versions, each decoded and checked
    ///   - graph: the versions that are known here
    ///   - own: the heads of this machine
    ///   - room: the number of bytes that this value may hold of the peer's messages. Versions beyond it are not
    ///     learned; for them, only version vectors decide. The peer's heads are learned in any case.
    public mutating func received(
        _ snapshots: [Snapshot],
        _ graph: SnapshotGraph,
        own: [SnapshotID],
        room: Int = Exchange.stagedByteLimit
    ) -> [Action] {
        guard isOpen else { return unwelcome() }
        guard state == .asking else { return refuse(SaveRefusal(.unasked)) }
        guard snapshots.count <= HistoryRequest.maximumAnswerCount else { return refuse(SaveRefusal(.tooMuch)) }
        let before = staged.count
        let wanted = Set(asked)
        var due = wanted
        for snapshot in snapshots {
            guard snapshot.set == set else { return refuse(SaveRefusal(.otherSet)) }
            guard due.contains(snapshot.id) else { return refuse(SaveRefusal(.otherSnapshot)) }
            due.formUnion(snapshot.parents)
            let head = theirs.first { $0.id == snapshot.id }
            if let head, head.version != snapshot.version { return refuse(SaveRefusal(.forgedVersion)) }
            guard head != nil || byteCount + snapshot.byteCount <= room else { continue }
            // The peer can't know where this machine's history begins. So versions farther back than requested are
            // skipped. The peer may have named other heads since the request.
            if staged.isWanted(snapshot.id) || wanted.contains(snapshot.id) { staged.take(snapshot, graph) }
        }
        // If nothing came, the peer has forgotten the requested versions.
        if staged.count == before { staged.give(up: asked) }
        asked = []
        return proceed(graph, own: own, room: room)
    }

    private mutating func proceed(_ graph: SnapshotGraph, own: [SnapshotID], room: Int) -> [Action] {
        staged.forget(knownIn: graph)
        // The next answer may have its largest size.
        if staged.count < historyLimit,
            byteCount + (staged.count == 0 ? 0 : HistoryRequest.maximumAnswerByteCount) <= room
        {
            asked = staged.nextWanted(HistoryRequest.maximumWantedCount, graph)
            if !asked.isEmpty {
                state = .asking
                return [.ask(HistoryRequest(wanted: asked, known: graph.landmarks(of: own)))]
            }
        }
        state = .level
        let learned = staged.ordered
        staged = StagedHistory()
        return (learned.isEmpty ? [] : [.learn(learned)]) + (theirs.isEmpty ? [] : [.offers(theirs.map(\.id))])
    }

    private var isOpen: Bool {
        switch state {
        case .greeted, .asking, .level: true
        case .apart, .stranger, .refused: false
        }
    }

    /// The peer sent something that it may not send in this state.
    private mutating func unwelcome() -> [Action] {
        state == .stranger ? refuse(SaveRefusal(.notPermitted)) : []
    }
}
