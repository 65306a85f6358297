import Foundation
import LinuxPlatform
import Vocabulary

/// The first thing that two members say to each other, and what they say when others come: who they are to the session, and who else is in it.
struct Hello: Codable, Hashable {
    /// One fellow member, and where it can be found.
    struct Fellow: Codable, Hashable {
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

        /// - Parameter interface: over which the one that tells of it is seen
        func place(seenOn interface: UInt32) -> SocketAddress? {
            guard let port = UInt16(exactly: port), port > 0 else { return nil }
            return IPAddress(bytes: Array(address), seenOn: interface).map { SocketAddress($0, port: port) }
        }
    }

    /// Names the sender's side of the session. Whoever was introduced comes with it.
    var token: String
    var displayName: String
    var encryption: Int
    var showsCertificate: Bool
    var fellows: [Fellow]
    /// Whom the sender knows of, in the first hello: their ids, one behind the other. They need no introduction. In one later hello: who of them is in by
    /// then; else nothing.
    var known: Data

    /// How many one hello may name.
    static let fellowLimit = 1024

    init(_ token: String, _ profile: Profile, _ fellows: [Fellow], known: some Sequence<PeerID> = []) {
        self.token = token
        displayName = profile.displayName
        encryption = profile.preference.rawValue
        showsCertificate = profile.showsCertificate
        self.fellows = Array(fellows.prefix(Self.fellowLimit))
        self.known = Data(known.prefix(Self.fellowLimit).flatMap(\.bytes))
    }

    /// Nil for what breaks the rules.
    static func reading(_ bytes: Data) -> Hello? {
        guard let read = Coding.value(Hello.self, in: bytes), read.fellows.count <= fellowLimit,
            MCEncryptionPreference(rawValue: read.encryption) != nil, MCPeerID.isValid(read.displayName),
            read.token.utf8.count <= 64, read.known.count <= fellowLimit * PeerID.byteCount,
            read.fellows.allSatisfy({ MCPeerID.isValid($0.displayName) })
        else { return nil }
        return read
    }

    /// Whom the sender knows of.
    var knownPeers: Set<PeerID> {
        let starts = stride(from: known.startIndex, to: known.endIndex, by: PeerID.byteCount)
        return Set(starts.compactMap { PeerID(bytes: known[$0...].prefix(PeerID.byteCount)) })
    }

    var preference: MCEncryptionPreference { MCEncryptionPreference(rawValue: encryption) ?? .required }
}
