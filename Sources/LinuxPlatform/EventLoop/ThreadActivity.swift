import CLinux
import Glibc

/// How often a thread has run. One that waits for a single call all the while has not run meanwhile.
public struct ThreadActivity: Sendable {
    private enum Source: Sendable {
        case kernel(path: String)
        /// In a simulation, whose loops have no threads.
        case loop(@Sendable () -> UInt64?)
    }

    private let source: Source

    /// That of the calling thread.
    public static var current: ThreadActivity {
        if let time = VirtualTime.current { return ThreadActivity(source: .loop(time.turnsOfRunningLoop())) }
        return ThreadActivity(source: .kernel(path: "/proc/self/task/\(huddle_thread_number())/schedstat"))
    }

    /// How often it was given a processor; nil where the kernel doesn't say.
    public var turns: UInt64? {
        switch source {
        case .kernel(let path):
            ProcessFiles.text(path).split(whereSeparator: \.isWhitespace).last.flatMap { UInt64($0) }
        case .loop(let turns): turns()
        }
    }
}
