import Ledger
import SaveFolder
import SaveRules
public import Vocabulary

/// Reasons why something could not be done with a game.
public struct SaveSyncError: ExplainedError, Hashable {
    /// A stable word for the reason.
    public let code: ErrorCode
    /// The failure, and its reason.
    public let message: String
    /// The recommended action.
    public let nextStep: String

    init(_ code: ErrorCode, _ message: String, nextStep: String) {
        (self.code, self.message, self.nextStep) = (code, message, nextStep)
    }

    static func unknownSet(_ typed: String) -> SaveSyncError {
        SaveSyncError(
            ErrorCode(.notFound, "saves.unknown-set"),
            "no game “\(PrintableText(typed, limit: 80))” is shared on this machine",
            nextStep: "`huddle list` shows the shared games and those that other machines offer"
        )
    }

    static func nothingToImport(_ name: SaveSetName) -> SaveSyncError {
        SaveSyncError(
            ErrorCode(.invalid, "saves.nothing-to-import"),
            "nothing was imported: the archive has no file that belongs to \(name)",
            nextStep: "compare its paths (`tar -tf FILE`) with those of `huddle show \(name)@N`"
        )
    }

    static func allPaused(_ name: SaveSetName) -> SaveSyncError {
        SaveSyncError(
            ErrorCode(.refused, "saves.all-paused"),
            "\(name) was not resumed: all games are paused, not this one alone",
            nextStep: "resume all games: huddle resume"
        )
    }

    static func notOffered(_ typed: String) -> SaveSyncError {
        SaveSyncError(
            ErrorCode(.notFound, "saves.not-offered"),
            "no machine offers a game “\(PrintableText(typed, limit: 80))”",
            nextStep: """
                share it on the machine that has it: `huddle share`; both machines need to be on, and to accept each \
                other: `huddle policy`
                """
        )
    }

    static let tooMuchArriving = SaveSyncError(
        ErrorCode(.refused, "saves.too-much-arriving"),
        "the version waits: other versions that arrive now have as many files as fit in memory",
        nextStep: "wait until the other games have arrived: `huddle list`"
    )

    static func nested(_ other: SaveSetName) -> SaveSyncError {
        SaveSyncError(
            "saves.nested",
            "the folder has or could have files in common with the game “\(other)”",
            nextStep: "choose a folder or files that belong to no other game"
        )
    }

    static func notShared(_ name: SaveSetName) -> SaveSyncError {
        SaveSyncError(
            "saves.not-shared",
            "it shares no game “\(name)” with the sender",
            nextStep: "share it there, with `huddle share`; or send the file to the inbox"
        )
    }

    static func notOne(_ name: SaveSetName) -> SaveSyncError {
        SaveSyncError(
            "saves.not-one",
            "\(name) has no newest version to add to: it is empty, still being fetched, or in conflict",
            nextStep: "see `huddle list` and `huddle fix` on that machine, then try again"
        )
    }

    static func noPlace(_ path: SavePath) -> SaveSyncError {
        let folder = path.parent.map { "“\($0)”" }
        return SaveSyncError(
            "saves.no-place",
            "“\(path)” can be no file of this game: the game leaves it out, "
                + (folder.map { "\($0) is no folder of the game, " } ?? "") + "or it is a folder or a link",
            nextStep: (folder.map { "make the folder \($0) there, or choose another place with --as" }
                ?? "choose another name with --as") + "; `huddle show` on that machine lists what is left out"
        )
    }

    static let notAbsolute = SaveSyncError(
        "saves.not-absolute",
        "the path of the folder does not begin at the root of the file system",
        nextStep: "begin it with a slash"
    )

    static func unreadableRules(_ reason: String) -> SaveSyncError {
        SaveSyncError(
            "saves.unreadable-rules",
            "the rules for merging are not valid: \(reason)",
            nextStep: "docs/reference/merge-rules.md has their form"
        )
    }

    /// The code of the error for a name that no version has.
    public static let unknownVersionCode: ErrorCode = ErrorCode(.notFound, "saves.unknown-version")

    static let unknownVersion = SaveSyncError(
        unknownVersionCode,
        "this machine has no such version of the game",
        nextStep: "choose a version from `huddle history`"
    )

    static let notWhole = SaveSyncError(
        "saves.not-whole",
        "a part of this version was damaged, and this machine no longer has it",
        nextStep: "switch on another machine that has the version, and it is fetched again; or choose another version"
    )

    static func lost(_ shown: SnapshotID, of set: SaveSetName) -> SaveSyncError {
        SaveSyncError(
            lostCode,
            "a part of version \(shown.short) of \(set) is damaged on this disk, so this machine can't make a version "
                + "after it",
            nextStep: """
                switch on another machine that has the version, which is then fetched again; if there is none, \
                `huddle stop \(set)`, then join or share it again (the files in the folder stay)
                """
        )
    }

    static let lostCode: ErrorCode = "saves.lost-version"

    static func unexpected(_ snapshot: SnapshotID) -> SaveSyncError {
        SaveSyncError(
            "saves.unexpected",
            "version \(snapshot.short) was no longer wanted while it was fetched",
            nextStep: "you need to do nothing: the daemon fetches it again if it is wanted"
        )
    }

    static func sharedNumber(_ number: Int, _ names: [String]) -> SaveSyncError {
        SaveSyncError(
            "saves.shared-number",
            "\(names.count) versions have the number \(number): machines saved at the same time",
            nextStep: "choose one: @\(names.prefix(mostNamed).joined(separator: ", @"))"
        )
    }

    static let ambiguousVersion = SaveSyncError(
        ErrorCode(.notFound, "saves.ambiguous-version"),
        "the names of several versions begin like this",
        nextStep: "write more of its name"
    )

    /// The largest number of files that an error names.
    static let mostNamed = 5

    static func undecided(_ paths: [SavePath]) -> SaveSyncError {
        let names = paths.prefix(mostNamed).map { "“\(PrintableText($0.text, limit: 80))”" }.joined(separator: ", ")
        return SaveSyncError(
            ErrorCode(.conflict, "saves.undecided"),
            "nothing was merged: no rule says how to merge \(names)\(paths.count > mostNamed ? " and others" : "")",
            nextStep: "choose whose files count with --favour MACHINE, or keep one side"
        )
    }

    static let nothingMergeable = SaveSyncError(
        "saves.nothing-mergeable",
        "the sides can't be merged: there are not two of them, or this machine has not fetched both",
        nextStep: "keep one of the sides; `huddle fix` lists them"
    )

    static let folderStirs = SaveSyncError(
        "saves.folder-changes",
        "the folder changed while it was read",
        nextStep: "wait until the game has written its save, then try again"
    )

    static func passedOver(_ path: String, _ reason: String) -> SaveSyncError {
        SaveSyncError(
            "saves.passed-over",
            """
            the last save in “\(PrintableText(path, limit: 4096))” is in no version, because it could not be read: \
            \(reason)
            """,
            nextStep: "the save is still there: make it readable, then move the game back there with `huddle set --at`"
        )
    }

    static func unsettled(_ set: SaveSetEntry, _ time: Duration) -> SaveSyncError {
        SaveSyncError(
            unsettledCode,
            "a file in \(PrintableText(set.path, limit: 4096)) changes all the time, for \(time.components.seconds) "
                + "seconds so far, so the daemon can't read it",
            nextStep: """
                if it is a log, leave it out: `huddle set \(set.name) --ignore NAME`; if the game saves, the daemon \
                reads the save once the game is done
                """
        )
    }

    static let unsettledCode: ErrorCode = "saves.unsettled"

    static func folderAway(_ set: SaveSetEntry) -> SaveSyncError {
        SaveSyncError(
            SaveFolderError.notThere,
            "“\(PrintableText(set.path, limit: 4096))” is not there",
            nextStep:
                "insert the card or mount the disk; if the folder was moved or removed: `huddle set \(set.name) --at "
                + "FOLDER`"
        )
    }

    static func notFolder(_ path: String) -> SaveSyncError {
        SaveSyncError(
            "saves.not-a-folder",
            "“\(PrintableText(path, limit: 4096))” is no folder",
            nextStep:
                "name the folder of the saves; `--add` and `--drop` choose files in it"
        )
    }

    static func inUse(_ who: String) -> SaveSyncError {
        SaveSyncError(
            "saves.in-use",
            "\(who) has a file of the save open for writing, so the daemon changes nothing there now",
            nextStep: "end the game, then try again"
        )
    }

    /// The code of the error for a game whose disk gives no answer.
    public static let silentDiskCode: ErrorCode = "saves.silent-disk"

    static func silentDisk(under set: SaveSetEntry) -> SaveSyncError {
        silentDisk(
            set.path,
            "gives no answer; \(set.name) waits for it",
            "; after a restart of huddled you can stop or move \(set.name)"
        )
    }

    /// The error for the disk with the history.
    static func silentHistory(at path: String) -> SaveSyncError {
        silentDisk(path, "gives no answer, so all games wait: all versions are kept there")
    }

    /// The error for a disk that has given no answer since the start.
    static func silentDisk(of set: SaveSetEntry) -> SaveSyncError {
        silentDisk(set.path, "has not answered since huddled started; \(set.name) waits for it")
    }

    /// The error for a disk that a game is to move to.
    static func silentDisk(wanted path: String) -> SaveSyncError {
        silentDisk(path, "gives no answer, so no game can be put there now")
    }

    private static func silentDisk(_ path: String, _ words: String, _ more: String = "") -> SaveSyncError {
        SaveSyncError(
            silentDiskCode,
            "the disk with “\(PrintableText(path, limit: 4096))” \(words)",
            nextStep: """
                check that it is plugged in, or that its server can be reached; `dmesg` shows errors of a disk\(more)
                """
        )
    }

    static func historySetAside(at path: String) -> SaveSyncError {
        SaveSyncError(
            "saves.history-set-aside",
            "the history could not be read; it is in “\(PrintableText(path, limit: 4096))” now, and the daemon began "
                + "a new one",
            nextStep:
                "check that disk; the daemon keeps the present saves again, and fetches older versions from other "
                + "machines"
        )
    }

    static func versionsLost(_ count: Int) -> SaveSyncError {
        SaveSyncError(
            "saves.versions-lost",
            "\(count) \(count == 1 ? "version is" : "versions are") missing from the history, although no rule "
                + "dropped \(count == 1 ? "it" : "them")",
            nextStep:
                "check that disk; the daemon fetches what other machines have; `huddle fsck` and `huddle history` "
                + "name the versions"
        )
    }

    static func versionsIncomplete(_ count: Int) -> SaveSyncError {
        SaveSyncError(
            "saves.versions-missing",
            "\(count) \(count == 1 ? "version has" : "versions have") parts that are missing from the history",
            nextStep:
                "check that disk; put removed files of the history back; the daemon fetches what other machines have; "
                + "`huddle fsck` names the parts"
        )
    }

    /// The error for versions of a game of which nothing else is known.
    static func unknownHistory(_ name: SaveSetName) -> SaveSyncError {
        SaveSyncError(
            ErrorCode(.notFound, "saves.unknown-history"),
            "the history has versions of an unknown game, which is called \(name) now",
            nextStep:
                "`huddle join \(name) --at FOLDER` shares it again, `huddle history --clean --left` deletes it"
        )
    }

    static let beingWrittenCode: ErrorCode = "saves.being-written"

    static func beingWritten(by who: String) -> SaveSyncError {
        SaveSyncError(
            beingWrittenCode,
            "\(who) has a file of the save open for writing, so the save may be half written",
            nextStep: """
                wait until the save is written, or end the game; then try again
                """
        )
    }

    /// True if a program writes in the folder or has just written, so that a scan works a while later.
    var isWriting: Bool { code == Self.folderStirs.code || code == Self.beingWrittenCode }

    static let gameRuns = SaveSyncError(
        "saves.game-runs",
        "the game runs on this machine, so the daemon puts nothing into its folder now",
        nextStep: "end the game, then try again"
    )

    static let movedWhilePlayed = SaveSyncError(
        gameRuns.code,
        "the game runs on this machine, and goes on saving where it began",
        nextStep: "end the game, then name the other folder"
    )

    static func playing(_ holder: String, _ played: Duration) -> SaveSyncError {
        SaveSyncError(
            "saves.playing-elsewhere",
            PlayingSentence.of(holder, " this", for: played),
            nextStep: "stop the game there, ask for it with --takeover ask, or take it over with --takeover force"
        )
    }

    static func pausedForDevices(_ name: SaveSetName) -> SaveSyncError {
        SaveSyncError(
            "saves.paused",
            "\(name) is paused on this machine, also for other devices",
            nextStep: "resume it with `huddle resume \(name)`; the device then syncs again"
        )
    }

    static func foreignEmptied(_ name: SaveSetName) -> SaveSyncError {
        SaveSyncError(
            "saves.device-emptied",
            "the device has deleted the files of \(name): Huddle keeps them",
            nextStep: "to delete them everywhere, delete them on a machine with Huddle and run `huddle sync`"
        )
    }

    static func foreignTooLarge(_ name: SaveSetName) -> SaveSyncError {
        SaveSyncError(
            "saves.device-too-large",
            "the device has more files of \(name) than one version can hold",
            nextStep: "remove files from the folder on the device"
        )
    }

    static func refusedSnapshot(_ reason: String) -> SaveSyncError {
        SaveSyncError(
            "saves.refused",
            "this version is kept out of the game's folder: \(reason)",
            nextStep: "choose another version, or make a sound one where it came from"
        )
    }
}
