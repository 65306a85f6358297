import LinuxPlatform
import Transport
import Vocabulary
import Wire

/// The owner of the links: the node.
@Engine
protocol LinkOwner: AnyObject, Sendable {
    func link(to peer: PeerID) -> Link?
    /// The address of the last link to a peer that is lost and expected again.
    func lastAddress(of peer: PeerID) -> SocketAddress?
    func hasMember(at address: IPAddress?) -> Bool
    /// Makes the result of a handshake the link to its peer; nil if another link stays.
    func establish(_ result: HandshakeResult) -> Link?
    /// Runs a link until it ends.
    func keep(_ link: Link) async
    /// Takes a further connection of a linked peer.
    func take(_ secure: SecureChannel, _ open: ChannelFrame.Open, _ decoder: FrameDecoder<ChannelFrame>)
        async throws
    func takeDatagram(_ bytes: ArraySlice<UInt8>, in session: SessionID, over link: Link)
}
