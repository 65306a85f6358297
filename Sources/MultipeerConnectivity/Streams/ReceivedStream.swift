import Foundation

/// A stream that a peer opened, before anybody reads it.
struct ReceivedStream: Sendable {
    let name: String
    let peer: MCPeerID
    let pipe: BytePipe

    /// As Foundation's streams are.
    func opened() -> InputStream { PeerInputStream(outOf: pipe) }
}
