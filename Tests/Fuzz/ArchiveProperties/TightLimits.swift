import SecureArchive

/// Limits that an archive of the fuzzer's may just pass or just fail, each at another place, so that no refusal in the midst of reading
/// goes untried.
struct TightLimits {
    private let limits: ArchiveLimits

    /// The same for the same input.
    init(for input: [UInt8]) {
        let seed = input.reduce(into: UInt32(2_166_136_261)) { $0 = ($0 ^ UInt32($1)) &* 16_777_619 }
        var limits = ArchiveLimits()
        switch seed % 5 {
        case 0: limits.values = Int(seed >> 8) % (input.count + 2)
        case 1: limits.depth = Int(seed >> 8) % 8
        case 2: limits.expandedBytes = Int(seed >> 8) % (input.count * 4 + 8)
        case 3: limits.stringBytes = Int(seed >> 8) % 32
        default: limits.memoryBeyondArchive = Int(seed >> 8) % (input.count * 16 + 1) - input.count
        }
        self.limits = limits
    }

    /// Whether reading within them gives what was read without, or refuses it as too large.
    func areHeld(_ readsTheSame: (ArchiveLimits) throws(ArchiveError) -> Bool) -> Bool {
        do throws(ArchiveError) {
            return try readsTheSame(limits)
        } catch {
            return error.kind == .tooLarge
        }
    }
}
