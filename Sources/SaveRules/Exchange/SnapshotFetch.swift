public import Vocabulary

/// The fetch of one version's content from any peers that have it: first its manifest, then the pieces of its files
/// that are not here. Pieces that are here stay, so an interrupted fetch continues. `docs/machines/snapshot-fetch.md`
/// has its table.
///
/// A piece counts as here when its content was checked against its name and stored.
public struct SnapshotFetch: Sendable {
    /// The states of the fetch.
    public enum State: String, CaseIterable, Hashable, Sendable {
        /// The pieces of the manifest are coming.
        case manifest
        /// The manifest is here, and the caller reads it.
        case reading
        /// The pieces of the files are coming.
        case contents
        /// The fetch is over: all pieces are here.
        case complete
        /// The fetch is over: the manifest breaks the rules of its form.
        case refused
        /// The fetch is over: the version is no longer wanted.
        case cancelled
    }

    /// Effects, which the caller carries out in order.
    public enum Action: Hashable, Sendable {
        /// Ask a peer for pieces.
        case ask(PeerID, [PieceReference])
        /// Join the pieces of the manifest and read it; then call ``SnapshotFetch/manifestRead(missing:)`` or
        /// ``SnapshotFetch/manifestRefused(_:)``.
        case readManifest
        /// All pieces are here: call ``VersionState/hold(_:)``.
        case complete
        /// No peer that is online has the missing pieces. The fetch continues when one has.
        case starved
        /// Refuse the peer: call ``Exchange/refuse(_:)``.
        case refuse(PeerID, SaveRefusal)
    }

    /// The id of the version.
    public let snapshot: SnapshotID
    /// The state of the fetch.
    public private(set) var state: State
    private var fetch: PieceFetch
    private var offering: Set<PeerID> = []
    private var hasReportedStarved = false

    /// - Parameters:
    ///   - snapshot: the id of the version
    ///   - missing: the pieces of its manifest that are not here
    public init(_ snapshot: SnapshotID, missing: some Sequence<PieceReference>) {
        self.snapshot = snapshot
        fetch = PieceFetch(missing)
        state = .manifest
    }

    /// Returns the first actions.
    public mutating func begin() -> [Action] { isOver ? [] : proceed() }

    /// The number of missing pieces of the manifest, or later of the files.
    public var remainingCount: Int { fetch.remaining.count }

    /// The progress of the files; nil before the pieces of the files are known.
    public var progress: FetchProgress? {
        guard state == .contents else { return nil }
        let counts = fetch.byteCounts
        return FetchProgress(done: min(counts.here, counts.total), of: counts.total)
    }

    /// True if a peer was asked for a piece and has not answered yet.
    public func expects(_ piece: PieceID, from peer: PeerID) -> Bool { !isOver && fetch.isAsked(piece, of: peer) }

    /// True if a piece that is being fetched is not here.
    public func isMissing(_ piece: PieceID) -> Bool { !isOver && fetch.remaining.contains(piece) }

    /// A peer has the version, or some of its pieces.
    public mutating func found(_ peer: PeerID) -> [Action] {
        guard !isOver else { return [] }
        offering.insert(peer)
        fetch.add(peer)
        return proceed()
    }

    /// A peer is offline, or was refused.
    public mutating func lost(_ peer: PeerID) -> [Action] {
        guard !isOver else { return [] }
        offering.remove(peer)
        fetch.remove(peer)
        return proceed()
    }

    /// A peer does not answer. Others are asked; it is asked again when it is found again. It stays responsible for the
    /// version that it offered: its late pieces may be as damaged as timely ones.
    public mutating func stalled(_ peer: PeerID) -> [Action] {
        guard !isOver else { return [] }
        fetch.remove(peer)
        return proceed()
    }

    /// A peer sent a piece, which is stored now.
    public mutating func received(_ piece: PieceID, from peer: PeerID) -> [Action] {
        guard !isOver else { return [] }
        guard fetch.isAsked(piece, of: peer) else { return caught(peer, .unasked) }
        fetch.has(piece, from: peer)
        return proceed()
    }

    /// A piece is here that came for another version.
    public mutating func came(_ piece: PieceID, length: Int) -> [Action] {
        guard isMissing(piece) else { return [] }
        fetch.came(piece, length: length)
        return proceed()
    }

    /// A peer sent a piece with a content that does not match its name.
    public mutating func receivedOther(than piece: PieceID, from peer: PeerID) -> [Action] {
        isOver ? [] : caught(peer, .otherContents(piece))
    }

    /// A peer no longer has a piece.
    public mutating func isWithout(_ piece: PieceID, _ peer: PeerID) -> [Action] {
        guard !isOver else { return [] }
        guard fetch.isAsked(piece, of: peer) else { return caught(peer, .unasked) }
        fetch.isWithout(piece, peer)
        return proceed()
    }

    /// The caller has read the manifest.
    /// - Parameter missing: the pieces of its files that are not here
    public mutating func manifestRead(missing: some Sequence<PieceReference>) -> [Action] {
        guard state != .cancelled else { return [] }
        precondition(state == .reading, "a manifest is read once it is here")
        state = .contents
        fetch = PieceFetch(missing)
        for peer in offering { fetch.add(peer) }
        return proceed()
    }

    /// The pieces make no valid manifest. All peers that offered it are refused.
    public mutating func manifestRefused(_ error: SaveFormatError) -> [Action] {
        guard state != .cancelled else { return [] }
        precondition(state == .reading, "a manifest is read once it is here")
        state = .refused
        return offering.sorted().map { .refuse($0, SaveRefusal(.format(error))) }
    }

    /// A newer version is wanted instead.
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
        let wasStarved = hasReportedStarved
        hasReportedStarved = fetch.isStarved
        return actions + (hasReportedStarved && !wasStarved ? [.starved] : [])
    }
}
