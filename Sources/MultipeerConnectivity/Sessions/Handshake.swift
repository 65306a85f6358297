import Foundation
import LinuxPlatform
import Vocabulary

/// The first message between two members, sent again when others join: the identity of the sender in the session, and
/// the other members.
struct Handshake: Codable, Hashable {
    /// One other member with its address.
    struct Member: Codable, Hashable {
        var peer: String
        var displayName: String
        var address: Data
        var port: Int

        init(_ peer: PeerID, _ displayName: String, at address: SocketAddress) {
            self.peer = peer.description
            self.displayName = displayName
            self.address = Data(address.address.bytes)
            port = Int(address.port)
        }

        var id: PeerID? { try? PeerID(peer) }

        /// - Parameter interface: the interface on which the sender of the address is seen
        func place(seenOn interface: UInt32) -> SocketAddress? {
            guard let port = UInt16(exactly: port), port > 0 else { return nil }
            return IPAddress(bytes: Array(address), seenOn: interface).map { SocketAddress($0, port: port) }
        }
    }

    /// Names the sender's side of the session. An introduced peer uses it.
    var token: String
    var displayName: String
    var encryption: Int
    var showsCertificate: Bool
    var fellows: [Member]
    /// In the first handshake, the concatenated IDs of the peers that the sender knows; they need no introduction. In
    /// one later handshake, those of them that have joined; otherwise empty.
    var known: Data

    /// Maximum number of members in one handshake.
    static let fellowLimit = 1024

    init(_ token: String, _ profile: Profile, _ fellows: [Member], known: some Sequence<PeerID> = []) {
        self.token = token
        displayName = profile.displayName
        encryption = profile.preference.rawValue
        showsCertificate = profile.showsCertificate
        self.fellows = Array(fellows.prefix(Self.fellowLimit))
        self.known = Data(known.prefix(Self.fellowLimit).flatMap(\.bytes))
    }

    /// Nil if the message breaks the rules.
    static func reading(_ bytes: Data) -> Handshake? {
        guard let read = Coding.value(Handshake.self, in: bytes), read.fellows.count <= fellowLimit,
            MCEncryptionPreference(rawValue: read.encryption) != nil, MCPeerID.isValid(read.displayName),
            read.token.utf8.count <= 64, read.known.count <= fellowLimit * PeerID.byteCount,
            read.fellows.allSatisfy({ MCPeerID.isValid($0.displayName) })
        else { return nil }
        return read
    }

    /// The peers that the sender knows.
    var knownPeers: Set<PeerID> {
        let starts = stride(from: known.startIndex, to: known.endIndex, by: PeerID.byteCount)
        return Set(starts.compactMap { PeerID(bytes: known[$0...].prefix(PeerID.byteCount)) })
    }

    var preference: MCEncryptionPreference { MCEncryptionPreference(rawValue: encryption) ?? .required }
}
