import Glibc
import TestSupport

/// Compares sending into a sink of the same process with what copies plainly, in one run:
/// `resources-benchmark [--quick] [FOLDER…]`; the folders are where to copy, a disk and `/dev/shm` by default.
///
/// Every contender ends with a flush, for a sink always does. In `/dev/shm` that costs nothing, and what is left is the work
/// of the processor.
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
