import Glibc
import TestSupport

/// Compares sending into a sink of the same process with plain copies in one run: `resources-benchmark [--quick]
/// [FOLDER…]`. The folders receive the copies (default: one on a disk, and `/dev/shm`).
///
/// Every contender ends with a flush, as a sink always does. In `/dev/shm` a flush costs nothing, so only the work of
/// the processor remains.
@main
struct ResourcesBenchmark {
    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        let isQuick = arguments.contains("--quick")
        let given = arguments.filter { !$0.hasPrefix("-") }
        for folder in given.isEmpty ? ["/tmp", "/dev/shm"] : Array(given) {
            setenv("TMPDIR", folder, 1)
            print("\n\(folder)")
            try LargeFile.run(mebibytes: isQuick ? 128 : 1_024, rounds: isQuick ? 1 : 3)
            try SmallFiles.run(count: isQuick ? 1_000 : 10_000, rounds: isQuick ? 1 : 3)
        }
        print("\npeak resident memory: \(ProcessMemory.peakKiB() / 1_024) MiB")
    }
}
