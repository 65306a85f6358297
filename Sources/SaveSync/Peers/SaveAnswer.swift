import SaveRules

/// A request of a peer that this machine answers.
enum SaveAnswer {
    case history(SaveSetID, SaveTicket, HistoryRequest)
    case pieces(SaveSetID, SaveTicket, SnapshotID, [PieceReference])

    var set: SaveSetID {
        switch self {
        case .history(let set, _, _), .pieces(let set, _, _, _): set
        }
    }

    var ticket: SaveTicket {
        switch self {
        case .history(_, let ticket, _), .pieces(_, let ticket, _, _): ticket
        }
    }
}
