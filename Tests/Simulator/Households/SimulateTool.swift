import CLinux
import Glibc
import LinuxPlatform
import SaveSync
import Session
import Vocabulary

/// `simulate SEED [RUNS] [--days N] [--trace] [--without N,N…]`: runs households through faults in virtual time.
@main
struct SimulateTool {
    var seed: UInt64 = 1
    var runs = 1
    var days = 30
    var isTraced = false
    var leftOut: Set<Int> = []

    static func main() {
        guard var tool = SimulateTool(Array(CommandLine.arguments.dropFirst())) else {
            print("usage: simulate SEED [RUNS] [--days N] [--trace] [--without N,N…]")
            exit(2)
        }
        exit(tool.run())
    }

    init?(_ words: [String]) {
        var (numbers, words) = ([UInt64](), words[...])
        while let word = words.popFirst() {
            switch word {
            case "--trace": isTraced = true
            case "--days":
                guard let days = words.popFirst().flatMap(Int.init) else { return nil }
                self.days = days
            case "--without":
                guard let list = words.popFirst() else { return nil }
                leftOut = Set(list.split(separator: ",").compactMap { Int($0) })
            default:
                guard let number = UInt64(word) else { return nil }
                numbers.append(number)
            }
        }
        seed = numbers.first ?? 1
        runs = Int(numbers.dropFirst().first ?? 1)
    }

    mutating func run() -> CInt {
        let time = VirtualTime.begin(seed: seed, calendar: .seconds(1_800_000_000))
        RandomNumbers.seed(seed)
        // Games are visited in an order that follows from their paths, so all runs need the same paths.
        let (root, room) = ("/proc/self/cwd", "\(Self.room)\(getpid())")
        Self.removeLeftovers()
        mkdir(room, 0o700)
        chdir(room)
        defer { removeFolder(room) }
        var plan = Plan(seed: seed, days: days)
        plan.leaveOut(leftOut)
        let trace = Trace(time, isPrinted: isTraced)
        let outcome = Outcome()
        Task(executorPreference: EventLoop.shared.taskExecutor) { [seed, plan] in
            await Self.live(plan, seed, time, trace, root, outcome)
        }
        let began = ContinuousClock.now
        let end = time.run { outcome.isOver }
        let took = ContinuousClock.now - began
        var violation = outcome.violation
        if end == .idle { violation = "nothing is left to do, and the household has not ended" }
        let speed = Int(
            Double(days) / (Double(took.components.seconds) + Double(took.components.attoseconds) / 1e18) * 60
        )
        print(
            "seed \(seed): \(plan.machineCount) machines, \(plan.gameCount) games, \(days) days, \(plan.steps.count) steps, "
                + "\(time.steps) jobs, trace \(trace.count) lines \(trace.hash), \(speed) days a minute, "
                + "\(Self.mostMemory >> 20) MiB"
        )
        if violation == nil, Self.mostMemory > Self.memoryLimit {
            violation = "the household took \(Self.mostMemory >> 20) MiB"
        }
        guard let violation else { return 0 }
        print("seed \(seed): VIOLATION: \(violation)")
        if !isTraced { for line in trace.last { print("   \(line)") } }
        return 1
    }

    /// The start of each run's folder name; the number of its process follows.
    private static let room = "/dev/shm/huddle-simulation-"

    /// Removes the folders of runs that ended without cleaning up.
    private static func removeLeftovers() {
        for name in names(in: "/dev/shm") {
            let path = "/dev/shm/\(name)"
            guard path.hasPrefix(room), let process = pid_t(path.dropFirst(room.count)) else { continue }
            if process == getpid() || (kill(process, 0) != 0 && errno == ESRCH) { removeFolder(path) }
        }
    }

    /// The most memory that a household of up to eight machines may use, for any number of days.
    private static let memoryLimit = 256 << 20

    /// The most memory that this process has used.
    private static var mostMemory: Int {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return usage.ru_maxrss << 10
    }

    private static func live(
        _ plan: Plan,
        _ seed: UInt64,
        _ time: VirtualTime,
        _ trace: Trace,
        _ root: String,
        _ outcome: Outcome
    ) async {
        let world = await World(plan, seed: seed, time, trace, at: root)
        if trace.isPrinted { await trace.printSteps(of: world.machines) }
        await world.run()
        outcome.end(await world.promises.violation?.words)
    }
}
