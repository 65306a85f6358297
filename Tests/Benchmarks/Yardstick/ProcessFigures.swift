import FoundationEssentials
public import Glibc

/// The kernel's figures of a process so far.
public struct ProcessFigures: Sendable {
    /// Memory that is in use now.
    public let residentKiB: Int
    /// The peak of its memory.
    public let peakKiB: Int
    /// The number of its threads.
    public let threads: Int
    /// Time on a processor, in all threads.
    public let processorTime: Duration
    /// The number of times that its threads went to sleep.
    public let wakeUps: Int

    /// Reads `/proc` for a process (default: this one); nil if it has ended.
    public init?(of process: CInt = getpid()) {
        guard let status = Self.fields("/proc/\(process)/status"),
            let resident = status["VmRSS"].flatMap({ Int($0.split(separator: " ")[0]) }),
            let peak = status["VmHWM"].flatMap({ Int($0.split(separator: " ")[0]) }),
            let threads = status["Threads"].flatMap({ Int($0) }),
            let tasks = try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")
        else { return nil }
        residentKiB = resident
        peakKiB = peak
        self.threads = threads
        processorTime = Self.processorTime(of: process)
        wakeUps = tasks.compactMap {
            Self.fields("/proc/\(process)/task/\($0)/status")?["voluntary_ctxt_switches"].flatMap { Int($0) }
        }.reduce(0, +)
    }

    /// The kernel's own clock of the process, exact to the nanosecond; `/proc` counts in hundredths of a second.
    private static func processorTime(of process: CInt) -> Duration {
        var clock = clockid_t()
        var time = timespec()
        guard clock_getcpuclockid(process, &clock) == 0, clock_gettime(clock, &time) == 0 else { return .zero }
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    private static func fields(_ path: String) -> [String: String]? {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
        let pairs = text.split(separator: "\n").compactMap { line -> (String, String)? in
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { return nil }
            return (String(parts[0]), parts[1].trimmingPrefix { $0 == " " || $0 == "\t" }.description)
        }
        return Dictionary(pairs) { first, _ in first }
    }
}
