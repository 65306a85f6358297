public import Foundation
import Vocabulary

/// A peer: one that this program is, or one that it has met.
///
/// Each one that is made with a name is somebody new, whatever the name: it has a key of its own, and no other peer can be taken for
/// it. Archive it to be the same another time; the key stays in this user's state folder and is in no archive.
///
/// `@unchecked Sendable` because nothing in it changes.
open class MCPeerID: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    private let name: String
    /// Who it is: what its key proves.
    let id: PeerID
    /// Set where this program is the peer.
    let local: LocalPeer?

    /// How many bytes of UTF-8 a name may have.
    static let nameLimit = InstanceName.maximumByteCount

    /// Somebody new.
    ///
    /// A name that is empty or has more than 63 bytes of UTF-8 ends the program, as it raises an exception on Apple's systems.
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

    /// Somebody who was met.
    init(_ id: PeerID, displayName: String) {
        self.id = id
        name = displayName
        local = nil
        super.init()
    }

    /// What the peer calls itself. Others may bear the same name.
    open var displayName: String { name }

    static func isValid(_ name: String) -> Bool { (1...nameLimit).contains(name.utf8.count) }

    /// The two short groups that tell peers of one name apart, such as `k7dq-3m2p`. For the eye, never for trust.
    public var shortFingerprint: String { id.short }

    // MARK: Comparing

    /// Equal where the key is the same.
    open override func isEqual(_ object: Any?) -> Bool { (object as? MCPeerID)?.id == id }

    /// The same for a peer in every program and on every device, as on Apple's systems: apps settle by it who of two invites, and send it along. Not negative.
    open override var hash: Int { Int(id.bytes.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) } >> 1) }

    /// The name, and the fingerprint.
    open override var description: String { "\(PrintableText(displayName)) (\(id.short))" }

    /// The same.
    open override var debugDescription: String { "<MCPeerID \(description)>" }

    // MARK: Copying

    /// Itself, for nothing in it can change.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    // MARK: Coding

    /// Archives hold the name and the public part of the key.
    public static var supportsSecureCoding: Bool { true }

    private enum Key {
        static let displayName = "displayName"
        static let peer = "peerID"
    }

    /// Writes name and public key. One's own key is kept for good from then on.
    open func encode(with coder: NSCoder) {
        local?.keep()
        coder.encode(name as NSString, forKey: Key.displayName)
        coder.encode(id.description as NSString, forKey: Key.peer)
    }

    /// Reads what ``encode(with:)`` writes. It is this program's own peer again where the key was kept here, and else somebody who was met.
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

    /// The peer's own side.
    var ownStation: Station {
        guard let local else {
            preconditionFailure("this MCPeerID came from another device: only its own program can act in its name")
        }
        return local.station
    }
}
