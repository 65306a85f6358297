import Ledger
import LinuxPlatform
import SaveRules
public import Vocabulary

extension ReservedPlace {
    /// Returns the reason why a game can't be in its folder; nil if it can. Waits for the disk.
    static func refusal(of entry: SaveSetEntry, by reserved: [ReservedPlace]) -> SaveSyncError? {
        conflict(at: entry.path, choosing: entry.chosen?.names, with: reserved).map { .reserved(entry.path, $0) }
    }
}

extension SaveSyncError {
    fileprivate static func reserved(_ path: String, _ conflict: ReservedPlace.Conflict) -> SaveSyncError {
        let isInbox = conflict.content == .inbox
        return SaveSyncError(
            reservedCode,
            "“\(PrintableText(path, limit: 4096))” can't be shared: \(conflict.reason)",
            nextStep: isInbox
                ? "name the folder of the game alone; what came for it can be moved there"
                : "name the folder of the game alone, or the files in it that make its save"
        )
    }

    /// The code of the error for a new game in such a folder, and for a game that was added before Huddle refused it.
    public static let reservedCode: ErrorCode = ErrorCode(.folderReserved, "saves.reserved")

    /// The same error for a game that is shared already.
    func standing(in set: SaveSetName) -> SaveSyncError {
        SaveSyncError(
            code,
            "\(message); so \(set) is neither read nor shared",
            nextStep: """
                let its path lead to the folder of the game again and restart huddled, or leave it with `huddle stop \
                \(set)`: then `huddle join` takes its versions up elsewhere, and `huddle history --clean --left` \
                gives them up
                """
        )
    }

    /// The same error for a game whose path leads there now, because a symbolic link in it was changed.
    func turned(in set: SaveSetName) -> SaveSyncError {
        SaveSyncError(
            code,
            "\(message); so \(set) is not read, and nothing is put there",
            nextStep:
                "let its path lead to the folder of the game again, or name that with `huddle set \(set) --at` and "
                + "its path"
        )
    }
}
