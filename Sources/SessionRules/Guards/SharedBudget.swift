/// How much of something may be held.
public struct BudgetLimits: Hashable, Sendable {
    /// By all together.
    public var overall: Int
    /// By one.
    public var each: Int
    /// By one that is never asked to give way.
    public var floor: Int

    /// - Precondition: a floor is no higher than the limit of one, and that no higher than that of all
    public init(overall: Int, each: Int, floor: Int) {
        precondition(0 <= floor && floor <= each && each <= overall, "a part is no larger than the whole")
        (self.overall, self.each, self.floor) = (overall, each, floor)
    }
}

/// Who holds how much of something that there is only so much of: bytes of memory, descriptors.
///
/// Each holder has a limit of its own, and all together have one. Up to the floor a holder is safe whatever the others do. Where all together would hold too much,
/// whoever has been above the floor for the longest time gives way: one that takes much and gives it back soon, as an honest peer does, is above it for moments only.
public struct SharedBudget<Holder: Hashable & Sendable>: Sendable {
    /// What becomes of a wish for more.
    public enum Verdict: Hashable, Sendable {
        /// It is held from now on.
        case granted
        /// It is held from now on, and these have to give back all that they hold.
        case grantedInsteadOf([Holder])
        /// The holder has reached its own limit, or has held much for longer than all others while there is no more.
        case refused
    }

    private struct Account: Sendable {
        var held = 0
        /// Its number in the order in which accounts rose above the floor; nil for one that is not above it.
        var risen: UInt64?
        /// Whether it was asked to give back everything. Until it has, every wish of its own is refused, and what it holds counts only against holders above the floor.
        var isGivingWay = false
    }

    /// How much may be held.
    public let limits: BudgetLimits

    private var accounts: [Holder: Account] = [:]
    private var total = 0
    /// How much is held by those who give way. Work that has begun on it, such as a write to the disk, ends first.
    private var departing = 0
    private var lastRise: UInt64 = 0

    /// - Parameter limits: how much may be held
    public init(_ limits: BudgetLimits) {
        self.limits = limits
    }

    /// How much all hold together, without those who give way.
    public var held: Int { total }

    /// How much one holds.
    public func held(by holder: Holder) -> Int { accounts[holder]?.held ?? 0 }

    /// A holder wants so much more.
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

    /// A holder gives so much back.
    public mutating func release(_ count: Int, of holder: Holder) {
        guard var account = accounts[holder], count > 0 else { return }
        precondition(count <= account.held, "nobody gives back what it does not hold")
        account.held -= count
        if account.isGivingWay { departing -= count } else { total -= count }
        noteRise(&account)
        accounts[holder] = account.held == 0 ? nil : account
    }

    /// Who has to give way so that there is room; fewer where that is not enough.
    private func leaving(for count: Int, by holder: Holder) -> [Holder] {
        var missing = total + count - limits.overall
        guard missing > 0 else { return [] }
        let risen = accounts.compactMap { place in place.value.risen.map { (place.key, place.value.held, $0) } }
            .sorted { $0.2 < $1.2 }
        var leaving: [Holder] = []
        for (other, held, _) in risen where missing > 0 {
            // It is the one that has held much for the longest time.
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
