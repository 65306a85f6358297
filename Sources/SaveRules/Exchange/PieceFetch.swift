import Vocabulary

/// A fetch of pieces from the peers that have them. Each source has a window of requests. Each piece is requested from
/// one source at a time, and from another if that one fails.
struct PieceFetch: Sendable {
    /// The largest number of pieces that one source is asked for at a time. The next request is sent when half of them
    /// are here, so that small pieces do not cost a message each.
    static let windowCount = 128
    /// The largest size of these pieces in bytes; one piece is always requested.
    static let windowByteCount = 8 << 20
    /// The number of pieces that a source may be without. With more missing, it no longer counts as a source.
    static let absentLimit = 1_024

    private struct Source {
        var asked: [PieceID: PieceReference] = [:]
        var askedByteCount = 0
        var absent: Set<PieceID> = []

        /// True if enough requested pieces have come to send the next request.
        var isHalfDone: Bool { asked.count <= windowCount / 2 && askedByteCount <= windowByteCount / 2 }
    }

    private var sources: [PeerID: Source] = [:]
    /// The pieces to fetch, each once. ``position`` is the index of the first that no peer was asked for.
    private var pieces: [PieceReference]
    private var position = 0
    /// The pieces that a peer was asked for in vain.
    private var returned: [PieceID: PieceReference] = [:]
    /// The pieces that are not here yet.
    private(set) var remaining: Set<PieceID>
    /// The bytes to fetch, and those of them that are here.
    private(set) var byteCounts: (total: UInt64, here: UInt64)

    init(_ pieces: some Sequence<PieceReference>) {
        var seen: Set<PieceID> = []
        self.pieces = pieces.filter { seen.insert($0.id).inserted }
        byteCounts = (self.pieces.totalLength, 0)
        remaining = seen
    }

    var isComplete: Bool { remaining.isEmpty }

    /// True if pieces are missing and no source is asked for one.
    var isStarved: Bool { !isComplete && sources.values.allSatisfy(\.asked.isEmpty) }

    var peers: [PeerID] { sources.keys.sorted() }

    func isAsked(_ piece: PieceID, of peer: PeerID) -> Bool { sources[peer]?.asked[piece] != nil }

    mutating func add(_ peer: PeerID) {
        // The peer may have got pieces since that it did not have.
        sources[peer, default: Source()].absent = []
    }

    mutating func remove(_ peer: PeerID) {
        guard let source = sources.removeValue(forKey: peer) else { return }
        for (id, piece) in source.asked where remaining.contains(id) { returned[id] = piece }
    }

    mutating func has(_ piece: PieceID, from peer: PeerID) {
        let reference = settle(piece, peer)
        if remaining.remove(piece) != nil { byteCounts.here += UInt64(reference?.length ?? 0) }
    }

    /// No peer is asked for the piece from now on. A peer that was asked may still send it.
    mutating func came(_ piece: PieceID, length: Int) {
        if remaining.remove(piece) != nil { byteCounts.here += UInt64(length) }
        returned[piece] = nil
        for peer in sources.keys { settle(piece, peer) }
    }

    mutating func isWithout(_ piece: PieceID, _ peer: PeerID) {
        guard let reference = settle(piece, peer) else { return }
        if remaining.contains(piece) { returned[piece] = reference }
        sources[peer]?.absent.insert(piece)
        if (sources[peer]?.absent.count ?? 0) > Self.absentLimit { remove(peer) }
    }

    /// Fills the windows of all sources that are half empty.
    mutating func next() -> [(peer: PeerID, pieces: [PieceReference])] {
        var requests: [(peer: PeerID, pieces: [PieceReference])] = []
        for peer in peers {
            guard sources[peer]?.isHalfDone == true, var source = sources.removeValue(forKey: peer) else { continue }
            var request: [PieceReference] = []
            while let piece = nextPiece(for: source) {
                source.asked[piece.id] = piece
                source.askedByteCount += piece.length
                request.append(piece)
            }
            sources[peer] = source
            if !request.isEmpty { requests.append((peer, request)) }
        }
        return requests
    }

    private mutating func nextPiece(for source: Source) -> PieceReference? {
        guard source.asked.count < Self.windowCount else { return nil }
        let room = source.asked.isEmpty ? Int.max : Self.windowByteCount - source.askedByteCount
        let again = returned.values.filter { !source.absent.contains($0.id) }.min { $0.id < $1.id }
        if let again {
            guard again.length <= room else { return nil }
            returned[again.id] = nil
            return again
        }
        while position < pieces.count, !remaining.contains(pieces[position].id) { position += 1 }
        guard position < pieces.count, pieces[position].length <= room else { return nil }
        position += 1
        return pieces[position - 1]
    }

    @discardableResult
    private mutating func settle(_ piece: PieceID, _ peer: PeerID) -> PieceReference? {
        guard let reference = sources[peer]?.asked.removeValue(forKey: piece) else { return nil }
        sources[peer]?.askedByteCount -= reference.length
        return reference
    }
}
