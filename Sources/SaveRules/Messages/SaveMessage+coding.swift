public import Vocabulary

extension SaveMessage {
    private enum Kind: UInt8 {
        case offer = 1
        case withdraw = 2
        case heads = 3
        case ask = 4
        case want = 5
        case claim = 6
        case release = 7
        case request = 8
        case refused = 9
        case progress = 10
        // 11 is a `HouseholdMessage`.
        case pause = 12
        case cutOff = 13
    }

    private var kind: Kind {
        switch self {
        case .offer: .offer
        case .withdraw: .withdraw
        case .heads: .heads
        case .ask: .ask
        case .want: .want
        case .claim: .claim
        case .release: .release
        case .request: .request
        case .refused: .refused
        case .progress: .progress
        case .pause: .pause
        case .cutOff: .cutOff
        }
    }

    /// The canonical encoding.
    public var encoded: [UInt8] {
        var bytes = [kind.rawValue] + set.bytes
        switch self {
        case .offer(let offer): offer.append(to: &bytes)
        case .withdraw, .release, .request, .pause: break
        case .heads(_, let heads):
            bytes.append(UInt8(heads.count))
            for head in heads {
                head.id.append(to: &bytes)
                bytes.append(head.version)
            }
        case .ask(_, let epoch, let request):
            bytes.append(bigEndian: epoch.number)
            bytes.append(request.wanted)
            bytes.append(request.known)
        case .want(_, let epoch, let snapshot, let pieces):
            precondition(pieces.count <= Self.maximumWantedCount, "pieces are asked for a few at a time")
            bytes.append(bigEndian: epoch.number)
            snapshot.append(to: &bytes)
            bytes.append(pieces)
        case .claim(_, let claim):
            bytes.append(bigEndian: claim.term)
            bytes.append(claim.isHeld ? 1 : 0)
            bytes.append(bigEndian: min(UInt64(clamping: claim.played.components.seconds), LeaseClaim.longestPlayed))
        case .refused(_, let reason): bytes.append(counted: reason.text)
        case .progress(_, let progress):
            bytes.append(bigEndian: progress.done)
            bytes.append(bigEndian: progress.total)
        case .cutOff(_, let play):
            bytes.append(play == nil ? 0 : 1)
            guard let play else { break }
            bytes += play.player.bytes
            bytes.append(bigEndian: play.saved)
        }
        return bytes
    }

    /// Decodes a message of any peer. It accepts only canonical encodings: encoding the result gives the same bytes.
    /// - Parameter peer: the sender. A claim in the message counts as the sender's own.
    public init(decoding bytes: [UInt8], from peer: PeerID) throws(SaveFormatError) {
        guard bytes.count <= Self.maximumByteCount else { throw SaveFormatError(.tooManyBytes) }
        var reader = CanonicalReader(bytes)
        let number = try reader.integer(UInt8.self)
        guard let kind = Kind(rawValue: number) else { throw reader.error(.unknownMessage(number)) }
        let set = SaveSetID(high: try reader.integer(), low: try reader.integer())
        switch kind {
        case .offer: self = .offer(try SaveOffer(set, from: &reader))
        case .withdraw: self = .withdraw(set)
        case .heads: self = .heads(set, try reader.heads())
        case .ask:
            let epoch = ExchangeEpoch(try reader.integer())
            let wanted = try reader.ids(SnapshotContent.self, limit: HistoryRequest.maximumWantedCount)
            let known = try reader.ids(SnapshotContent.self, limit: SnapshotHead.maximumCount)
            self = .ask(set, epoch, HistoryRequest(wanted: wanted, known: known))
        case .want:
            let epoch = ExchangeEpoch(try reader.integer())
            let snapshot = try reader.id(SnapshotContent.self)
            var limit = Self.maximumWantedCount
            self = .want(set, epoch, snapshot, try reader.pieces(limit: &limit))
        case .claim: self = .claim(set, try LeaseClaim(of: peer, from: &reader))
        case .release: self = .release(set)
        case .request: self = .request(set)
        case .refused:
            guard let reason = try? Label(try reader.text()) else { throw reader.error(.badNote) }
            self = .refused(set, reason)
        case .progress:
            guard let progress = FetchProgress(done: try reader.integer(), of: try reader.integer()) else {
                throw reader.error(.badProgress)
            }
            self = .progress(set, progress)
        case .pause: self = .pause(set)
        case .cutOff: self = .cutOff(set, try reader.cutOff(heardFrom: peer))
        }
        try reader.finish()
    }
}

extension LeaseClaim {
    /// The longest play that a claim can state, in seconds. A program that counts as a game may run for years.
    fileprivate static let longestPlayed: UInt64 = 366 * 86_400

    fileprivate init(of peer: PeerID, from reader: inout CanonicalReader) throws(SaveFormatError) {
        let term = try reader.integer(UInt64.self)
        let held = try reader.integer(UInt8.self)
        let seconds = try reader.integer(UInt64.self)
        // A larger number would not fit a `Duration`.
        guard held <= 1, seconds <= Self.longestPlayed else { throw reader.error(.badClaim) }
        self.init(peer, term: term, isHeld: held == 1, played: .seconds(Int64(seconds)))
    }
}

extension CanonicalReader {
    /// Reads a text after its length in two bytes.
    mutating func text() throws(SaveFormatError) -> String {
        let count = Int(try integer(UInt16.self))
        guard let text = String(validating: try bytes(count), as: UTF8.self) else { throw error(.badNote) }
        return text
    }

    fileprivate mutating func cutOff(heardFrom peer: PeerID) throws(SaveFormatError) -> CutOffPlay? {
        switch try integer(UInt8.self) {
        case 0: return nil
        case 1:
            let player = try self.peer()
            guard player != peer, let play = CutOffPlay(of: player, saved: try integer()) else {
                throw error(.badClaim)
            }
            return play
        case _: throw error(.badClaim)
        }
    }

    fileprivate mutating func heads() throws(SaveFormatError) -> [SnapshotHead] {
        let count = Int(try integer(UInt8.self))
        guard count <= SnapshotHead.maximumCount else { throw error(.tooManyHeads) }
        var heads: [SnapshotHead] = []
        for _ in 0..<count { heads.append(SnapshotHead(try id(), try VersionVector(from: &self))) }
        return heads
    }

    mutating func ids<Kind>(_: Kind.Type, limit: Int) throws(SaveFormatError) -> [ContentID<Kind>] {
        let count = Int(try integer(UInt16.self))
        guard count <= limit else { throw error(.tooManyNames) }
        var ids: [ContentID<Kind>] = []
        for _ in 0..<count { ids.append(try id()) }
        return ids
    }
}
