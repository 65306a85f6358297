/// The limits of a ``SharedBudget``.
public struct BudgetLimits: Hashable, Sendable {
    /// The limit of all holders together.
    public var overall: Int
    /// The limit of one holder.
    public var each: Int
    /// The amount that a holder never loses.
    public var floor: Int

    /// - Precondition: the floor is at most the limit of one holder, which is at most the limit of all
    public init(overall: Int, each: Int, floor: Int) {
        precondition(0 <= floor && floor <= each && each <= overall, "a part is no larger than the whole")
        (self.overall, self.each, self.floor) = (overall, each, floor)
    }
}

/// A limited resource that several holders share, such as bytes of memory or descriptors.
///
/// Each holder has a limit, and all together have one. Up to the floor a holder is safe, whatever the others do. If all
/// together would hold too much, the holder that has been above the floor for the longest time loses everything. An
/// honest peer takes much only for moments, so it rarely is that one.
public struct SharedBudget<Holder: Hashable & Sendable>: Sendable {
    /// The outcome of a request for more.
    public enum Verdict: Hashable, Sendable {
        /// The holder has it from now on.
        case granted
        /// The holder has it from now on, and these must release all that they hold.
        case grantedInsteadOf([Holder])
        /// The holder has reached its own limit, or nothing is left and it has been above the floor for the longest
        /// time.
        case refused
    }

    private struct Account: Sendable {
        var held = 0
        /// Its number in the order in which accounts rose above the floor; nil if it is not above it.
        var risen: UInt64?
        /// True from the moment it must release everything until it has done so. Meanwhile its requests are refused,
        /// and its amount counts only against holders above the floor.
        var isGivingWay = false
    }

    /// The limits.
    public let limits: BudgetLimits

    private var accounts: [Holder: Account] = [:]
    private var total = 0
    /// The amount of holders that must release everything. Work with it, such as a write to the disk, ends first.
    private var departing = 0
    private var lastRise: UInt64 = 0

    /// - Parameter limits: the limits
    public init(_ limits: BudgetLimits) {
        self.limits = limits
    }

    /// The amount of all holders, without those that must release everything.
    public var held: Int { total }

    /// The amount of one holder.
    public func held(by holder: Holder) -> Int { accounts[holder]?.held ?? 0 }

    /// Requests an amount for a holder.
    public mutating func take(_ count: Int, for holder: Holder) -> Verdict {
        var account = accounts[holder] ?? Account()
        guard !account.isGivingWay, account.held + count <= limits.each else { return .refused }
        let leaving = leaving(for: count, by: holder)
        guard total - leaving.reduce(0, { $0 + held(by: $1) }) + count <= limits.overall else { return .refused }
        // Without this, 64 hostile peers that give way in turn, each with 4 MiB that wait for the disk, hold 256 MiB.
        let isAboveFloor = account.held + count > limits.floor
        guard !isAboveFloor || total + departing + count <= limits.overall + limits.each else { return .refused }
        for other in leaving { giveWay(other) }
        account.held += count
        total += count
        noteRise(&account)
        accounts[holder] = account
        return leaving.isEmpty ? .granted : .grantedInsteadOf(leaving)
    }

    /// Releases an amount of a holder.
    public mutating func release(_ count: Int, of holder: Holder) {
        guard var account = accounts[holder], count > 0 else { return }
        precondition(count <= account.held, "a holder releases at most what it holds")
        account.held -= count
        if account.isGivingWay { departing -= count } else { total -= count }
        noteRise(&account)
        accounts[holder] = account.held == 0 ? nil : account
    }

    /// The holders that must release everything to make room; too few if that is impossible.
    private func leaving(for count: Int, by holder: Holder) -> [Holder] {
        var missing = total + count - limits.overall
        guard missing > 0 else { return [] }
        let risen = accounts.compactMap { place in place.value.risen.map { (place.key, place.value.held, $0) } }
            .sorted { $0.2 < $1.2 }
        var leaving: [Holder] = []
        for (other, held, _) in risen where missing > 0 {
            // The holder itself has been above the floor for the longest time.
            guard other != holder else { return [] }
            leaving.append(other)
            missing -= held
        }
        return leaving
    }

    private mutating func giveWay(_ holder: Holder) {
        guard var account = accounts[holder] else { return }
        (account.isGivingWay, account.risen) = (true, nil)
        total -= account.held
        departing += account.held
        accounts[holder] = account
    }

    private mutating func noteRise(_ account: inout Account) {
        guard !account.isGivingWay, account.held > limits.floor else {
            account.risen = nil
            return
        }
        guard account.risen == nil else { return }
        lastRise += 1
        account.risen = lastRise
    }
}
