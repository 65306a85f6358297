import Glibc
import LinuxPlatform
import TestSupport
import Yardstick

/// A daemon with a folder of its own, and its measurements.
struct Bench {
    private static let (starts, questions) = (20, 40)
    private static let restSeconds = 20

    private let programs: String
    private let home = TemporaryFolder()

    init(programs: String?) throws {
        if let programs {
            self.programs = programs
        } else {
            guard let own = realpath("/proc/self/exe", nil) else {
                throw SystemError("realpath", on: "/proc/self/exe")
            }
            defer { free(own) }
            self.programs = String(cString: own).split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
        }
        for program in ["huddled", "huddle"] where access("\(self.programs)/\(program)", X_OK) != 0 {
            throw Unexpected("\(program) is not in \(self.programs): run `make bench`")
        }
    }

    private func launch(_ words: [String]) -> ProgramLaunch {
        var launch = ProgramLaunch(words[0], Array(words.dropFirst()))
        launch.environment = ["HOME": home.path, "HUDDLE_STATE": home.path(of: "state"), "PATH": "/usr/bin:/bin"]
        launch.standardOutput = .pipe
        launch.standardError = .pipe
        return launch
    }

    /// Runs a program to its end, and returns the time that it took.
    private func time(_ words: [String]) async throws -> Double {
        let start = ContinuousClock.now
        let ended = try await ChildProcess.run(launch(words), deadline: .seconds(30))
        guard ended.status.isSuccess else { throw Unexpected("\(words): \(ended.standardError.text)") }
        return seconds(.now - start) * 1_000
    }

    /// Starts the daemon, and returns the time until it was ready.
    private func startDaemon() async throws -> (daemon: ChildProcess, milliseconds: Double) {
        let start = ContinuousClock.now
        let words = ["\(programs)/huddled", "--address", "127.0.0.1", "--no-advertise", "--no-browse"]
        let daemon = try ChildProcess.launch(launch(words))
        guard var lines = daemon.standardError?.lines().makeAsyncIterator() else { throw Unexpected("no log") }
        while let line = try await lines.next() {
            if line.contains("listening on port") { return (daemon, seconds(.now - start) * 1_000) }
        }
        throw Unexpected("huddled ended before it was ready")
    }

    private func stop(_ daemon: ChildProcess) async throws {
        let ending = await daemon.terminate(after: .seconds(30))
        guard ending.isSuccess else { throw Unexpected("huddled ended with \(ending)") }
    }

    private func compare(_ what: String, _ ours: [Double], goal: Int, to other: String, _ theirs: [Double]) {
        let (median, rawest) = (Figures(ours).median, Figures(theirs).median)
        say("\(what), median of \(ours.count): \(text(median, 1)) ms (\(Figures(ours).range); goal \(goal))")
        say("  \(other): \(text(rawest, 1)) ms; ratio \(text(median / rawest, 1))")
    }

    // MARK: Measurements

    /// Measures a start with an existing key up to the line that says ready, beside the smallest program.
    func starts() async throws {
        // The first start makes the key and fills the kernel's cache.
        try await stop(try await startDaemon().daemon)
        var (ours, least) = ([Double](), [Double]())
        for _ in 0..<Self.starts {
            let (daemon, milliseconds) = try await startDaemon()
            ours.append(milliseconds)
            try await stop(daemon)
            least.append(try await time(["/bin/true"]))
        }
        compare("huddled: start → ready", ours, goal: 100, to: "/bin/true, start → end", least)
    }

    /// Measures a request to the daemon, beside `curl` with the same request over the same socket.
    func questions() async throws {
        let (daemon, _) = try await startDaemon()
        let status = ["\(programs)/huddle", "status"]
        let curl = ["/usr/bin/curl", "--silent", "--fail", "--unix-socket", home.path(of: "state/control")]
        let isCurlHere = access(curl[0], X_OK) == 0
        let other = isCurlHere ? curl + ["http://h/v1/status"] : ["/bin/true"]
        _ = try await time(status)
        var (ours, theirs) = ([Double](), [Double]())
        for _ in 0..<Self.questions {
            ours.append(try await time(status))
            theirs.append(try await time(other))
        }
        let name = isCurlHere ? "curl, the same question on the same socket" : "no curl here; /bin/true, start → end"
        compare("huddle status, start → end", ours, goal: 30, to: name, theirs)
        try await stop(daemon)
    }

    /// Measures an idle daemon, beside a program that only sleeps.
    func rest() async throws {
        let (daemon, _) = try await startDaemon()
        _ = try await time(["\(programs)/huddle", "status"])
        let sleeper = try ChildProcess.launch(launch(["/bin/sleep", "600"]))
        // Running work ends, and memory is released a second after that.
        try await EventLoop.shared.sleep(for: .seconds(10))
        let before = ProcessFigures(of: daemon.identifier)
        try await EventLoop.shared.sleep(for: .seconds(Self.restSeconds))
        guard let before, let after = ProcessFigures(of: daemon.identifier),
            let least = ProcessFigures(of: sleeper.identifier)
        else { throw Unexpected("a program that should be at rest is gone") }
        let work = seconds(after.processorTime - before.processorTime) * 1_000
        let (ours, theirs) = (Double(after.residentKiB) / 1024, Double(least.residentKiB) / 1024)
        say(
            "huddled at rest without peers and saves: \(text(ours, 1)) MiB resident (goal 15), "
                + "\(after.wakeUps - before.wakeUps) wake-ups (goal 0) and \(text(work)) ms of processor time "
                + "in \(Self.restSeconds) s, \(after.threads) threads"
        )
        say("  sleep: \(text(theirs, 1)) MiB resident; ratio \(text(ours / theirs, 1))")
        _ = await sleeper.terminate()
        try await stop(daemon)
    }
}
