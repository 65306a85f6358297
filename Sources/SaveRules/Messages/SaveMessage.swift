public import Vocabulary

/// A message from one machine to another about one save set. `docs/internals/sync-protocol.md` has the bytes.
///
/// Pieces and history travel apart, as ``SaveDelivery``.
public enum SaveMessage: Hashable, Sendable {
    /// How long an encoded one may be: what a reliable message of a session holds.
    public static let maximumByteCount = 1 << 20
    /// How many pieces may be asked for at once.
    public static let maximumWantedCount = 256

    /// I have this set, and you may have it.
    case offer(SaveOffer)
    /// You may no longer have this set, or I have left it.
    case withdraw(SaveSetID)
    /// These are my newest snapshots.
    case heads(SaveSetID, [SnapshotHead])
    /// Send me these snapshots and what they came from.
    case ask(SaveSetID, SaveTicket, HistoryRequest)
    /// Send me these pieces of a snapshot.
    case want(SaveSetID, SaveTicket, SnapshotID, [PieceReference])
    /// I play this set, or would like to.
    case claim(SaveSetID, LeaseClaim)
    /// I no longer play it.
    case release(SaveSetID)
    /// Somebody here would like to play what you are playing.
    case request(SaveSetID)
    /// I do not accept your message about the set, for this reason.
    case refused(SaveSetID, Label)
    /// So much has come of the version that I fetch.
    case progress(SaveSetID, FetchProgress)
    /// My user pauses this set: nothing is exchanged until I offer it again.
    case pause(SaveSetID)

    /// Which set it is about.
    public var set: SaveSetID {
        switch self {
        case .offer(let offer): offer.set
        case .withdraw(let set), .heads(let set, _), .ask(let set, _, _), .want(let set, _, _, _), .claim(let set, _),
            .release(let set), .request(let set), .refused(let set, _), .progress(let set, _), .pause(let set):
            set
        }
    }
}

/// The number of one connection of two machines. The machine that asks draws it, and answers repeat it. An answer to a question of an
/// earlier connection is ignored.
public struct SaveTicket: Hashable, Sendable {
    /// The number.
    public let number: UInt32

    /// - Parameter number: any
    public init(_ number: UInt32) { self.number = number }

    /// The one for the next meeting.
    public var next: SaveTicket { SaveTicket(number &+ 1) }
}
