import SaveRules

/// Where the one writer stands: the pack that grows, what waits to be written to it, and what a failure would take back.
package struct WriterState {
    /// What is to be undone if it never gets to the disk.
    enum Unconfirmed {
        case piece(PieceID, before: PieceLocation?, wasSuspect: Bool)
        case snapshot(SnapshotID, before: SnapshotCatalog.Entry?)
    }

    /// A pack that has reached this is followed by another, usually.
    package static let usualPackLimit: UInt64 = 64 << 20
    static let recordLimit = 65_536
    /// So much is written at once.
    static let stretch = 1 << 20

    let packLimit: UInt64
    var active: PackFile?
    /// How long the active pack is.
    var length: UInt64 = 0
    /// How much of it was flushed.
    var confirmed: UInt64 = 0
    var recordCount = 0
    var waiting: [UInt8] = []
    var unconfirmed: [Unconfirmed] = []
    var nextNumber: UInt32 = 1
    /// How often what was not confirmed was taken back, and why the last time. Whoever lets go of the writer between appending and confirming has
    /// to look, for what is taken back because a call fails is everybody's.
    var takenBack: (count: Int, cause: HistoryError?) = (0, nil)
    /// A pack was made whose name was not flushed.
    var isFolderChanged = false

    init(packLimit: UInt64) {
        self.packLimit = packLimit
    }

    /// Where the next record will stand.
    var end: UInt64 { length + UInt64(waiting.count) }

    func hasRoom(for count: Int) -> Bool {
        let isEmpty = end <= UInt64(PackSeal.fileByteCount)
        return active != nil && (isEmpty || (end + UInt64(count) <= packLimit && recordCount < Self.recordLimit))
    }
}
