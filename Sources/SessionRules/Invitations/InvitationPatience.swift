/// How long an invitation waits, and for what. Bringing up the link and a person making up their mind are different waits:
/// the first says something about the network, the second about the person.
public struct InvitationPatience: Hashable, Sendable {
    /// For what machines do: connecting, the receipt, the proofs, the welcome.
    public var link: Duration
    /// For what people do, counted from when the invitation was delivered. Walking to the other machine and typing a code takes a minute or two.
    public var person: Duration
    /// What the inviter waits longer than the invited, so that an answer given at the last moment is in time.
    public var grace: Duration
    /// The longest that an invited machine keeps a question open, whatever the inviter asks for.
    public static let longestPerson = Duration.seconds(600)

    /// - Parameters:
    ///   - link: 10 seconds
    ///   - person: 30 seconds
    ///   - grace: 2 seconds
    public init(
        link: Duration = .seconds(10),
        person: Duration = .seconds(30),
        grace: Duration = .seconds(2)
    ) {
        self.link = link
        self.person = min(person, Self.longestPerson)
        self.grace = grace
    }
}
