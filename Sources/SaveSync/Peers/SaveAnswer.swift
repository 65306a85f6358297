import SaveRules

/// A request of a peer that this machine answers.
enum SaveAnswer {
    case history(SaveSetID, ExchangeEpoch, HistoryRequest)
    case pieces(SaveSetID, ExchangeEpoch, SnapshotID, [PieceReference])

    var set: SaveSetID {
        switch self {
        case .history(let set, _, _), .pieces(let set, _, _, _): set
        }
    }

    var epoch: ExchangeEpoch {
        switch self {
        case .history(_, let epoch, _), .pieces(_, let epoch, _, _): epoch
        }
    }
}
