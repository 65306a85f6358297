import CLinux
import Glibc

/// A count of how often a thread has run. A thread that stays in a single blocking call has not run meanwhile.
public struct ThreadActivity: Sendable {
    private enum Source: Sendable {
        case kernel(path: String)
        /// A loop of a simulation, where loops have no threads.
        case loop(@Sendable () -> UInt64?)
    }

    private let source: Source

    /// The activity of the calling thread.
    public static var current: ThreadActivity {
        if let time = VirtualTime.current { return ThreadActivity(source: .loop(time.turnsOfRunningLoop())) }
        return ThreadActivity(source: .kernel(path: "/proc/self/task/\(huddle_thread_number())/schedstat"))
    }

    /// The number of times that the thread got a processor; nil if the kernel doesn't say.
    public var turns: UInt64? {
        switch source {
        case .kernel(let path):
            ProcessFiles.text(path).split(whereSeparator: \.isWhitespace).last.flatMap { UInt64($0) }
        case .loop(let turns): turns()
        }
    }
}
