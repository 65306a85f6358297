import Glibc
import LabKit
import LinuxPlatform
import Yardstick

/// One host and its daemon, whose log is read line by line.
actor DaemonHost {
    nonisolated let host: LabHost
    nonisolated let name: String
    private let built: String
    private(set) var daemon: ChildProcess?
    private var applied = 0
    private var saved = 0
    /// The times of the daemon's last reports of a made, an arrived and an applied version.
    private(set) var lastSaved = ContinuousClock.now
    private(set) var lastArrived = ContinuousClock.now
    private(set) var lastApplied = ContinuousClock.now
    private var isReady = false
    private var waiting: [Resumption<Void>] = []

    private static let port = 4242
    /// The quiet period before a scan.
    static let settle = 0.3

    init(_ host: LabHost) throws {
        (self.host, name) = (host, "H\(host.number)")
        guard let path = realpath("/proc/self/exe", nil) else { throw SystemError("realpath", on: "/proc/self/exe") }
        defer { free(path) }
        built = String(cString: path).split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
        try Place.make(folder)
    }

    nonisolated var folder: String { "\(Place.disk)/\(name)" }
    nonisolated var history: String { "\(folder)/state/history" }
    nonisolated var address: String { "\(host.address):\(Self.port)" }

    /// Starts the daemon, and returns the time until it was ready.
    @discardableResult
    func start() async throws -> Double {
        let words = ["\(built)/huddled", "--state", "\(folder)/state", "--port", "\(Self.port)"]
        let start = ContinuousClock.now
        isReady = false
        let started = try await host.start(
            words + ["--into", "\(folder)/inbox", "--no-advertise", "--no-browse"],
            environment: ["HUDDLE_NAME": name]
        )
        daemon = started
        Task {
            guard let lines = started.standardError?.lines() else { return }
            for try await line in lines { hears(line) }
        }
        try await until("\(name) is ready") { isReady }
        return seconds(.now - start)
    }

    func stop() async throws {
        guard let ending = await daemon?.terminate(after: .seconds(60)) else { return }
        daemon = nil
        guard ending.isSuccess else { throw Unexpected("\(name): the daemon ended with \(ending)") }
    }

    private func hears(_ line: String) {
        if line.contains("listening on port") {
            isReady = true
        } else if line.contains(": the folder shows ") {
            (applied, lastApplied) = (applied + 1, .now)
        } else if line.contains(": a new version, ") {
            (saved, lastSaved) = (saved + 1, .now)
        } else if line.hasSuffix(" has arrived") {
            lastArrived = .now
        } else if line.contains("warning: ") || line.contains("error: ") {
            say("  \(name): \(line)")
        }
        for turn in waiting { turn.resume(with: .success(())) }
        waiting = []
    }

    private func until(_ what: String, within limit: Duration = .seconds(300), _ isSo: () -> Bool) async throws {
        let deadline = ContinuousClock.now + limit
        while !isSo() {
            let turn = Resumption<Void>()
            waiting.append(turn)
            let left = deadline - .now
            guard left > .zero else { throw Unexpected("it is not so after \(limit): \(what)") }
            try await EventLoop.shared.withDeadline(left, what) { try await turn.value() }
        }
    }

    /// The numbers of applied and of made versions.
    var counts: (applied: Int, saved: Int) { (applied, saved) }

    func untilApplied(beyond count: Int) async throws {
        try await until("\(name) shows a version") { applied > count }
    }

    func untilSaved(beyond count: Int) async throws { try await until("\(name) has a new version") { saved > count } }

    /// Starts a command that runs on.
    func starts(_ words: [String]) async throws -> ChildProcess {
        try await host.start(["\(built)/huddle"] + words, environment: ["HUDDLE_STATE": "\(folder)/state"])
    }

    @discardableResult
    func huddle(_ words: [String]) async throws -> String {
        let environment = ["HUDDLE_STATE": "\(folder)/state"]
        let ended = try await host.run(["\(built)/huddle"] + words, environment: environment, deadline: .seconds(300))
        guard ended.status.isSuccess else {
            throw Unexpected("\(name): huddle \(words.joined(separator: " ")): \(ended.standardError.text)")
        }
        return ended.standardOutput.text
    }

    /// The bytes that the host's cable has carried so far, in both directions.
    func onTheWire() async throws -> Int {
        let table = try await host.run(["cat", "/proc/net/dev"]).standardOutput.text
        return table.split(separator: "\n").reduce(0) { sum, line in
            let parts = line.split(separator: ":")
            guard parts.count == 2, parts[0].trimmingPrefix(while: { $0 == " " }) != "lo" else { return sum }
            let numbers = parts[1].split(separator: " ").compactMap { Int($0) }
            return numbers.count > 8 ? sum + numbers[0] + numbers[8] : sum
        }
    }

    func figures() -> ProcessFigures? { daemon.flatMap { ProcessFigures(of: $0.identifier) } }
}
