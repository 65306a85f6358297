public import Vocabulary

/// A message from one machine to another about one game. `docs/internals/sync-protocol.md` has the bytes.
///
/// Pieces and history travel over streams, as ``SaveDelivery``.
public enum SaveMessage: Hashable, Sendable {
    /// The largest size of an encoded message: that of a reliable message of a session.
    public static let maximumByteCount = 1 << 20
    /// The largest number of pieces in one request.
    public static let maximumWantedCount = 256

    /// The sender has this game, and the receiver may have it.
    case offer(SaveOffer)
    /// The receiver may no longer have this game, or the sender has left it.
    case withdraw(SaveSetID)
    /// The heads of the sender.
    case heads(SaveSetID, [SnapshotHead])
    /// A request for these versions and their ancestors.
    case ask(SaveSetID, ExchangeEpoch, HistoryRequest)
    /// A request for these pieces of a version.
    case want(SaveSetID, ExchangeEpoch, SnapshotID, [PieceReference])
    /// The sender plays this game, or would like to.
    case claim(SaveSetID, LeaseClaim)
    /// The sender no longer plays it.
    case release(SaveSetID)
    /// A user of the sender would like to play what the receiver is playing.
    case request(SaveSetID)
    /// The sender refuses a message of the receiver about the game, for this reason.
    case refused(SaveSetID, Label)
    /// The progress of the sender's fetch of a version.
    case progress(SaveSetID, FetchProgress)
    /// The machine that was playing when the sender lost its connection to it, and that may have a newer save; nil if
    /// there is none.
    case cutOff(SaveSetID, CutOffPlay?)
    /// The sender's user pauses this game: nothing is exchanged until the sender offers it again.
    case pause(SaveSetID)

    /// The game.
    public var set: SaveSetID {
        switch self {
        case .offer(let offer): offer.set
        case .withdraw(let set), .heads(let set, _), .ask(let set, _, _), .want(let set, _, _, _), .claim(let set, _),
            .release(let set), .request(let set), .refused(let set, _), .progress(let set, _), .cutOff(let set, _),
            .pause(let set):
            set
        }
    }
}

/// The number of one exchange epoch. The machine that asks chooses it, and answers repeat it. Answers to requests of an
/// earlier epoch are ignored.
public struct ExchangeEpoch: Hashable, Sendable {
    /// The number.
    public let number: UInt32

    /// - Parameter number: any number
    public init(_ number: UInt32) { self.number = number }

    /// The next exchange epoch.
    public var next: ExchangeEpoch { ExchangeEpoch(number &+ 1) }
}
