public import Vocabulary

/// The conversation of two machines about one save set until each knows the other's newest snapshots and all they came
/// from. Contents are fetched apart, by ``SnapshotFetch``. `docs/machines/exchange.md` has its table.
///
/// Each side asks for itself, so both run one of these. Its events have the peer's words and what is known here. Nothing that a
/// peer says takes more memory than a fixed amount, and what was learned before a link broke is not asked for again.
public struct Exchange: Sendable {
    /// The state of the exchange with the peer.
    public enum State: String, CaseIterable, Hashable, Sendable {
        /// There is no link.
        case apart
        /// There is a link, but the peer has no part in the set.
        case stranger
        /// It was told our heads and has not told its own.
        case greeted
        /// It was asked for snapshots that are not known here.
        case asking
        /// Everything that its heads came from is known here.
        case level
        /// It said what can't be taken. Nothing more is said to it or heard of it until the next meeting.
        case refused
    }

    /// Effects, which the caller carries out in order.
    public enum Action: Hashable, Sendable {
        /// Send these heads.
        case sendHeads([SnapshotHead])
        /// Ask for history.
        case ask(HistoryRequest)
        /// Answer with what ``SnapshotGraph/answer(to:limit:)`` says.
        case answer(HistoryRequest)
        /// Take these in, ancestors first: ``VersionState/learn(_:)``. Where that throws, call ``Exchange/refuse(_:)``.
        case learn([Snapshot])
        /// The peer holds these whole: a source for what ``VersionState/missing(among:)`` says of them.
        case offers([SnapshotID])
        /// Write down that the peer was refused, and tell it.
        case refuse(SaveRefusal)
    }

    /// How many snapshots are learned at once, if nothing else is said. Snapshots farther back are not learned, and versions
    /// alone speak for it.
    public static let historyLimit = 65_536
    /// How many bytes these have together, if nothing else is said.
    public static let stagedByteLimit = 8 << 20

    /// The state of the exchange with the peer.
    public private(set) var state = State.apart
    /// The heads that the peer named last.
    public private(set) var theirs: [SnapshotHead] = []
    private let set: SaveSetID
    private let historyLimit: Int
    private var staged = StagedHistory()
    /// The snapshots that were asked for and have not come.
    private var asked: [SnapshotID] = []

    /// How many bytes it holds of what the peer said.
    public var byteCount: Int { staged.byteCount + Self.byteCount(of: theirs) }

    private static func byteCount(of heads: [SnapshotHead]) -> Int {
        heads.reduce(0) { $0 + 64 + $1.version.parts.count * MemoryLayout<VersionVector.Part>.stride }
    }

    /// - Parameters:
    ///   - set: which set
    ///   - historyLimit: how many snapshots to learn at once, about
    public init(_ set: SaveSetID, historyLimit: Int = Exchange.historyLimit) {
        (self.set, self.historyLimit) = (set, historyLimit)
    }

    /// There is a link to the peer.
    /// - Parameters:
    ///   - takesPart: whether the peer may have the set
    ///   - heads: our own
    public mutating func met(takesPart: Bool, heads: [SnapshotHead]) -> [Action] {
        (theirs, asked) = ([], [])
        state = takesPart ? .greeted : .stranger
        return takesPart ? [.sendHeads(heads)] : []
    }

    /// Our own heads have changed.
    public mutating func changed(_ heads: [SnapshotHead]) -> [Action] {
        switch state {
        case .greeted, .asking, .level: [.sendHeads(heads)]
        case .apart, .stranger, .refused: []
        }
    }

    /// The link is gone. What was learned by parts is kept for the next meeting.
    public mutating func linkLost() {
        (state, theirs, asked) = (.apart, [], [])
    }

    /// The peer was caught at something, here or where pieces are fetched.
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
    ///   - heads: those, decoded
    ///   - graph: what is known here
    ///   - own: our heads
    ///   - room: how many bytes it may hold of what the peer said
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
        staged.want(heads.map(\.id), graph)
        return state == .asking ? [] : proceed(graph, own: own, room: room)
    }

    /// The peer asks for history.
    public mutating func received(_ request: HistoryRequest) -> [Action] {
        isOpen ? [.answer(request)] : unwelcome()
    }

    /// The peer answered what it was asked.
    /// - Parameters:
    ///   - snapshots: each decoded under the rules of its form
    ///   - graph: what is known here
    ///   - own: our heads
    ///   - room: how many bytes it may hold of what the peer said. What comes beyond that is not learned, and versions alone speak for it; but
    ///     for the peer's heads, which are learned at once
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
        var due = Set(asked)
        for snapshot in snapshots {
            guard snapshot.set == set else { return refuse(SaveRefusal(.otherSet)) }
            guard due.contains(snapshot.id) else { return refuse(SaveRefusal(.otherSnapshot)) }
            due.formUnion(snapshot.parents)
            let head = theirs.first { $0.id == snapshot.id }
            if let head, head.version != snapshot.version { return refuse(SaveRefusal(.forgedVersion)) }
            guard head != nil || byteCount + snapshot.byteCount <= room else { continue }
            // What goes farther back than was asked for is passed over: the peer can't know where our own history begins.
            if staged.isWanted(snapshot.id) { staged.take(snapshot, graph) }
        }
        // Where nothing came, the peer has forgotten what was asked for.
        if staged.count == before { staged.give(up: asked) }
        asked = []
        return proceed(graph, own: own, room: room)
    }

    private mutating func proceed(_ graph: SnapshotGraph, own: [SnapshotID], room: Int) -> [Action] {
        staged.forget(knownIn: graph)
        // Another answer may be as long as one may be.
        if staged.count < historyLimit,
            byteCount + (staged.count == 0 ? 0 : HistoryRequest.maximumAnswerByteCount) <= room
        {
            asked = staged.nextWanted(HistoryRequest.maximumWantedCount)
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

    /// Something came that the peer should not have sent as things stand.
    private mutating func unwelcome() -> [Action] {
        state == .stranger ? refuse(SaveRefusal(.notPermitted)) : []
    }
}
