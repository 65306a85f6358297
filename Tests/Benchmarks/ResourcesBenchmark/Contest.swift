import Glibc
import LinuxPlatform
import TestSupport

/// Several ways to copy the same, in turns, each into a new folder.
struct Contest {
    let title: String
    private var contenders: [(name: String, copy: (String) throws -> Void)] = []

    init(_ title: String) {
        self.title = title
    }

    mutating func add(_ name: String, _ copy: @escaping (String) throws -> Void) {
        contenders.append((name, copy))
    }

    /// Ratios compare the others with the first contender. The best round of each counts, since other work on the
    /// machine only adds time.
    func run(rounds: Int) throws {
        var best = Array(repeating: Double.infinity, count: contenders.count)
        for _ in 0..<rounds {
            for (index, contender) in contenders.enumerated() {
                let into = TemporaryFolder()
                let start = monotonicSeconds()
                try contender.copy(into.path)
                best[index] = min(best[index], monotonicSeconds() - start)
            }
        }
        print("  \(title)")
        for (index, contender) in contenders.enumerated() {
            let milliseconds = Int((best[index] * 1_000).rounded())
            let ratio = ((best[index] / best[0]) * 100).rounded() / 100
            print("    \(contender.name): \(milliseconds) ms, \(ratio) ×")
        }
        fflush(nil)
    }
}

/// The time now, on a clock that is never set.
func monotonicSeconds() -> Double {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
}

/// Other programs that copy.
enum OtherProgram {
    static func run(_ arguments: [String]) throws {
        var child: pid_t = 0
        var pointers = arguments.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        guard posix_spawnp(&child, arguments[0], nil, nil, &pointers, nil) == 0 else {
            throw SystemError("posix_spawn")
        }
        var status: CInt = 0
        waitpid(child, &status, 0)
        guard status == 0 else { throw SystemError(arguments[0], EIO) }
    }
}

/// The kernel's figures of this process's memory.
enum ProcessMemory {
    static func peakKiB() -> Int {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return usage.ru_maxrss
    }
}
