public import Foundation
import Vocabulary

/// A peer: one that this program is, or one that it has met.
///
/// Each `MCPeerID` that is created with a name is a new peer, no matter which name it has. It has its own key, and no
/// other peer can pose as it. Archive it to use it in a later run. The key stays in this user's state folder and is in
/// no archive.
///
/// `@unchecked Sendable` because it is immutable.
open class MCPeerID: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    private let name: String
    /// The digest of its public key.
    let id: PeerID
    /// Set if this program is the peer.
    let local: LocalPeer?

    /// Maximum length of a name in bytes of UTF-8.
    static let nameLimit = InstanceName.maximumByteCount

    /// Creates a new peer.
    ///
    /// A name that is empty or has more than 63 bytes of UTF-8 ends the program; on Apple's systems it raises an
    /// exception.
    public init(displayName myDisplayName: String) {
        precondition(
            Self.isValid(myDisplayName),
            "Invalid displayName passed to MCPeerID: it must have 1 to 63 bytes of UTF-8"
        )
        name = myDisplayName
        let local = LocalPeer(displayName: myDisplayName)
        self.local = local
        id = local.id
        super.init()
    }

    /// A peer that this program has met.
    init(_ id: PeerID, displayName: String) {
        self.id = id
        name = displayName
        local = nil
        super.init()
    }

    /// The name of the peer. Others may have the same name.
    open var displayName: String { name }

    static func isValid(_ name: String) -> Bool { (1...nameLimit).contains(name.utf8.count) }

    /// Two short groups that distinguish peers with one name, such as `k7dq-3m2p`. For display, never for trust.
    public var shortFingerprint: String { id.short }

    // MARK: Comparing

    /// Compares the keys.
    open override func isEqual(_ object: Any?) -> Bool { (object as? MCPeerID)?.id == id }

    /// The hash of the key. It is the same in every program and on every device, as on Apple's systems: apps send it to
    /// decide which of two peers invites. It is not negative.
    open override var hash: Int { Int(id.bytes.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) } >> 1) }

    /// The name, and the fingerprint.
    open override var description: String { "\(PrintableText(displayName)) (\(id.short))" }

    /// The name and the fingerprint.
    open override var debugDescription: String { "<MCPeerID \(description)>" }

    // MARK: Copying

    /// The object itself, as it is immutable.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    // MARK: Coding

    /// Archives contain the name and the public key.
    public static var supportsSecureCoding: Bool { true }

    private enum Key {
        static let displayName = "displayName"
        static let peer = "peerID"
    }

    /// Writes the name and the public key. From then on the key of a local peer is stored permanently.
    open func encode(with coder: NSCoder) {
        local?.keep()
        coder.encode(name as NSString, forKey: Key.displayName)
        coder.encode(id.description as NSString, forKey: Key.peer)
    }

    /// Reads the data of ``encode(with:)``. The result is a local peer if this program still has its key, otherwise a
    /// met peer.
    public required init?(coder: NSCoder) {
        guard let name = coder.decodeObject(of: NSString.self, forKey: Key.displayName).map({ $0 as String }),
            let text = coder.decodeObject(of: NSString.self, forKey: Key.peer).map({ $0 as String }),
            Self.isValid(name), let id = try? PeerID(text)
        else { return nil }
        self.name = name
        self.id = id
        local = LocalPeer.returning(id, displayName: name)
        super.init()
    }

    /// The node of the local peer.
    var ownNode: LocalPeerNode {
        guard let local else {
            preconditionFailure("this MCPeerID came from another device: only its own program can act in its name")
        }
        return local.localNode
    }
}
