/// How large things may be on the wire. Each is a rule of the protocol: both sides keep it, and what goes beyond ends the
/// link.
public enum WireLimits {
    /// Type and length, before each frame's payload.
    public static let headerByteCount = 4
    /// The payload of one frame on the control lane.
    public static let controlPayload = 65_536
    /// The payload of the largest frame on a further lane: one full `Data`, or one full `Held` with as much again as its head needs.
    public static let lanePayload = data + 64
    /// The payload of any frame on a further lane but `Data` and `Held`.
    public static let laneWord = 4096

    /// One message, whole.
    public static let message = 1 << 20
    /// What a sender may have on its way in one session without an acknowledgement.
    public static let messageWindow = 2 << 20
    /// How many messages a receiver may have consumed before it says so, where the window is not yet a quarter empty.
    public static let messagesPerAck: UInt64 = 256
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
    /// The bytes of a text that explains something to a person.
    public static let remark = 1024
    /// The bytes of a word that names an error.
    public static let faultCode = 64

    /// The bytes in one `Data` frame.
    public static let data = 1 << 20
    /// The digests in one `Held` frame.
    public static let digests = 65_000

    /// The payload of an unreliable message: what fits into IPv6's smallest packet with everything around it.
    public static let datagramPayload = 1150
    /// The header of a datagram, which is authenticated and not encrypted.
    public static let datagramHeader = 18
    /// What sealing adds at the end of a datagram.
    public static let datagramTag = 16
    /// A whole datagram, sealed.
    public static let datagram = datagramHeader + 17 + datagramPayload + datagramTag
}
