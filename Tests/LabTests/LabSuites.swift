import LinuxPlatform
import Testing

/// All suites that run in labs. They run one after the other, since they measure time and share the processors.
@Suite("Between hosts", .serialized)
enum LabSuites {
    /// The factor of allowed times. Programs are several times as slow under a sanitizer, whose findings count and not
    /// the times.
    static let allowance = hasThreadsWatched || hasAddressesWatched ? 4 : 1

    private static let hasThreadsWatched = ProgramLaunch.ownEnvironment["TSAN_OPTIONS"] != nil
    private static let hasAddressesWatched = ProgramLaunch.ownEnvironment["ASAN_OPTIONS"] != nil

    /// The number of repetitions for rare cases. A race shows in the first rounds.
    static func rounds(_ usual: Int) -> Int { hasThreadsWatched ? min(usual, 4) : usual }
}
