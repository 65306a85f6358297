import MultipeerConnectivity

/// What a player is started with.
struct Wishes {
    /// Who it is.
    let peer: MCPeerID
    let encryption: MCEncryptionPreference
    let showsCertificate: Bool
    /// Whether its delegate has the method that judges certificates.
    let judgesCertificates: Bool
    let service: String
    /// What else is seen of it.
    let info: [String: String]

    static let usage = """
        usage: multipeer-player NAME [required | optional | none] [certificate] [unjudging] [service=TYPE] [info=LENGTH] [again=FILE]
        """

    /// - Parameter words: its name and what else it is to be; without a name there are no wishes
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

    /// Whoever is in an archive.
    static func archivedPeer(_ path: String) throws -> MCPeerID? {
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        return try NSKeyedUnarchiver.unarchivedObject(ofClass: MCPeerID.self, from: data)
    }
}
