import Database
public import SaveRules
public import Vocabulary

/// A set that a peer offers and that this machine has not joined.
public struct OfferedSet: Hashable, Sendable {
    /// The peer that offers it.
    public let peer: PeerID
    /// The last offer.
    public let offer: SaveOffer
    /// The time of the first offer.
    public let cameAt: WallTime
    /// The set's folder here, if this machine has left the set.
    public let folder: String?
    /// The machines that this machine shared the set with, if it has left the set.
    public let audience: SaveSetEntry.Audience?

    init(_ row: Row) throws(UnreadableValue) {
        let peer = try row.peer("peer")
        folder = try row.optionalText("folder")
        audience = try row.optionalText("audience").flatMap(SaveSetEntry.Audience.init)
        let message = try? SaveMessage(decoding: try row.bytes("offer"), from: peer)
        guard case .offer(let offer)? = message else { throw UnreadableValue(column: "offer") }
        (self.peer, self.offer) = (peer, offer)
        cameAt = try row.time("came_at")
    }
}
