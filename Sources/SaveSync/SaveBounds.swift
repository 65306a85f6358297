public import Ledger
import SaveRules
import Vocabulary

/// Every bound of what a peer may make this machine take, keep or do for it in the matter of saves. Those of single forms stand
/// with them: a manifest has at most ``Manifest/maximumEntryCount`` entries and ``Manifest/maximumByteCount`` bytes, a path
/// ``SavePath/maximumDepth`` names, a snapshot ``Snapshot/maximumByteCount`` bytes, a message ``SaveMessage/maximumByteCount``.
public struct SaveBounds: Sendable {
    /// How large the files of one snapshot may be together.
    public var snapshotByteCount: UInt64 = 64 << 30
    /// How many versions one peer may give, of all sets together, and how many bytes these may have. They are on the disk, not in memory.
    ///
    /// Eight machines that are played on for three hours each day, with a version every five minutes, make 1,051,200 in ten years. Such a version
    /// has some 500 bytes, of a set with 100,000 files 30,000.
    public var given = GivenLimits(snapshots: 1 << 21, bytes: 2 << 30)
    /// How much all peers together may give. What this machine makes is not counted.
    public var givenByAll = GivenLimits(snapshots: 1 << 22, bytes: 4 << 30)
    /// Of how many of a set's newest versions any stays for its age alone. One that is saved every five minutes by day and night makes as many in two
    /// weeks.
    public var keptForAge = 4_096
    /// And of how many of all sets together: each set has its share. With 100 sets that is 1,310; three hours of playing each day make 1,080 in 30 days.
    public var keptForAgeOfAll = 1 << 17
    /// How many bytes of what one peer says of history stay in memory until the way back is whole, of all sets together.
    public var staged = Exchange.stagedByteLimit
    /// How many of what all peers say.
    public var stagedByAll = 16 << 20
    /// The work of one peer that may wait here.
    public var waiting = Waiting()
    /// How many sets a peer may offer in one session.
    public var offersPerPeer = 256
    /// The times to wait for a peer or a disk.
    public var patience = Patience()
    /// Up to which size a file that is an archive is looked into before it is put into a folder; a larger one is refused.
    public var archiveByteCount: UInt64 = 64 << 20

    /// The work of one peer that may wait.
    public struct Waiting: Sendable {
        /// How many answers a peer may have waiting here. One that asks for more without reading is cut off.
        public var answers = 512
        /// How many requests for pieces a peer may have to answer at a time. With one for history in each set, that is less than it lets wait.
        public var wants = 128
        /// How many messages may wait for a peer to take them. A peer that asks and reads no answer is cut off.
        public var messages = 4_096
    }

    /// The times to wait.
    public struct Patience: Sendable {
        /// How long a peer may take to answer anything of what it was asked.
        public var answer: Duration = .seconds(30)
        /// Of how many bytes in that time an answer still comes, over however slow a line.
        public var answerBytes = 64 << 10
        /// How long to wait for what a peer that has become welcome may have to offer.
        public var firstOffer: Duration = .seconds(10)
        /// For how long somebody who has part in a set and is not there is expected by a person who wants to play: since this program has begun, the
        /// machine has woken, the connection has ended, or the peer was seen.
        public var arrival: Duration = .seconds(10)
        /// How long a disk may give no answer before the daemon looks again. If there is none then, it reports that.
        public var diskSilence: Duration = .seconds(10)
    }

    /// What is right for a household.
    public init() {}
}
