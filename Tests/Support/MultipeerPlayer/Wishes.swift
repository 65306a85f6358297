import MultipeerConnectivity

/// The command line of a player.
struct Wishes {
    /// Its peer.
    let peer: MCPeerID
    let encryption: MCEncryptionPreference
    let showsCertificate: Bool
    /// True if its delegate has the method that judges certificates.
    let judgesCertificates: Bool
    let service: String
    /// The dictionary that it advertises.
    let info: [String: String]

    static let usage = """
        usage: multipeer-player NAME [required | optional | none] [certificate] [unjudging] [service=TYPE] [info=LENGTH] [again=FILE]
        """

    /// - Parameter words: its name and its options; nil without a name
    init?(_ words: [String]) {
        guard let name = words.first else { return nil }
        func value(_ key: String) -> String? {
            words.first { $0.hasPrefix("\(key)=") }.map { String($0.dropFirst(key.count + 1)) }
        }
        peer = value("again").flatMap { try? Self.archivedPeer($0) } ?? MCPeerID(displayName: name)
        encryption = words.contains("none") ? .none : words.contains("optional") ? .optional : .required
        showsCertificate = words.contains("certificate")
        judgesCertificates = !words.contains("unjudging")
        service = value("service") ?? "lab-game"
        info = value("info").flatMap(Int.init).map { ["k": String(repeating: "v", count: $0)] } ?? ["of": name]
    }

    /// The peer in an archive.
    static func archivedPeer(_ path: String) throws -> MCPeerID? {
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        return try NSKeyedUnarchiver.unarchivedObject(ofClass: MCPeerID.self, from: data)
    }
}
