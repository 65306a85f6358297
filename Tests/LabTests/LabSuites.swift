import LinuxPlatform
import Testing

/// Everything that runs in labs. One after the other: they measure time and share the machine's processors.
@Suite("Between hosts", .serialized)
enum LabSuites {
    /// How many times as long as usual a thing may take: a program starts and runs several times as slowly under a sanitizer,
    /// where what it finds counts and not the times.
    static let allowance = hasThreadsWatched || hasAddressesWatched ? 4 : 1

    private static let hasThreadsWatched = ProgramLaunch.ownEnvironment["TSAN_OPTIONS"] != nil
    private static let hasAddressesWatched = ProgramLaunch.ownEnvironment["ASAN_OPTIONS"] != nil

    /// How often to repeat what is repeated for the sake of rare cases. A race shows in the first rounds.
    static func rounds(_ usual: Int) -> Int { hasThreadsWatched ? min(usual, 4) : usual }
}
