import CLinux
import Glibc

/// Facts of the kernel about this process.
public enum OwnProcess {
    /// The factor of allowed memory and time. A sanitizer needs its own, and the thread sanitizer the most.
    public static let allowance =
        if getenv("TSAN_OPTIONS") != nil { 12 } else if getenv("ASAN_OPTIONS") != nil { 4 } else { 1 }

    /// A thread in `/proc/self/task`.
    public struct ThreadFacts: Hashable, Sendable {
        /// Its number.
        public let id: Int
        /// Its name, cut to 15 bytes by the kernel.
        public let name: String
        /// The number of voluntary context switches, after each of which it was woken again.
        public let voluntarySwitches: Int
    }

    /// The running threads.
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

    /// The number of the calling thread.
    public static var currentThread: Int { Int(huddle_thread_number()) }

    /// The numbers of the open descriptors.
    public static func descriptors() -> Set<Int> {
        // The folder itself is open while it is listed, and closed when the numbers are checked.
        let listed = namesInFolder(at: "/proc/self/fd").compactMap(Int.init)
        return Set(listed.filter { fcntl(CInt($0), F_GETFD) >= 0 })
    }

    /// Returns true if a descriptor is open.
    public static func isOpen(_ descriptor: CInt) -> Bool {
        fcntl(descriptor, F_GETFD) >= 0
    }

    /// Resident memory in KiB.
    public static func residentKiB() -> Int {
        let status = readText(at: "/proc/self/status") ?? ""
        let words = field("VmRSS", of: status)?.split(separator: " ")
        return words?.first.flatMap { Int($0) } ?? 0
    }

    /// Private writable memory in KiB, mapped or used, which `RLIMIT_DATA` limits.
    public static func dataKiB() -> Int {
        let words = field("VmData", of: readText(at: "/proc/self/status") ?? "")?.split(separator: " ")
        return words?.first.flatMap { Int($0) } ?? 0
    }

    /// The bytes that the process has read so far from any source.
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
