/// The time limits of an invitation. The link and the user have limits of their own: the first depends on the network,
/// the second on a decision.
public struct InvitationPatience: Hashable, Sendable {
    /// The limit for each step of a machine: the connection, the receipt, the proofs, the welcome.
    public var link: Duration
    /// The limit for the user, from the delivery on. A walk to the other machine and a code take a minute or two.
    public var answer: Duration
    /// The time that the inviter waits longer than the invited machine, so that a late answer still counts.
    public var grace: Duration
    /// The longest time that an invited machine keeps a question open, whatever the inviter asks for.
    public static let longestAnswer = Duration.seconds(600)

    /// - Parameters:
    ///   - link: 10 seconds
    ///   - answer: 30 seconds
    ///   - grace: 2 seconds
    public init(
        link: Duration = .seconds(10),
        answer: Duration = .seconds(30),
        grace: Duration = .seconds(2)
    ) {
        self.link = link
        self.answer = min(answer, Self.longestAnswer)
        self.grace = grace
    }
}
