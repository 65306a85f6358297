import SaveRules
import Session
import Vocabulary

extension SaveSetRunner: SharedGame {
    func takes(_ message: SaveMessage, from peer: SavePeer) async { await exchange.takes(message, from: peer) }

    func takes(_ request: HistoryRequest, _ ticket: SaveTicket, from peer: SavePeer) {
        handle(.peer(peer.id, .asks(request, ticket)))
    }

    func takes(_ encoded: [[UInt8]], _ ticket: SaveTicket, from peer: SavePeer) async {
        await exchange.takes(encoded, ticket, from: peer)
    }

    func takes(_ pieces: [ArrivedPiece], _ ticket: SaveTicket, from peer: SavePeer) async {
        await fetcher.takes(pieces, ticket, from: peer)
    }

    func isWithout(_ piece: PieceID, of version: SnapshotID, _ ticket: SaveTicket, _ peer: SavePeer) {
        fetcher.isWithout(piece, of: version, ticket, peer)
    }
}
