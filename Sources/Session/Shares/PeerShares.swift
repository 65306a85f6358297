import LinuxPlatform
public import SessionRules
import Vocabulary

/// The memory and descriptors that a node uses for peers. Each has an account for every peer, one for all peers in no
/// session, and a limit for all together.
@Engine
final class PeerShares {
    private nonisolated let memory: Allowances
    private nonisolated let descriptors: Allowances
    /// The peers that hold something, or may at any moment.
    private var known: [PeerID: Known] = [:]
    /// The account of all peers that are in no session.
    nonisolated let ofStrangers: Allowance

    private struct Known {
        weak var memory: Allowance?
        let files = FileSemaphore()
    }

    private static let tidyCount = 64
    private var tidiedCount = PeerShares.tidyCount

    /// - Parameter release: ends everything of a peer whose memory others need
    init(
        memory: BudgetLimits,
        descriptors: BudgetLimits,
        release: @escaping @Engine @Sendable (PeerID) -> Void
    ) {
        let releaseSoon: @Sendable (PeerID) -> Void = { peer in
            Engine.loop.perform { @Sendable in Engine.assumeIsolated { release(peer) } }
        }
        self.memory = Allowances(memory, release: releaseSoon)
        self.descriptors = Allowances(descriptors, release: releaseSoon)
        ofStrangers = Allowance(self.memory, of: .strangers)
    }

    /// The number of bytes that all peers hold together.
    nonisolated var heldBytes: Int { memory.held }

    /// The memory account of a peer.
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

    /// The file work for a peer.
    func files(of peer: PeerID) -> FileSemaphore {
        // The entry stays for as long as the peer has something here.
        _ = memory(of: peer)
        return known[peer, default: Known()].files
    }

    /// The share of one more data channel; nil if the peer has no room for it.
    func channel(with peer: PeerID) -> ChannelShare? {
        ChannelShare(memory(of: peer), Allowance(descriptors, of: .peer(peer)))
    }
}

/// A part of a peer's memory that is released with its owner.
final class MemoryShare: Sendable {
    private let memory: Allowance
    private let byteCount: Int

    /// Takes the share; nil if the peer has no room for it.
    init?(_ byteCount: Int, of memory: Allowance) {
        guard memory.take(byteCount) else { return nil }
        (self.memory, self.byteCount) = (memory, byteCount)
    }

    deinit {
        memory.release(byteCount)
    }
}

/// The memory and descriptors of a data channel, for as long as it exists.
final class ChannelShare: Sendable {
    /// The memory of OpenSSL's object, of a record that has arrived in part, and of sealed bytes that are not sent.
    private static let byteCount = 64 << 10
    /// The number of descriptors: the connection, and the files on the disk.
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
    /// The memory for all peers: 36 MiB, 12 MiB for each. Each peer has half a mebibyte at any time. So there is room
    /// for 64 hostile peers, for all peers in no session, and for a few paired machines.
    public static var memory: BudgetLimits { .init(overall: 36 << 20, each: 12 << 20, floor: 512 << 10) }

    /// The descriptors for all peers: those of the process without the ones that the program itself needs.
    public static var descriptors: BudgetLimits {
        let overall = max(DescriptorLimit.current - 256, 64)
        let each = min(max(overall / 3, 64), 1024)
        return .init(overall: overall, each: each, floor: min(64, each))
    }
}
