/// The largest sizes on the wire. Each is a rule of the protocol: both sides obey it, and a breach ends the link.
public enum WireLimits {
    /// The bytes of type and length before each frame's payload.
    public static let headerByteCount = 4
    /// The payload of one frame on the control channel, in bytes.
    public static let controlPayload = 65_536
    /// The payload of the largest frame on a data channel, in bytes: one full `Data`, or one full `Held` (`heldLimit`).
    public static let channelPayload = data + 64
    /// The payload of any frame on a data channel except `Data` and `Held`, in bytes.
    public static let channelWord = 4096

    /// The bytes of one whole message.
    public static let message = 1 << 20
    /// The bytes of a message that fit into its first frame.
    public static let firstPart = controlPayload - 28
    /// The bytes of a message that fit into each further frame.
    public static let furtherPart = controlPayload - 24

    /// The bytes that an application adds to an invitation.
    public static let context = 32 << 10
    /// The members that one list names.
    public static let members = 128
    /// The addresses of one member.
    public static let addresses = 16
    /// The bytes of a text that explains something to the user.
    public static let remark = 1024
    /// The bytes of the code of an error.
    public static let faultCode = 64

    /// The bytes in one `Data` frame.
    public static let data = 1 << 20
    /// The digests in one `Held` frame.
    public static let digests = 65_000

    /// The bytes of an unreliable message: with all headers it fits into the smallest MTU of IPv6.
    public static let datagramPayload = 1150
    /// The bytes of a datagram's header, which is authenticated and not encrypted.
    public static let datagramHeader = 18
    /// The bytes that sealing adds at the end of a datagram.
    public static let datagramTag = 16
    /// The bytes of the largest sealed datagram.
    public static let datagram = datagramHeader + 17 + datagramPayload + datagramTag
}
