import LinuxPlatform
public import SessionRules
package import Vocabulary

/// What peers make a node hold: memory and descriptors, each with one account for every peer, one for all strangers, and one limit for all together.
@Engine
final class PeerShares {
    private nonisolated let memory: Allowances
    private nonisolated let descriptors: Allowances
    /// One for each peer that holds something, or may at any moment.
    private var known: [PeerID: Known] = [:]
    /// What all hold together who are in no session.
    nonisolated let ofStrangers: Allowance
    /// How many fellow members are being dialled.
    var meetings = 0

    private struct Known {
        weak var memory: Allowance?
        let files = FileTurns()
    }

    private static let tidyCount = 64
    private var tidiedCount = PeerShares.tidyCount

    /// - Parameter givesWay: told that a peer has to let go of everything
    init(
        memory: BudgetLimits,
        descriptors: BudgetLimits,
        givesWay: @escaping @Engine @Sendable (PeerID) -> Void
    ) {
        let tell: @Sendable (PeerID) -> Void = { peer in
            Engine.loop.perform { @Sendable in Engine.assumeIsolated { givesWay(peer) } }
        }
        self.memory = Allowances(memory, givesWay: tell)
        self.descriptors = Allowances(descriptors, givesWay: tell)
        ofStrangers = Allowance(self.memory, of: .strangers)
    }

    /// How many bytes all peers hold together.
    nonisolated var heldBytes: Int { memory.held }

    /// A peer's memory.
    func memory(of peer: PeerID) -> Allowance {
        if let allowance = known[peer]?.memory { return allowance }
        let allowance = Allowance(memory, of: .peer(peer))
        known[peer, default: Known()].memory = allowance
        if known.count > tidiedCount {
            known = known.filter { $0.value.memory != nil || !$0.value.files.isIdle }
            tidiedCount = max(Self.tidyCount, 2 * known.count)
        }
        return allowance
    }

    /// The work with files that a peer causes.
    func files(of peer: PeerID) -> FileTurns {
        // What it is known by lasts for as long as it has something here.
        _ = memory(of: peer)
        return known[peer, default: Known()].files
    }

    /// What a further lane with a peer costs; nil where the peer has no room for one more.
    func lane(with peer: PeerID) -> LaneShare? {
        LaneShare(memory(of: peer), Allowance(descriptors, of: .peer(peer)))
    }
}

/// A part of a peer's memory that is given back with its owner.
final class MemoryShare: Sendable {
    private let memory: Allowance
    private let byteCount: Int

    /// Nil where the peer has no room for it.
    init?(_ byteCount: Int, of memory: Allowance) {
        guard memory.take(byteCount) else { return nil }
        (self.memory, self.byteCount) = (memory, byteCount)
    }

    deinit {
        memory.release(byteCount)
    }
}

/// What a further lane costs for as long as somebody holds it.
final class LaneShare: Sendable {
    /// OpenSSL's object, a record that has come in part, and what was sealed and has not gone.
    private static let byteCount = 64 << 10
    /// The connection, and what is written on the disk with what comes.
    private static let descriptorCount = 4

    private let memory: MemoryShare
    private let descriptors: Allowance

    fileprivate init?(_ memory: Allowance, _ descriptors: Allowance) {
        guard let memory = MemoryShare(Self.byteCount, of: memory), descriptors.take(Self.descriptorCount) else {
            return nil
        }
        (self.memory, self.descriptors) = (memory, descriptors)
    }

    deinit {
        descriptors.release(Self.descriptorCount)
    }
}

extension BudgetLimits {
    /// What peers may make a process hold: 36 MiB, 12 MiB for each. Half a mebibyte is each one's, whatever the others do: there is room for
    /// 64 hostile peers, the strangers and a few friends.
    public static var memory: BudgetLimits { .init(overall: 36 << 20, each: 12 << 20, floor: 512 << 10) }

    /// As many descriptors as the process may have, but for those that the program itself needs.
    public static var descriptors: BudgetLimits {
        let overall = max(DescriptorLimit.current - 256, 64)
        let each = min(max(overall / 3, 64), 1024)
        return .init(overall: overall, each: each, floor: min(64, each))
    }
}

extension Node {
    /// A peer has held much for the longest time, and others need room: it is out of every session, and whatever it has made this machine hold is let go.
    func givesWay(_ peer: PeerID) {
        note("gave-way", about: peer)
        for member in members.values where member.peer == peer { drop(member, because: .full) }
        links[peer]?.cut(because: .full)
    }
}

extension Session {
    /// What a peer may make this machine hold, whoever holds it.
    package func allowance(of peer: PeerID) -> Allowance { node.shares.memory(of: peer) }
}
