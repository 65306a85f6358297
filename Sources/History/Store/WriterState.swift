import SaveRules

/// The state of the one writer: the pack that grows, the bytes that wait to be written, and the steps that a failure
/// undoes.
package struct WriterState {
    /// A change in memory that is undone if its record never reaches the disk.
    enum Unconfirmed {
        case piece(PieceID, before: PieceLocation?, wasSuspect: Bool)
        case snapshot(SnapshotID, before: SnapshotCatalog.Entry?)
    }

    /// The usual size at which another pack begins.
    package static let usualPackLimit: UInt64 = 64 << 20
    static let recordLimit = 65_536
    /// The number of buffered bytes at which they are written.
    static let stretch = 1 << 20

    let packLimit: UInt64
    var active: PackFile?
    /// The length of the active pack in bytes.
    var length: UInt64 = 0
    /// The number of its bytes that were flushed.
    var confirmed: UInt64 = 0
    var recordCount = 0
    var waiting: [UInt8] = []
    var unconfirmed: [Unconfirmed] = []
    var nextNumber: UInt32 = 1
    /// The number of times that unconfirmed records were taken back, and the last cause. A caller that releases the
    /// writer's lock between appending and confirming must compare the count. A failed call takes back the records of
    /// all threads.
    var takenBack: (count: Int, cause: HistoryError?) = (0, nil)
    /// True if a pack was created and the folder is not flushed yet.
    var isFolderChanged = false

    init(packLimit: UInt64) {
        self.packLimit = packLimit
    }

    /// The offset of the next record.
    var end: UInt64 { length + UInt64(waiting.count) }

    func hasRoom(for count: Int) -> Bool {
        let isEmpty = end <= UInt64(PackSeal.fileByteCount)
        return active != nil && (isEmpty || (end + UInt64(count) <= packLimit && recordCount < Self.recordLimit))
    }
}
