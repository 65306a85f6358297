import CLinux
import Glibc

/// How often a thread has run. One that waits for a single call all the while has not run meanwhile.
public struct ThreadActivity: Sendable {
    private let path: String

    private init(of thread: CInt) { path = "/proc/self/task/\(thread)/schedstat" }

    /// That of the calling thread.
    public static var current: ThreadActivity { ThreadActivity(of: huddle_thread_number()) }

    /// How often it was given a processor; nil where the kernel doesn't say.
    public var turns: UInt64? {
        ProcessFiles.text(path).split(whereSeparator: \.isWhitespace).last.flatMap { UInt64($0) }
    }
}
