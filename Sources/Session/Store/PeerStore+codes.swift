import Ledger
import SessionRules
import Vocabulary

extension PeerStore {
    /// True if there were too many wrong codes. Wrong codes of others don't lock out a paired machine: it needs no
    /// code.
    func isLockedOut(_ peer: PeerID, isPaired: Bool) async throws -> Bool {
        let now = WallTime.now.secondsSince1970
        let own = try await counter(.wrongCodes(of: peer)).lockOut(.perKey)
        let overall = try await counter(.wrongCodes).lockOut(.overall)
        return own.secondsLeft(at: now) > 0 || !isPaired && overall.secondsLeft(at: now) > 0
    }

    func countWrongCode(of peer: PeerID) async throws {
        let now = WallTime.now.secondsSince1970
        try await change(.wrongCodes(of: peer)) { $0.countWrongCode(.perKey, at: now) }
        try await change(.wrongCodes) { $0.countWrongCode(.overall, at: now) }
    }
}

extension Counter {
    func lockOut(_ rule: LockOut.Rule) -> LockOut {
        LockOut(rule, count: Int64(count), until: lockedUntil?.secondsSince1970 ?? 0)
    }

    mutating func countWrongCode(_ rule: LockOut.Rule, at now: Int64) {
        var lockOut = lockOut(rule)
        lockOut.count(at: now)
        self = Counter(count: Int(lockOut.count), lockedUntil: WallTime(secondsSince1970: lockOut.until))
    }
}
