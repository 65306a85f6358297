public import Foundation
import SecureArchive
import SecureCoding
import Vocabulary

extension NSKeyedArchiver {
    /// The archive of a peer, which has the same bytes each time, as on Apple's systems: libraries name peers by its hash.
    ///
    /// Foundation on Linux writes an object's fields in an order that changes from one archive to the next. Where a peer is part of something
    /// else, or is encoded step by step, it still does.
    public static func archivedData(withRootObject peer: MCPeerID, requiringSecureCoding: Bool) throws -> Data {
        var classes = ClassTable()
        // Foundation's reader knows a class by its full name alone.
        if let name = ClassName(NSStringFromClass(type(of: peer))) { classes.setName(name, for: type(of: peer)) }
        do {
            return try SecureArchiver.archivedData(withRootObject: peer, requiringSecureCoding: true, classes: classes)
        } catch let error as ArchiveError {
            throw MCError(.invalidParameter, error.description)
        }
    }
}
