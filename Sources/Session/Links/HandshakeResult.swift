import LinuxPlatform
import Transport
import Wire

/// A connection after its handshake: both sides have sent Hello.
struct HandshakeResult {
    let channel: SecureChannel
    let isDialler: Bool
    let hello: ControlFrame.Hello
    let decoder: FrameDecoder<ControlFrame>
    /// The address on which the peer listens, as far as it is known; nil if it takes no connections.
    let peerAddress: SocketAddress?
}
