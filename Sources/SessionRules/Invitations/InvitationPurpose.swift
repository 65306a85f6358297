/// The purpose of a session. All invitations of users and their programs have one purpose. Each kind of work that
/// machines do by themselves has another.
///
/// Two invitations of one purpose that cross become one session, and a second one of a purpose replaces the first.
/// Invitations of different purposes don't affect each other.
public struct InvitationPurpose: Hashable, Sendable {
    /// The beginning of contexts for the machines' own work, such as `huddle-saves/1`.
    public static let prefix = Array("huddle-".utf8)
    /// The longest context of the machines' own work. A longer one belongs to a program, however it begins.
    public static let maximumByteCount = 64

    /// The context; empty for the purpose of users.
    private let name: [UInt8]

    /// - Parameter context: the context of the invitation
    public init(of context: some Collection<UInt8>) {
        name = context.count <= Self.maximumByteCount && context.starts(with: Self.prefix) ? Array(context) : []
    }
}
