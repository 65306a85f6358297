import Household
import Ledger
import SaveRules
import SaveSync
import Vocabulary

/// A problem that keeps a game from being in sync until the user acts.
struct GameFault: ExplainedError {
    let code: ErrorCode
    let message: String
    let nextStep: String
    let cause: (any Error)? = nil

    private init(_ code: ErrorCode, _ message: String, nextStep: String) {
        (self.code, self.message, self.nextStep) = (code, message, nextStep)
    }

    /// The fault of a folder that can't be read. The reader of a folder does not know its game, and leaves the name
    /// open in the command.
    static func unavailable(_ name: SaveSetName, _ error: any ExplainedError) -> GameFault {
        GameFault(
            error.code,
            error.message,
            nextStep: error.nextStep.replacing("huddle set NAME", with: "huddle set \(name)")
        )
    }

    static func conflict(_ name: SaveSetName) -> GameFault {
        GameFault(
            ErrorCode(.conflict, "saves.conflict"),
            "it was changed on two machines",
            nextStep: "huddle fix \(name)"
        )
    }

    static func paused(_ name: SaveSetName, _ pause: SyncPause) -> GameFault {
        let end = pause.end.map { " until \(TimeText.local(WallTime(secondsSince1970: $0)))" } ?? ""
        return GameFault(
            "saves.paused",
            "paused by you\(end)" + (pause.isOfAll ? ", with all games" : ""),
            nextStep: "huddle resume" + (pause.isOfAll ? "" : " \(name)")
        )
    }

    /// The fault of a game whose files were removed.
    ///
    /// - Parameter before: the version that the folder showed
    static func emptied(_ name: SaveSetName, _ emptied: EmptiedSave, before: VersionName?) -> GameFault {
        let gone =
            switch emptied.removed {
            case 0: "files are gone"
            case 1: "1 file is gone"
            case let count: "\(count) files are gone"
            }
        let since = emptied.added == 0 ? "" : ", and the game has saved \(emptied.added) since"
        return GameFault(
            "saves.emptied",
            "\(gone) from the folder\(since); this is not synced to other machines",
            nextStep: "restore them: huddle restore \(name)@\(before.map { "\($0)" } ?? "N")"
                + "; or continue without them: huddle scan \(name) --emptied"
        )
    }

    static func keptOut(_ name: SaveSetName, _ reason: String) -> GameFault {
        GameFault(
            "saves.kept-out",
            "the newest version is kept out of the folder: \(reason)",
            nextStep: "huddle history \(name), then huddle restore \(name)@N"
        )
    }

    /// The fault of a game that does not sync with another machine.
    ///
    /// - Parameter missing: the rights that the other machine's policy here leaves out, as options of `huddle policy`
    static func stopped(
        _ obstacle: SyncObstacle,
        _ machine: String,
        _ peer: PeerID,
        _ name: SaveSetName,
        missing: String
    ) -> GameFault {
        let id = peer.short
        return switch obstacle {
        case .blockedHere:
            GameFault(
                "saves.blocked-here",
                "\(machine) is blocked here",
                nextStep: "huddle unblock \(id); or huddle unshare \(name) --with \(id)"
            )
        case .notPermittedHere:
            GameFault(
                "saves.not-permitted-here",
                "this machine does not let \(machine) sync saves",
                nextStep: "huddle policy \(id) \(missing)"
            )
        case .notPermittedThere:
            GameFault(
                ErrorCode(.notPermitted, "saves.not-permitted-there"),
                "\(machine) does not let this machine sync saves",
                nextStep: "on \(machine), run: huddle doctor"
            )
        case .noAnswer:
            GameFault(
                "saves.no-answer",
                "\(machine) does not answer: it may have forgotten this machine, or block it",
                nextStep: "on \(machine), run: huddle peers"
            )
        case .refusedHere:
            GameFault(
                "saves.refused-here",
                "this machine refuses the data of \(machine) about the game",
                nextStep: "huddle log \(id)"
            )
        case .refusedThere:
            GameFault(
                "saves.refused-there",
                "\(machine) refuses the data of this machine about the game",
                nextStep: "on \(machine), run: huddle log"
            )
        }
    }
}
