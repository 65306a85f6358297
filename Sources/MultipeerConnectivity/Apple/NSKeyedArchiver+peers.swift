public import Foundation
import SecureArchive
import SecureCoding
import Vocabulary

extension NSKeyedArchiver {
    /// The archive of a peer, with the same bytes each time, as on Apple's systems: libraries name peers by the hash of
    /// the archive.
    ///
    /// Foundation on Linux writes the fields of an object in an order that varies between archives. A peer inside
    /// another object, or encoded step by step, still varies.
    public static func archivedData(withRootObject peer: MCPeerID, requiringSecureCoding: Bool) throws -> Data {
        var classes = ClassTable()
        // Foundation's reader only finds a class by its full name.
        if let name = ClassName(NSStringFromClass(type(of: peer))) { classes.setName(name, for: type(of: peer)) }
        do {
            return try SecureArchiver.archivedData(withRootObject: peer, requiringSecureCoding: true, classes: classes)
        } catch let error as ArchiveError {
            throw MCError(.invalidParameter, error.description)
        }
    }
}
