import Ledger
import LinuxPlatform
import SessionRules
import Vocabulary
import Wire

/// Connects the members of a mesh to those that another member introduces.
@Engine
final class MeshConnector {
    private let context: NodeContext
    private let finder: Finder
    weak var owner: (any MeshOwner)?
    /// The number of peers that are being dialled.
    private var dialling = 0

    private static let attempts = 6
    /// The memory of one connection attempt.
    private static let attemptByteCount = 4 << 10
    private static let diallingLimit = 64

    init(_ context: NodeContext, _ finder: Finder) {
        (self.context, self.finder) = (context, finder)
    }

    /// Connects to the members that a peer introduces.
    func take(_ members: ControlFrame.Members, of session: Session, from link: Link) {
        guard session.configuration.topology == .mesh, context.configuration.acceptsIntroductions else { return }
        for other in members.members where other.peer != context.id {
            guard let owner, owner.introductionCount(by: link.peer) < Session.introductionLimit,
                let share = MemoryShare(Self.attemptByteCount, of: context.shares.memory(of: link.peer)),
                session.introduce(other.peer, by: link.peer)
            else { continue }
            finder.add(other, seenFrom: link)
            context.tasks.add {
                await self.connect(to: other.peer, in: session)
                withExtendedLifetime(share) {}
            }
        }
    }

    /// Invites a member. Of the two machines, the one with the smaller ID dials at once and the other one only after a
    /// while. A firewall between them may let connections through in one direction only.
    private func connect(to peer: PeerID, in session: Session) async {
        var wait = Topology.waitBeforeDialling(from: context.id, to: peer)
        for _ in 0..<Self.attempts {
            guard (try? await Engine.loop.sleep(for: wait)) != nil else { return }
            guard session.members[peer] == nil, session.isIntroduced(peer), session.isOpen, !context.isStopping
            else { return }
            // A connection would show a blocked peer that this machine is online, even if a member names it.
            guard (try? await context.store.peer(peer))?.policy != .block else { return }
            // A member that introduces a thousand peers must not cause a thousand dials at once.
            guard dialling < Self.diallingLimit else {
                wait = .seconds(Double.random(in: 0.5...2))
                continue
            }
            dialling += 1
            defer { dialling -= 1 }
            do {
                guard let owner else { return }
                try await owner.invite(peer, to: session)
                return
            } catch {
                switch PartingReason(of: error) {
                case .declined, .blocked, .full, .notPermitted, .keyChanged, .wrongVersion, .brokeProtocol, .forgotten:
                    return
                case .timedOut, .unreachable, .left, .shuttingDown, .lost, .wrongCode, .lockedOut, .withdrawn,
                    .replaced:
                    wait = .seconds(Double.random(in: 0.5...2))
                }
            }
        }
    }
}

/// The owner of the connector: the node.
@Engine
protocol MeshOwner: AnyObject, Sendable {
    /// The number of peers that a member has introduced, in all sessions.
    func introductionCount(by member: PeerID) -> Int
    func invite(_ peer: PeerID, to session: Session) async throws
}
