import Glibc
import TestSupport

/// Makes hostile files from a seed, and reads many of them in one process.
///
/// `hostile-cases SEED FROM COUNT` prints the number of each case before it is read. A case that ends the process by a
/// signal is the last one printed: SIGPROF after more than four seconds of the processor's time, a trap or an abort
/// after more than 64 MiB beyond the file. `hostile-cases SEED NUMBER` writes the bytes of one case to standard output.
@main
enum HostileCases {
    private static let memory = 64 << 20
    // The largest case is a megabyte of XML, which is read twice. A debug build took 0.9 to 1.1 seconds for that.
    private static let seconds = 4

    static func main() throws {
        let numbers = CommandLine.arguments.dropFirst().compactMap { Int($0) }
        guard numbers.count >= 2, numbers.allSatisfy({ $0 >= 0 }) else {
            print("usage: hostile-cases SEED FROM COUNT, or hostile-cases SEED NUMBER")
            exit(64)
        }
        let seed = UInt64(numbers[0])
        guard numbers.count == 3 else {
            let bytes = try HostileCase.make(seed: seed, number: numbers[1]).bytes
            write(bytes)
            return
        }
        var failures = 0
        for number in numbers[1]..<numbers[1] + numbers[2] where try !passes(seed, number) { failures += 1 }
        exit(failures == 0 ? 0 : 1)
    }

    private static func passes(_ seed: UInt64, _ number: Int) throws -> Bool {
        say("seed \(seed) case \(number) \(HostileCase.family(of: number))")
        let file = try HostileCase.make(seed: seed, number: number)
        let most = currentMemory() + memory + file.bytes.count
        let fault = CaseRun.read(file) { limit(memory: most, seconds: seconds * OwnProcess.allowance) }
        // The properties read a file many times, so only their time has a limit, and a wide one.
        limit(memory: nil, seconds: 20 * OwnProcess.allowance)
        guard let fault = fault ?? CaseRun.violation(of: file) else { return true }
        say("FAILED seed \(seed) case \(number): \(fault)")
        return false
    }

    private static func say(_ line: String) {
        write(Array("\(line)\n".utf8))
    }

    /// Writes without a buffer, because the next case may end the process.
    private static func write(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(1, $0.baseAddress, $0.count) }
            guard count > 0 else { exit(74) }
            rest = rest.dropFirst(count)
        }
    }

    /// Sets limits beyond which the kernel ends the process.
    private static func limit(memory: Int?, seconds: Int) {
        var limit = rlimit(rlim_cur: memory.map { rlim_t($0) } ?? rlim_t.max, rlim_max: rlim_t.max)
        // A sanitizer maps terabytes.
        if OwnProcess.allowance == 1 { setrlimit(__rlimit_resource_t(RLIMIT_DATA.rawValue), &limit) }
        var timer = itimerval(it_interval: timeval(), it_value: timeval(tv_sec: seconds, tv_usec: 0))
        setitimer(__itimer_which_t(ITIMER_PROF.rawValue), &timer, nil)
    }

    /// The private memory that is mapped already, in bytes.
    private static func currentMemory() -> Int {
        OwnProcess.dataKiB() << 10
    }
}
