import CLinux
import Glibc

/// What the kernel says about the process that runs this.
public enum OwnProcess {
    /// How many times as much memory and time as usual may be taken: a sanitizer needs its own, that of threads the most.
    public static let allowance =
        if getenv("TSAN_OPTIONS") != nil { 12 } else if getenv("ASAN_OPTIONS") != nil { 4 } else { 1 }

    /// A thread as `/proc/self/task` shows it.
    public struct ThreadFacts: Hashable, Sendable {
        /// Its number.
        public let id: Int
        /// Its name, of which the kernel keeps 15 bytes.
        public let name: String
        /// How often it went to sleep by itself and was woken again.
        public let voluntarySwitches: Int
    }

    /// The threads that are alive.
    public static func threads() -> [ThreadFacts] {
        namesInFolder(at: "/proc/self/task").compactMap(Int.init).compactMap(thread).sorted { $0.id < $1.id }
    }

    /// One thread; nil when it has ended.
    public static func thread(_ id: Int) -> ThreadFacts? {
        guard let status = readText(at: "/proc/self/task/\(id)/status") else { return nil }
        guard let name = field("Name", of: status), let switches = field("voluntary_ctxt_switches", of: status) else {
            return nil
        }
        return ThreadFacts(id: id, name: name, voluntarySwitches: Int(switches) ?? 0)
    }

    /// The number of the thread that asks.
    public static var currentThread: Int { Int(huddle_thread_number()) }

    /// The numbers of the open descriptors.
    public static func descriptors() -> Set<Int> {
        // The listing itself is open while it is read, and closed by the time each number is checked.
        let listed = namesInFolder(at: "/proc/self/fd").compactMap(Int.init)
        return Set(listed.filter { fcntl(CInt($0), F_GETFD) >= 0 })
    }

    /// Whether a descriptor is open.
    public static func isOpen(_ descriptor: CInt) -> Bool {
        fcntl(descriptor, F_GETFD) >= 0
    }

    /// Resident memory in KiB.
    public static func residentKiB() -> Int {
        let status = readText(at: "/proc/self/status") ?? ""
        let words = field("VmRSS", of: status)?.split(separator: " ")
        return words?.first.flatMap { Int($0) } ?? 0
    }

    /// Private memory that the process can write to, mapped or used, in KiB: what `RLIMIT_DATA` limits.
    public static func dataKiB() -> Int {
        let words = field("VmData", of: readText(at: "/proc/self/status") ?? "")?.split(separator: " ")
        return words?.first.flatMap { Int($0) } ?? 0
    }

    /// How many bytes the process has read so far, from whatever it was.
    public static func bytesRead() -> Int {
        field("rchar", of: readText(at: "/proc/self/io") ?? "").flatMap { Int($0) } ?? 0
    }

    private static func field(_ name: String, of status: String) -> String? {
        for line in status.split(separator: "\n") where line.hasPrefix("\(name):") {
            return String(line.dropFirst(name.count + 1).drop { $0 == "\t" || $0 == " " })
        }
        return nil
    }
}
