import SecureArchive

/// Limits that an archive of the fuzzer just passes or just fails, each at another place, so that every refusal within
/// reading is tried.
struct TightLimits {
    private let limits: ArchiveLimits

    /// The same limits for the same input.
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

    /// True if reading within them gives the same result as without, or refuses it as too large.
    func areHeld(_ readsTheSame: (ArchiveLimits) throws(ArchiveError) -> Bool) -> Bool {
        do throws(ArchiveError) {
            return try readsTheSame(limits)
        } catch {
            return error.kind == .tooLarge
        }
    }
}
