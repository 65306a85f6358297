import LinuxPlatform
import SessionRules
import Synchronization
package import Vocabulary

/// One thing of which peers make this machine hold some, such as memory, and who holds how much of it. Any thread may ask.
final class Allowances: Sendable {
    /// Who an account is for.
    enum Holder: Hashable, Sendable {
        /// Everybody who is in no session.
        case strangers
        case peer(PeerID)
    }

    private let budget: Mutex<SharedBudget<Holder>>
    private let givesWay: @Sendable (PeerID) -> Void

    /// - Parameter givesWay: told on any thread that a peer has to let go of everything
    init(_ limits: BudgetLimits, givesWay: @escaping @Sendable (PeerID) -> Void) {
        budget = Mutex(SharedBudget(limits))
        self.givesWay = givesWay
    }

    /// How much all hold together.
    var held: Int { budget.withLock { $0.held } }

    fileprivate func take(_ count: Int, for holder: Holder) -> Bool {
        let verdict = budget.withLock { budget in
            // Strangers have to share what one peer has for sure, so that they are never in anybody's way.
            let isTooMuch = holder == .strangers && budget.held(by: holder) + count > budget.limits.floor
            return isTooMuch ? .refused : budget.take(count, for: holder)
        }
        switch verdict {
        case .granted: return true
        case .refused: return false
        case .grantedInsteadOf(let others):
            for case .peer(let other) in others { givesWay(other) }
            return true
        }
    }

    fileprivate func release(_ count: Int, of holder: Holder) {
        budget.withLock { $0.release(count, of: holder) }
    }

    fileprivate func held(by holder: Holder) -> Int { budget.withLock { $0.held(by: holder) } }
}

/// What one peer makes this machine hold of one thing, and how much more of it it may. Any thread may ask.
package final class Allowance: Sendable {
    /// As much as a peer's messages may wait for programs here; then nothing more is read from it until they have taken some. One session alone never has as much.
    private static let backlogLimit = 4 << 20

    private let allowances: Allowances
    private let holder: Allowances.Holder
    private let backlog = Atomic<Int>(0)
    private let readers = Mutex<[Resumption<Void>]>([])

    init(_ allowances: Allowances, of holder: Allowances.Holder) {
        (self.allowances, self.holder) = (allowances, holder)
    }

    /// One that no budget bounds, for a simulation.
    package static func unbounded(of peer: PeerID) -> Allowance {
        let limits = BudgetLimits(overall: .max, each: .max, floor: .max)
        return Allowance(Allowances(limits) { _ in }, of: .peer(peer))
    }

    /// Whether it is that of everybody who is in no session.
    var isOfStrangers: Bool { holder == .strangers }

    /// How much it holds.
    package var held: Int { allowances.held(by: holder) }

    /// Whether it may hold so much more; then it does.
    package func take(_ count: Int) -> Bool { allowances.take(count, for: holder) }

    /// Gives so much back.
    package func release(_ count: Int) { allowances.release(count, of: holder) }
}

// MARK: - Messages that nobody has taken yet

extension Allowance {
    /// Whether nothing more may be read from the peer for now.
    var isBacklogged: Bool { backlog.load(ordering: .relaxed) > Self.backlogLimit }

    /// So much more of its messages waits, or less.
    func changeBacklog(by count: Int) {
        backlog.add(count, ordering: .relaxed)
        if count < 0, !isBacklogged { wakeReaders() }
    }

    /// Waits until less waits, or until somebody wakes it.
    func untilReadable() async throws {
        let reader = Resumption<Void>()
        readers.withLock { $0.append(reader) }
        // It may have changed before anybody could know who waits.
        if !isBacklogged { wakeReaders() }
        try await reader.valueUnlessCancelled()
    }

    /// Whoever waits to read looks again at what it waits for.
    func wakeReaders() {
        for reader in readers.withLock({ exchange(&$0, []) }) { reader.resume(with: .success(())) }
    }

    private func exchange(_ readers: inout [Resumption<Void>], _ next: [Resumption<Void>]) -> [Resumption<Void>] {
        defer { readers = next }
        return readers
    }
}

/// A part of an allowance that grows and shrinks, and is given back with its owner.
///
/// It is taken in steps, and up to a small free count not at all, so that what is small and soon over asks nobody. A step more than is needed is kept until nothing
/// is: what goes up and down a little, as in a flow of messages, asks nobody either.
package struct Holding: ~Copyable, Sendable {
    private static let step = 64 << 10

    private let allowance: Allowance
    private let free: Int
    private var taken = 0

    /// - Parameter free: what is not asked for, because it is part of another account
    package init(of allowance: Allowance, free: Int = 0) {
        (self.allowance, self.free) = (allowance, free)
    }

    deinit {
        if taken > 0 { allowance.release(taken) }
    }

    /// Holds so much from now on. Answers false, and changes nothing, where that is too much.
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
