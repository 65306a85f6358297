public import Vocabulary

/// Gets what one snapshot holds: first its manifest, then the pieces of its files that are not here, from any peers that have
/// them. What is here already stays here, so a fetch that was interrupted goes on where it was. `docs/machines/snapshot-fetch.md`
/// has its table.
///
/// A piece counts as here when its contents were checked against its name and kept safely.
public struct SnapshotFetch: Sendable {
    /// How far it has come.
    public enum State: String, CaseIterable, Hashable, Sendable {
        /// The pieces of the manifest come.
        case manifest
        /// The manifest is here and is being read.
        case reading
        /// The pieces of the files come.
        case contents
        /// Over: everything is here.
        case complete
        /// Over: the manifest breaks the rules of its form.
        case refused
        /// Over: it is no longer wanted.
        case cancelled
    }

    /// Effects, which the caller carries out in order.
    public enum Action: Hashable, Sendable {
        /// Ask a peer for pieces.
        case ask(PeerID, [PieceReference])
        /// Put the manifest together and read it; then call ``SnapshotFetch/manifestRead(missing:)`` or
        /// ``SnapshotFetch/manifestRefused(_:)``.
        case readManifest
        /// Everything is here: ``VersionState/hold(_:)``.
        case complete
        /// No peer that is there has what is missing. It goes on when one comes.
        case starved
        /// The peer is to be refused: ``Exchange/refuse(_:)``.
        case refuse(PeerID, SaveRefusal)
    }

    /// Which snapshot.
    public let snapshot: SnapshotID
    /// How far it has come.
    public private(set) var state: State
    private var fetch: PieceFetch
    private var offering: Set<PeerID> = []
    private var hasToldStarved = false

    /// - Parameters:
    ///   - snapshot: which snapshot
    ///   - missing: the pieces of its manifest that are not here
    public init(_ snapshot: SnapshotID, missing: some Sequence<PieceReference>) {
        self.snapshot = snapshot
        fetch = PieceFetch(missing)
        state = .manifest
    }

    /// The first thing to do.
    public mutating func begin() -> [Action] { isOver ? [] : proceed() }

    /// How many pieces of what is being fetched now are not here.
    public var remainingCount: Int { fetch.remaining.count }

    /// How much of the files has come; nil before it is known what comes.
    public var progress: FetchProgress? {
        guard state == .contents else { return nil }
        let counts = fetch.byteCounts
        return FetchProgress(done: min(counts.here, counts.total), of: counts.total)
    }

    /// True if a peer was asked for a piece and has not answered yet.
    public func expects(_ piece: PieceID, from peer: PeerID) -> Bool { !isOver && fetch.isAsked(piece, of: peer) }

    /// True if a piece of what is being fetched now is not here.
    public func isMissing(_ piece: PieceID) -> Bool { !isOver && fetch.remaining.contains(piece) }

    /// A peer has the snapshot, or some of its pieces.
    public mutating func found(_ peer: PeerID) -> [Action] {
        guard !isOver else { return [] }
        offering.insert(peer)
        fetch.add(peer)
        return proceed()
    }

    /// A peer is gone, or was refused.
    public mutating func lost(_ peer: PeerID) -> [Action] {
        guard !isOver else { return [] }
        offering.remove(peer)
        fetch.remove(peer)
        return proceed()
    }

    /// A peer does not answer. Others are asked; when it is found again, it is asked again. What it has announced it still answers for: what comes
    /// of that late may be as unsound as what comes in time.
    public mutating func stalled(_ peer: PeerID) -> [Action] {
        guard !isOver else { return [] }
        fetch.remove(peer)
        return proceed()
    }

    /// A peer sent a piece, and it is here now.
    public mutating func received(_ piece: PieceID, from peer: PeerID) -> [Action] {
        guard !isOver else { return [] }
        guard fetch.isAsked(piece, of: peer) else { return caught(peer, .unasked) }
        fetch.has(piece, from: peer)
        return proceed()
    }

    /// A piece is here that came for another snapshot.
    public mutating func came(_ piece: PieceID, length: Int) -> [Action] {
        guard isMissing(piece) else { return [] }
        fetch.came(piece, length: length)
        return proceed()
    }

    /// A peer sent other bytes as a piece.
    public mutating func receivedOther(than piece: PieceID, from peer: PeerID) -> [Action] {
        isOver ? [] : caught(peer, .otherContents(piece))
    }

    /// A peer no longer has such a piece.
    public mutating func isWithout(_ piece: PieceID, _ peer: PeerID) -> [Action] {
        guard !isOver else { return [] }
        guard fetch.isAsked(piece, of: peer) else { return caught(peer, .unasked) }
        fetch.isWithout(piece, peer)
        return proceed()
    }

    /// The manifest was read.
    /// - Parameter missing: the pieces of its files that are not here
    public mutating func manifestRead(missing: some Sequence<PieceReference>) -> [Action] {
        guard state != .cancelled else { return [] }
        precondition(state == .reading, "a manifest is read once it is here")
        state = .contents
        fetch = PieceFetch(missing)
        for peer in offering { fetch.add(peer) }
        return proceed()
    }

    /// Its pieces make no manifest. The peers that offered it are to blame.
    public mutating func manifestRefused(_ error: SaveFormatError) -> [Action] {
        guard state != .cancelled else { return [] }
        precondition(state == .reading, "a manifest is read once it is here")
        state = .refused
        return offering.sorted().map { .refuse($0, SaveRefusal(.format(error))) }
    }

    /// Something newer is wanted instead.
    public mutating func cancel() {
        if !isOver { state = .cancelled }
    }

    private var isOver: Bool {
        switch state {
        case .manifest, .reading, .contents: false
        case .complete, .refused, .cancelled: true
        }
    }

    private mutating func caught(_ peer: PeerID, _ fault: SaveRefusal.Fault) -> [Action] {
        [.refuse(peer, SaveRefusal(fault))] + lost(peer)
    }

    private mutating func proceed() -> [Action] {
        guard state != .reading else { return [] }
        if fetch.isComplete {
            state = state == .manifest ? .reading : .complete
            return state == .reading ? [.readManifest] : [.complete]
        }
        let actions = fetch.next().map { Action.ask($0.peer, $0.pieces) }
        let wasStarved = hasToldStarved
        hasToldStarved = fetch.isStarved
        return actions + (hasToldStarved && !wasStarved ? [.starved] : [])
    }
}
