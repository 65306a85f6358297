import Foundation

/// A peer's stream that has no reader yet.
struct ReceivedStream: Sendable {
    let name: String
    let peer: MCPeerID
    let pipe: BytePipe

    /// The stream as a Foundation stream.
    func opened() -> InputStream { PeerInputStream(outOf: pipe) }
}
