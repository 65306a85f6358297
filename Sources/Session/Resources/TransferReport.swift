import Resources
import Vocabulary

/// The facts about a transfer that its end reports.
struct TransferReport {
    var storedName: FileName?
    /// The remark of the receiver.
    var remark = ""
    /// The failure on this side.
    var troubleHere: ResourceError?
}
