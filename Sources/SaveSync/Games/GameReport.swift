public import Ledger
public import SaveFolder
public import SaveRules
public import Vocabulary

/// The state of a game, for users and programs.
public struct GameReport: Sendable {
    /// Its settings.
    public let entry: SaveSetEntry
    /// The facts from which its status follows.
    public var facts: GameFacts
    /// Speed of the version that comes here, and of what each machine fetches.
    public let paces: (here: FetchPace?, there: [PeerID: FetchPace])
    /// Its versions here.
    public let versions: Versions
    /// Its play locks and the program that plays it.
    public let play: Play
    /// True if the newest version is here whole, and is applied as soon as no program uses the folder.
    public let waitsForGame: Bool
    /// The machines that may have it, except those that stopped sharing it with this one. None if its folder must not
    /// be shared.
    public let sharers: [PeerID]
    /// The machines that share it and are online.
    public let present: [PeerID]
    /// The reason why the newest version is not applied.
    public let quarantine: String?
    /// The reason why changes of the folder are not noticed at once.
    public let unwatched: (any ExplainedError)?
    /// The files that the folder has lost, while that change is held back.
    public let emptied: EmptiedSave?
    /// The files in its folder that can't be part of it.
    public let leftOut: LeftOutFiles
    /// The problem that keeps it from being read, stored, or put into its folder.
    public let trouble: SetProblem?

    /// The versions of a game on this machine.
    public struct Versions: Sendable {
        /// The state of its versions.
        public let state: VersionState.State
        /// True if a newer version is known that no online machine has.
        public let isNewerAway: Bool
        /// True if a newer version is within reach and could not be stored here, for example because the disk is full.
        public let couldNotStoreNewer: Bool
        /// Its newest versions; more than one in a conflict.
        public let heads: [Snapshot]
        /// The version that the folder shows.
        public let shown: Snapshot?
        /// In a conflict, this machine's side of it.
        public let ownSide: SnapshotID?
        /// The number of versions that are stored.
        public let count: Int
    }

    /// The machines and the program that play a game.
    public struct Play: Sendable {
        /// The machine that plays it elsewhere, and for how long.
        public let holder: PlayLease.Holder?
        /// A machine that was playing when the connection to it broke, and that has said nothing since.
        public let cutOff: PeerID?
        /// True if this machine plays it.
        public let isHere: Bool
        /// The program that has kept a file of it open for writing for so long that this counts as playing; in words.
        public let writer: String?
    }
}
