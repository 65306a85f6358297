import Ledger
import LinuxPlatform
public import Vocabulary
import Wire

/// What members of sessions say of themselves. Who is in none is told nothing.
extension Node {
    /// How many peers' words are kept that are not connected now.
    private static let keptAccounts = 128
    /// Whoever has said it a moment ago says it no more, so that two never go on answering each other.
    private static let accountPause = Duration.seconds(1)
    /// The same for an answer, which may be long on its way.
    private static let answerPause = Duration.seconds(10)

    /// What a peer has said of itself last; nil where it has said nothing, or is in no session.
    public func account(of peer: PeerID) -> PeerAccount? {
        guard let link = links[peer], link.isOfMember else { return formerAccounts[peer] }
        return link.account ?? formerAccounts[peer]
    }

    /// Has those that are in a session say anew what time it is there, and waits until they have, or for as long as that may take.
    public func refreshAccounts(within limit: Duration = .milliseconds(500)) async {
        let answers = links.values.filter(\.isOfMember).compactMap { link -> Promise<Void>? in
            guard giveAccount(over: link) else { return nil }
            let answer = Promise<Void>()
            link.askForAnswer { answer.settle(.success(())) }
            return answer
        }
        guard !answers.isEmpty else { return }
        try? await Engine.loop.withDeadline(limit, "peers") {
            for answer in answers { try await answer.value() }
        }
    }

    /// Says of this machine what members may know.
    ///
    /// - Returns: whether it did: not where the peer would not understand it, nor where it was said just now
    @discardableResult
    func giveAccount(over link: Link, after pause: Duration = Node.accountPause) -> Bool {
        guard let program = configuration.program,
            members.values.contains(where: { $0.link === link }),
            link.accountGiven.map({ ContinuousClock.now - $0 >= pause }) ?? true
        else { return false }
        link.accountGiven = .now
        link.send(.about(.init(clock: WallTime.now.secondsSince1970, program: program)))
        return true
    }

    /// The newest counts, and is answered.
    func take(_ about: ControlFrame.About, from link: Link) {
        let clock = WallTime(secondsSince1970: Int64(about.clock))
        link.account = PeerAccount(program: about.program, clock: clock, heard: .now)
        giveAccount(over: link, after: Self.answerPause)
    }

    /// What it said outlives the link.
    func keepAccount(of link: Link) {
        guard link.isOfMember, let account = link.account else { return }
        if formerAccounts.count >= Self.keptAccounts, formerAccounts[link.peer] == nil,
            let oldest = formerAccounts.min(by: { $0.value.heard < $1.value.heard })?.key
        {
            formerAccounts[oldest] = nil
        }
        formerAccounts[link.peer] = account
    }
}
