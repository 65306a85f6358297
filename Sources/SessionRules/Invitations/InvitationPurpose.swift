/// What a session is for, as far as invitations to it are one matter: what people and their programs invite each other to is
/// one, and what machines do by themselves is another for each way of doing it.
///
/// Two invitations of one purpose that cross become one session, and a second of one purpose takes the place of the first. Those of
/// different purposes have nothing to do with each other.
public struct InvitationPurpose: Hashable, Sendable {
    /// How contexts begin that name what machines do by themselves, such as `huddle-saves/1`.
    public static let prefix = Array("huddle-".utf8)
    /// A longer context is somebody's own, however it begins.
    public static let maximumByteCount = 64

    /// Empty for people's.
    private let name: [UInt8]

    /// - Parameter context: what the invitation carries
    public init(of context: some Collection<UInt8>) {
        name = context.count <= Self.maximumByteCount && context.starts(with: Self.prefix) ? Array(context) : []
    }
}
