import SaveRules
import Session
import Vocabulary

extension SaveSetRunner: SharedGame {
    func takes(_ message: SaveMessage, from peer: SavePeer) async { await exchange.takes(message, from: peer) }

    func takes(_ request: HistoryRequest, _ epoch: ExchangeEpoch, from peer: SavePeer) {
        handle(.peer(peer.id, .asks(request, epoch)))
    }

    func takes(_ encoded: [[UInt8]], _ epoch: ExchangeEpoch, from peer: SavePeer) async {
        await exchange.takes(encoded, epoch, from: peer)
    }

    func takes(_ pieces: [ArrivedPiece], _ epoch: ExchangeEpoch, from peer: SavePeer) async {
        await fetcher.takes(pieces, epoch, from: peer)
    }

    func isWithout(_ piece: PieceID, of version: SnapshotID, _ epoch: ExchangeEpoch, _ peer: SavePeer) {
        fetcher.isWithout(piece, of: version, epoch, peer)
    }
}
