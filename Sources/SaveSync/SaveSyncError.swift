import Ledger
import SaveFolder
import SaveRules
public import Vocabulary

/// Why something could not be done with a save set.
public struct SaveSyncError: ExplainedError, Hashable {
    /// What went wrong, as a stable word.
    public let code: ErrorCode
    /// What happened.
    public let message: String
    /// What can be done about it.
    public let nextStep: String

    init(_ code: ErrorCode, _ message: String, nextStep: String) {
        (self.code, self.message, self.nextStep) = (code, message, nextStep)
    }

    static func unknownSet(_ typed: String) -> SaveSyncError {
        SaveSyncError(
            ErrorCode(.notFound, "saves.unknown-set"),
            "there is no save set “\(PrintableText(typed, limit: 80))” on this machine",
            nextStep: "look at `huddle list`, which shows the sets that are here and those that were offered"
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
                share it on the machine that has it: `huddle share`; both have to be on, and each has to accept the other: \
                `huddle policy`
                """
        )
    }

    static func nested(_ other: SaveSetName) -> SaveSyncError {
        SaveSyncError(
            "saves.nested",
            "this has files in common with the save set “\(other)”, or could have",
            nextStep: "choose a folder or files that have nothing to do with another set"
        )
    }

    static func notShared(_ name: SaveSetName) -> SaveSyncError {
        SaveSyncError(
            "saves.not-shared",
            "there is no save set “\(name)” that this machine may put something into",
            nextStep: "look there with `huddle list`, and offer it there; or send it to the inbox"
        )
    }

    static func notOne(_ name: SaveSetName) -> SaveSyncError {
        SaveSyncError(
            "saves.not-one",
            "it can't be said which version of \(name) something is to be put into: it is empty, being fetched, or in conflict",
            nextStep: "look there with `huddle list` and `huddle fix`, then try again"
        )
    }

    static func noPlace(_ path: SavePath) -> SaveSyncError {
        let folder = path.parent.map { "“\($0)”" }
        return SaveSyncError(
            "saves.no-place",
            "“\(path)” is no place for a file of this set: it is left out there, "
                + (folder.map { "\($0) is no folder of the set, " } ?? "") + "or it is itself a folder or a link",
            nextStep: (folder.map { "make the folder \($0) there, or say with --as another place" }
                ?? "say with --as another name") + "; `huddle show` there says what is left out"
        )
    }

    static let notAbsolute = SaveSyncError(
        "saves.not-absolute",
        "the folder of a save set is told from the root of the file system on",
        nextStep: "write it with a slash at its beginning"
    )

    static func unreadableRules(_ reason: String) -> SaveSyncError {
        SaveSyncError(
            "saves.unreadable-rules",
            "the rules for merging can't be understood: \(reason)",
            nextStep: "docs/reference/merge-rules.md says how they are written"
        )
    }

    /// No version is called so.
    public static let unknownVersionCode: ErrorCode = ErrorCode(.notFound, "saves.unknown-version")

    static let unknownVersion = SaveSyncError(
        unknownVersionCode,
        "there is no such version of this save set here",
        nextStep: "choose one that `huddle history` lists"
    )

    static let notWhole = SaveSyncError(
        "saves.not-whole",
        "something that this version holds was damaged, and given up",
        nextStep: "switch on another machine that has it, and it comes again; or choose another version"
    )

    static func lost(_ shown: SnapshotID, of set: SaveSetName) -> SaveSyncError {
        SaveSyncError(
            lostCode,
            "what version \(shown.short) of \(set) holds beside this machine's files was damaged on this disk, so nothing can follow it here",
            nextStep: """
                switch on another machine that has it, and it comes again by itself; if none has: `huddle stop \(set)`, and join or add it \
                anew (the files in the folder stay)
                """
        )
    }

    static let lostCode: ErrorCode = "saves.lost-version"

    static func unexpected(_ snapshot: SnapshotID) -> SaveSyncError {
        SaveSyncError(
            "saves.unexpected",
            "version \(snapshot.short) was given up while it came",
            nextStep: "nothing is to be done: where it is wanted it is fetched anew"
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
        "several versions begin with this",
        nextStep: "write more of its name"
    )

    /// How many files an error names.
    static let mostNamed = 5

    static func undecided(_ paths: [SavePath]) -> SaveSyncError {
        let names = paths.prefix(mostNamed).map { "“\(PrintableText($0.text, limit: 80))”" }.joined(separator: ", ")
        return SaveSyncError(
            ErrorCode(.conflict, "saves.undecided"),
            "nothing was merged: no rule says how to merge \(names)\(paths.count > mostNamed ? " and others" : "")",
            nextStep: "say whose files count with --favour and a machine, or take one side"
        )
    }

    static let nothingMergeable = SaveSyncError(
        "saves.nothing-mergeable",
        "the sides can't be merged: there are not two of them, or what they hold is not here",
        nextStep: "choose one of the sides; `huddle fix` lists them"
    )

    static let folderStirs = SaveSyncError(
        "saves.folder-stirs",
        "the folder changed while it was read",
        nextStep: "wait until the game has written its save, then try again"
    )

    static func passedOver(_ path: String, _ reason: String) -> SaveSyncError {
        SaveSyncError(
            "saves.passed-over",
            """
            what was saved in “\(PrintableText(path, limit: 4096))” after its last version is in no version, for it could not be read: \
            \(reason)
            """,
            nextStep: "it lies there still: make it readable, and have the set lie there once more (`saves set --at`)"
        )
    }

    static func unsettled(_ set: SaveSetEntry, _ time: Duration) -> SaveSyncError {
        SaveSyncError(
            unsettledCode,
            "something in \(PrintableText(set.path, limit: 4096)) has not been still for \(time.components.seconds) seconds, so it can't be read",
            nextStep: """
                where that is a log or the like, leave it out: `huddle set \(set.name) --ignore` and its name; where it is a game, its save is read \
                once it rests
                """
        )
    }

    static let unsettledCode: ErrorCode = "saves.unsettled"

    static func folderAway(_ set: SaveSetEntry) -> SaveSyncError {
        SaveSyncError(
            SaveFolderError.notThere,
            "“\(PrintableText(set.path, limit: 4096))” is not there",
            nextStep:
                "put the card in or mount the disk; if it lies elsewhere now, or was removed and is to be made anew: `huddle set \(set.name) --at FOLDER`"
        )
    }

    static func notFolder(_ path: String) -> SaveSyncError {
        SaveSyncError(
            "saves.not-a-folder",
            "“\(PrintableText(path, limit: 4096))” is no folder",
            nextStep:
                "name the folder in which the set is to lie; which files in it make the set say `--add` and `--drop`"
        )
    }

    static func inUse(_ who: String) -> SaveSyncError {
        SaveSyncError(
            "saves.in-use",
            "\(who) has a file of it open for writing, so nothing is put there now",
            nextStep: "end the game, then try again"
        )
    }

    /// The code of a set whose disk gives no answer.
    public static let silentDiskCode: ErrorCode = "saves.silent-disk"

    static func silentDisk(under set: SaveSetEntry) -> SaveSyncError {
        silentDisk(
            set.path,
            "gives no answer; \(set.name) waits for it",
            "; where huddled is restarted meanwhile, \(set.name) can be left or put elsewhere"
        )
    }

    /// What is waited for is where all versions are kept.
    static func silentHistory(at path: String) -> SaveSyncError {
        silentDisk(path, "gives no answer, which holds up all sets: all versions are kept there")
    }

    /// The same where that was found when the program began.
    static func silentDisk(of set: SaveSetEntry) -> SaveSyncError {
        silentDisk(set.path, "has not answered since huddled was started; \(set.name) is left alone until it does")
    }

    /// The same of a disk on which a set is to lie, and does not yet.
    static func silentDisk(wanted path: String) -> SaveSyncError {
        silentDisk(path, "gives no answer, so no set can be put there now")
    }

    private static func silentDisk(_ path: String, _ words: String, _ more: String = "") -> SaveSyncError {
        SaveSyncError(
            silentDiskCode,
            "the disk with “\(PrintableText(path, limit: 4096))” \(words)",
            nextStep: """
                see whether it is still plugged in, or its server can be reached; `dmesg` tells of a disk's errors\(more)
                """
        )
    }

    static func historySetAside(at path: String) -> SaveSyncError {
        SaveSyncError(
            "saves.history-set-aside",
            "nothing of the history could be read any more; it is in “\(PrintableText(path, limit: 4096))” now, and a new one was begun",
            nextStep:
                "check that disk; what the folders hold is kept anew, and what other machines have of it comes from them"
        )
    }

    static func versionsLost(_ count: Int) -> SaveSyncError {
        SaveSyncError(
            "saves.versions-lost",
            "\(count) \(count == 1 ? "version is" : "versions are") not in the history any more, though nobody has dropped \(count == 1 ? "it" : "them")",
            nextStep:
                "check that disk; what other machines have of it comes from them; `huddle fsck` names them, as `huddle history` does in each set"
        )
    }

    static func versionsLacking(_ count: Int) -> SaveSyncError {
        SaveSyncError(
            "saves.versions-lacking",
            "\(count) \(count == 1 ? "version lacks" : "versions lack") something that the history has not any more",
            nextStep:
                "check that disk; where a file of the history was taken away, put it back; what other machines have comes from them; `huddle fsck` names what is lacking"
        )
    }

    /// The history has versions of a set of which nothing else is known.
    static func unknownHistory(_ name: SaveSetName) -> SaveSyncError {
        SaveSyncError(
            ErrorCode(.notFound, "saves.unknown-history"),
            "there are versions of a save set here of which nothing else is known any more; it is called \(name) now",
            nextStep:
                "`huddle join \(name) --at FOLDER` takes it up again, `huddle history --clean --left` gives it up"
        )
    }

    static let beingWrittenCode: ErrorCode = "saves.being-written"

    static func beingWritten(by who: String) -> SaveSyncError {
        SaveSyncError(
            beingWrittenCode,
            "\(who) has a file of it open for writing, so what lies there may be half of a save",
            nextStep: """
                wait until that is written, or end the game: what is saved in a set is kept by itself then, and a command that was refused can be \
                given again
                """
        )
    }

    /// Whether somebody writes in the folder, or has just written: it can be read a while later.
    var isWriting: Bool { code == Self.folderStirs.code || code == Self.beingWrittenCode }

    static let gameRuns = SaveSyncError(
        "saves.game-runs",
        "it is being played on this machine, so nothing is put into its folder now",
        nextStep: "end the game, then try again"
    )

    static let movedWhilePlayed = SaveSyncError(
        gameRuns.code,
        "it is being played on this machine, and the game goes on saving where it began",
        nextStep: "end the game, then name the other folder"
    )

    static func playing(_ holder: String, _ played: Duration) -> SaveSyncError {
        SaveSyncError(
            "saves.playing-elsewhere",
            PlayingSentence.of(holder, " this", for: played),
            nextStep: "stop the game there, ask for it with --takeover ask, or take it over with --takeover force"
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
