import LinuxPlatform
import SessionRules
import Synchronization
package import Vocabulary

/// A resource that this machine uses for peers, such as memory, with an account for each. Any thread may use it.
final class Allowances: Sendable {
    /// The owner of an account.
    enum Holder: Hashable, Sendable {
        /// All peers that are in no session.
        case strangers
        case peer(PeerID)
    }

    private let budget: Mutex<SharedBudget<Holder>>
    private let releaseAll: @Sendable (PeerID) -> Void

    /// - Parameter release: ends everything of a peer; called on any thread
    init(_ limits: BudgetLimits, release: @escaping @Sendable (PeerID) -> Void) {
        budget = Mutex(SharedBudget(limits))
        releaseAll = release
    }

    /// The sum over all accounts.
    var held: Int { budget.withLock { $0.held } }

    fileprivate func take(_ count: Int, for holder: Holder) -> Bool {
        let verdict = budget.withLock { budget in
            // All peers in no session share the floor of one peer, so that they never block the others.
            let isTooMuch = holder == .strangers && budget.held(by: holder) + count > budget.limits.floor
            return isTooMuch ? .refused : budget.take(count, for: holder)
        }
        switch verdict {
        case .granted: return true
        case .refused: return false
        case .grantedInsteadOf(let others):
            for case .peer(let other) in others { releaseAll(other) }
            return true
        }
    }

    fileprivate func release(_ count: Int, of holder: Holder) {
        budget.withLock { $0.release(count, of: holder) }
    }

    fileprivate func held(by holder: Holder) -> Int { budget.withLock { $0.held(by: holder) } }
}

/// The account of one peer for one resource. Any thread may use it.
package final class Allowance: Sendable {
    /// The bytes of a peer's messages that may wait for programs of this machine. Above the limit nothing is read from
    /// the peer until they take some. One session alone never has as much.
    private static let backlogLimit = 4 << 20

    private let allowances: Allowances
    private let holder: Allowances.Holder
    private let backlog = Atomic<Int>(0)
    private let readers = Mutex<[Resumption<Void>]>([])

    init(_ allowances: Allowances, of holder: Allowances.Holder) {
        (self.allowances, self.holder) = (allowances, holder)
    }

    /// An account without a limit, for a simulation.
    package static func unbounded(of peer: PeerID) -> Allowance {
        let limits = BudgetLimits(overall: .max, each: .max, floor: .max)
        return Allowance(Allowances(limits) { _ in }, of: .peer(peer))
    }

    /// True for the account of all peers that are in no session.
    var isOfStrangers: Bool { holder == .strangers }

    /// The amount that the account holds.
    package var held: Int { allowances.held(by: holder) }

    /// Takes the given amount more, and returns true, if there is room.
    package func take(_ count: Int) -> Bool { allowances.take(count, for: holder) }

    /// Releases the given amount.
    package func release(_ count: Int) { allowances.release(count, of: holder) }
}

// MARK: - Messages that wait for programs

extension Allowance {
    /// True while nothing more may be read from the peer.
    var isBacklogged: Bool { backlog.load(ordering: .relaxed) > Self.backlogLimit }

    /// Changes the number of bytes of messages that wait.
    func changeBacklog(by count: Int) {
        backlog.add(count, ordering: .relaxed)
        if count < 0, !isBacklogged { wakeReaders() }
    }

    /// Waits until fewer messages wait, or until ``wakeReaders()``.
    func untilReadable() async throws {
        let reader = Resumption<Void>()
        readers.withLock { $0.append(reader) }
        // The backlog may have shrunk before the reader was in the list.
        if !isBacklogged { wakeReaders() }
        try await reader.valueUnlessCancelled()
    }

    /// Lets each waiting reader check its condition again.
    func wakeReaders() {
        for reader in readers.withLock({ exchange(&$0, []) }) { reader.resume(with: .success(())) }
    }

    private func exchange(_ readers: inout [Resumption<Void>], _ next: [Resumption<Void>]) -> [Resumption<Void>] {
        defer { readers = next }
        return readers
    }
}

/// A part of an account that grows and shrinks, and is released with its owner.
///
/// It grows in steps, and does not grow up to a small free count: small and short use causes no lock. It keeps one step
/// more than it needs until it needs nothing: small changes, as in a flow of messages, cause no lock either.
package struct Holding: ~Copyable, Sendable {
    private static let step = 64 << 10

    private let allowance: Allowance
    private let free: Int
    private var taken = 0

    /// - Parameter free: the count that another account covers
    package init(of allowance: Allowance, free: Int = 0) {
        (self.allowance, self.free) = (allowance, free)
    }

    deinit {
        if taken > 0 { allowance.release(taken) }
    }

    /// Holds the given count from now on. Returns false, and changes nothing, if that is too much.
    package mutating func hold(_ count: Int) -> Bool {
        if count <= free, taken == 0 { return true }
        let wanted = count <= free ? 0 : (count - free + Self.step - 1) / Self.step * Self.step
        if wanted > taken {
            guard allowance.take(wanted - taken) else { return false }
            taken = wanted
            return true
        }
        let kept = count == 0 ? 0 : min(taken, wanted + Self.step)
        if kept < taken { allowance.release(taken - kept) }
        taken = kept
        return true
    }
}
