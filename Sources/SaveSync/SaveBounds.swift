public import Ledger
import SaveRules
import Vocabulary

/// The limits of what a peer may make this machine store or do for it.
///
/// Limits of single formats are in their types. A manifest has at most ``Manifest/maximumEntryCount`` entries and
/// ``Manifest/maximumByteCount`` bytes, and a path ``SavePath/maximumDepth`` names. A snapshot has at most
/// ``Snapshot/maximumByteCount`` bytes, and a message ``SaveMessage/maximumByteCount``.
public struct SaveBounds: Sendable {
    /// The size of all files of one version together.
    public var snapshotByteCount: UInt64 = 64 << 30
    /// The memory of the list of files of a version that another machine gives. One such list is read at a time.
    public var listByteCount = Manifest.maximumForeignMemory
    /// The pieces that are fetched for all versions together. Each takes some 110 bytes until the version is whole.
    public var arrivingPieceCount = 1 << 19
    /// The number and bytes of versions that one peer may give, of all games together. They are on the disk, not in
    /// memory.
    ///
    /// Eight machines on which users play for three hours each day, with a version every five minutes, make 1,051,200
    /// in ten years. Such a version has some 500 bytes, or 30,000 in a game with 100,000 files.
    public var given = GivenLimits(snapshots: 1 << 21, bytes: 2 << 30)
    /// The number and bytes that all peers together may give. Versions that this machine makes are not counted.
    public var givenByAll = GivenLimits(snapshots: 1 << 22, bytes: 4 << 30)
    /// The number of a game's newest versions that may stay for their age alone. A game that is saved every five
    /// minutes by day and night makes as many in two weeks.
    public var keptForAge = 4_096
    /// The same for all games together, of which each has its share. With 100 games, a share is 1,310. Three hours of
    /// playing each day make 1,080 in 30 days.
    public var keptForAgeOfAll = 1 << 17
    /// The bytes of one peer's history, of all games together, that stay in memory until the ancestry is complete.
    public var staged = Exchange.stagedByteLimit
    /// The same bytes of all peers together.
    public var stagedByAll = 16 << 20
    /// The work of one peer that may wait here.
    public var waiting = Waiting()
    /// The number of games that a peer may offer in one session.
    public var offersPerPeer = 256
    /// The times to wait for a peer or a disk.
    public var patience = Patience()
    /// The size up to which an archive is checked before it is applied. A larger one is refused.
    public var archiveByteCount: UInt64 = 64 << 20

    /// The work of one peer that may wait.
    public struct Waiting: Sendable {
        /// The number of requests of a peer that may wait for an answer here. A peer that asks for more without reading
        /// is cut off.
        public var answers = 512
        /// The number of requests for pieces that a peer must answer at a time. With one request for history per game,
        /// that is less than the peer lets wait.
        public var requests = 128
        /// The number of messages that may wait until a peer accepts them. A peer that asks and reads no answer is cut
        /// off.
        public var messages = 4_096
    }

    /// The times to wait.
    public struct Patience: Sendable {
        /// The time that a peer may take for any answer.
        public var answer: Duration = .seconds(30)
        /// The bytes in that time that show that an answer still arrives, even over a slow connection.
        public var answerBytes = 64 << 10
        /// The time to wait for the offers of a peer that may sync from now on.
        public var firstOffer: Duration = .seconds(10)
        /// The time for which a user who wants to play waits for a machine that shares the game and is not online. It
        /// begins when the daemon starts, the machine wakes up, the connection ends, or the peer is seen.
        public var arrival: Duration = .seconds(10)
        /// The time after which the daemon looks again at a disk that gives no answer. If there is none then, it
        /// reports that.
        public var diskSilence: Duration = .seconds(10)
    }

    /// Creates the limits for a household.
    public init() {}
}
